import { createRequire } from 'node:module';
import type Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Account } from '../../db/keys.ts';
import { explainSqlite, type Reader, StoreError } from '../../db/open.ts';
import { serviceName, version } from '../base/version.ts';
import { type Authenticated, authenticate } from './auth.ts';
import { createCaches } from './cache.ts';
import type { Connections } from './connections.ts';
import { answerPublic, createEventHandlers, type EventTools } from './events.ts';
import {
  type Addressed,
  closeAfterUnreadBody,
  createOwnNames,
  type Identity,
  isApiPath,
  requireOwnHost,
  requireOwnOrigin,
} from './guard.ts';
import { headerNames } from './headers.ts';
import { challengeHeader, composeProofs } from './health-proof.ts';
import { createLongPolls } from './long-polls.ts';
import { routePage } from './page.ts';
import { listParameterNames } from './parameters.ts';
import {
  allowedMethods,
  commonHeaders,
  type DatabaseWatch,
  type NodeWatch,
  problemAnswer,
  RequestError,
  type RequestErrorCode,
  refuse,
} from './problems.ts';
import type { WindowKeys } from './window-keys.ts';

// Its ES module would import `node:http` (see node-http.ts).
const { Router: KoaRouter } = createRequire(import.meta.url)(
  '@koa/router',
) as typeof import('@koa/router');

/** Returns the problem code of a failure; `internal` for unknown errors. */
function codeOf(error: unknown): RequestErrorCode {
  const explained = explainSqlite(error, 'the database');
  if (!(explained instanceof StoreError)) return 'internal';
  if (explained.problem === 'busy') return 'busy';
  return explained.problem === 'damaged' ? 'database_damaged' : 'internal';
}

/** Returns the route of a request; somebody may have put a key in the path. */
const routeOf = (ctx: Context): string | undefined => ctx['_matchedRoute'];

/** Milliseconds after which an answer has a line in the log. */
const slowAfter = 1_000;

/**
 * Creates the outermost middleware. It adds the common headers and converts errors to problem
 * documents (RFC 9457) without internal details; server errors and slow answers are logged.
 */
export function handleFailures(log: Logger, database?: DatabaseWatch): Middleware {
  /** Handles a failure of the service itself. Refusals, which anybody causes, have no line. */
  function handleFailure(ctx: Context, error: unknown): RequestErrorCode {
    log.error({ err: error, method: ctx.method, route: routeOf(ctx) }, 'failed');
    const code = codeOf(error);
    if (code === 'database_damaged') database?.onDamage();
    // The connection may have been closed while the request waited.
    return database?.readFault() ?? code;
  }
  function answerFailure(ctx: Context, error: unknown): void {
    const code = error instanceof RequestError ? error.code : handleFailure(ctx, error);
    const teams = error instanceof RequestError ? error.teams : undefined;
    const { status, headers, body } = problemAnswer(code, teams);
    const varied = ctx.res.getHeader(headerNames.vary);
    ctx.status = status;
    ctx.set(headers);
    if (varied !== undefined) ctx.vary(`${varied}`);
    ctx.body = body;
  }
  return (ctx, next) => {
    const start = performance.now();
    return next()
      .catch((error) => answerFailure(ctx, error))
      .then(() => {
        // Does nothing after `writeHead`, whose headers include the common ones.
        ctx.set(commonHeaders);
        const waited: number = ctx.state['waitedMs'] ?? 0;
        const ms = Math.round(performance.now() - start - waited);
        if (ms > slowAfter) log.warn({ route: routeOf(ctx), ms }, 'slow answer');
      });
  };
}

type AppSettings = Identity &
  EventTools & {
    /** Origins whose pages may read the data, such as `https://example.org`. */
    readonly allowedOrigins: ReadonlySet<string>;
    /** The keys of the desktop window, which are not in the database. */
    readonly windowKeys?: WindowKeys;
    /** The connections of the server. */
    readonly connections: Connections;
    /** The secret of this service in `service.json`. */
    readonly healthSecret?: string;
    readonly database: DatabaseWatch;
    /** The state of a node of a hub. */
    readonly node?: NodeWatch | undefined;
    /** Aborted when the service stops: requests that wait for a change are then answered. */
    readonly stopping?: AbortSignal;
  };

/** Handles `GET /health`, and proves the identity of the service to holders of `secret`. */
function createHealth(secret: string | undefined): Middleware<Addressed> {
  return (ctx) => {
    const { localAddress: address, localPort: port } = ctx.req.socket;
    const end = { address, port };
    // Under a name that is not its own, it proves nothing.
    if (secret !== undefined && ctx.state.baseUrl !== '')
      ctx.set(composeProofs(secret, ctx.get(challengeHeader), end));
    ctx.set('Cache-Control', 'no-store');
    // A string: for an object, Koa would load Node's fetch to check if it is a Response.
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = JSON.stringify({ service: serviceName, version });
  };
}

/** Handles `GET /ready`, for a load balancer: false while answers would be refused or old. */
function createReady(database: DatabaseWatch, node: NodeWatch | undefined): Middleware {
  return (ctx) => {
    const fault = database.readFault() ?? (node?.isReady() === false ? 'not_ready' : undefined);
    if (fault !== undefined) refuse(fault);
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/json; charset=utf-8';
    const { number, lagMs } = node?.readState() ?? {};
    ctx.body = JSON.stringify({ ready: true, ...(node && { number, lagMs }) });
  };
}

/**
 * Says as of when the answers of a node are that does not reach its record, and refuses a club that it
 * could not copy for long.
 */
function dateAnswers(node: NodeWatch): Middleware<Authenticated> {
  return (ctx, next) => {
    const { userId } = ctx.state.account;
    const fault = node.readFault(userId);
    if (fault !== undefined) refuse(fault);
    const asOf = node.readAsOf(userId);
    if (asOf !== undefined) ctx.set(headerNames.dataAsOf, asOf.toISOString());
    return next();
  };
}

/** Counts the answers of a node for its metrics. */
function countAnswers(node: NodeWatch): Middleware {
  return (ctx, next) =>
    next().then(() => {
      const account: Account | undefined = ctx.state['account'];
      node.noteAnswer(ctx.status, ctx.status < 400 ? account?.userId : undefined);
    });
}

const openApi: Middleware = async (ctx) => {
  // Loaded on demand: its schemas would double the time to the first response.
  const { openApiAnswer } = await import('./openapi.ts');
  answerPublic(ctx, openApiAnswer);
};

/** Limits of the header for ignored parameters: their number, and characters of each. */
const ignoredLimits = { count: 10, length: 100 };

/** Lists unknown query parameters in a header, so that typing errors are noticed. */
function listIgnored(known: readonly string[]): Middleware {
  return (ctx, next) => {
    if (ctx.querystring === '') return next();
    const names = [...new Set(new URLSearchParams(ctx.querystring).keys())]
      .filter((name) => name !== '' && !known.includes(name))
      .slice(0, ignoredLimits.count)
      .map((name) => encodeURIComponent(name.slice(0, ignoredLimits.length).toWellFormed()));
    if (names.length > 0) ctx.set(headerNames.ignoredParameters, names.join(', '));
    return next();
  };
}

function createRouter(db: Reader, settings: AppSettings): Router {
  const { now, windowKeys, healthSecret, database, node, connections, stopping } = settings;
  const router = new KoaRouter({ strict: true, sensitive: true });
  const caches = createCaches(db);
  const key = authenticate(db, caches, now, { windowKeys, node });
  const longPolls = createLongPolls(db, database, connections, stopping);
  const events = createEventHandlers(db, caches, longPolls, settings);
  const dated = node === undefined ? [] : [dateAnswers(node)];
  router.get('/v1/events', key, ...dated, listIgnored(listParameterNames), events.list);
  router.get('/v1/events/:id', key, ...dated, listIgnored([]), events.one);
  router.get('/health', createHealth(healthSecret));
  router.get('/ready', createReady(database, node));
  router.get('/openapi.json', openApi);
  routePage(router);
  return router;
}

/** Handles requests without a route: `OPTIONS`, other methods (405) and unknown paths (404). */
const answerUnrouted: Middleware = (ctx) => {
  const known = ctx.path === '*' || ctx['matched']?.length > 0;
  if (!known) refuse('not_found');
  if (ctx.method !== 'OPTIONS') refuse('method_not_allowed');
  ctx.set('Allow', allowedMethods);
  ctx.status = 204;
};

const disconnections: ReadonlySet<unknown> = new Set([
  'ECONNABORTED',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ETIMEDOUT',
]);

/** Refuses requests for data (503) without a sound database. Health and page still answer. */
function requireDatabase({ readFault }: DatabaseWatch): Middleware {
  return (ctx, next) => {
    const fault = isApiPath(ctx.path) ? readFault() : undefined;
    if (fault !== undefined) refuse(fault);
    return next();
  };
}

/** Creates the read-only network side. This list of middlewares is its architecture. */
export function createApp(db: Reader, settings: AppSettings, log: Logger): Koa {
  const ownNames = createOwnNames(settings);
  const app = new Koa();
  app.use(closeAfterUnreadBody);
  if (settings.node !== undefined) app.use(countAnswers(settings.node));
  app.use(handleFailures(log, settings.database));
  app.use(requireOwnHost(ownNames));
  app.use(requireOwnOrigin(ownNames, settings.allowedOrigins));
  app.use(requireDatabase(settings.database));
  app.use(createRouter(db, settings).routes() as unknown as Middleware);
  app.use(answerUnrouted);
  // Clients that disconnect during a response get no line: any program could fill the disk so.
  app.on('error', (error) => {
    if (!disconnections.has(error.code)) log.warn({ err: error }, 'answer not delivered');
  });
  return app;
}
