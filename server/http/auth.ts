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

/** The members that `authenticate` adds to `ctx.state`. */
export type Authenticated = { userId: number };

const bearerScheme = /^bearer(?: +(.*))?$/i;

/**
 * Requires the key in a single `Authorization` header. koa-bearer-token would also accept a key in
 * the query or the first of two headers. It would not recognise a scheme in another case or
 * followed by several spaces (RFC 9110 section 11.4).
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

/** Creates a function that finds the user of a key of the desktop window, if that user exists. */
function createWindowKeyLookup(db: Reader, windowKeys: WindowKeys) {
  const users = prepareUserReads(db);
  return (token: string): number | undefined => {
    const userId = windowKeys.userOf(token);
    return userId !== undefined && users.exists(userId) ? userId : undefined;
  };
}

/** The result of looking up a key at a version of the database. */
type CachedLookup = {
  readonly key: string;
  readonly version: number;
  readonly found: UnrevokedKey | undefined;
};

/**
 * Creates a function that looks up keys, with a cache of the last key of each connection, as most
 * connections send only one. Keys are not kept anywhere else.
 */
function createKeyLookup(
  db: Reader,
): (connection: Socket, key: string) => UnrevokedKey | undefined {
  const keys = prepareKeyReads(db);
  const version = versionPerTick(db);
  const lastLookups = new WeakMap<Socket, CachedLookup>();
  return (connection, key) => {
    // Read before the look-up, so that a commit in between invalidates the cached result.
    const current = version();
    const last = lastLookups.get(connection);
    if (last?.key === key && last.version === current) return last.found;
    const found = keys.byDigest(digestOfKey(key));
    lastLookups.set(connection, { key, version: current, found });
    return found;
  };
}

/** Finds the user of the key. All kinds of invalid keys get the same response. */
function identifyUser(
  db: Reader,
  now: () => Date,
  windowKeys: WindowKeys | undefined,
): Middleware<Authenticated> {
  const lookUpKey = createKeyLookup(db);
  const userOfWindowKey = windowKeys && createWindowKeyLookup(db, windowKeys);

  function userOfKey(connection: Socket, key: string): number | undefined {
    const found = lookUpKey(connection, key);
    if (found === undefined) return undefined;
    const { userId, expiresAt } = found;
    return expiresAt === null || expiresAt > now().toISOString() ? userId : undefined;
  }
  return (ctx, next) => {
    const { token } = ctx.request;
    // koa-bearer-token finds no token in a key with a space, which is never valid.
    if (token === undefined) refuse('invalid_key');
    const userId = userOfWindowKey?.(token) ?? userOfKey(ctx.req.socket, token);
    if (userId === undefined) refuse('invalid_key');
    ctx.state.userId = userId;
    return next();
  };
}

/** Creates middlewares that set `ctx.state.userId` by the key (INTERFACE, "Authentication"). */
export function authenticate(
  db: Reader,
  now: () => Date,
  windowKeys?: WindowKeys,
): Middleware<Authenticated>[] {
  return [requireSingleKey, bearerToken(), identifyUser(db, now, windowKeys)];
}
