import type { ReactNode } from 'react';
import { usePlace } from '../place/use-place.ts';
import { Page } from '../shell/page.tsx';
import { DesktopProvider } from './desktop.tsx';
import { useDesktopState } from './desktop-state.ts';
import { DesktopWindow } from './desktop-window.tsx';
import { clublessScreens } from './managing-nav.tsx';
import { useOpenedFiles } from './opened-files.ts';
import { Managing, Welcome } from './parts.ts';
import { Trouble } from './trouble.tsx';
import { useOpenedClub } from './use-opened-club.ts';

/** What is shown as long as no club is, and the screens that need none. */
function Clubless({ children }: { readonly children: ReactNode }) {
  const { manage } = usePlace();
  const screen = clublessScreens.find((name) => name === manage);
  return screen === undefined ? children : <Managing screen={screen} />;
}

/** The page in the desktop window: no key is asked for, and a new user is made welcome. */
export function DesktopGate() {
  const state = useDesktopState();
  const files = useOpenedFiles();
  const { opened, showClub, trouble, openAny } = useOpenedClub();

  if (state === undefined || (opened === undefined && trouble === undefined)) return null;
  const shown = trouble === undefined ? opened : null;
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
        <Clubless>
          {trouble ? <Trouble error={trouble} onAgain={() => openAny()} /> : <Welcome />}
        </Clubless>
      )}
    </DesktopProvider>
  );
}
