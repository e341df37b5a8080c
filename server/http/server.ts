import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import type { Duplex } from 'node:stream';
import type { LongRunning } from '../base/long-running.ts';
import { http } from '../base/node-http.ts';
import type { RequestErrorCode } from './problems.ts';
import { commonHeaders, problemAnswer } from './problems.ts';

type ConnectionLimits = {
  readonly maxConnections: number;
  /** Milliseconds without progress of a response after which its connection is closed. */
  readonly stallTimeout: number;
};

type Connection = {
  pendingRequests: number;
  /** Grows with each connection or response; the longest idle connection has the lowest. */
  lastUse: number;
  readonly openedAt: number;
};

/**
 * Milliseconds in which a new connection is not closed in favour of others: in a burst of new ones,
 * its request is read after all have been accepted.
 */
const graceTime = 100;

/** Events of a server with a request and its response. */
const requestEvents = ['request', 'checkContinue', 'checkExpectation'];

/**
 * Closes the longest idle connections when a new one exceeds the limit, or the new one if all others
 * are busy. Returns a function that checks if a connection has pending requests.
 */
function limitConnections(server: Server, maxConnections: number): (socket: Socket) => boolean {
  // Node's `closeIdleConnections` skips those that never sent a request.
  const connections = new Map<Socket, Connection>();
  let uses = 0;
  let later: NodeJS.Timeout | undefined;

  function countRequest({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.pendingRequests += 1;
    response.on('close', () => {
      connection.pendingRequests -= 1;
      connection.lastUse = uses += 1;
    });
  }
  function closeLongestIdle(): void {
    const idle = [...connections]
      .filter(([, { pendingRequests }]) => pendingRequests === 0)
      .toSorted(([, one], [, other]) => one.lastUse - other.lastUse);
    const newest = performance.now() - graceTime;
    const settled = idle.filter(([, { openedAt }]) => openedAt < newest);
    // Without another idle one, or in a burst as large as the limit, the newest have to go.
    const isFull = idle.length === 1 || connections.size > 2 * maxConnections;
    const closing = settled.length > 0 || !isFull ? settled : idle;
    for (const [socket] of closing.slice(0, connections.size - maxConnections)) {
      connections.delete(socket);
      socket.destroy();
    }
    // The others are old enough then.
    if (connections.size <= maxConnections || later !== undefined) return;
    later = setTimeout(closeLater, graceTime).unref();
  }
  function closeLater(): void {
    later = undefined;
    if (connections.size > maxConnections) closeLongestIdle();
  }

  for (const name of requestEvents) server.on(name, countRequest);
  server.on('connection', (socket) => {
    uses += 1;
    connections.set(socket, { pendingRequests: 0, lastUse: uses, openedAt: performance.now() });
    socket.on('close', () => connections.delete(socket));
    if (connections.size > maxConnections) closeLongestIdle();
  });
  return (socket) => (connections.get(socket)?.pendingRequests ?? 0) > 0;
}

/**
 * Closes connections whose response makes no progress. Node's socket timeout notices progress of a
 * write only from one check to the next, so there are four checks in `stallTimeout`. Each period is
 * longer than the timeouts for headers and between requests.
 */
function endStalledResponses(
  server: Server,
  stallTimeout: number,
  isBusy: (socket: Socket) => boolean,
): void {
  const period = stallTimeout / 4;
  const stalls = new WeakMap<Socket, { readonly since: number; readonly seen: number }>();
  server.timeout = period;
  server.on('timeout', (socket) => {
    const now = performance.now();
    const last = stalls.get(socket);
    // If timeouts are not consecutive, there was progress in between.
    const since = last && now - last.seen < period * 1.5 ? last.since : now - period;
    if (!isBusy(socket) || now - since > stallTimeout - period / 2) {
      socket.destroy();
      return;
    }
    stalls.set(socket, { since, seen: now });
    socket.setTimeout(period);
  });
}

/** Closes idle and stalled connections, so that they cannot lock out others. */
function boundConnections(server: Server, limits: ConnectionLimits): void {
  const isBusy = limitConnections(server, limits.maxConnections);
  endStalledResponses(server, limits.stallTimeout, isBusy);
}

/** Limits per connection and request; times in milliseconds, sizes in bytes. */
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 8 * 1024,
} as const;

const connectionLimits = { maxConnections: 256, stallTimeout: 30_000 };

/** Composes a complete HTTP response, for requests that Node does not pass to the listener. */
function composeRawResponse(code: RequestErrorCode): string {
  const { status, headers, body } = problemAnswer(code);
  const fields = {
    ...commonHeaders,
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

const parserProblems: Readonly<Record<string, RequestErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
};

const requestLine = /^([!#$%&'*+.^`|~\w-]+) [\x21-\x7e]+ HTTP\/1\.\d\r?\n/;

type ParserError = NodeJS.ErrnoException & {
  /** The input of the parser, and the number of bytes that it parsed. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/** Returns true if the parser rejected an unknown method in a well-formed request line. */
function isUnknownMethod({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  const text = rawPacket?.toString('latin1') ?? '';
  const start = bytesParsed === 0 ? 0 : text.lastIndexOf('\n', bytesParsed - 1) + 1;
  const [, method] = requestLine.exec(text.slice(start)) ?? [];
  return method !== undefined && !http.METHODS.includes(method);
}

function codeOfParserError(error: ParserError): RequestErrorCode {
  const code = parserProblems[error.code ?? ''];
  return code ?? (isUnknownMethod(error) ? 'method_not_allowed' : 'malformed_request');
}

/** Refuses what follows the last request of a connection, whose response is `last`. */
function refuseRaw(socket: Duplex, code: RequestErrorCode, last?: ServerResponse): void {
  // In the next tick, after the responses to earlier valid requests of this connection.
  setImmediate(() => {
    // The response to a request with a body closes the connection: nothing may follow it.
    if (last?.headersSent && !last.writableEnded) return;
    if (socket.writable) socket.end(composeRawResponse(code), () => socket.destroy());
    else socket.destroy();
  });
}

/** Creates a Node server with limits on time, size and connections. It does not listen yet. */
export function createLimitedServer(listener: RequestListener, bounds = connectionLimits): Server {
  // Node would refuse a missing Host itself, without a problem document.
  const server = http.createServer(
    { ...limits, requireHostHeader: false, optimizeEmptyRequests: true },
    listener,
  );
  boundConnections(server, bounds);
  // By default, Node asks for the body after `Expect: 100-continue`, but it is never read.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => refuseRaw(socket, 'method_not_allowed'));
  const lastResponses = new WeakMap<Socket, ServerResponse>();
  for (const name of requestEvents) {
    server.on(name, ({ socket }: IncomingMessage, response) => lastResponses.set(socket, response));
  }
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseRaw(socket, codeOfParserError(error), lastResponses.get(socket));
  });
  return server;
}

/** Time for pending responses once the server stops, in milliseconds. */
const graceMs = 2_000;

type HttpServerOptions = {
  readonly host: string;
  /** The port to listen on; 0 picks a free one. */
  readonly port: number;
  /** Called with each failure to accept a connection. */
  readonly onError: (error: Error) => void;
};

type Listening = {
  readonly port: number;
  /** The loopback address at which another program may answer to `localhost`. */
  readonly unsafeAddress?: string;
};

/** The HTTP server. `run` resolves once it listens; `stop` finishes pending responses. */
type HttpServer = LongRunning<Promise<Listening>>;

/** The other address of `localhost`, by the address that a server listens on. */
const otherLoopback: Readonly<Record<string, string>> = {
  '127.0.0.1': '::1',
  '0.0.0.0': '::1',
  '::1': '127.0.0.1',
};

/** Errors of a machine without an address. */
const absences: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** Attempts to find a port that is free at both addresses of `localhost`. */
const maxAttempts = 10;

async function listenAt(server: NetServer, host: string, port: number): Promise<AddressInfo> {
  server.listen({ host, port });
  await once(server, 'listening');
  return server.address() as AddressInfo;
}

async function closeServer(server: NetServer): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  await closed;
}

/** Creates a server that also listens on the other address of `localhost`, if it is free. */
export function createHttpServer(
  listener: RequestListener,
  { host, port, onError }: HttpServerOptions,
): HttpServer {
  const server = createLimitedServer(listener);
  // Passes its connections on, so that the limits apply to both addresses together.
  const other = createNetServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  );
  let stopping: Promise<void> | undefined;

  async function listen(attempt = 1): Promise<Listening> {
    const { address, port: actualPort } = await listenAt(server, host, port);
    const otherAddress = otherLoopback[address];
    if (otherAddress === undefined) return { port: actualPort };
    try {
      await listenAt(other, otherAddress, actualPort);
      return { port: actualPort };
    } catch (error) {
      if (absences.has((error as NodeJS.ErrnoException).code)) return { port: actualPort };
    }
    if (port !== 0 || attempt === maxAttempts) {
      return { port: actualPort, unsafeAddress: otherAddress };
    }
    await closeServer(server);
    return await listen(attempt + 1);
  }

  async function close(): Promise<void> {
    const closed = Promise.all([closeServer(server), closeServer(other)]);
    server.closeIdleConnections();
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(deadline);
  }

  return {
    async run() {
      const listening = await listen();
      for (const each of [server, other]) each.on('error', onError);
      return listening;
    },
    stop() {
      stopping ??= close();
      return stopping;
    },
  };
}
