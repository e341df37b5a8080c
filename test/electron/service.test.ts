import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { latestVersion } from '../../db/schema.ts';
import {
  createSupervisor,
  type ServiceStatus,
  type Supervisor,
  type SupervisorOptions,
} from '../../electron/service.ts';
import type { ServiceTarget } from '../../electron/service-start.ts';
import { type ServiceThread, startServiceThread } from '../../electron/service-thread.ts';
import { portsTried } from '../../electron/settings.ts';
import { homeAt } from '../../server/home.ts';
import { createWindowKeys } from '../../server/window-keys.ts';
import { mountSmall } from '../support/disk.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';
import { fetchWithKey } from '../support/service.ts';

const windowSecret = 'a secret of the tests';

type Supervised = {
  readonly supervisor: Supervisor;
  /** Every status so far, by its kind. */
  readonly statuses: ServiceStatus[];
  /** The threads that were started, the last one last. */
  readonly threads: ServiceThread[];
  readonly reports: unknown[];
  /** The next status of a kind. */
  reach<Kind extends ServiceStatus['kind']>(
    kind: Kind,
  ): Promise<Extract<ServiceStatus, { kind: Kind }>>;
};

/** Supervises a service for the running test, on real threads. */
function supervise(target: ServiceTarget, more: Partial<SupervisorOptions> = {}): Supervised {
  const statuses: ServiceStatus[] = [];
  const threads: ServiceThread[] = [];
  const reports: unknown[] = [];
  const waiting = new Set<() => void>();
  const supervisor = createSupervisor({
    windowSecret,
    warn: (sentence) => reports.push(sentence),
    report: (error) => reports.push(error),
    onChange: () => {
      statuses.push(supervisor.status());
      for (const look of waiting) look();
    },
    startThread: async (request, warn) => {
      const thread = await startServiceThread(request, warn);
      threads.push(thread);
      return thread;
    },
    restartAfter: [0, 50],
    ...more,
  });
  onTestFinished(() => supervisor.close());
  supervisor.serve(target);
  const reach: Supervised['reach'] = (kind) =>
    new Promise((resolve) => {
      const look = () => {
        const status = supervisor.status();
        if (status.kind !== kind) return;
        waiting.delete(look);
        resolve(status as never);
      };
      waiting.add(look);
      look();
    });
  return { supervisor, statuses, threads, reports, reach };
}

/** A server of another program, for the running test; undefined where the port is taken already. */
async function occupy(port: number): Promise<Server | undefined> {
  const server = createServer((_request, response) => response.end('another program'));
  const done = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (done) onTestFinished(() => void server.close());
  return done ? server : undefined;
}

/** The first of a run of ports that are free just now. */
async function findPorts(): Promise<number> {
  for (;;) {
    const servers = [await occupy(0)];
    const address = servers[0]?.address();
    const { port: first } = address as AddressInfo;
    for (let port = first + 1; port < first + portsTried; port += 1)
      servers.push(await occupy(port));
    await Promise.all(
      servers.map((server) => server && new Promise((resolve) => server.close(resolve))),
    );
    if (!servers.includes(undefined) && first + portsTried < 65_536) return first;
  }
}

async function targetAt(home: string, more: Partial<ServiceTarget> = {}): Promise<ServiceTarget> {
  return { home, mustExist: false, port: await findPorts(), ...more };
}

describe('the service of the desktop', () => {
  it('serves on its port, for the keys of the window too, and takes its file along', async () => {
    const home = makeTestHome();
    const { userId, key } = await addMember(home, 'Chess', [makeEvent(1)]);
    const target = await targetAt(home.directory);
    const { supervisor, reach } = supervise(target);
    const service = await reach('running');
    expect(service.port).toBe(target.port);
    expect(JSON.parse(readFileSync(home.registration, 'utf8'))).toMatchObject({
      baseUrl: service.baseUrl,
      pid: process.pid,
    });
    const windowKey = createWindowKeys(windowSecret).keyFor(userId);
    for (const each of [key, windowKey]) {
      expect((await fetchWithKey(service, '/v1/events/1', each)).status).toBe(200);
    }
    await supervisor.close();
    expect(existsSync(home.registration)).toBe(false);
    await expect(fetch(`${service.baseUrl}/health`)).rejects.toThrow();
  });

  it('comes back on the same port when its thread dies', async () => {
    const home = makeTestHome();
    const { reach, threads, statuses, reports } = supervise(await targetAt(home.directory));
    const { baseUrl } = await reach('running');
    await threads[0]?.kill();
    await reach('starting');
    expect(await reach('running')).toMatchObject({ baseUrl });
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    expect(statuses.map(({ kind }) => kind)).toEqual(['running', 'starting', 'running']);
    expect(reports).toHaveLength(1);
    expect(JSON.parse(readFileSync(home.registration, 'utf8'))).toMatchObject({ baseUrl });
  });

  it('is started again when it has not answered several times in a row', async () => {
    const answers = [true, false, true, false, false, false];
    const { reach, threads } = supervise(await targetAt(makeTestHome().directory), {
      probe: async () => answers.shift() ?? true,
      probeEvery: 5,
    });
    const { baseUrl } = await reach('running');
    await threads[0]?.ended;
    await reach('starting');
    expect(await reach('running')).toMatchObject({ baseUrl });
    expect(threads).toHaveLength(2);
  });

  it('takes the next port when another program has its own', async () => {
    const target = await targetAt(makeTestHome().directory);
    const other = await occupy(target.port);
    const { reach, threads } = supervise(target);
    const moved = { port: target.port + 1 };
    expect(await reach('running')).toMatchObject(moved);
    const answer = await fetch(`http://127.0.0.1:${target.port}/`);
    expect(await answer.text()).toBe('another program');
    // Scripts know where it is by now, though the port that is set has become free.
    await new Promise((resolve) => other?.close(resolve));
    await threads[0]?.kill();
    await reach('starting');
    expect(await reach('running')).toMatchObject(moved);
  });

  it('stops where all ten ports are taken, and runs when one becomes free', async () => {
    const target = await targetAt(makeTestHome().directory);
    const others: (Server | undefined)[] = [];
    for (let port = target.port; port < target.port + portsTried; port += 1) {
      others.push(await occupy(port));
    }
    const { reach } = supervise(target);
    expect(await reach('stopped')).toEqual({ kind: 'stopped', problem: { kind: 'taken' } });
    await new Promise((resolve) => others[3]?.close(resolve));
    expect(await reach('running')).toMatchObject({ port: target.port + 3 });
  });

  it('moves to another port and to another data directory', async () => {
    const [from, to] = [makeTestHome(), makeTestHome()];
    const target = await targetAt(from.directory);
    const { supervisor, reach } = supervise(target);
    const { baseUrl } = await reach('running');
    const elsewhere = await targetAt(to.directory);
    supervisor.serve(elsewhere);
    expect(await reach('running')).toMatchObject({ port: elsewhere.port });
    await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();
    expect([existsSync(from.registration), existsSync(to.registration)]).toEqual([false, true]);
  });
});

describe('a data directory that cannot be used', () => {
  async function problemWith(home: string, more: Partial<ServiceTarget> = {}) {
    const { reach } = supervise(await targetAt(home, more));
    return (await reach('stopped')).problem;
  }

  it('is named as what it is, and left as it was', async () => {
    const home = makeTestHome();
    mkdirSync(home.directory);
    writeFileSync(home.database, 'Not a database. '.repeat(100));
    expect(await problemWith(home.directory)).toEqual({ kind: 'foreign' });
    expect(readFileSync(home.database, 'utf8')).toContain('Not a database.');
  });

  it('may be below a file', async () => {
    const file = join(makeTestFolder(), 'file');
    writeFileSync(file, '');
    expect(await problemWith(join(file, 'home'))).toEqual({ kind: 'noFolder' });
  });

  it('may be on a disk that is not connected, and is then not made', async () => {
    const home = join(makeTestFolder(), 'stick', 'events');
    expect(await problemWith(home, { mustExist: true })).toEqual({ kind: 'missing' });
    expect(existsSync(home)).toBe(false);
  });

  it('may be on a disk that is full, or may only be read', async (context) => {
    const [full, fixed] = [mountSmall(64), mountSmall(64, 'ro')];
    if (typeof full === 'string') return context.skip(full);
    if (typeof fixed === 'string') return context.skip(fixed);
    expect(await problemWith(join(full.folder, 'home'))).toEqual({ kind: 'full' });
    for (const home of [fixed.folder, join(fixed.folder, 'home')]) {
      expect(await problemWith(home)).toEqual({ kind: 'readOnly' });
    }
  });

  it('may be of a newer version', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const sqlite = new Database(home.database);
    sqlite.pragma(`user_version = ${latestVersion + 1}`);
    sqlite.close();
    expect(await problemWith(home.directory)).toEqual({ kind: 'newer' });
  });

  it('is used as soon as it can be', async () => {
    const stick = join(makeTestFolder(), 'stick');
    const { reach, statuses } = supervise(await targetAt(stick, { mustExist: true }));
    await reach('stopped');
    mkdirSync(stick);
    await reach('running');
    expect(existsSync(homeAt(stick).registration)).toBe(true);
    // Not told at each attempt.
    expect(statuses.map(({ kind }) => kind)).toEqual(['stopped', 'running']);
  });

  it('can be tried again at once', async () => {
    const stick = join(makeTestFolder(), 'stick');
    const target = await targetAt(stick, { mustExist: true });
    const { supervisor, reach } = supervise(target, { restartAfter: [3_600_000] });
    await reach('stopped');
    mkdirSync(stick);
    supervisor.retry();
    await reach('running');
  });
});
