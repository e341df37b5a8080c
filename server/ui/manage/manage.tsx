import './manage.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManagingScreen } from '../../actions/bridge.ts';
import { LoadingBoundary } from '../base/lazy-part.tsx';
import { useMirror } from '../data/mirror-context.ts';
import { ExportScreen } from './export/export.tsx';
import { ShareScreen } from './export/share.tsx';
import { isFollowFormOpen } from './follow/calendars.tsx';
import { HelpScreen } from './help/help.tsx';
import { ImportScreen, ImportTitle } from './import/import.tsx';
import { KeysScreen } from './keys/keys.tsx';
import { MessageScreen } from './message/message.tsx';
import { ManagingNav, placeOf } from './nav.tsx';
import { DesktopNotices } from './parts/desktop-notices.tsx';
import { useApplication } from './parts/desktop-provider.tsx';
import { ClubSettings, ComputerSettings, HistoryAndBackups, SourcesScreen } from './places.tsx';
import { ProposalsScreen, ProposalsTitle } from './proposals/proposals-screen.tsx';
import { SyncScreen } from './sync/sync.tsx';

const screens: Readonly<Record<Exclude<ManagingScreen, 'import' | 'proposals'>, () => ReactNode>> =
  {
    sources: () => <SourcesScreen />,
    sync: () => <SyncScreen />,
    share: () => <ShareScreen />,
    week: () => <MessageScreen isWeek />,
    message: () => <MessageScreen />,
    export: () => <ExportScreen />,
    history: () => <HistoryAndBackups />,
    backups: () => <HistoryAndBackups />,
    keys: () => <KeysScreen />,
    'club-settings': () => <ClubSettings />,
    settings: () => <ComputerSettings />,
    clubs: () => <ComputerSettings />,
    about: () => <ComputerSettings />,
    help: () => <HelpScreen />,
  };

/** The screens that are tabs of another one. */
const tabs: Partial<Record<ManagingScreen, ManagingScreen>> = {
  'club-settings': 'settings',
  week: 'message',
};

function Title({ screen }: { readonly screen: ManagingScreen }) {
  const { t } = useTranslation(['manage', 'follow']);
  const { club } = useApplication();
  const isFollowing = isFollowFormOpen.use();
  const isMirror = Boolean(useMirror());
  if (screen === 'import') return <ImportTitle />;
  if (screen === 'proposals') return <ProposalsTitle />;
  if (screen === 'sync' && isMirror) return t('sources');
  if (screen === 'sources' && isFollowing) return t('follow:heading');
  const place = placeOf(screen);
  // These places are one screen each, whose sections have addresses.
  if (place === 'settings' || (place === 'history' && club !== null)) return t(place);
  return t(screen);
}

function Screen({ screen }: { readonly screen: ManagingScreen }) {
  // These have a head and a foot of their own.
  if (screen === 'import') return <ImportScreen sources={<SourcesScreen />} />;
  if (screen === 'proposals') return <ProposalsScreen />;
  return <div className="stack work-body">{screens[screen]()}</div>;
}

/** The frame of the management screens, shown only in the desktop window. */
export function Managing({ screen }: { readonly screen: ManagingScreen }) {
  const title = useRef<HTMLHeadingElement>(null);
  // A tab keeps the focus on its choice.
  const view = tabs[screen] ?? screen;
  useEffect(() => {
    window.scrollTo(0, 0);
    const section = document.getElementById(`section-${view}`);
    if (section !== null) section.focus();
    else title.current?.focus({ preventScroll: true });
  }, [view]);
  return (
    <div className="managing">
      <ManagingNav screen={screen} />
      <div className="upright managing-side">
        <DesktopNotices />
        <main key={view} className="upright work">
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
