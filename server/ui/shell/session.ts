import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
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
function findKey(): string | null | undefined {
  const [, text] = keyInFragment.exec(location.hash) ?? [];
  if (text !== undefined) {
    // Removes the key from the address bar before other code reads the fragment.
    history.replaceState(null, '', location.pathname);
    const key = decodeKey(text);
    if (key === undefined) return null;
    storeKey(key);
  }
  return tabStore.getItem(storageName) ?? undefined;
}

function storeKey(key: string): void {
  tabStore.setItem(storageName, key);
}

function removeKey(): void {
  tabStore.removeItem(storageName);
}

/**
 * Returns the name under which the browser stores an account's data: a hash that does not reveal
 * the key. Only secure contexts have `crypto.subtle`, so it is not used.
 */
export function accountOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(`account ${text}`)).subarray(0, 12));
}

/** Reasons to ask for a key: none yet, a damaged link, a key that stopped working, a sign-out. */
export type SignInReason = 'first' | 'damaged' | 'revoked' | 'left';

type Session =
  | { readonly state: 'looking' }
  | {
      readonly state: 'out';
      readonly reason: SignInReason;
      readonly signIn: (key: string) => void;
    }
  | {
      readonly state: 'in';
      readonly key: string;
      readonly account: string;
      readonly signOut: (reason: SignInReason) => void;
    };

type Account = { readonly key: string; readonly account: string };

function accountWithKey(key: string): Account {
  return { key, account: accountOf(key) };
}

function findSession(): Account | SignInReason {
  const found = findKey();
  if (found === undefined) return 'first';
  return found === null ? 'damaged' : accountWithKey(found);
}

/** Signs in with the key of a link or of the tab, and follows further links and sign-outs. */
export function useSession(): Session {
  const queries = useQueryClient();
  const [current, setCurrent] = useState<Account | SignInReason | undefined>();

  useEffect(() => {
    // A link with a key may be opened in the tab of the page.
    const onAddress = () => {
      if (location.hash.startsWith('#key=')) setCurrent(findSession());
    };
    window.addEventListener('hashchange', onAddress);
    setCurrent(findSession());
    return () => window.removeEventListener('hashchange', onAddress);
  }, []);

  const signIn = useCallback((key: string) => {
    storeKey(key);
    setCurrent(accountWithKey(key));
  }, []);

  const signOut = useCallback(
    (reason: SignInReason) => {
      removeKey();
      queries.clear();
      setCurrent(reason);
    },
    [queries],
  );

  if (current === undefined) return { state: 'looking' };
  if (typeof current === 'string') return { state: 'out', reason: current, signIn };
  return { state: 'in', ...current, signOut };
}
