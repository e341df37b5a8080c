import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { Session } from '../../bridge.ts';
import { accountOf } from '../reading/session.ts';
import { Page } from '../shell/page.tsx';
import { unwrap } from './actions.ts';
import { requireBridge } from './bridge.ts';
import { DesktopProvider, useDesktopState } from './desktop.tsx';
import { Welcome } from './welcome/welcome.tsx';

type Opened = Session & { readonly account: string };

/** The page in the desktop window: no key is asked for, and a new user is made welcome. */
export function DesktopGate() {
  const queries = useQueryClient();
  const state = useDesktopState();
  const [opened, setOpened] = useState<Opened | null | undefined>();

  const showClub = useCallback(
    async (club: number | null) => {
      const session = await unwrap(requireBridge().openSession({ club }));
      queries.clear();
      setOpened(session && { ...session, account: await accountOf(session.account) });
    },
    [queries],
  );
  useEffect(() => {
    void showClub(null);
  }, [showClub]);

  if (state === undefined || opened === undefined) return null;
  if (opened === null) return <Welcome state={state} showClub={showClub} />;
  const { key, account, club } = opened;
  return (
    <DesktopProvider state={state} club={club} showClub={showClub}>
      <Page key={account} accessKey={key} account={account} onSignOut={() => void showClub(null)} />
    </DesktopProvider>
  );
}
