import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { accountOf, findKey, forgetKey, keepKey } from '../reading/session.ts';

/** Why the page asks for a key: there is none, it stopped working, or its user left. */
export type SignInReason = 'first' | 'revoked' | 'left';

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

async function know(key: string): Promise<Known> {
  return { key, account: await accountOf(key) };
}

/** Who is reading: looks for a key once, and keeps it for the life of the tab. */
export function useSession(): Session {
  const queries = useQueryClient();
  const [known, setKnown] = useState<Known | SignInReason | undefined>();

  useEffect(() => {
    const look = async () => {
      const key = findKey();
      setKnown(key === undefined ? 'first' : await know(key));
    };
    // A link with a key may be opened where the page already is.
    const onAddress = () => {
      if (location.hash.startsWith('#key=')) void look();
    };
    window.addEventListener('hashchange', onAddress);
    void look();
    return () => window.removeEventListener('hashchange', onAddress);
  }, []);

  const signIn = useCallback(async (key: string) => {
    keepKey(key);
    setKnown(await know(key));
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
