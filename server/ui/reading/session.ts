import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { tabStore } from '../base/storage.ts';

const storageName = 'club-events-key';

const keyInFragment = /^#key=([\x21-\x7e]+)$/;

/** Checks that a text can be a key: printable ASCII without spaces, for an HTTP header. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Decodes the key of a link; returns undefined if the link is damaged. */
function decodeKey(text: string): string | undefined {
  try {
    const key = decodeURIComponent(text);
    return isKey(key) ? key : undefined;
  } catch {
    // URIError: a percent sign without two hexadecimal digits.
    return undefined;
  }
}

/** Returns the key from a link (`/#key=…`) or from the tab's storage; null for a damaged link. */
export function findKey(): string | null | undefined {
  const [, text] = keyInFragment.exec(location.hash) ?? [];
  if (text !== undefined) {
    // Removes the key from the address bar before other code reads the fragment.
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
 * Returns the name under which the browser stores an account's data: a hash that does not reveal
 * the key. Only secure contexts have `crypto.subtle`, so it is not used.
 */
export function accountOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(`account ${text}`)).subarray(0, 12));
}
