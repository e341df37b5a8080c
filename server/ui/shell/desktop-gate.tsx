import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Session } from '../../actions/bridge.ts';
import { unfiltered } from '../base/address.ts';
import { queries } from '../base/client.ts';
import { BridgeError, bridge, requireBridge, unwrap, useDesktopState } from '../base/desktop.ts';
import { adjustRoute, goTo, useRoute } from '../base/navigation.ts';
import { screensWithoutClub } from '../manage/nav.tsx';
import { useTask } from '../manage/parts/action-hooks.ts';
import { DesktopProvider } from '../manage/parts/desktop-provider.tsx';
import { useFileDoor } from '../manage/parts/file-door.ts';
import { ErrorNotice } from '../manage/parts/parts.tsx';
import { DesktopWindow } from './desktop-window.tsx';
import { Managing, Page, Welcome } from './page.tsx';
import { accountOf } from './session.ts';

/** The error screen for when no club can be opened. */
function OpenFailure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { t } = useTranslation('manage');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <main className="stack page-state">
      <h1 ref={heading} tabIndex={-1}>
        {t('notOpened')}
      </h1>
      <ErrorNotice error={error} />
      <div className="flow page-state-actions">
        <Button onClick={onRetry}>{t('again')}</Button>
        <Button variant="default" onClick={() => goTo({ manage: 'settings' })}>
          {t('settings')}
        </Button>
      </div>
    </main>
  );
}

async function openClub(club: number | null): Promise<Session | null> {
  const session = await unwrap(requireBridge().openSession({ club }));
  return session && { ...session, account: accountOf(session.account) };
}

/** The club of the start, which is opened while the page reads its settings and renders. */
let openedFirst = bridge && openClub(null);
// The page shows the error once it is there.
openedFirst?.catch(() => undefined);

/** Opens the club shown last, else the first. */
function openAnyClub(): Promise<Session | null> {
  const opened = openedFirst ?? openClub(null);
  openedFirst = undefined;
  return opened;
}

/** Clears the cached data, the filters, the event and the day, which belong to one club. */
function clearClub(): void {
  queries.clear();
  adjustRoute({ ...unfiltered, event: null, form: null, formDay: null, day: null });
}

/** Opens a club at the start; `opened` is null if there is none, undefined while it loads. */
function useOpenedClub() {
  const [opened, setOpened] = useState<Session | null | undefined>();

  const account = opened?.account;
  const showClub = useCallback(
    async (club: number | null) => {
      const next = await openClub(club);
      // A club that was renamed is still the same.
      if (next?.account !== account) clearClub();
      setOpened(next);
    },
    [account],
  );

  const opening = useTask(async (refused?: Session) => {
    const next = await openAnyClub();
    // Using a refused key again would loop forever.
    if (next !== null && next.key === refused?.key) {
      throw new BridgeError('internal');
    }
    if (refused !== undefined) clearClub();
    setOpened(next);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, at the start
  useEffect(() => void opening.run(), []);

  return {
    opened,
    showClub,
    openError: opening.error,
    /** Opens the club shown last, else the first; `refused` is a session with a rejected key. */
    openAny: (refused?: Session) => void opening.run(refused),
  };
}

/** Shows a screen that needs no club if the address names one; otherwise its children. */
function WithoutClub({ children }: { readonly children: ReactNode }) {
  const { manage } = useRoute();
  const screen = screensWithoutClub.find((name) => name === manage);
  return screen === undefined ? children : <Managing screen={screen} />;
}

/** The page in the desktop window: no sign-in, and a welcome screen if there is no club. */
export function DesktopGate() {
  const state = useDesktopState();
  const { opened, showClub, openError, openAny } = useOpenedClub();
  const door = useFileDoor({ hasClub: opened !== null });

  if (state === undefined || (opened === undefined && openError === undefined)) return null;
  const session = openError === undefined ? opened : null;
  return (
    <DesktopProvider state={state} club={session?.club ?? null} showClub={showClub} door={door}>
      <DesktopWindow />
      {session ? (
        <Page
          key={session.account}
          accessKey={session.key}
          account={session.account}
          onSignOut={() => openAny(session)}
        />
      ) : (
        <WithoutClub>
          {openError ? <OpenFailure error={openError} onRetry={() => openAny()} /> : <Welcome />}
        </WithoutClub>
      )}
    </DesktopProvider>
  );
}
