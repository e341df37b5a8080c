import type { Socket } from 'node:net';
import type { Middleware, ParameterizedContext } from 'koa';
import { bearerToken } from 'koa-bearer-token';
import { type Account, digestOfKey, type KeyAccount, prepareKeyReads } from '../../db/keys.ts';
import { prepareVersionRead, type Reader } from '../../db/open.ts';
import { headerValues } from './guard.ts';
import { refuse } from './problems.ts';
import type { WindowKeys } from './window-keys.ts';

/** The members that `authenticate` adds to `ctx.state`. */
export type Authenticated = {
  account: Account;
  /** Reads the account again; returns undefined if the key is no longer valid. */
  readAccount: () => Account | undefined;
};

const bearerScheme = /^bearer(?: +(.*))?$/i;

/**
 * Requires the key in a single `Authorization` header. koa-bearer-token would also accept a key in
 * the query or the first of two headers. It would not recognise a scheme in another case or
 * followed by several spaces (RFC 9110 section 11.4).
 */
function requireSingleKey(ctx: ParameterizedContext): void {
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
}

/**
 * Shares a read of the database's version among the requests of one iteration of the event loop,
 * because each read locks the database: with 16 connections, a seventh of the processor time of an
 * answer. Their data arrived before the first of them was handled,
 * except for a request that follows another one on its connection without waiting for the response.
 */
function shareVersion(read: () => number): (connection: Socket) => number {
  let last: { loopCount: number; connection: Socket; version: number } | undefined;
  return (connection) => {
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    const isShared = last?.loopCount === loopCount && last.connection !== connection;
    const version = last && isShared ? last.version : read();
    last = { loopCount, connection, version };
    return version;
  };
}

/**
 * Creates the middleware that sets `ctx.state.account` by the key (INTERFACE, "Authentication").
 * All kinds of invalid keys get the same response.
 */
export function authenticate(
  db: Reader,
  now: () => Date,
  windowKeys?: WindowKeys,
): Middleware<Authenticated> {
  const readToken = bearerToken();
  const keys = prepareKeyReads(db);
  const readVersion = prepareVersionRead(db);
  const readSharedVersion = shareVersion(readVersion);
  // The digest and the join take a third of a request; most requests have the key of the last one.
  const cache = new Map<string, KeyAccount>();
  let version: number | undefined;

  function findAccount(current: number, key: string): KeyAccount | undefined {
    if (current !== version) cache.clear();
    version = current;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const account = keys.byDigest(digestOfKey(key));
    if (account !== undefined) cache.set(key, account);
    return account;
  }

  function accountOf(key: string, readCurrent: () => number): Account | undefined {
    const windowUser = windowKeys?.userOf(key);
    if (windowUser !== undefined) return keys.byUser(windowUser);
    const account = findAccount(readCurrent(), key);
    if (account === undefined) return undefined;
    const { expiresAt } = account;
    return expiresAt === null || expiresAt > now().toISOString() ? account : undefined;
  }
  // One middleware, because the router composes those of a route again for each request.
  return (ctx, next) => {
    requireSingleKey(ctx);
    return readToken(ctx, () => {
      const { token } = ctx.request;
      // koa-bearer-token finds no token in a key with a space, which is never valid.
      if (token === undefined) refuse('invalid_key');
      const readCurrent = () => readSharedVersion(ctx.req.socket);
      ctx.state.account = accountOf(token, readCurrent) ?? refuse('invalid_key');
      ctx.state.readAccount = () => accountOf(token, readVersion);
      return next();
    });
  };
}
