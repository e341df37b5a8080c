import './managing.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type ManagingScreen, managingScreens } from '../../bridge.ts';
import { goTo } from '../place/use-place.ts';
import { AboutScreen } from './about/about.tsx';
import { ClubsScreen } from './clubs/clubs.tsx';
import { ExportScreen } from './export/export.tsx';
import { HistoryScreen } from './history/history.tsx';
import { ImportScreen } from './import/import.tsx';
import { KeysScreen } from './keys/keys.tsx';
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

/** Everything that changes data or settings, beside the events; in the desktop window alone. */
export function Managing({ screen }: { readonly screen: ManagingScreen }) {
  const { t } = useTranslation('managing');
  const title = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus goes along to each screen
  useEffect(() => title.current?.focus(), [screen]);
  return (
    <div className="managing">
      <nav className="managing-nav" aria-label={t('manage')}>
        <button type="button" className="managing-back" onClick={() => goTo({ manage: null })}>
          {t('back')}
        </button>
        {managingScreens.map((name) => (
          <button
            key={name}
            type="button"
            className="managing-link"
            aria-current={name === screen ? 'page' : undefined}
            onClick={() => goTo({ manage: name })}
          >
            {t(name)}
          </button>
        ))}
      </nav>
      <main className="managing-screen">
        <h1 ref={title} tabIndex={-1} className="managing-title">
          {t(screen)}
        </h1>
        {screens[screen]()}
      </main>
    </div>
  );
}
