import './manage.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManagingScreen } from '../../bridge.ts';
import { LoadingBoundary } from '../base/lazy-part.tsx';
import { AboutScreen } from './about/about.tsx';
import { ClubsScreen } from './clubs/clubs.tsx';
import { ExportScreen } from './export/export.tsx';
import { HistoryScreen } from './history/history.tsx';
import { ImportScreen } from './import/import.tsx';
import { KeysScreen } from './keys/keys.tsx';
import { ManagingNav } from './nav.tsx';
import { DesktopNotices } from './parts/notices.tsx';
import { SettingsScreen } from './settings/settings.tsx';

const screens: Readonly<Record<ManagingScreen, () => ReactNode>> = {
  import: () => <ImportScreen />,
  export: () => <ExportScreen />,
  history: () => <HistoryScreen />,
  keys: () => <KeysScreen />,
  clubs: () => <ClubsScreen />,
  settings: () => <SettingsScreen />,
  about: () => <AboutScreen />,
};

/** The frame of the management screens, shown only in the desktop window. */
export function Managing({ screen }: { readonly screen: ManagingScreen }) {
  const { t } = useTranslation('manage');
  const title = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the screen changes
  useEffect(() => title.current?.focus(), [screen]);
  return (
    <div className="managing">
      <ManagingNav screen={screen} />
      <div className="managing-side">
        <DesktopNotices />
        {/* The key makes each screen start at its top. */}
        <main key={screen} className="managing-screen">
          <div className="managing-content">
            <h1 ref={title} tabIndex={-1} className="managing-title">
              {t(screen)}
            </h1>
            <LoadingBoundary>{screens[screen]()}</LoadingBoundary>
          </div>
        </main>
      </div>
    </div>
  );
}
