import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManagingScreen } from '../../actions/bridge.ts';
import { minuteMs } from '../../dates/units.ts';
import { useFormats } from '../base/format.ts';
import icon from '../base/icon.svg';
import {
  type Icon,
  IconAlertTriangle,
  IconArrowDownToArc,
  IconArrowLeft,
  IconDatabase,
  IconHelp,
  IconHistory,
  IconSettings,
  IconShare,
  IconTerminal2,
} from '../base/icons.ts';
import { goTo } from '../base/navigation.ts';
import { useFollowed, useOldAddresses } from '../data/followed.ts';
import type { PublishedFile } from '../data/subscriptions.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { useActionQuery } from './parts/action-hooks.ts';
import { DataState, useDataState } from './parts/data-state.tsx';
import { useApplication } from './parts/desktop-provider.tsx';
import { useReceivedProposals } from './parts/received-proposals.tsx';

type Place = 'sources' | 'share' | 'history' | 'keys' | 'settings';

/** The places, in display order, with the screens that stand in each; the first one opens it. */
const places: Readonly<
  Record<Place, { readonly Icon: Icon; readonly screens: readonly ManagingScreen[] }>
> = {
  sources: { Icon: IconArrowDownToArc, screens: ['sources', 'import', 'proposals', 'sync'] },
  share: { Icon: IconShare, screens: ['share', 'week', 'message', 'export'] },
  history: { Icon: IconHistory, screens: ['history', 'backups'] },
  keys: { Icon: IconTerminal2, screens: ['keys'] },
  settings: { Icon: IconSettings, screens: ['club-settings', 'settings', 'clubs', 'about'] },
};

/** Returns the place of a screen; undefined for the help, which the menu of the events has. */
export function placeOf(screen: ManagingScreen): Place | undefined {
  return (Object.keys(places) as Place[]).find((place) => places[place].screens.includes(screen));
}

/** Interval between two looks for a trouble, in milliseconds. */
const troubleLookMs = 15_000;

export const screensWithoutClub: readonly ManagingScreen[] = [
  'backups',
  'settings',
  'help',
  'about',
];

function NavLink(props: {
  readonly screen: ManagingScreen;
  readonly name: ManagingScreen;
  readonly Icon: Icon;
  readonly isCurrent: boolean;
}) {
  const { screen, name, Icon: LinkIcon, isCurrent } = props;
  const { t } = useTranslation('manage');
  return (
    <button
      type="button"
      className="row pressable managing-link"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => goTo({ manage: screen })}
    >
      <LinkIcon size={18} stroke={1.75} aria-hidden />
      {t(name)}
      {name === 'share' && <ShareTrouble />}
      {name === 'sources' && <WaitingSources />}
    </button>
  );
}

/** The number of lines in the sources that wait for an answer: proposals, and calendars. */
function WaitingSources() {
  const { t } = useTranslation('follow');
  const formats = useFormats();
  const proposals = useReceivedProposals();
  const { calendars } = useFollowed();
  const waiting = calendars.filter(({ state }) => state === 'asks' || state === 'trouble');
  const count = waiting.length + (proposals.count > 0 ? 1 : 0);
  if (count === 0) return null;
  const spoken = [
    ...(proposals.count > 0 ? [proposals.title] : []),
    ...waiting.map(({ name, state }) => `${name}: ${t(`state_${state}`)}`),
  ];
  return (
    <span className="badge badge-news managing-count">
      <span aria-hidden>{formats.number(count)}</span>
      <span className="only-spoken">, {spoken.join(', ')}</span>
    </span>
  );
}

/** The number of addresses that were not read for a day, below the name of the club. */
export function OldAddresses() {
  const { t } = useTranslation('follow');
  const formats = useFormats();
  const count = useOldAddresses();
  if (count === 0) return null;
  return (
    <span className="club-old">
      <IconAlertTriangle size={14} stroke={1.75} aria-hidden />{' '}
      {t('old', { count, shown: formats.number(count) })}
    </span>
  );
}

/** Returns the files that should stay up to date and do not, or that members do not get. */
export function useFilesInTrouble(): readonly PublishedFile[] {
  const { club } = useApplication();
  const options = { enabled: club !== null, intervalMs: troubleLookMs, isInBackground: true };
  const { data } = useActionQuery('publish list', { user: club?.name }, options);
  const files = data?.files ?? [];
  return files.filter(({ state, addressCheck }) => state === 'failed' || addressCheck?.problem);
}

/** Interval of looks at the questions of calendars, in milliseconds: they are read every hour. */
export const questionLookMs = minuteMs;

/** Queries the followed calendars of the open club. */
export function useCalendars(options: {
  readonly intervalMs: number;
  readonly isInBackground?: boolean;
}) {
  const { club } = useApplication();
  return useActionQuery(
    'follow list',
    { user: club?.name },
    { enabled: club !== null, ...options },
  );
}

/** A mark if a file is in trouble. */
function ShareTrouble() {
  const { t } = useTranslation('published');
  if (useFilesInTrouble().length === 0) return null;
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
  const hasOld = useOldAddresses() > 0;
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
          ) : hasOld ? (
            <OldAddresses />
          ) : (
            all && t('number', { count: all.total, shown: number(all.total) })
          )}
        </span>
      </p>
    </div>
  );
}

/** The places of a club. */
function Places({ screen }: { readonly screen: ManagingScreen }) {
  const current = placeOf(screen);
  return (Object.keys(places) as Place[]).map((place) => {
    const { Icon: PlaceIcon, screens } = places[place];
    return (
      <NavLink
        key={place}
        screen={screens[0] ?? place}
        name={place}
        Icon={PlaceIcon}
        isCurrent={place === current}
      />
    );
  });
}

const withoutClub = [
  { name: 'backups', Icon: IconDatabase },
  { name: 'settings', Icon: IconSettings },
  { name: 'help', Icon: IconHelp },
] as const;

/** The screens without a club: there is nothing to bring in or to give out. */
function PlacesWithoutClub({ screen }: { readonly screen: ManagingScreen }) {
  const shown = screen === 'about' ? 'settings' : screen;
  return withoutClub.map(({ name, Icon: LinkIcon }) => (
    <NavLink key={name} screen={name} name={name} Icon={LinkIcon} isCurrent={name === shown} />
  ));
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
        {club === null ? <PlacesWithoutClub screen={screen} /> : <Places screen={screen} />}
      </nav>
    </div>
  );
}
