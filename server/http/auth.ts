import type { Socket } from 'node:net';
import type { Middleware } from 'koa';
import { bearerToken } from 'koa-bearer-token';
import type { Reader } from '../../db/open.ts';
import { prepareKeyReads, type UnrevokedKey } from '../../db/read/keys.ts';
import { prepareUserReads } from '../../db/read/users.ts';
import { versionPerTick } from '../../db/read/version.ts';
import { digestOfKey } from '../key-digest.ts';
import type { WindowKeys } from '../window-keys.ts';
import { headerValues } from './guard.ts';
import { refuse } from './problems.ts';

/** What the handlers behind `authenticate` find in `ctx.state`. */
export type Authenticated = { userId: number };

const bearerScheme = /^bearer(?: +(.*))?$/i;

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

/** What a key opened while the database was at a version. */
type Opened = {
  readonly key: string;
  readonly version: number;
  readonly opening: UnrevokedKey | undefined;
};

/**
 * Finds what a key opens. A connection brings the same key again and again: what it opened is
 * remembered with the connection, and the key itself nowhere else.
 */
function findOpening(db: Reader): (connection: Socket, key: string) => UnrevokedKey | undefined {
  const keys = prepareKeyReads(db);
  const version = versionPerTick(db);
  const lastOpened = new WeakMap<Socket, Opened>();
  return (connection, key) => {
    // Asked before the look-up: what a commit in between changes is looked up again.
    const current = version();
    const last = lastOpened.get(connection);
    if (last?.key === key && last.version === current) return last.opening;
    const opening = keys.byDigest(digestOfKey(key));
    lastOpened.set(connection, { key, version: current, opening });
    return opening;
  };
}

/** Finds the user of the key; the four ways for a key to be invalid give one and the same answer. */
function identifyUser(
  db: Reader,
  now: () => Date,
  windowKeys: WindowKeys | undefined,
): Middleware<Authenticated> {
  const openingOf = findOpening(db);
  const userOfWindow = windowKeys && findUserOfWindow(db, windowKeys);

  function userOfKey(connection: Socket, key: string): number | undefined {
    const opening = openingOf(connection, key);
    if (opening === undefined) return undefined;
    const { userId, expiresAt } = opening;
    return expiresAt === null || expiresAt > now().toISOString() ? userId : undefined;
  }
  return (ctx, next) => {
    const { token } = ctx.request;
    // A key with a space in it is no token to koa-bearer-token, and no key of ours.
    if (token === undefined) refuse('invalid_key');
    const userId = userOfWindow?.(token) ?? userOfKey(ctx.req.socket, token);
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
