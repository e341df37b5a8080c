import { lookup } from 'node:dns';
import type { Agent, ClientRequestArgs, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SecureContext } from 'node:tls';
import { type Problem, problem } from '../base/errors.ts';
import { http } from '../base/node-http.ts';
import { isLoopback } from '../base/settings.ts';
import { serviceName, version } from '../base/version.ts';
import { isLocalName, isPrivate } from './address.ts';

/** The reasons for which a request has no answer. */
type WebFailureCode =
  | 'unreachable'
  /** The computer answers, but nothing listens at the port. */
  | 'not_running'
  | 'timeout'
  | 'not_trusted'
  /** The answer leads to an address that is not followed. */
  | 'redirected'
  /** The answer is not HTTP, not TLS, or has an unknown encoding. */
  | 'unreadable'
  | 'too_large'
  | 'truncated';

/** A request without an answer; the cause is an error of Node.js, if there is one. The caller words it. */
export class WebFailure extends Error {
  override readonly name = 'WebFailure';
  readonly code: WebFailureCode;

  constructor(code: WebFailureCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** Returns the problem of a request without an answer; `place` names the address. Throws any other error. */
export function webProblem(error: unknown, place: string): Problem {
  if (error instanceof WebFailure) return problem(`web_${error.code}`, { place }, error);
  throw error;
}

/** The limits of requests, and their proxy. */
export type WebLimits = {
  /** The variables `HTTPS_PROXY` and `NO_PROXY`; without any, no proxy is used. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** The longest time for a request with its answer, in milliseconds. */
  readonly timeout?: number | undefined;
  /** The maximum length of a decoded answer, in bytes. */
  readonly maxLength?: number | undefined;
};

export type WebRequest = {
  readonly method?: 'GET' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** Refuses addresses that the internet does not reach, with `redirected`. */
  readonly onlyPublic?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called at intervals until the answer is there; may throw to cancel. */
  readonly onStep?: (() => void) | undefined;
};

/** An answer that arrived completely. */
export type WebReply = {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Decoded; empty for failures, but for 404, whose form tells who answers. */
  readonly body: Uint8Array;
  /** The other end of the connection. */
  readonly end: { readonly address: string | undefined; readonly port: number | undefined };
  /** False if the answer comes from this computer or a local network. */
  readonly isPublic: boolean;
};

/** Requests that share their connections, until they are closed. */
type WebSession = {
  /** Rejects with `WebFailure`, or with the reason for which it was cancelled. */
  request(url: URL, request?: WebRequest): Promise<WebReply>;
  /** Cancels all requests and closes all connections. */
  close(): void;
};

/** Outlook's host of organisations, which refuses programs that are no browsers. */
const browsersOnly = 'outlook.office365.com';

const agentFor = (host: string) =>
  `${serviceName}/${version}${host === browsersOnly ? ' like Chrome/139' : ''}`;

const commonHeaders = {
  'accept-encoding': 'gzip, br',
  // Caches on the way ask the server first.
  'cache-control': 'no-cache',
};

/** Interval in milliseconds at which a request is asked whether it was cancelled. */
const cancelEvery = 200;

/** The codes of OpenSSL and Node.js for certificates that do not prove the identity of a server. */
const certificateError = /CERT|SIGNATURE|CRL|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH/;

/** Returns the failure of an error before the body. Throws an error that is not one of the network. */
function failureOf(error: unknown, { port, protocol }: URL): WebFailure {
  // A name with several addresses has an error for each.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (first instanceof WebFailure) return first;
  const { code, port: refused } = first as NodeJS.ErrnoException & { readonly port?: number };
  // The address of a proxy may have a password that cannot be decoded.
  if (typeof code !== 'string' && !(first instanceof URIError)) throw error;
  const isOwnPort = refused === Number(port || (protocol === 'https:' ? 443 : 80));
  return new WebFailure(codeOf(code ?? '', isOwnPort), first);
}

function codeOf(code: string, isOwnPort: boolean): WebFailureCode {
  if (certificateError.test(code)) return 'not_trusted';
  if (code === 'HPE_HEADER_OVERFLOW') return 'too_large';
  // The port answers, but not with HTTP, or not with TLS.
  if (/^HPE_|^EPROTO$|^ERR_SSL_/.test(code)) return 'unreadable';
  // Otherwise, a proxy refused.
  return code === 'ECONNREFUSED' && isOwnPort ? 'not_running' : 'unreachable';
}

/** Trusts the authorities of Node.js and those of the system. */
function createTrust(): SecureContext {
  const tls = process.getBuiltinModule('node:tls');
  const authorities = [...tls.getCACertificates('default'), ...tls.getCACertificates('system')];
  return tls.createSecureContext({ ca: [...new Set(authorities)] });
}

/** Returns the decoder of a body; null for one that needs none, undefined for an unknown encoding. */
function decoderOf(encoding = 'identity'): Duplex | null | undefined {
  const zlib = process.getBuiltinModule('node:zlib');
  const name = encoding.toLowerCase();
  if (name === 'identity') return null;
  if (name === 'br') return zlib.createBrotliDecompress();
  if (name === 'deflate') return zlib.createInflate();
  return name === 'gzip' || name === 'x-gzip' ? zlib.createGunzip() : undefined;
}

/** Reads the decoded body of an answer. */
async function readBody(response: IncomingMessage, maxLength: number): Promise<Uint8Array> {
  const decoder = decoderOf(response.headers['content-encoding']);
  if (decoder === undefined) {
    response.destroy();
    throw new WebFailure('unreadable');
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const collect = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of source) {
      length += chunk.length;
      if (length > maxLength) throw new WebFailure('too_large');
      chunks.push(chunk);
    }
  };
  try {
    await (decoder ? pipeline(response, decoder, collect) : pipeline(response, collect));
  } catch (error) {
    // The connection broke, or the encoded body is damaged.
    throw error instanceof WebFailure ? error : new WebFailure('truncated', error);
  }
  return Buffer.concat(chunks);
}

/** Opens a session with the origin of a URL, whose certificate must prove its identity. */
export function openSession(
  base: URL,
  { env = process.env, timeout = 30_000, maxLength = 50_000_000 }: WebLimits = {},
): WebSession {
  const isSecure = base.protocol === 'https:';
  // Most programs need no TLS.
  const module = isSecure ? process.getBuiltinModule('node:https') : http;
  const closing = new AbortController();
  const sockets = new Set<Duplex>();
  let agent: Agent | undefined;

  function createAgent(keepAlive: boolean): Agent {
    const created = new module.Agent({
      // A proxy cannot reach this computer, and must not see what is sent to it.
      proxyEnv: isLoopback(base.hostname) || isLocalName(base.hostname) ? {} : env,
      rejectUnauthorized: true,
      ...(isSecure && { secureContext: createTrust() }),
      ...{ keepAlive, timeout },
    });
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

  /** Sends a request, and returns its answer before the body. */
  function open(
    url: URL,
    sent: WebRequest,
    options: { readonly signal: AbortSignal; readonly lookup: LookupFunction },
  ): Promise<IncomingMessage> {
    const { method = 'GET', body, headers } = sent;
    const { signal } = options;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      agent ??= createAgent(true);
      const used = agent;
      const common = { 'user-agent': agentFor(url.hostname), ...commonHeaders };
      const all = { ...options, method, agent: used, headers: { ...common, ...headers } };
      const request = module.request(url, all);
      let isAnswered = false;
      request.on('response', (response) => {
        isAnswered = true;
        resolve(response);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && !isAnswered && error.code === 'ECONNRESET';
        if (!isStale) return reject(error);
        // The server closes connections without saying so: each request gets its own from now on.
        if (agent === used) agent = createAgent(false);
        resolve(open(url, sent, options));
      });
      request.on('close', () => reject(new WebFailure('unreachable')));
      // A request that waits for a proxy does not report its abort.
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      request.end(body);
    });
  }

  async function request(url: URL, sent: WebRequest = {}): Promise<WebReply> {
    const { onlyPublic = false, onStep } = sent;
    const cancelling = new AbortController();
    const cancels = [...(sent.signal ? [sent.signal] : []), cancelling.signal, closing.signal];
    const late = AbortSignal.timeout(timeout);
    const signal = AbortSignal.any([...cancels, late]);
    const timer = setInterval(() => {
      try {
        onStep?.();
      } catch (error) {
        cancelling.abort(error);
      }
    }, cancelEvery);
    let addresses: readonly string[] = [url.hostname];
    // The connection may take any of the addresses of a name.
    const isForbidden = () => isLocalName(url.hostname) || addresses.some(isPrivate);
    const refusal = () => (onlyPublic && isForbidden() ? new WebFailure('redirected') : null);
    const noteAddresses: LookupFunction = (hostname, options, callback) =>
      lookup(hostname, options, (error, found, family) => {
        // Otherwise, it is that of a proxy, which looks for the address itself.
        if (error === null && hostname === url.hostname) {
          addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
        }
        callback(error ?? refusal(), found, family);
      });
    try {
      const refused = refusal();
      if (refused !== null) throw refused;
      const response = await open(url, sent, { signal, lookup: noteAddresses });
      const { statusCode: status = 0, headers, socket } = response;
      const end = { address: socket.remoteAddress, port: socket.remotePort };
      const isNeeded = status < 300 || status === 404;
      const body = isNeeded ? await readBody(response, maxLength) : new Uint8Array();
      // Without a length, a body that was cancelled looks complete.
      signal.throwIfAborted();
      if (status === 304) response.resume();
      else if (!isNeeded) response.destroy();
      return { url, status, headers, body, end, isPublic: !addresses.every(isPrivate) };
    } catch (error) {
      for (const cancel of cancels) cancel.throwIfAborted();
      throw late.aborted ? new WebFailure('timeout', error) : failureOf(error, url);
    } finally {
      clearInterval(timer);
    }
  }

  return {
    request,
    close() {
      closing.abort();
      agent?.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends one request and returns its whole answer; redirects are not followed. */
export async function request(
  url: URL,
  { env, timeout, maxLength, ...sent }: WebRequest & WebLimits = {},
): Promise<WebReply> {
  const session = openSession(url, { env, timeout, maxLength });
  try {
    return await session.request(url, sent);
  } finally {
    session.close();
  }
}
