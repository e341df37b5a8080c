import type { ReactNode } from 'react';
import { usePlace } from '../place/use-place.ts';
import { Page } from '../shell/page.tsx';
import { DesktopProvider } from './desktop.tsx';
import { useDesktopState } from './desktop-state.ts';
import { DesktopWindow } from './desktop-window.tsx';
import { screensWithoutClub } from './managing-nav.tsx';
import { useOpenedFiles } from './opened-files.ts';
import { Managing, Welcome } from './parts.ts';
import { Trouble } from './trouble.tsx';
import { useOpenedClub } from './use-opened-club.ts';

/** Shows a screen that needs no club if the address names one; otherwise its children. */
function WithoutClub({ children }: { readonly children: ReactNode }) {
  const { manage } = usePlace();
  const screen = screensWithoutClub.find((name) => name === manage);
  return screen === undefined ? children : <Managing screen={screen} />;
}

/** The page in the desktop window: no sign-in, and a welcome screen if there is no club. */
export function DesktopGate() {
  const state = useDesktopState();
  const files = useOpenedFiles();
  const { opened, showClub, openError, openAny } = useOpenedClub();

  if (state === undefined || (opened === undefined && openError === undefined)) return null;
  const shown = openError === undefined ? opened : null;
  return (
    <DesktopProvider state={state} club={shown?.club ?? null} showClub={showClub} {...files}>
      <DesktopWindow />
      {shown ? (
        <Page
          key={shown.account}
          accessKey={shown.key}
          account={shown.account}
          onSignOut={() => openAny(shown)}
        />
      ) : (
        <WithoutClub>
          {openError ? <Trouble error={openError} onRetry={() => openAny()} /> : <Welcome />}
        </WithoutClub>
      )}
    </DesktopProvider>
  );
}
