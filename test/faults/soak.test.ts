import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startServe } from '../support/command.ts';
import { createCounts } from '../support/fault-requests.ts';
import { addEvents, addMember, makeEvent, makeTestHome } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { requirePlace } from '../support/place.ts';
import { printFigure } from '../support/print.ts';

const minutes = Number(process.env['SOAK_MINUTES'] ?? 2);
const perSecond = 200;

it(
  `stays the same in ${minutes} minutes with ${perSecond} requests a second and a writer`,
  async (context) => {
    if (choose(false, true)) context.skip('takes half an hour; see "npm run test:faults"');
    requirePlace(context, '/proc');
    const home = makeTestHome();
    const events = Array.from({ length: 1_000 }, (_, id) => makeEvent(id));
    const { key, userId } = await addMember(home, 'Chess', events);
    const { firstLine, pid, end } = await startServe(['--home', home.directory, '--port', '0']);
    const port = Number(new URL(firstLine).port);
    let agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const statuses = createCounts();
    const paths = ['/v1/events', '/v1/events/7', '/v1/events?q=event&limit=20', '/v1/events/none'];
    const failures: string[] = [];
    let closedWhenReused = 0;
    const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    async function measure() {
      // The number of connections that clients leave open is theirs.
      agent.destroy();
      agent = new Agent({ keepAlive: true, maxSockets: 16 });
      await delay(1_000);
      const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return {
        megabytes: Number(memory) / 1_024,
        descriptors: readdirSync(`/proc/${pid}/fd`).length,
        log: sizeOf(join(home.logs, 'service.log')),
        wal: sizeOf(`${home.database}-wal`),
      };
    }
    const ask = (at: number) =>
      new Promise<void>((resolve) => {
        const path = paths[at % paths.length];
        const headers = { Authorization: `Bearer ${key}` };
        const request = get({ port, path, headers, agent }, (response) => {
          statuses.add(response.statusCode ?? 0);
          response.resume().on('end', resolve);
        });
        request.on('error', ({ message }) => {
          // The service may close an idle connection at the moment of its reuse.
          if (request.reusedSocket && /ECONNRESET|hang up/.test(message)) closedWhenReused += 1;
          else failures.push(message);
          resolve();
        });
      });
    async function load(seconds: number): Promise<void> {
      const sent: Promise<void>[] = [];
      const started = performance.now();
      for (let at = 0; at < seconds * perSecond; at += 10) {
        for (let extra = 0; extra < 10; extra += 1) sent.push(ask(at + extra));
        if (at % perSecond === 0)
          await addEvents(home, userId, [makeEvent(at % 1_000, { name: `${started} ${at}` })]);
        await delay(Math.max(0, started + (at / perSecond) * 1_000 - performance.now()));
      }
      await Promise.all(sent);
    }
    // Until the memory has its usual size.
    await load(Math.min(minutes * 6, 60));
    const before = await measure();
    await load(minutes * 60);
    const after = await measure();
    agent.destroy();
    printFigure(
      `${minutes} minutes: ${statuses.text()}, closed when reused: ${closedWhenReused}; ${JSON.stringify({ before, after })}`,
    );
    expect(failures).toEqual([]);
    expect(closedWhenReused).toBeLessThan((minutes * 60 * perSecond) / 10_000);
    expect(after.megabytes - before.megabytes).toBeLessThanOrEqual(20);
    // A thread of the maintenance has a few for a moment.
    expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + 3);
    expect(after.log).toBe(before.log);
    expect(after.wal).toBeLessThanOrEqual(Math.max(before.wal, 6_000_000));
    expect(await end('SIGTERM')).toBe(0);
  },
  (minutes + 5) * 60_000,
);
