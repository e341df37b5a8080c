import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import type { Duplex } from 'node:stream';
import type { LongRunning } from '../base/long-running.ts';
import { http } from '../base/node-http.ts';
import type { Connections } from './connections.ts';
import type { RequestErrorCode } from './problems.ts';
import { commonHeaders, problemAnswer } from './problems.ts';

/** Limits of a request; times in milliseconds, sizes in bytes. */
export const requestLimits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8 * 1024,
} as const;

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
export function createLimitedServer(listener: RequestListener, connections: Connections): Server {
  const answer = connections.limit(listener);
  // Node would refuse a missing Host itself, without a problem document.
  const server = http.createServer(
    { ...requestLimits, requireHostHeader: false, optimizeEmptyRequests: true },
    answer,
  );
  connections.attach(server);
  // By default, Node asks for the body after `Expect: 100-continue`, but it is never read.
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  server.on('connect', (_request, socket) => refuseRaw(socket, 'method_not_allowed'));
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseRaw(socket, codeOfParserError(error), connections.lastAnswer(socket));
  });
  return server;
}

/** Time for pending responses once the server stops, in milliseconds. */
const graceMs = 2_000;

type HttpServerOptions = {
  readonly connections: Connections;
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
  { connections, host, port, onError }: HttpServerOptions,
): HttpServer {
  const server = createLimitedServer(listener, connections);
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
