import { isEncryptedEnough, type Unencrypted } from './address.ts';
import { request, WebFailure, type WebLimits, type WebReply, type WebRequest } from './request.ts';

const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns the address to which an answer refers; undefined if it is the answer itself. */
function targetOf({ status, headers, url }: WebReply): URL | undefined {
  if (!redirects.has(status) || headers.location === undefined) return undefined;
  return URL.parse(headers.location, url.href) ?? undefined;
}

type FollowOptions = Omit<WebRequest, 'method' | 'body' | 'onlyPublic'> &
  WebLimits & { readonly http: Unencrypted };

/**
 * Reads an address that may refer to others, at most five times. Throws `redirected` instead of
 * following it from https to http, from the internet into a local network, or with a password to
 * another origin.
 */
export async function follow(
  url: URL,
  { http, timeout = 30_000, ...options }: FollowOptions,
): Promise<WebReply> {
  const end = performance.now() + timeout;
  let next = url;
  let onlyPublic = false;
  for (let count = 0; count <= maxRedirects; count += 1) {
    const reply = await request(next, {
      ...options,
      onlyPublic,
      timeout: Math.max(1, Math.round(end - performance.now())),
    });
    const target = targetOf(reply);
    if (target === undefined) return reply;
    const isLowered = next.protocol === 'https:' && target.protocol !== 'https:';
    const isOther =
      options.headers?.['authorization'] !== undefined && target.origin !== next.origin;
    const isWeb = /^https?:$/.test(target.protocol);
    if (!isWeb || isLowered || isOther || !isEncryptedEnough(target, http)) break;
    onlyPublic ||= reply.isPublic;
    next = target;
  }
  throw new WebFailure('redirected');
}
