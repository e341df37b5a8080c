import type { Middleware, ParameterizedContext } from 'koa';
import { bearerToken } from 'koa-bearer-token';
import { type Account, digestOfKey, type KeyAccount, prepareKeyReads } from '../../db/keys.ts';
import type { Reader } from '../../db/open.ts';
import type { Cache, Caches } from './cache.ts';
import { headerValues } from './guard.ts';
import { type NodeWatch, refuse } from './problems.ts';
import type { WindowKeys } from './window-keys.ts';

/** The members that `authenticate` adds to `ctx.state`. */
export type Authenticated = {
  account: Account;
  /** The cache of the version in which the account was found. */
  cache: Cache;
  /**
   * Reads the account of a key, with a cache; returns undefined if the key is not valid any more. The
   * same for all requests: a closure for each one would double the memory of a busy service.
   */
  readAccount: (key: string, cache: Cache) => Account | undefined;
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
 * Creates the middleware that sets `ctx.state.account` by the key (INTERFACE, "Authentication").
 * All kinds of invalid keys get the same response.
 */
export function authenticate(
  db: Reader,
  caches: Caches,
  now: () => Date,
  { windowKeys, node }: { windowKeys?: WindowKeys | undefined; node?: NodeWatch | undefined } = {},
): Middleware<Authenticated> {
  const readToken = bearerToken();
  const keys = prepareKeyReads(db);

  function readAccount(key: string): KeyAccount | undefined {
    const windowUser = windowKeys?.userOf(key);
    if (windowUser === undefined) return keys.byDigest(digestOfKey(key));
    const account = keys.byUser(windowUser);
    return account && { ...account, expiresAt: null };
  }

  /** Finds an account in the cache or reads it, which takes a third of a request. */
  function findAccount(key: string, { accounts }: Cache): KeyAccount | undefined {
    const known = accounts.get(key);
    if (known !== undefined) return known;
    const account = readAccount(key);
    if (account !== undefined) accounts.set(key, account);
    return account;
  }

  function accountOf(key: string, cache: Cache): Account | undefined {
    const account = findAccount(key, cache);
    if (account === undefined || node?.isRevoked(account.userId, key)) return undefined;
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
      const cache = caches.forRequest(ctx.req.socket);
      ctx.state.account = accountOf(token, cache) ?? refuse('invalid_key');
      ctx.state.cache = cache;
      ctx.state.readAccount = accountOf;
      return next();
    });
  };
}
