import { isIP } from 'node:net';
import { problem } from '../base/errors.ts';

/** Characters of a key: those of a header value that no program changes or splits. */
const keyPattern = /^[\x21-\x7e]{1,1000}$/;

/** The end of an address that was copied from a request. */
const operationPath = /\/+(?:v1(?:\/+events)?\/*)?$/;

/** Returns true if a URL names this machine, so that nothing it carries reaches a network. */
function isLoopbackUrl({ hostname }: URL): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  return isIP(hostname) === 4 && hostname.startsWith('127.');
}

/**
 * Returns the address of an online service, with a slash at its end and without `v1/events`. Throws
 * `mirror_url_invalid`, `mirror_url_insecure`, `mirror_url_credentials` or `mirror_url_query`.
 */
export function parseBaseUrl(text: string): URL {
  const url = URL.parse(text.trim());
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb) throw problem('mirror_url_invalid');
  // No message repeats an address: what follows may be a secret.
  if (url.username !== '' || url.password !== '') throw problem('mirror_url_credentials');
  if (/[?#]/.test(url.href)) throw problem('mirror_url_query');
  if (url.protocol === 'http:' && !isLoopbackUrl(url)) {
    throw problem('mirror_url_insecure', { host: url.host });
  }
  url.pathname = `${url.pathname.replace(operationPath, '')}/`;
  return url;
}

/**
 * Returns the key of an online service without the spaces around it. Throws `mirror_key_invalid` if
 * it cannot be sent in a header unchanged.
 */
export function parseUpstreamKey(text: string): string {
  const key = text.trim();
  if (!keyPattern.test(key)) throw problem('mirror_key_invalid');
  return key;
}

/**
 * Returns the address of a file of another computer; unlike that of a service, it may have a query.
 * Throws `mirror_file_address` or `mirror_file_insecure`.
 */
export function parseFileAddress(text: string): URL {
  const url = URL.parse(text.trim());
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb || url.username !== '' || url.password !== '') {
    throw problem('mirror_file_address');
  }
  if (!isSafeUrl(url)) throw problem('mirror_file_insecure', { host: url.host });
  url.hash = '';
  return url;
}

/** Returns true if nobody on the way can change what comes from a URL. */
export function isSafeUrl(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url));
}
