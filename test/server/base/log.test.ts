import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connection } from '../../../db/open.ts';
import { openLog } from '../../../server/base/log.ts';
import { withWriter } from '../../../server/store/store.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { expectMode, requirePlace } from '../../support/place.ts';
import { openRaw } from '../../support/raw.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';

describe('a failure of the service', () => {
  it('logs the cause of a failure and does not send it to the client', async () => {
    const home = makeTestHome();
    const member = await addMember(home, 'Chess', [makeEvent(1)]);
    const service = await serveForTest(home);
    await withWriter(home, (db) => {
      connection(db).exec('ALTER TABLE events RENAME TO elsewhere');
    });
    const answer = await fetchWithKey(service, '/v1/events?secret=query', member.key);
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: 'The service failed; its log has the reason.',
      code: 'internal',
    });
    const log = readFileSync(join(home.logs, 'service.log'), 'utf8');
    expect(log).toContain('no such table');
    expect(log).toContain(`"route":"/v1/events"`);
    expect(log).not.toContain(member.key);
    expect(log).not.toContain('secret');
    expect((await fetchWithKey(service, '/health', '')).status).toBe(200);
  });
});

describe('a slow answer', () => {
  it('is logged with its route and time only', async () => {
    const home = makeTestHome();
    const member = await addMember(home, 'Chess', [makeEvent(1)]);
    const service = await serveForTest(home);
    const slowLines = () =>
      readFileSync(join(home.logs, 'service.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('slow answer'));
    await fetchWithKey(service, '/v1/events', member.key);
    expect(slowLines()).toEqual([]);
    let time = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => {
      time += 1_500;
      return time;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    await fetchWithKey(service, '/v1/events?q=secretword', member.key);
    await fetchWithKey(service, '/v1/events/987654', member.key);
    const lines = slowLines();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { route: '/v1/events', ms: expect.any(Number) },
      { route: '/v1/events/:id', ms: expect.any(Number) },
    ]);
    for (const line of lines) {
      expect(Object.keys(JSON.parse(line))).toEqual(['level', 'time', 'pid', 'route', 'ms', 'msg']);
    }
  });
});

describe('the log', () => {
  const refuseFailure = (error: Error) => {
    throw error;
  };

  it('rotates a large log, also while the service runs', () => {
    const folder = join(makeTestFolder(), 'logs');
    mkdirSync(folder);
    const path = join(folder, 'service.log');
    const large = 'x'.repeat(6 * 1024 * 1024);
    writeFileSync(path, large);
    const log = openLog(folder, refuseFailure);
    log.info('first');
    // An expression for all of it can exceed the stack.
    expect(readFileSync(`${path}.1`, 'utf8') === large).toBe(true);
    expect(readFileSync(path, 'utf8')).toMatch(/"msg":"first"/);
    writeFileSync(path, large);
    log.info('second');
    expect(readdirSync(folder).toSorted()).toEqual(['service.log', 'service.log.1']);
    expect(readFileSync(path, 'utf8')).toMatch(/^[^\n]*"msg":"second"\}\n$/);
    expectMode(path, 0o600);
  });

  it('has a limit of lines per minute', () => {
    const folder = makeTestFolder();
    const log = openLog(folder, refuseFailure);
    // A minute may end in between.
    for (let count = 0; count < 1_000; count += 1) log.info('failed');
    const lines = readFileSync(join(folder, 'service.log'), 'utf8').trim().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(61);
    expect(lines.length).toBeLessThanOrEqual(122);
    expect(lines[60]).toContain('no more lines in this minute');
  });

  it('names the file that is in the place of its folder', () => {
    const folder = join(makeTestFolder(), 'logs');
    writeFileSync(folder, 'mine');
    expect(() => openLog(folder, refuseFailure)).toThrow(
      expect.objectContaining({
        code: 'file_in_the_way',
        values: expect.objectContaining({ path: folder }),
      }),
    );
  });

  it('has no line for clients that disconnect or are refused', async () => {
    const home = makeTestHome();
    const { port } = await serveForTest(home);
    const request = `GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    for (let count = 0; count < 100; count += 1) {
      const { socket } = openRaw(port);
      await once(socket, 'connect');
      socket.write(request.repeat(20));
      await delay(1);
      socket.resetAndDestroy();
    }
    expect((await fetchWithKey({ port }, '/v1/events', 'unknown')).status).toBe(401);
    expect(readFileSync(join(home.logs, 'service.log'), 'utf8')).toMatch(/^[^\n]*"started"\}\n$/);
  });

  it('keeps the service running when the disk of the log is full', async (context) => {
    requirePlace(context, '/dev/full');
    const folder = makeTestFolder();
    symlinkSync('/dev/full', join(folder, 'service.log'));
    const failures: string[] = [];
    const log = openLog(folder, (error) => failures.push(error.message));
    log.info('first');
    log.info('second');
    expect(failures).toEqual([expect.stringMatching(/ENOSPC/)]);
  });
});
