import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RequestErrorCode } from '../errors.ts';
import { http } from '../lean.ts';
import { boundConnections } from './connections.ts';
import { commonHeaders, problemAnswer } from './problems.ts';

/** Bounds on what one caller can take up; times in milliseconds, sizes in bytes. */
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 8 * 1024,
} as const;

const connectionLimits = { maxConnections: 256, stallTimeout: 30_000 };

/** A whole answer as it goes over the wire, for requests that Node's parser does not hand over. */
function rawAnswer(code: RequestErrorCode): string {
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
  /** The bytes that the parser was given, and how many of them it took. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/** Returns whether the parser failed at a method of its own list, in a well-formed request line. */
function isUnknownMethod({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  const text = rawPacket?.toString('latin1') ?? '';
  const start = bytesParsed === 0 ? 0 : text.lastIndexOf('\n', bytesParsed - 1) + 1;
  const [, method] = requestLine.exec(text.slice(start)) ?? [];
  return method !== undefined && !http.METHODS.includes(method);
}

function codeOfParserError(error: ParserError): RequestErrorCode {
  const known = parserProblems[error.code ?? ''];
  return known ?? (isUnknownMethod(error) ? 'method_not_allowed' : 'malformed_request');
}

function refuseRaw(socket: Duplex, code: RequestErrorCode): void {
  // In the next turn, after the answers to good requests that came before on this connection.
  setImmediate(() => {
    if (socket.writable) socket.end(rawAnswer(code), () => socket.destroy());
    else socket.destroy();
  });
}

/** An HTTP server around `listener` with bounds on time, size and number; not yet listening. */
export function createHttpServer(listener: RequestListener, more = connectionLimits): Server {
  // Node would refuse a missing Host by itself, without a problem document.
  const server = http.createServer(
    { ...limits, requireHostHeader: false, optimizeEmptyRequests: true },
    listener,
  );
  boundConnections(server, more);
  // The default for `Expect: 100-continue` asks for the body, which is never read here.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => refuseRaw(socket, 'method_not_allowed'));
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseRaw(socket, codeOfParserError(error));
  });
  return server;
}
