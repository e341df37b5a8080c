import { problem } from '../base/errors.ts';
import { type AddressRules, parseAddress } from '../web/address.ts';

/** Characters of a key: those of a header value that no program changes or splits. */
const keyPattern = /^[\x21-\x7e]{1,1000}$/;

/** The end of an address that was copied from a request. */
const operationPath = /\/+(?:v1(?:\/+events)?\/*)?$/;

const serviceRules: AddressRules = {
  field: 'url',
  http: 'this computer',
  invalid: 'mirror_url_invalid',
  credentials: 'mirror_url_credentials',
  query: 'mirror_url_query',
  insecure: 'mirror_url_insecure',
};

/** Unlike the address of a service, that of a file may have a query. */
const fileRules: AddressRules = {
  field: 'fileUrl',
  http: 'this computer',
  invalid: 'mirror_file_address',
  insecure: 'mirror_file_insecure',
};

/**
 * Returns the address of an online service, with a slash at its end and without `v1/events`. Throws
 * `mirror_url_invalid`, `mirror_url_insecure`, `mirror_url_credentials` or `mirror_url_query`.
 */
export function parseBaseUrl(text: string): URL {
  const url = parseAddress(text, serviceRules);
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

/** Returns the address of a file of another computer. Throws `mirror_file_address` or `mirror_file_insecure`. */
export function parseFileAddress(text: string): URL {
  const url = parseAddress(text, fileRules);
  url.hash = '';
  return url;
}
