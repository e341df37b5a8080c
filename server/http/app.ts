import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Reader } from '../../db/open.ts';
import { listParameterNames } from '../errors.ts';
import { challengeHeader, composeProof, proofHeader } from '../health-proof.ts';
import { KoaRouter } from '../lean.ts';
import { serviceName, version } from '../version.ts';
import type { WindowKeys } from '../window-keys.ts';
import { authenticate } from './auth.ts';
import { answerPublic } from './conditional.ts';
import { createEventHandlers } from './events.ts';
import { answerFailures } from './failure.ts';
import { closeAfterUnread, createOwnNames, type Identity, requireOwnHost } from './guard.ts';
import { requireOwnOrigin } from './origin.ts';
import { routePage } from './page.ts';
import { allowedMethods, refuse } from './problems.ts';

export type AppSettings = Identity & {
  /** Origins whose pages may read here, such as `https://example.org`. */
  readonly allowedOrigins: ReadonlySet<string>;
  readonly now: () => Date;
  /** Keys that are not in the database: those of the desktop window. */
  readonly windowKeys?: WindowKeys;
  /** The secret by which `service.json` names this service. */
  readonly healthSecret?: string;
};

/** `GET /health`, which also proves to holders of `secret` that this is the service they look for. */
function createHealth(secret: string | undefined): Middleware {
  return (ctx) => {
    const proof = secret && composeProof(secret, ctx.get(challengeHeader));
    if (proof) ctx.set(proofHeader, proof);
    ctx.set('Cache-Control', 'no-store');
    // A text, as Koa would load Node's fetch to look whether an object is one of its answers.
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = JSON.stringify({ service: serviceName, version });
  };
}

const openApi: Middleware = async (ctx) => {
  // Loaded when asked for: its schemas would double the time to the first answer.
  const { openApiAnswer } = await import('./openapi.ts');
  answerPublic(ctx, openApiAnswer);
};

/** The most parameters, and the most characters of each, that `Ignored-Parameters` names. */
const ignoredLimits = { count: 10, length: 100 };

/** Lists query parameters without a meaning: typing errors would otherwise go unnoticed. */
function listIgnored(known: readonly string[]): Middleware {
  return (ctx, next) => {
    if (ctx.querystring === '') return next();
    const names = [...new Set(new URLSearchParams(ctx.querystring).keys())]
      .filter((name) => name !== '' && !known.includes(name))
      .slice(0, ignoredLimits.count)
      .map((name) => encodeURIComponent(name.slice(0, ignoredLimits.length).toWellFormed()));
    if (names.length > 0) ctx.set('Ignored-Parameters', names.join(', '));
    return next();
  };
}

function createRouter(db: Reader, { now, windowKeys, healthSecret }: AppSettings): Router {
  const router = new KoaRouter({ strict: true, sensitive: true });
  const key = authenticate(db, now, windowKeys);
  const events = createEventHandlers(db);
  router.get('/v1/events', ...key, listIgnored(listParameterNames), events.list);
  router.get('/v1/events/:id', ...key, listIgnored([]), events.one);
  router.get('/health', createHealth(healthSecret));
  router.get('/openapi.json', openApi);
  routePage(router);
  return router;
}

/** What no route took: `OPTIONS`, other methods on a known path (405), unknown paths (404). */
const answerUnrouted: Middleware = (ctx) => {
  const known = ctx.path === '*' || ctx['matched']?.length > 0;
  if (!known) refuse('not_found');
  if (ctx.method !== 'OPTIONS') refuse('method_not_allowed');
  ctx.set('Allow', allowedMethods);
  ctx.status = 204;
};

/** The network side, read-only: this list of middlewares is its architecture. */
export function createApp(db: Reader, settings: AppSettings, log: Logger): Koa {
  const own = createOwnNames(settings);
  const app = new Koa();
  app.use(closeAfterUnread);
  app.use(answerFailures(log));
  app.use(requireOwnHost(own));
  app.use(requireOwnOrigin(own, settings.allowedOrigins));
  app.use(createRouter(db, settings).routes() as unknown as Middleware);
  app.use(answerUnrouted);
  // What fails past the middlewares: a caller that went away while the answer was written.
  app.on('error', (error) => log.warn({ err: error }, 'answer not delivered'));
  return app;
}
