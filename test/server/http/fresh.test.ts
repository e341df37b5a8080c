import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { revokeKey } from '../../../db/keys.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { closeStore, openWriter } from '../../../db/open.ts';
import { addMember, createdAt, makeEvent, makeTestHome, revokeKeysOf } from '../../support/home.ts';
import { sendRaw } from '../../support/raw.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';

/** A thread of its own, as another process would, sets the name of the event to 1, 2, 3 and so on. */
const steadyWriter = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Database = require('better-sqlite3');
  const sqlite = new Database(workerData.path, { timeout: 5000 });
  const counter = new Int32Array(workerData.shared);
  const write = sqlite.prepare('UPDATE events SET name = ? WHERE id = 1');
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    write.run(String(count));
    // Told after the commit: who reads the number knows that it can be read.
    Atomics.store(counter, 0, count);
  }, 5);
  parentPort.on('message', () => { clearInterval(timer); sqlite.close(); });
`;

it('never returns data older than the last commit before the request, under load', async () => {
  const home = makeTestHome();
  const newest = makeEvent(1, { createdAt: '2026-02-01T00:00:00.000Z' });
  const events = [newest, ...Array.from({ length: 230 }, (_, at) => makeEvent(at + 2))];
  const { key } = await addMember(home, 'Chess', events);
  const service = await serveForTest(home);
  const shared = new SharedArrayBuffer(4);
  const committed = new Int32Array(shared);
  const workerData = { path: home.database, shared };
  const writer = new Worker(steadyWriter, { eval: true, workerData });
  onTestFinished(async () => void (await writer.terminate()));
  const stale: string[] = [];
  let requestCount = 0;
  const read = async (path: string): Promise<void> => {
    const before = Atomics.load(committed, 0);
    const body = (await (await fetchWithKey(service, path, key)).json()) as {
      events?: StoredEvent[];
      event?: StoredEvent;
    };
    const event = body.event ?? body.events?.find(({ id }) => id === 1);
    requestCount += 1;
    // The writer begins with "Event 1", which is before all numbers.
    if ((Number(event?.name) || 0) < before) stale.push(`${event?.name}, not ${before}`);
  };
  const paths = ['/v1/events', '/v1/events/1', '/v1/events?limit=1'];
  while (Atomics.load(committed, 0) < 150 || requestCount < 100) {
    await Promise.all(Array.from({ length: 12 }, (_, at) => read(paths[at % 3] ?? '')));
  }
  writer.postMessage('end');
  expect(stale).toEqual([]);
});

it('refuses a revoked key from the next request on, under load', async () => {
  const home = makeTestHome();
  const { key } = await addMember(home, 'Chess', [makeEvent(1)]);
  const service = await serveForTest(home);
  const crowd = new AbortController();
  const load = Array.from({ length: 8 }, async () => {
    while (!crowd.signal.aborted) await (await fetchWithKey(service, '/v1/events', key)).text();
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await fetchWithKey(service, '/v1/events', key)).status).toBe(200);
  await revokeKeysOf(home, 'Chess');
  expect((await fetchWithKey(service, '/v1/events', key)).status).toBe(401);
  crowd.abort();
  await Promise.all(load);
});

it('refuses a key that was revoked between two requests in one packet', async () => {
  const home = makeTestHome();
  const { key } = await addMember(home, 'Chess', [], { expiresAt: '2027-01-01T00:00:00.000Z' });
  const db = openWriter(home.database);
  onTestFinished(() => closeStore(db));
  // The service reads the time for each request whose key it knows.
  const now = () => {
    revokeKey(db, 1, createdAt);
    return new Date(createdAt);
  };
  const { port } = await serveForTest(home, {}, now);
  const head = [
    'GET /v1/events HTTP/1.1',
    `Host: localhost:${port}`,
    `Authorization: Bearer ${key}`,
  ];
  const [first, last] = [head, [...head, 'Connection: close']];
  const answers = await sendRaw(port, [...first, '', ...last, '', ''].join('\r\n'));
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401']);
});
