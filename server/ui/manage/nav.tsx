import {
  type Icon,
  IconArrowLeft,
  IconFileExport,
  IconFileImport,
  IconHistory,
  IconInfoCircle,
  IconKey,
  IconSelector,
  IconSettings,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManagingScreen } from '../../bridge.ts';
import { goTo } from '../base/navigation.ts';
import { useApplication } from './parts/desktop.tsx';

const icons: Readonly<Record<ManagingScreen, Icon>> = {
  import: IconFileImport,
  export: IconFileExport,
  history: IconHistory,
  keys: IconKey,
  clubs: IconUsersGroup,
  settings: IconSettings,
  about: IconInfoCircle,
};

/** Groups of related screens, in display order. */
const groups: readonly (readonly ManagingScreen[])[] = [
  ['import', 'export', 'history'],
  ['keys'],
  ['clubs', 'settings', 'about'],
];

export const screensWithoutClub: readonly ManagingScreen[] = ['settings', 'about'];

type LinkProps = {
  readonly name: ManagingScreen;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
};

function NavLink({ name, isCurrent, onChoose }: LinkProps) {
  const { t } = useTranslation('manage');
  const LinkIcon = icons[name];
  const go = () => {
    onChoose();
    goTo({ manage: name });
  };
  return (
    <button
      type="button"
      className="managing-link"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={go}
    >
      <LinkIcon size={18} stroke={1.75} aria-hidden />
      {t(name)}
    </button>
  );
}

/** The navigation between the screens and back to the events; collapsible in a narrow window. */
export function ManagingNav({ screen }: { readonly screen: ManagingScreen }) {
  const { t } = useTranslation('manage');
  const { club } = useApplication();
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const visibleGroups = club === null ? [screensWithoutClub] : groups;
  return (
    <nav className="managing-nav" aria-label={t('manage')}>
      <button type="button" className="managing-back" onClick={() => goTo({ manage: null })}>
        <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        {t(club === null ? 'backToWelcome' : 'back')}
      </button>
      {club !== null && (
        <p className="managing-club" dir="auto">
          {club.name}
        </p>
      )}
      <button
        type="button"
        className="managing-fold"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        {t('screens')}
        <IconSelector size={16} aria-hidden />
      </button>
      <div id={listId} className="managing-links" data-open={isOpen || undefined}>
        {visibleGroups.map((names) => (
          <div key={names[0]} className="managing-group">
            {names.map((name) => (
              <NavLink
                key={name}
                name={name}
                isCurrent={name === screen}
                onChoose={() => setOpen(false)}
              />
            ))}
          </div>
        ))}
      </div>
    </nav>
  );
}
