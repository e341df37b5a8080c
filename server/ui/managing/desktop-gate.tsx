import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import type { Session } from '../../bridge.ts';
import { unfiltered } from '../place/place.ts';
import { adjustPlace } from '../place/use-place.ts';
import { queries } from '../reading/queries.ts';
import { accountOf } from '../reading/session.ts';
import { Page } from '../shell/page.tsx';
import { unwrap } from './actions.ts';
import { requireBridge } from './bridge.ts';
import { DesktopProvider } from './desktop.tsx';
import { useDesktopState } from './desktop-state.ts';
import { useOpenedFiles } from './opened-files.ts';

const Welcome = lazy(async () => ({ default: (await import('./welcome/welcome.tsx')).Welcome }));

/** Null: there is no club yet. */
type Opened = Session | null;

async function openClub(asked: number | null): Promise<Opened> {
  const session = await unwrap(requireBridge().openSession({ club: asked }));
  return session && { ...session, account: await accountOf(session.account) };
}

/** What is true of one club's events says nothing of another's. */
function forgetClub(): void {
  queries.clear();
  adjustPlace({ ...unfiltered, event: null, day: null });
}

/** The page in the desktop window: no key is asked for, and a new user is made welcome. */
export function DesktopGate() {
  const state = useDesktopState();
  const files = useOpenedFiles();
  const [opened, setOpened] = useState<Opened | undefined>();

  const showClub = useCallback(async (club: number | null) => {
    const next = await openClub(club);
    forgetClub();
    setOpened(next);
  }, []);
  useEffect(() => {
    void openClub(null).then(setOpened);
  }, []);

  if (state === undefined || opened === undefined) return null;
  const club = opened === null ? null : opened.club;
  return (
    <DesktopProvider state={state} club={club} showClub={showClub} {...files}>
      {opened === null ? (
        <Suspense>
          <Welcome />
        </Suspense>
      ) : (
        <Page
          key={opened.account}
          accessKey={opened.key}
          account={opened.account}
          onSignOut={() => void showClub(null)}
        />
      )}
    </DesktopProvider>
  );
}
