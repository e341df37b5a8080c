import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { accountOf, findKey, forgetKey, keepKey } from '../reading/session.ts';

/** Reasons to ask for a key: none yet, a damaged link, a key that stopped working, a sign-out. */
export type SignInReason = 'first' | 'damaged' | 'revoked' | 'left';

export type Session =
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
    keepKey(key);
    setCurrent(accountWithKey(key));
  }, []);

  const signOut = useCallback(
    (reason: SignInReason) => {
      forgetKey();
      queries.clear();
      setCurrent(reason);
    },
    [queries],
  );

  if (current === undefined) return { state: 'looking' };
  if (typeof current === 'string') return { state: 'out', reason: current, signIn };
  return { state: 'in', ...current, signOut };
}
