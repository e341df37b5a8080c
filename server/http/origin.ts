import type { Middleware, ParameterizedContext } from 'koa';
import type { OwnNames } from './guard.ts';
import { allowedMethods, refuse } from './problems.ts';

function isApiPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}

/** Paths without data that pages of configured origins may also read. */
const publicPaths: ReadonlySet<string> = new Set(['/health', '/openapi.json']);

/** Adds the CORS headers that let a page of a configured origin read the response. */
function allowReading(ctx: ParameterizedContext, origin: string): void {
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set(
    'Access-Control-Expose-Headers',
    'Calendar-Uid-Base, ETag, Events-Revision, Ignored-Parameters, Link, Total-Count',
  );
  if (ctx.method === 'OPTIONS') {
    ctx.set('Access-Control-Allow-Methods', allowedMethods);
    ctx.set('Access-Control-Allow-Headers', 'Authorization, If-Match, If-None-Match');
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
