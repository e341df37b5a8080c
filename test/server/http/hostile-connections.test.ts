import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Connections,
  connectionLimits,
  createConnections,
} from '../../../server/http/connections.ts';
import { createLimitedServer } from '../../../server/http/server.ts';
import { addEvents, addMember, makeEvent, makeTestHome, revokeKeysOf } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { patience } from '../../support/patience.ts';
import { printFigure } from '../../support/print.ts';
import { createRandom } from '../../support/random.ts';
import { requestRaw } from '../../support/raw.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';

type Limits = Partial<Record<keyof typeof connectionLimits, number>>;

/** Connections with limits of their own, and a count of those that are open. */
function createCounted(limits: Limits) {
  const connections = createConnections({ ...connectionLimits, ...limits });
  let server: Server | undefined;
  const counted: Connections = {
    ...connections,
    attach(each) {
      server = each;
      connections.attach(each);
    },
  };
  const count = () =>
    new Promise<number>((resolve, reject) => {
      server?.getConnections((error, open) => (error ? reject(error) : resolve(open)));
    });
  return { connections: counted, count };
}

/** Opens a connection that reads nothing until it is resumed. */
function openPaused(port: number, bytes: string): Socket {
  const socket = connect(port, '127.0.0.1')
    .on('error', () => undefined)
    .pause();
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  return socket;
}

describe('a connection with waits', () => {
  const body = Buffer.alloc(40_000_000, 'x');
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

  /** A server that waits at `/wait` and answers other paths with a large body; `ends` ends the waits. */
  async function listen(limits: Limits) {
    const { connections, count } = createCounted(limits);
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const answer = ({ url = '' }, response: ServerResponse) => {
      started.push(url);
      if (!url.startsWith('/wait')) return response.end(body);
      const wait = Promise.withResolvers<void>();
      const leave = connections.beginWait(response, 'key', wait.resolve);
      ends.push(wait.resolve);
      return void wait.promise.then(() => {
        leave?.();
        response.end(url);
      });
    };
    const server = createLimitedServer(answer, connections).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return { port: (server.address() as AddressInfo).port, count, ends, started };
  }

  it('a connection with waits lasts longer than the limit for an answer without progress', async () => {
    const { port, count, ends } = await listen({ stall: 200 });
    openPaused(port, request('/wait').repeat(2));
    await expect.poll(() => ends).toHaveLength(2);
    await delay(600);
    expect(await count()).toBe(1);
  });

  it('restores the limit of a connection after its last wait, whatever is pipelined', async () => {
    const { port, count, ends } = await listen({ stall: 400 });
    openPaused(port, request('/wait').repeat(2) + request('/').repeat(12));
    await expect.poll(() => ends).toHaveLength(2);
    await delay(300);
    for (const end of ends) end();
    await expect.poll(count).toBe(0);
  });

  it('a connection with waits has at most four requests answered at a time, in their order', async () => {
    const { port, ends, started } = await listen({});
    const paths = [1, 2, 3, 4, 5, 6].map((number) => `/wait?${number}`);
    const socket = openPaused(port, paths.map(request).join(''));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await expect.poll(() => started).toEqual(paths.slice(0, 4));
    // The answer of the second one is ready first.
    for (const at of [1, 0, 2, 3, 4, 5]) {
      await expect.poll(() => ends.length).toBeGreaterThan(at);
      ends[at]?.();
    }
    socket.resume();
    await expect.poll(() => text.match(/\/wait\?\d$|\/wait\?\d(?=HTTP)/g)).toEqual(paths);
  });

  it('a connection with waits is closed when too many requests queue', async () => {
    const { port, count, started } = await listen({ queue: 10 });
    openPaused(port, request('/wait').repeat(14));
    await expect.poll(() => started).toHaveLength(4);
    expect(await count()).toBe(1);
    openPaused(port, request('/wait').repeat(15));
    await expect.poll(() => started).toHaveLength(8);
    await expect.poll(count).toBe(1);
  });
});

/** Serves clubs with a large list, and another one with one event. */
async function serveLarge(names: readonly string[], limits: Limits) {
  const home = makeTestHome();
  const description = 'x'.repeat(4_000);
  const events = Array.from({ length: 200 }, (_, at) => makeEvent(at + 1, { description }));
  const large = [];
  for (const name of names) large.push(await addMember(home, name, events));
  const other = await addMember(home, 'Other', [makeEvent(1)]);
  const { connections, count } = createCounted(limits);
  const service = await serveForTest(home, {}, undefined, { connections });
  const { port } = service;
  const compose = (key: string, path: string, ...lines: readonly string[]) =>
    [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${key}`, ...lines]
      .map((line) => `${line}\r\n`)
      .join('')
      .concat('\r\n');
  /** Asks as a new client of the other club; a refused one has no status. */
  const askAnew = async () => {
    const lines = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${other.key}`];
    return (await requestRaw(port, 'GET /v1/events', lines)).status;
  };
  const revisionOf = async (key: string) =>
    (await fetchWithKey(service, '/v1/events?limit=1', key)).headers.get('Events-Revision') ?? '';
  return { home, port, large, count, compose, askAnew, revisionOf };
}

it('answers each new client while one key fills all connections with answers that it does not read', async () => {
  const size = choose(256, 48);
  // No time limit comes to the help of the new clients.
  const limits = { connections: size, stall: 600_000, idle: 600_000 };
  const { port, large, count, compose, askAnew, revisionOf } = await serveLarge(
    ['Hostile'],
    limits,
  );
  const key = large[0]?.key ?? '';
  const waiting = compose(key, `/v1/events?since=${await revisionOf(key)}`, 'Prefer: wait=1');
  const statuses: number[] = [];
  for (let opened = 0; opened < 3 * size; opened += 15) {
    for (let at = 0; at < 15; at += 1) {
      openPaused(port, waiting.repeat(2) + compose(key, '/v1/events').repeat(12));
    }
    statuses.push(await askAnew());
  }
  for (let time = 0; time < 24; time += 1) statuses.push(await askAnew());
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(await count()).toBeGreaterThan(size - 3);
});

const times = choose(5_000, 125);

it(`loses no limit of ${times} random connections that wait, pipeline, are cut, revoked and unread`, async () => {
  const random = createRandom(20_261_130);
  const one = <T>(items: readonly T[]) => items[random(items.length)] as T;
  const names = Array.from({ length: times / 125 }, (_, at) => `Club${at}`);
  // Beside other tests, the service may read the request of a new client late.
  const limits = { stall: 2_000, idle: choose(3_000, 500) };
  const { home, port, large, count, compose, askAnew, revisionOf } = await serveLarge(
    names,
    limits,
  );
  const statuses: number[] = [];
  const durations: number[] = [];
  for (const { name, key, userId } of large) {
    for (let batch = 0; batch < 5; batch += 1) {
      const revision = await revisionOf(key);
      const requests = [
        ...[1, 2, 3, 4].map(() => compose(key, '/v1/events')),
        compose(key, '/v1/events/1'),
        compose(key, `/v1/events?since=${revision}`, 'Prefer: wait=0'),
        compose(key, `/v1/events?since=${revision}`, 'Prefer: wait=1'),
        compose(key, '/v1/events', 'If-None-Match: *', 'Prefer: wait=1'),
        compose('wrong', '/v1/events'),
      ];
      for (let at = 0; at < 25; at += 1) {
        const all = Array.from({ length: 1 + random(20) }, () => one(requests)).join('');
        // The last request may be cut off.
        const socket = openPaused(port, random(8) === 0 ? all.slice(0, -random(60)) : all);
        const act = one([
          () => socket.resume(),
          () => socket.resume().end(),
          () => socket.destroy(),
          () => socket.resetAndDestroy(),
          () => undefined,
          () => undefined,
        ]);
        setTimeout(act, random(400));
      }
      const started = performance.now();
      statuses.push(await askAnew());
      durations.push(performance.now() - started);
      if (batch === 2) await addEvents(home, userId, [makeEvent(1, { name: `${random(1_000)}` })]);
    }
    await revokeKeysOf(home, name);
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  // The service shares this thread with its clients, and the processor with other tests.
  durations.sort((one, other) => one - other);
  const [median = 0, longest = 0] = [durations[durations.length >> 1], durations.at(-1)];
  printFigure(`new clients: median ${Math.round(median)} ms, longest ${Math.round(longest)} ms`);
  expect(median).toBeLessThan(choose(1_000, patience));
  expect(longest).toBeLessThan(patience);
  await expect.poll(count).toBe(0);
});
