import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManagingScreen } from '../../actions/bridge.ts';
import { useFormats } from '../base/format.ts';
import icon from '../base/icon.svg';
import {
  type Icon,
  IconAdjustmentsHorizontal,
  IconAlertTriangle,
  IconArrowLeft,
  IconDatabase,
  IconFileExport,
  IconFileImport,
  IconHelp,
  IconHistory,
  IconInfoCircle,
  IconKey,
  IconMessage2,
  IconRefresh,
  IconSettings,
  IconUsers,
  IconUsersGroup,
} from '../base/icons.ts';
import { goTo } from '../base/navigation.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { useActionQuery } from './parts/action-hooks.ts';
import { DataState, useDataState } from './parts/data-state.tsx';
import { useApplication } from './parts/desktop-provider.tsx';
import { useReceivedProposals } from './parts/received-proposals.tsx';

const icons: Readonly<Record<ManagingScreen, Icon>> = {
  import: IconFileImport,
  proposals: IconUsers,
  export: IconFileExport,
  message: IconMessage2,
  history: IconHistory,
  'club-settings': IconAdjustmentsHorizontal,
  sync: IconRefresh,
  backups: IconDatabase,
  keys: IconKey,
  clubs: IconUsersGroup,
  settings: IconSettings,
  help: IconHelp,
  about: IconInfoCircle,
};

type Group = {
  readonly title: 'events' | 'ofClub' | 'application';
  readonly screens: readonly ManagingScreen[];
};

/** Groups of related screens, in display order. */
const groups: readonly Group[] = [
  { title: 'events', screens: ['import', 'export', 'message', 'history'] },
  { title: 'ofClub', screens: ['club-settings', 'sync', 'backups', 'keys'] },
  { title: 'application', screens: ['clubs', 'settings', 'help', 'about'] },
];

/** Returns the place of a screen: proposals are reached from the import. */
const placeOf = (screen: ManagingScreen) => (screen === 'proposals' ? 'import' : screen);

/** Interval between two looks for a trouble, in milliseconds. */
const troubleLookMs = 15_000;

export const screensWithoutClub: readonly ManagingScreen[] = [
  'backups',
  'settings',
  'help',
  'about',
];

function NavLink(props: { readonly name: ManagingScreen; readonly isCurrent: boolean }) {
  const { name, isCurrent } = props;
  const { t } = useTranslation('manage');
  const LinkIcon = icons[name];
  return (
    <button
      type="button"
      className="row pressable managing-link"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => goTo({ manage: name })}
    >
      <LinkIcon size={18} stroke={1.75} aria-hidden />
      {t(name)}
      {name === 'export' && <ExportTrouble />}
      {name === 'import' && <ReceivedCount />}
    </button>
  );
}

/** The number of proposals of other computers that wait for an answer. */
function ReceivedCount() {
  const formats = useFormats();
  const { count, title } = useReceivedProposals();
  if (count === 0) return null;
  return (
    <span className="badge badge-news managing-count">
      <span aria-hidden>{formats.number(count)}</span>
      <span className="only-spoken">, {title}</span>
    </span>
  );
}

/** A mark if a file that should stay up to date is not, or members do not get it. */
function ExportTrouble() {
  const { t } = useTranslation('published');
  const { club } = useApplication();
  const options = { enabled: club !== null, intervalMs: troubleLookMs, isInBackground: true };
  const { data } = useActionQuery('publish list', { user: club?.name }, options);
  const isBad = data?.files.some(
    ({ state, addressCheck }) => state === 'failed' || addressCheck?.problem,
  );
  if (!isBad) return null;
  return (
    <IconAlertTriangle
      className="managing-trouble"
      size={18}
      stroke={1.75}
      aria-label={t('failed')}
      role="img"
    />
  );
}

/** The club whose events the screens concern, with their number, or their age in a mirror. */
function CurrentClub({ name }: { readonly name: string }) {
  const { t } = useTranslation('event');
  const { number } = useFormats();
  const { all } = useVisibleEvents();
  const isMirror = useDataState() !== undefined;
  return (
    <div className="row managing-club">
      <img src={icon} alt="" />
      <p>
        <span className="strong managing-club-name" dir="auto">
          {name}
        </span>
        <span className="small quiet managing-club-state">
          {isMirror ? (
            <DataState />
          ) : (
            all && t('number', { count: all.total, shown: number(all.total) })
          )}
        </span>
      </p>
    </div>
  );
}

function NavGroup({ group, screen }: { readonly group: Group; readonly screen: ManagingScreen }) {
  const { t } = useTranslation('manage');
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-labelledby={id} className="managing-group">
      <p id={id} className="managing-group-title">
        {t(group.title)}
      </p>
      {group.screens.map((name) => (
        <NavLink key={name} name={name} isCurrent={name === placeOf(screen)} />
      ))}
    </div>
  );
}

/** The navigation between the screens and back to the events; a row in a narrow window. */
export function ManagingNav({ screen }: { readonly screen: ManagingScreen }) {
  const { t } = useTranslation('manage');
  const { club } = useApplication();
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the screen changes
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [screen]);
  return (
    <div className="managing-places">
      <nav ref={list} className="managing-nav" aria-label={t('manage')}>
        <button
          type="button"
          className="row pressable managing-link"
          onClick={() => goTo({ manage: null })}
        >
          <IconArrowLeft className="managing-back" size={18} stroke={1.75} aria-hidden />
          {t(club === null ? 'backToWelcome' : 'back')}
        </button>
        {club !== null && <CurrentClub name={club.name} />}
        {club === null
          ? screensWithoutClub.map((name) => (
              <NavLink key={name} name={name} isCurrent={name === screen} />
            ))
          : groups.map((group) => <NavGroup key={group.title} group={group} screen={screen} />)}
      </nav>
    </div>
  );
}
