import { once } from 'node:events';
import { Agent, get as httpGet, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectionLimits, createConnections } from '../../../server/http/connections.ts';
import { createLimitedServer } from '../../../server/http/server.ts';
import { startServe } from '../../support/command.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { openRaw, requestRaw, sendRaw } from '../../support/raw.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';

type Limits = Partial<Record<keyof typeof connectionLimits, number>>;

/** A server with limits of its own; `lives` has the milliseconds that each ended connection lived. */
async function listen(listener: RequestListener, limits: Limits) {
  const connections = createConnections({ ...connectionLimits, ...limits });
  const server = createLimitedServer(listener, connections);
  const lives: number[] = [];
  server.on('connection', (socket: Socket) => {
    const opened = performance.now();
    socket.on('close', () => lives.push(performance.now() - opened));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, lives };
}

const request = (path = '/') => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

function connectTo(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

describe('a client that does not read its response', () => {
  const limits = { stall: 500 };
  const body = Buffer.alloc(40_000_000, 'x');
  const answerAll: RequestListener = (_request, response) => response.end(body);

  it.each([
    ['one large answer', request()],
    ['pipelined ones', request().repeat(60)],
  ])(
    'a client that does not read its response is disconnected after a timeout: %s',
    async (_, bytes) => {
      const { port, lives } = await listen(answerAll, limits);
      connectTo(port).pause().write(bytes);
      await expect.poll(() => lives).toHaveLength(1);
      expect(lives[0]).toBeGreaterThan(limits.stall);
    },
  );

  it('a client that does not read its response is disconnected although it read an earlier response', async () => {
    const { port, lives } = await listen(
      ({ url }, response) => response.end(url === '/small' ? 'x' : body),
      limits,
    );
    const socket = connectTo(port);
    socket.write(request('/small'));
    await once(socket, 'data');
    socket.pause().write(request());
    await expect.poll(() => lives).toHaveLength(1);
    expect(lives[0]).toBeGreaterThan(limits.stall);
  });

  it('receives the whole response if it only reads slowly', { tags: 'long' }, async () => {
    const { port, lives } = await listen(answerAll, limits);
    const socket = connectTo(port).pause();
    socket.write(request());
    let length = 0;
    socket.on('data', (chunk) => {
      length += chunk.length;
      if (Math.floor(length / 2_000_000) > Math.floor((length - chunk.length) / 2_000_000)) {
        socket.pause();
        setTimeout(() => socket.resume(), 80);
      }
    });
    const started = performance.now();
    socket.resume();
    await expect.poll(() => length).toBeGreaterThan(body.length);
    expect(performance.now() - started).toBeGreaterThan(limits.stall * 2);
    expect(lives).toEqual([]);
  });

  it('a client that does not read its response waits 30 s for a response that is not ready', async () => {
    const { port, lives } = await listen((_request, response) => {
      setTimeout(() => response.end('late'), limits.stall / 2);
    }, limits);
    const socket = connectTo(port);
    socket.write(request());
    expect(String(await once(socket, 'data'))).toMatch(/late$/);
    expect(lives).toEqual([]);
    const server = createLimitedServer(() => undefined, createConnections());
    expect(server.timeout).toBe(7_500);
  });
});

describe('a new connection above the limit', () => {
  it('replaces the longest idle connection', async () => {
    const { port } = await serveForTest(makeTestHome());
    const host = `Host: 127.0.0.1:${port}`;
    const used = openRaw(port);
    used.socket.write(`GET /health HTTP/1.1\r\n${host}\r\n\r\n`);
    await once(used.socket, 'data');
    const connect = async () => {
      const connection = openRaw(port);
      await once(connection.socket, 'connect');
      return connection;
    };
    const longest = await connect();
    // At once, as the service ends a connection that says nothing for long.
    const others = await Promise.all(Array.from({ length: 254 }, connect));
    // The service keeps each new connection for a moment.
    await delay(150);
    // Idle only since now.
    used.socket.write(`GET /health HTTP/1.1\r\n${host}\r\n\r\n`);
    await once(used.socket, 'data');
    expect((await requestRaw(port, 'GET /health', [host])).status).toBe(200);
    expect(await longest.received).toBe('');
    expect([used, ...others].filter(({ socket }) => socket.destroyed)).toEqual([]);
    for (const { socket } of [used, ...others]) socket.destroy();
  });

  it('a new connection above the limit is refused if all connections are busy', async () => {
    const waiting: ServerResponse[] = [];
    const { port } = await listen((_request, response) => void waiting.push(response), {
      connections: 3,
    });
    const busy = [0, 1, 2].map(() => openRaw(port));
    for (const { socket } of busy) socket.write(request().repeat(2));
    await expect.poll(() => waiting).toHaveLength(6);
    expect(await sendRaw(port, request())).toBe('');
    // Half of its requests answered is still busy.
    waiting[0]?.end('x');
    await once(busy[0]?.socket as Socket, 'data');
    expect(await sendRaw(port, request())).toBe('');
    for (const response of waiting) response.end('x');
    await Promise.all(busy.slice(1).map(({ socket }) => once(socket, 'data')));
    const guest = openRaw(port);
    guest.socket.write(request());
    await expect.poll(() => waiting).toHaveLength(7);
    for (const { socket } of [...busy, guest]) socket.destroy();
  });
});

describe('a response that closes the connection', () => {
  it('a response that closes the connection is sent to a foreign Host or Origin', async () => {
    const { port } = await serveForTest(makeTestHome());
    const host = `Host: 127.0.0.1:${port}`;
    const ask = (lines: string) => sendRaw(port, `GET /v1/events HTTP/1.1\r\n${lines}\r\n\r\n`);
    expect(await ask('Host: evil.example')).toMatch(
      /^HTTP\/1\.1 421 [\s\S]*\r\nConnection: close\r\n/,
    );
    expect(await ask(`${host}\r\nOrigin: https://evil.example`)).toMatch(
      /^HTTP\/1\.1 403 [\s\S]*\r\nConnection: close\r\n/,
    );
  });

  it('a response that closes the connection is sent to a request with Upgrade', async () => {
    const home = makeTestHome();
    const { key } = await addMember(home, 'Chess', [makeEvent(1)]);
    const { port } = await serveForTest(home);
    const lines = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n`;
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n';
    const first = `GET /v1/events/1 HTTP/1.1\r\n${lines}${upgrade}\r\n`;
    // What the parser loses is the beginning of this one: its header would pass for a request.
    const { socket, received } = openRaw(port);
    socket.write(`${first}GET /nope HTTP/1.1\r\nX-Pad: `);
    await delay(5);
    socket.write(`GET /v1/events/1 HTTP/1.1\r\n${lines}\r\n`);
    const answers = await received;
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(answers).toMatch(/\r\nConnection: close\r\n/);
    expect(JSON.parse(answers.slice(answers.indexOf('\r\n\r\n'))).event.id).toBe(1);
  });
});

describe('a large body', () => {
  it('a large body is refused with a response instead of a broken connection', {
    tags: 'long',
  }, async () => {
    // In another process, which answers while this one still sends.
    const { firstLine } = await startServe(['--home', makeTestHome().directory, '--port', '0']);
    for (let time = 0; time < choose(10, 3); time += 1) {
      const answer = await fetch(`${firstLine}/v1/events`, {
        method: 'POST',
        body: Buffer.alloc(10_000_000),
      });
      expect(answer.status).toBe(405);
      expect(await answer.json()).toMatchObject({ status: 405 });
    }
  });

  it('a large body is not read to its end', async () => {
    const { port } = await serveForTest(makeTestHome());
    const lines = [`Host: 127.0.0.1:${port}`, 'Content-Length: 1000000'];
    const answer = await requestRaw(port, 'POST /v1/events', lines, 'only the beginning');
    expect(answer.status).toBe(405);
  });
});

it.each([
  ['after a body with a wrong encoding', 'Transfer-Encoding: gzip,chunked\r\n'],
  ['in a chunked body', 'Transfer-Encoding: chunked\r\n'],
])('sends no second answer for bytes %s', { tags: 'long' }, async (_, line) => {
  const { port } = await serveForTest(makeTestHome());
  const get = (path: string, more: string) =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${more}\r\n`;
  const received = await sendRaw(port, get('/health', line) + get('/health', ''));
  expect(received.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
});

it('answers requests on one connection in order', async () => {
  const home = makeTestHome();
  const { key } = await addMember(home, 'Chess', [makeEvent(1)]);
  const service = await serveForTest(home);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ports = new Set<number | undefined>();
  for (let time = 0; time < 3; time += 1) {
    const headers = { Authorization: `Bearer ${key}` };
    const sent = httpGet(`${service.baseUrl}/v1/events/1`, { agent, headers });
    const [response] = await once(sent, 'response');
    ports.add(sent.socket?.localPort);
    response.resume();
    await once(response, 'end');
    await delay(20);
  }
  expect(ports.size).toBe(1);
  expect((await fetchWithKey(service, '/v1/events/1', key)).status).toBe(200);
});
