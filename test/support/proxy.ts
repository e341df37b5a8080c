import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
} from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

type TestProxy = {
  readonly url: string;
  /** The requests for tunnels, and all others, that arrived. */
  readonly requests: readonly { readonly target: string; readonly headers: IncomingHttpHeaders }[];
  /** The number of open connections of clients. */
  readonly connections: () => number;
};

/**
 * Starts an HTTP proxy for the running test. Its tunnels lead to a port of this machine, whatever
 * their target; without a port it is `silent`, or refuses with the status.
 */
export async function serveProxy(
  route: number | 'silent' | { status: number },
): Promise<TestProxy> {
  const requests: { target: string; headers: IncomingHttpHeaders }[] = [];
  const sockets = new Set<Socket>();
  const note = ({ url = '', headers }: IncomingMessage) => requests.push({ target: url, headers });
  const server = createServer((message, response) => {
    note(message);
    response.writeHead(502).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (message: IncomingMessage, client: Socket) => {
    note(message);
    if (route === 'silent') {
      client.resume().on('end', () => client.end());
      return;
    }
    if (typeof route === 'object') {
      client.end(`HTTP/1.1 ${route.status} Refused\r\n\r\n`);
      return;
    }
    const upstream = connect(route, '127.0.0.1');
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, connections: () => sockets.size };
}

/** A way to a server, which the network may take away. */
export type Link = {
  readonly port: number;
  /** The port of this machine to which new connections lead; without one they are refused. */
  target: number | undefined;
  /** The bytes that the server has sent. */
  readonly received: () => number;
  /** Passes nothing more on the open connections, and closes none; new ones are as before. */
  freeze(): void;
  /** Freezes each connection, also a new one, that gets so many more bytes from the server. */
  freezeAfter(bytes: number): void;
  /** Lets all connections pass that are not frozen yet. */
  heal(): void;
  /** The number of connections that were frozen. */
  readonly frozen: () => number;
  /** Closes the open connections. */
  cut(): void;
};

/** The two sides of a connection, and the bytes that it got from the server. */
type LinkedPair = { readonly sockets: readonly Socket[]; brought: number; isFrozen: boolean };

/** Starts a way to a port of this machine; `atEnd` gets what closes it. */
export async function serveLink(
  target: number | undefined,
  atEnd: (stop: () => Promise<void>) => void = onTestFinished,
): Promise<Link> {
  const connections = new Set<LinkedPair>();
  let [received, frozen, limit] = [0, 0, Number.POSITIVE_INFINITY];
  function freezePair(pair: LinkedPair): void {
    pair.isFrozen = true;
    frozen += 1;
    for (const socket of pair.sockets) socket.unpipe().pause();
  }
  const server = createTcpServer((client) => {
    if (link.target === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect(link.target, '127.0.0.1');
    const pair: LinkedPair = { sockets: [client, upstream], brought: 0, isFrozen: false };
    connections.add(pair);
    upstream.on('data', (piece: Buffer) => {
      received += piece.length;
      pair.brought += piece.length;
      if (pair.brought >= limit && !pair.isFrozen) freezePair(pair);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => one.destroy());
      one.on('close', () => {
        if (!pair.isFrozen) other.destroy();
        if (pair.sockets.every((socket) => socket.destroyed)) connections.delete(pair);
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link: Link = {
    port: (server.address() as AddressInfo).port,
    target,
    received: () => received,
    freeze() {
      for (const pair of connections) if (!pair.isFrozen) freezePair(pair);
    },
    freezeAfter(bytes) {
      limit = bytes;
      for (const pair of connections) pair.brought = 0;
    },
    heal() {
      limit = Number.POSITIVE_INFINITY;
    },
    frozen: () => frozen,
    cut() {
      for (const { sockets } of connections) for (const socket of sockets) socket.destroy();
    },
  };
  atEnd(async () => {
    link.cut();
    server.close();
    await once(server, 'close');
  });
  return link;
}

/** A service behind a proxy, and whether the last look at its `/ready` was good. */
type Balanced = { port: number | undefined; isReady: boolean };

/**
 * Starts a proxy that passes requests on to one of the services that are ready, at random; it looks
 * every 250 ms. It answers 503 if none is, and 502 if the chosen one does not answer.
 */
export async function serveBalancer(
  services: readonly Balanced[],
  host: string,
  atEnd: (stop: () => Promise<void>) => void = onTestFinished,
): Promise<{ readonly port: number }> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((message, response) => {
    const ready = services.filter(({ port, isReady }) => port !== undefined && isReady);
    const chosen = ready[Math.floor(Math.random() * ready.length)];
    if (chosen === undefined) {
      response.writeHead(503).end();
      return;
    }
    const { method, url, headers } = message;
    const options = { agent, host: '127.0.0.1', port: chosen.port, method, path: url };
    const sent = request({ ...options, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    sent.on('error', () =>
      response.headersSent ? response.destroy() : response.writeHead(502).end(),
    );
    message.pipe(sent);
  });
  const look = async (service: Balanced) => {
    const { port } = service;
    const limit = AbortSignal.timeout(2_000);
    const found = await fetch(`http://127.0.0.1:${port}/ready`, { signal: limit }).catch(
      () => undefined,
    );
    await found?.text().catch(() => undefined);
    if (port === service.port) service.isReady = found?.status === 200;
  };
  const looking = setInterval(() => {
    for (const service of services) if (service.port !== undefined) void look(service);
  }, 250);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => {
    clearInterval(looking);
    agent.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port };
}
