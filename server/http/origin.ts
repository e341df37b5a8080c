import type { Middleware, ParameterizedContext } from 'koa';
import type { OwnNames } from './guard.ts';
import { allowedMethods, refuse } from './problems.ts';

function isInterface(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}

/** Paths without data, which pages of configured origins may read as well. */
const publicPaths: ReadonlySet<string> = new Set(['/health', '/openapi.json']);

/** Lets the page of a configured origin read the answer, and nothing more (Fetch standard, CORS). */
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
 * Refuses what a browser sends for a page that is not ours (403, on `/v1`), unless its origin is
 * one of `allowed`. Programs that are not browsers send neither header and pass.
 */
export function requireOwnOrigin(own: OwnNames, allowed: ReadonlySet<string>): Middleware {
  return (ctx, next) => {
    const hasData = isInterface(ctx.path);
    if (!hasData && !publicPaths.has(ctx.path)) return next();
    if (allowed.size > 0) ctx.vary('Origin');
    const { origin, 'sec-fetch-site': site } = ctx.req.headers;
    if (origin !== undefined && allowed.has(origin)) {
      allowReading(ctx, origin);
      return next();
    }
    if (!hasData) return next();
    if (origin !== undefined && !own.isOwnOrigin(origin, ctx.req.socket.localPort)) {
      refuse('foreign_origin');
    }
    if (site !== undefined && site !== 'same-origin' && site !== 'none') refuse('foreign_origin');
    return next();
  };
}
