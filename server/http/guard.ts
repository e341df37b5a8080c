import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { refuse } from './problems.ts';

/** The values of a header as they were sent: Node's own view keeps one of several. */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const { rawHeaders } = request;
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const found = rawHeaders[at] as string;
    // Most names differ in length, which is told sooner than their letters are made small.
    if (found.length === name.length && found.toLowerCase() === name) {
      values.push(rawHeaders[at + 1] ?? '');
    }
  }
  return values;
}

/** A name and port, as `Host` and the authority of a URL have them (RFC 9110 section 7.2). */
type Authority = { readonly name: string; readonly port: number };

const authorityForm = /^(\[[0-9a-f:.]+\]|[a-z0-9\-._~!$&'()*+,;=%]+)(?::(\d*))?$/i;

function parseAuthority(text: string, defaultPort: number): Authority | undefined {
  const [, name, port] = authorityForm.exec(text) ?? [];
  if (name === undefined) return undefined;
  return { name: name.toLowerCase(), port: port ? Number(port) : defaultPort };
}

/** Under which names this service is reached. */
export type Identity = {
  /** The address it listens on, besides the loopback names. */
  readonly host: string;
  /** Its URL for others, where one is configured. */
  readonly publicUrl?: URL;
};

export type OwnNames = {
  /** The base URL of this service where `host:port` names it, for a request to `localPort`. */
  baseUrlOf(authority: Authority, localPort: number | undefined): string | undefined;
  isOwnOrigin(origin: string, localPort: number | undefined): boolean;
};

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export function createOwnNames({ host, publicUrl }: Identity): OwnNames {
  const listened = host.includes(':') ? `[${host}]` : host.toLowerCase();
  const loopback = new Set(['127.0.0.1', 'localhost', '[::1]', listened]);
  const publicPort = publicUrl && Number(publicUrl.port || defaultPorts[publicUrl.protocol]);

  function isLoopback({ name, port }: Authority, localPort: number | undefined): boolean {
    return loopback.has(name) && port === localPort;
  }
  return {
    baseUrlOf(authority, localPort) {
      const { name, port } = authority;
      if (isLoopback(authority, localPort)) return `http://${name}${port === 80 ? '' : `:${port}`}`;
      if (publicUrl === undefined || name !== publicUrl.hostname) return undefined;
      // A proxy in front of us may speak https while Host comes without its default port.
      const isPublic = port === publicPort || (port === 80 && publicUrl.port === '');
      return isPublic ? publicUrl.origin : undefined;
    },
    isOwnOrigin(origin, localPort) {
      if (origin === publicUrl?.origin) return true;
      if (!origin.startsWith('http://')) return false;
      const authority = parseAuthority(origin.slice('http://'.length), 80);
      return authority !== undefined && isLoopback(authority, localPort);
    },
  };
}

const originForm = /^[\x21\x22\x24-\x7e]+$/;
const absoluteForm = /^http:\/\/([^/?]*)(.*)$/i;

/** What the middlewares after `requireOwnHost` find in `ctx.state`. */
export type Addressed = { baseUrl: string };

/**
 * Refuses a request that was not meant for this server (421) or whose `Host` is missing, repeated
 * or malformed (400), before anything else looks at it: this is what stops DNS rebinding. A target
 * in absolute form is judged by its own authority (RFC 9112 section 3.2.2) and becomes a path.
 */
export function requireOwnHost(own: OwnNames): Middleware<Addressed> {
  // Nearly every request comes under the same name as the one before.
  let last: { text: string; localPort: number | undefined; baseUrl: string } | undefined;

  function judge(text: string, localPort: number | undefined): string {
    if (last?.text === text && last.localPort === localPort) return last.baseUrl;
    const authority = parseAuthority(text, 80);
    if (authority === undefined) refuse('malformed_host');
    const baseUrl = own.baseUrlOf(authority, localPort) ?? refuse('misdirected');
    last = { text, localPort, baseUrl };
    return baseUrl;
  }
  return (ctx, next) => {
    const { req } = ctx;
    const [host, second] = headerValues(req, 'host');
    if (host === undefined || second !== undefined) refuse('malformed_host');
    ctx.state.baseUrl = judge(host, req.socket.localPort);

    const target = req.url ?? '';
    // Node lets bytes through that no URL has, and Koa's parser would trim some of them away.
    if (!originForm.test(target)) refuse('malformed_request');
    if (target.startsWith('/')) return next();
    const [, authority, path] = absoluteForm.exec(target) ?? [];
    if (authority !== undefined) {
      ctx.state.baseUrl = judge(authority, req.socket.localPort);
      req.url = path?.startsWith('/') ? path : `/${path}`;
    } else if (target !== '*') {
      refuse('malformed_request');
    }
    return next();
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Milliseconds for which the rest of a body is thrown away while the client reads the answer. */
const drainTimeout = 1_000;

function drain(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, drainTimeout);
    request.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    request.resume();
  });
}

/** Most clients see a broken connection instead of the answer if it ends while they send. */
async function drainAfterAnswer(ctx: Context): Promise<void> {
  const { body, req, res } = ctx;
  const isSent = typeof body === 'string' || Buffer.isBuffer(body);
  // Clients that expect a 100 send no body before it.
  if (!isSent || ctx.method === 'HEAD' || req.headers.expect !== undefined) return;
  ctx.respond = false;
  res.write(body);
  await drain(req);
  res.end();
}

/**
 * Ends the connection after a request with a body, which is never used (INTERFACE section 2), and
 * after one with `Upgrade`: Node's parser loses what follows it in the same segment.
 */
export const closeAfterUnread: Middleware = (ctx, next) => {
  const isFollowedByBody = hasBody(ctx.req);
  if (isFollowedByBody || ctx.req.headers.upgrade !== undefined) ctx.set('Connection', 'close');
  return isFollowedByBody ? next().then(() => drainAfterAnswer(ctx)) : next();
};
