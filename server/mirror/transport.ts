import http, { type ClientRequestArgs, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { FailureCode } from '../../db/mirror-model.ts';
import { certificateError, outwardOptions } from '../base/outward.ts';
import { serviceName, version } from '../base/version.ts';
import { fail, needsBody, readAnswer } from './answers.ts';
import type { Answer, Request } from './planner/state.ts';
import { parseBaseUrl, parseUpstreamKey } from './upstream-address.ts';

export type TransportOptions = {
  readonly baseUrl: string;
  readonly key: string;
  /** The URL in the User-Agent, for the operator of the upstream. */
  readonly contact?: string;
  /** The variables `HTTPS_PROXY` and `NO_PROXY`. */
  readonly env?: NodeJS.ProcessEnv;
  /** The longest time for a whole response, in ms. */
  readonly timeout?: number;
  /** The maximum length of a decoded response in bytes. */
  readonly maxLength?: number;
  /** The local clock in ms. */
  readonly now?: () => number;
};

/** Sends requests to an online service. */
export type Transport = {
  /**
   * Sends a request. Every fault of the network or the upstream is a `failure`; rejects only if the
   * signal or `close` aborts the request.
   */
  send(request: Request, signal?: AbortSignal): Promise<Answer>;
  /** Aborts all requests and closes all connections. */
  close(): Promise<void>;
};

export class TransportFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Creates the transport of a mirror. It sends the key to the origin of `baseUrl` only. */
export function createTransport(options: TransportOptions): Transport {
  const { timeout = 30_000, maxLength = 50_000_000, now = Date.now, contact } = options;
  const base = parseBaseUrl(options.baseUrl);
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip, br',
    authorization: `Bearer ${parseUpstreamKey(options.key)}`,
    // Caches on the way ask the upstream first.
    'cache-control': 'no-cache',
    'user-agent': `${serviceName}/${version}${contact === undefined ? '' : ` (+${contact})`}`,
  };
  const connections = createConnections(base, timeout, options.env ?? process.env);
  const closing = new AbortController();

  async function send(request: Request, signal?: AbortSignal): Promise<Answer> {
    const url = addressOf(request);
    // The key must not leave its origin.
    if (url.origin !== base.origin) return fail(request, 'redirected');
    const aborts = signal ? [signal, closing.signal] : [closing.signal];
    const late = AbortSignal.timeout(timeout);
    try {
      const any = AbortSignal.any([...aborts, late]);
      return await receive(request, url, any);
    } catch (error) {
      for (const abort of aborts) abort.throwIfAborted();
      return fail(request, late.aborted ? 'timeout' : codeOf(error, url));
    }
  }

  function addressOf(request: Request): URL {
    if (request.operation === 'page') return new URL(request.url);
    const path = request.operation === 'byId' ? `v1/events/${request.id}` : 'v1/events';
    if (request.operation !== 'changes') return new URL(path, base);
    return new URL(request.url ?? `${path}?since=${encodeURIComponent(request.since)}`, base);
  }

  async function receive(request: Request, url: URL, signal: AbortSignal): Promise<Answer> {
    const etag = request.operation === 'list' ? request.etag : null;
    const all = etag === null ? headers : { ...headers, 'if-none-match': etag };
    const response = await connections.open(url, all, signal);
    const { statusCode: status = 0 } = response;
    const isNeeded = needsBody(request, status);
    const body = isNeeded ? await readBody(response, maxLength) : [];
    // Without a length, an aborted body looks complete.
    signal.throwIfAborted();
    if (status === 304) response.resume();
    else if (!isNeeded) response.destroy();
    return readAnswer(request, { url, status, headers: response.headers, body }, now());
  }

  return {
    send,
    async close() {
      closing.abort();
      connections.close();
    },
  };
}

/** Creates the connections to an origin, through the proxy of the environment. */
export function createConnections(base: URL, timeout: number, env: NodeJS.ProcessEnv) {
  const { Agent, request } = base.protocol === 'https:' ? https : http;
  const sockets = new Set<Duplex>();
  let agent: http.Agent | undefined;

  function newAgent(options: https.AgentOptions): http.Agent {
    try {
      return new Agent(options);
    } catch (error) {
      // The address of the proxy is not valid.
      throw new TransportFailure('unreachable', error);
    }
  }

  function createAgent(keepAlive: boolean): http.Agent {
    const created = newAgent({ ...outwardOptions(base, env), keepAlive, timeout });
    // An agent does not destroy connections that still wait for a proxy.
    const connect = created.createConnection.bind(created);
    created.createConnection = (args: ClientRequestArgs, callback) => {
      const socket = connect(args, callback);
      if (socket) {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      }
      return socket;
    };
    return created;
  }

  function open(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      agent ??= createAgent(true);
      const used = agent;
      const sent = request(url, { agent: used, headers, signal });
      let isAnswered = false;
      sent.on('response', (response) => {
        isAnswered = true;
        resolve(response);
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = sent.reusedSocket && !isAnswered && error.code === 'ECONNRESET';
        if (!isStale) return reject(error);
        // The upstream closes connections without saying so: each request gets its own from now on.
        if (agent === used) agent = createAgent(false);
        resolve(open(url, headers, signal));
      });
      sent.on('close', () => reject(new TransportFailure('unreachable')));
      // A request that waits for a proxy does not report its abort.
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      sent.end();
    });
  }

  return {
    open,
    close(): void {
      agent?.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Reads the decoded body of a response, at most `maxLength` bytes. */
export async function readBody(
  response: IncomingMessage,
  maxLength: number,
): Promise<Uint8Array[]> {
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity';
  const decoder = decoders[encoding];
  if (decoder === undefined && encoding !== 'identity') {
    response.destroy();
    throw new TransportFailure('not_json');
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const collect = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of source) {
      length += chunk.length;
      if (length > maxLength) throw new TransportFailure('too_large');
      chunks.push(chunk);
    }
  };
  try {
    if (decoder === undefined) await pipeline(response, collect);
    else await pipeline(response, decoder(), collect);
  } catch (error) {
    // The connection broke, or the encoded body is damaged.
    throw error instanceof TransportFailure ? error : new TransportFailure('truncated', error);
  }
  return chunks;
}

/** Returns the code of an error before the body. Throws an error that is not one of the network. */
export function codeOf(error: unknown, { port, protocol }: URL): FailureCode {
  if (error instanceof TransportFailure) return error.code;
  // A name with several addresses has an error for each.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code, port: refused } = first as NodeJS.ErrnoException & { readonly port?: number };
  if (typeof code !== 'string') throw error;
  if (certificateError.test(code)) return 'not_trusted';
  if (code === 'HPE_HEADER_OVERFLOW') return 'too_large';
  // The port answers, but not with HTTP, or not with TLS.
  if (/^HPE_|^EPROTO$|^ERR_SSL_/.test(code)) return 'not_json';
  // Otherwise, a proxy refused.
  const isOwnPort = refused === Number(port || (protocol === 'https:' ? 443 : 80));
  return code === 'ECONNREFUSED' && isOwnPort ? 'not_running' : 'unreachable';
}
