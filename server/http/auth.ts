import type { Middleware } from 'koa';
import { bearerToken } from 'koa-bearer-token';
import type { Reader } from '../../db/open.ts';
import { type Opening, prepareKeyReads } from '../../db/read/keys.ts';
import { createMemo } from '../../db/read/memo.ts';
import { prepareUserReads } from '../../db/read/users.ts';
import { versionOfTurn } from '../../db/read/version.ts';
import { digestOfKey, digestTextOfKey } from '../key-digest.ts';
import type { WindowKeys } from '../window-keys.ts';
import { headerValues } from './guard.ts';
import { refuse } from './problems.ts';

/** What the handlers behind `authenticate` find in `ctx.state`. */
export type Authenticated = { userId: number };

const bearerScheme = /^bearer(?: +(.*))?$/i;

/** How many keys are remembered: those in use. */
const keysKept = 1_000;

/**
 * Leaves exactly one way for a key to come: a single `Authorization` header. koa-bearer-token
 * would also take one from the query, would take the first of two headers, and would miss a scheme
 * in another case or followed by several spaces (RFC 9110 section 11.4).
 */
const requireSingleKey: Middleware = (ctx, next) => {
  const { querystring } = ctx;
  if (querystring !== '' && new URLSearchParams(querystring).has('access_token')) {
    refuse('invalid_request');
  }
  const [authorization, second] = headerValues(ctx.req, 'authorization');
  if (second !== undefined) refuse('invalid_request');
  const bearer = bearerScheme.exec(authorization ?? '');
  if (bearer === null) refuse('missing_key');
  const key = bearer[1]?.trim();
  if (!key) refuse('invalid_request');
  ctx.req.headers.authorization = `Bearer ${key}`;
  return next();
};

/** Finds the user whose key of the window this is, if there still is one. */
function findUserOfWindow(db: Reader, windowKeys: WindowKeys) {
  const users = prepareUserReads(db);
  return (token: string): number | undefined => {
    const userId = windowKeys.userOf(token);
    return userId !== undefined && users.exists(userId) ? userId : undefined;
  };
}

/** Finds the user of the key; the four ways for a key to be invalid give one and the same answer. */
function identifyUser(
  db: Reader,
  now: () => Date,
  windowKeys: WindowKeys | undefined,
): Middleware<Authenticated> {
  const keys = prepareKeyReads(db);
  const openings = createMemo<Opening | null>(versionOfTurn(db), { most: keysKept });
  const userOfKey = (token: string): number | undefined => {
    const look = () => keys.byDigest(digestOfKey(token)) ?? null;
    // By its digest, so that no key stays in memory.
    const opening = openings.recall(digestTextOfKey(token), look);
    if (opening === null) return undefined;
    const { userId, expiresAt } = opening;
    return expiresAt === null || expiresAt > now().toISOString() ? userId : undefined;
  };
  const userOfWindow = windowKeys && findUserOfWindow(db, windowKeys);
  return (ctx, next) => {
    const { token } = ctx.request;
    // A key with a space in it is no token to koa-bearer-token, and no key of ours.
    if (token === undefined) refuse('invalid_key');
    const userId = userOfWindow?.(token) ?? userOfKey(token);
    if (userId === undefined) refuse('invalid_key');
    ctx.state.userId = userId;
    return next();
  };
}

/** The middlewares that turn a bearer key into `ctx.state.userId` (INTERFACE, "Authentication"). */
export function authenticate(
  db: Reader,
  now: () => Date,
  windowKeys?: WindowKeys,
): Middleware<Authenticated>[] {
  return [requireSingleKey, bearerToken(), identifyUser(db, now, windowKeys)];
}
