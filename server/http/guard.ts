import type { IncomingMessage } from 'node:http';
import type { Context, Middleware, ParameterizedContext } from 'koa';
import { headerNames, requestHeaderNames } from './headers.ts';
import { allowedMethods, refuse } from './problems.ts';

/** Returns all values of a header as sent; Node's `headers` keeps only one of several. */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const { rawHeaders } = request;
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const found = rawHeaders[at] ?? '';
    // Most names differ in length, which is compared sooner.
    if (found.length !== name.length || found.toLowerCase() !== name) continue;
    values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}

/** The name and port in `Host` or in the authority of a URL (RFC 9110 section 7.2). */
type Authority = { readonly name: string; readonly port: number };

const authorityForm = /^(\[[0-9a-f:.]+\]|[a-z0-9\-._~!$&'()*+,;=%]+)(?::(\d*))?$/i;

function parseAuthority(text: string, defaultPort: number): Authority | undefined {
  const [, name, port] = authorityForm.exec(text) ?? [];
  if (name === undefined) return undefined;
  return { name: name.toLowerCase(), port: port ? Number(port) : defaultPort };
}

/** The names under which clients reach this service. */
export type Identity = {
  /** The address it listens on; loopback names are always accepted as well. */
  readonly host: string;
  /** Its configured URL for other machines. */
  readonly publicUrl?: URL;
};

type OwnNames = {
  /** Returns the base URL if `authority` names this service, for a request to `localPort`. */
  baseUrlOf(authority: Authority, localPort: number | undefined): string | undefined;
  isOwnOrigin(origin: string, localPort: number | undefined): boolean;
};

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export function createOwnNames({ host, publicUrl }: Identity): OwnNames {
  const listenHost = host.includes(':') ? `[${host}]` : host.toLowerCase();
  const loopback = new Set(['127.0.0.1', 'localhost', '[::1]', listenHost]);
  const publicPort = publicUrl && Number(publicUrl.port || defaultPorts[publicUrl.protocol]);

  function isLoopback({ name, port }: Authority, localPort: number | undefined): boolean {
    return loopback.has(name) && port === localPort;
  }
  return {
    baseUrlOf(authority, localPort) {
      const { name, port } = authority;
      if (isLoopback(authority, localPort)) return `http://${name}${port === 80 ? '' : `:${port}`}`;
      if (publicUrl === undefined || name !== publicUrl.hostname) return undefined;
      // A proxy may terminate https and pass on a Host without the default port.
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

/** Paths that answer any `Host`, as a load balancer sends its own or none: their answers tell nothing. */
const openPaths: ReadonlySet<string> = new Set(['/health', '/ready']);

/** The members that `requireOwnHost` adds to `ctx.state`; the URL is empty for another host. */
export type Addressed = { baseUrl: string };

/**
 * Refuses requests for another host (421) or without exactly one well-formed `Host` (400), which
 * prevents DNS rebinding; but for `openPaths`. A target in absolute form is checked by its own
 * authority (RFC 9112 section 3.2.2) and replaced by its path.
 */
export function requireOwnHost(ownNames: OwnNames): Middleware<Addressed> {
  // Nearly all requests name the same host.
  let last: { text: string; localPort: number | undefined; baseUrl: string } | undefined;

  function resolveBaseUrl(text: string, localPort: number | undefined): string {
    if (last?.text === text && last.localPort === localPort) return last.baseUrl;
    const authority = parseAuthority(text, 80);
    if (authority === undefined) refuse('malformed_host');
    const baseUrl = ownNames.baseUrlOf(authority, localPort) ?? refuse('misdirected');
    last = { text, localPort, baseUrl };
    return baseUrl;
  }
  return (ctx, next) => {
    const { req } = ctx;
    const [host, second] = headerValues(req, 'host');
    const target = req.url ?? '';
    const { localPort } = req.socket;
    if (openPaths.has(target)) {
      const authority = second === undefined ? parseAuthority(host ?? '', 80) : undefined;
      ctx.state.baseUrl = (authority && ownNames.baseUrlOf(authority, localPort)) ?? '';
      return next();
    }
    if (host === undefined || second !== undefined) refuse('malformed_host');
    ctx.state.baseUrl = resolveBaseUrl(host, localPort);
    // Node accepts bytes that are invalid in a URL, and Koa's parser would trim some of them.
    if (!originForm.test(target)) refuse('malformed_request');
    if (target.startsWith('/')) return next();
    const [, authority, path] = absoluteForm.exec(target) ?? [];
    if (authority !== undefined) {
      ctx.state.baseUrl = resolveBaseUrl(authority, localPort);
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

/** Milliseconds for which the rest of a body is discarded while the client reads the response. */
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

/**
 * Sends the response, then discards the rest of the body. If the connection closed during sending,
 * most clients would report that instead of the response.
 */
async function drainAfterAnswer(ctx: Context): Promise<void> {
  const { body, req, res } = ctx;
  const isSendable = typeof body === 'string' || Buffer.isBuffer(body);
  // Clients that expect a 100 response send no body before it.
  if (!isSendable || ctx.method === 'HEAD' || req.headers.expect !== undefined) return;
  ctx.respond = false;
  res.write(body);
  await drain(req);
  res.end();
}

/**
 * Closes the connection after a request with a body, which is never read (INTERFACE section 2), or
 * with `Upgrade`, because Node's parser loses the data that follows in the same segment.
 */
export const closeAfterUnreadBody: Middleware = (ctx, next) => {
  const hasRequestBody = hasBody(ctx.req);
  if (hasRequestBody || ctx.req.headers.upgrade !== undefined) ctx.set('Connection', 'close');
  return hasRequestBody ? next().then(() => drainAfterAnswer(ctx)) : next();
};

export function isApiPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}

/** Paths without data that pages of configured origins may also read. */
const publicPaths: ReadonlySet<string> = new Set(['/health', '/openapi.json']);

const exposedHeaders = Object.values(headerNames).join(', ');

/** Adds the CORS headers that let a page of a configured origin read the response. */
function allowReading(ctx: ParameterizedContext, origin: string): void {
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Expose-Headers', exposedHeaders);
  if (ctx.method === 'OPTIONS') {
    ctx.set('Access-Control-Allow-Methods', allowedMethods);
    ctx.set('Access-Control-Allow-Headers', requestHeaderNames.join(', '));
    ctx.set('Access-Control-Max-Age', '600');
  }
}

/**
 * Refuses requests to `/v1` that a browser sends for a page of another origin (403), unless the
 * origin is in `allowed`. Other programs send neither `Origin` nor `Sec-Fetch-Site` and pass.
 */
export function requireOwnOrigin(ownNames: OwnNames, allowed: ReadonlySet<string>): Middleware {
  return (ctx, next) => {
    const hasData = isApiPath(ctx.path);
    if (!hasData && !publicPaths.has(ctx.path)) return next();
    if (allowed.size > 0) ctx.vary('Origin');
    const { origin, 'sec-fetch-site': site } = ctx.req.headers;
    if (origin !== undefined && allowed.has(origin)) {
      allowReading(ctx, origin);
      return next();
    }
    if (!hasData) return next();
    if (origin !== undefined && !ownNames.isOwnOrigin(origin, ctx.req.socket.localPort)) {
      refuse('foreign_origin');
    }
    if (site !== undefined && site !== 'same-origin' && site !== 'none') refuse('foreign_origin');
    return next();
  };
}
