import './manage.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManagingScreen } from '../../actions/bridge.ts';
import { LoadingBoundary } from '../base/lazy-part.tsx';
import { AboutScreen } from './about/about.tsx';
import { BackupsScreen } from './backups/backups.tsx';
import { ClubSettingsScreen } from './clubs/club-settings-screen.tsx';
import { ClubsScreen } from './clubs/clubs.tsx';
import { PasteTarget } from './event/paste-target.tsx';
import { ExportScreen } from './export/export.tsx';
import { HelpScreen } from './help/help.tsx';
import { HistoryScreen } from './history/history.tsx';
import { ImportScreen, ImportTitle } from './import/import.tsx';
import { KeysScreen } from './keys/keys.tsx';
import { MessageScreen } from './message/message.tsx';
import { ManagingNav } from './nav.tsx';
import { DesktopNotices } from './parts/desktop-notices.tsx';
import { ProposalsScreen, ProposalsTitle } from './proposals/proposals-screen.tsx';
import { SettingsScreen } from './settings/settings.tsx';
import { SyncScreen } from './sync/sync.tsx';

const screens: Readonly<Record<Exclude<ManagingScreen, 'import' | 'proposals'>, () => ReactNode>> =
  {
    export: () => <ExportScreen />,
    history: () => <HistoryScreen />,
    message: () => <MessageScreen />,
    'club-settings': () => <ClubSettingsScreen />,
    sync: () => <SyncScreen />,
    backups: () => <BackupsScreen />,
    keys: () => <KeysScreen />,
    clubs: () => <ClubsScreen />,
    settings: () => <SettingsScreen />,
    help: () => <HelpScreen />,
    about: () => <AboutScreen />,
  };

function Title({ screen }: { readonly screen: ManagingScreen }) {
  const { t } = useTranslation('manage');
  if (screen === 'import') return <ImportTitle />;
  return screen === 'proposals' ? <ProposalsTitle /> : t(screen);
}

function Screen({ screen }: { readonly screen: ManagingScreen }) {
  // These have a head and a foot of their own.
  if (screen === 'import') return <ImportScreen />;
  if (screen === 'proposals') return <ProposalsScreen />;
  return <div className="stack work-body">{screens[screen]()}</div>;
}

/** The frame of the management screens, shown only in the desktop window. */
export function Managing({ screen }: { readonly screen: ManagingScreen }) {
  const title = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the screen changes
  useEffect(() => {
    window.scrollTo(0, 0);
    title.current?.focus({ preventScroll: true });
  }, [screen]);
  return (
    <div className="managing">
      <ManagingNav screen={screen} />
      <div className="upright managing-side">
        <DesktopNotices />
        {screen === 'import' && <PasteTarget />}
        <main key={screen} className="upright work">
          <div className="work-head">
            <h1 ref={title} tabIndex={-1} className="managing-title">
              <Title screen={screen} />
            </h1>
          </div>
          <LoadingBoundary>
            <Screen screen={screen} />
          </LoadingBoundary>
        </main>
      </div>
    </div>
  );
}
