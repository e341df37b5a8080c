import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { accountOf, findKey, forgetKey, keepKey } from '../reading/session.ts';

/** Why the page asks for a key: none yet, a damaged link, a key that stopped working, or a sign-out. */
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

type Known = { readonly key: string; readonly account: string };

function know(key: string): Known {
  return { key, account: accountOf(key) };
}

function findSession(): Known | SignInReason {
  const found = findKey();
  if (found === undefined) return 'first';
  return found === null ? 'damaged' : know(found);
}

/** Signs in with the key of the tab or of a link, and follows further links and signing out. */
export function useSession(): Session {
  const queries = useQueryClient();
  const [known, setKnown] = useState<Known | SignInReason | undefined>();

  useEffect(() => {
    // A link with a key may be opened where the page already is.
    const onAddress = () => {
      if (location.hash.startsWith('#key=')) setKnown(findSession());
    };
    window.addEventListener('hashchange', onAddress);
    setKnown(findSession());
    return () => window.removeEventListener('hashchange', onAddress);
  }, []);

  const signIn = useCallback((key: string) => {
    keepKey(key);
    setKnown(know(key));
  }, []);

  const signOut = useCallback(
    (reason: SignInReason) => {
      forgetKey();
      queries.clear();
      setKnown(reason);
    },
    [queries],
  );

  if (known === undefined) return { state: 'looking' };
  if (typeof known === 'string') return { state: 'out', reason: known, signIn };
  return { state: 'in', ...known, signOut };
}
