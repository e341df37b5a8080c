import './manage.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManagingScreen } from '../../actions/bridge.ts';
import { LoadingBoundary } from '../base/lazy-part.tsx';
import { AboutScreen } from './about/about.tsx';
import { BackupsScreen } from './backups/backups.tsx';
import { ClubSettingsScreen } from './clubs/club-settings.tsx';
import { ClubsScreen } from './clubs/clubs.tsx';
import { ExportScreen } from './export/export.tsx';
import { HelpScreen } from './help/help.tsx';
import { HistoryScreen } from './history/history.tsx';
import { ImportScreen, ImportTitle } from './import/import.tsx';
import { KeysScreen } from './keys/keys.tsx';
import { MessageScreen } from './message/message.tsx';
import { ManagingNav } from './nav.tsx';
import { DesktopNotices } from './parts/desktop-notices.tsx';
import { SettingsScreen } from './settings/settings.tsx';
import { SyncScreen } from './sync/sync.tsx';

const screens: Readonly<Record<Exclude<ManagingScreen, 'import'>, () => ReactNode>> = {
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

/** The frame of the management screens, shown only in the desktop window. */
export function Managing({ screen }: { readonly screen: ManagingScreen }) {
  const { t } = useTranslation('manage');
  const title = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the screen changes
  useEffect(() => {
    window.scrollTo(0, 0);
    title.current?.focus({ preventScroll: true });
  }, [screen]);
  return (
    <div className="managing">
      <ManagingNav screen={screen} />
      <div className="managing-side">
        <DesktopNotices />
        <main key={screen} className="work">
          <div className="work-head">
            <h1 ref={title} tabIndex={-1} className="managing-title">
              {screen === 'import' ? <ImportTitle /> : t(screen)}
            </h1>
          </div>
          <LoadingBoundary>
            {/* The steps of the import have a head and a foot of their own. */}
            {screen === 'import' ? (
              <ImportScreen />
            ) : (
              <div className="work-body">{screens[screen]()}</div>
            )}
          </LoadingBoundary>
        </main>
      </div>
    </div>
  );
}
