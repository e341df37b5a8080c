import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { tabStore } from '../base/storage.ts';

/** Name of the key in the tab's storage. */
const storageName = 'club-events-key';

const keyInFragment = /^#key=([\x21-\x7e]+)$/;

/** Returns whether a text could be a key: an HTTP header can hold it. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Decodes the key of a link; undefined when the link is damaged. */
function decodeKey(text: string): string | undefined {
  try {
    const key = decodeURIComponent(text);
    return isKey(key) ? key : undefined;
  } catch {
    // URIError: a percent sign without two hexadecimal digits.
    return undefined;
  }
}

/** Finds the key of this tab, in a link (`/#key=…`) or from before a reload; null for a damaged link. */
export function findKey(): string | null | undefined {
  const [, text] = keyInFragment.exec(location.hash) ?? [];
  if (text !== undefined) {
    // Out of the address bar before anything else sees it.
    history.replaceState(null, '', location.pathname);
    const key = decodeKey(text);
    if (key === undefined) return null;
    keepKey(key);
  }
  return tabStore.getItem(storageName) ?? undefined;
}

export function keepKey(key: string): void {
  tabStore.setItem(storageName, key);
}

export function forgetKey(): void {
  tabStore.removeItem(storageName);
}

/**
 * Returns a name for the data that the browser keeps for an account. The key cannot be recovered
 * from it. Without `crypto.subtle`, which only secure contexts have.
 */
export function accountOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(`account ${text}`)).subarray(0, 12));
}
