import './team-chip.css';
import { Button, Checkbox, Menu, Popover } from '@mantine/core';
import { type KeyboardEvent, use, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { foldText } from '../../../../db/fold.ts';
import { teamColours, teamMatcher } from '../../../../db/team-filter.ts';
import { lettersOf, type SuggestedTeam, suggestTeams } from '../../../event/views.ts';
import type { Event } from '../../../http/contract.ts';
import { noTeam } from '../../base/address.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { errorOf } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { useErrorMessage } from '../../base/i18n.ts';
import { IconChevronDown, IconHelp, IconPencil, IconUsersGroup } from '../../base/icons.ts';
import { goTo, useCurrent } from '../../base/navigation.ts';
import { browserStore } from '../../base/storage.ts';
import { TeamMark, useTeamWords } from '../../base/team.tsx';
import { type TeamChoice, TeamsContext, useTeamNamed, useTeams } from '../../data/teams.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

const openSettings = () => goTo({ manage: 'club-settings' });

/** The properties that keep a pop-up of the row of chips within its landmark and in the window. */
const inRow = { withinPortal: false, floatingStrategy: 'fixed', position: 'bottom-start' } as const;

/** Closes the pop-up of a chip from the chip, which has the focus until the pop-up takes it. */
function closeOnEscape(event: KeyboardEvent<HTMLButtonElement>): void {
  const { key, currentTarget } = event;
  if (key !== 'Escape' || currentTarget.ariaExpanded !== 'true') return;
  // Nothing behind it closes as well.
  event.preventDefault();
  currentTarget.click();
}

/** The number of events of each team, of all, and of those in no team. */
function useCounts() {
  const teams = useTeams();
  const { all } = useVisibleEvents();
  return useMemo(() => {
    const events = all?.events ?? [];
    const tests = teams.map(teamMatcher);
    const counts = teams.map(() => 0);
    let without = 0;
    for (const event of events) {
      const found = tests.flatMap((test, at) => (test(event) ? [at] : []));
      if (found.length === 0) without += 1;
      for (const at of found) counts[at] = (counts[at] ?? 0) + 1;
    }
    return { all: events.length, counts, without };
  }, [teams, all]);
}

/** The teams with their numbers of events, which are counted for the open menu alone. */
function TeamItems({ team, isWithout }: Pick<TeamChoice, 'team' | 'isWithout'>) {
  const { t } = useTranslation('teams');
  const { number } = useFormats();
  const teams = useTeams();
  const { all, counts, without } = useCounts();
  const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
  const item = (choice: string | null, words: string, count: number, section: React.ReactNode) => (
    <Menu.Item
      key={choice ?? ''}
      leftSection={section}
      rightSection={<span className="quiet figures">{number(count)}</span>}
      aria-current={choice === (isWithout ? noTeam : (team?.name ?? null)) || undefined}
      onClick={() => goTo({ team: choice })}
    >
      <span dir="auto">{words}</span>
    </Menu.Item>
  );
  return (
    <>
      {item(null, t('all'), all, <IconUsersGroup {...icon} />)}
      {teams.map((one, at) => item(one.name, one.name, counts[at] ?? 0, <TeamMark team={one} />))}
      {item(noTeam, t('none'), without, <IconHelp {...icon} />)}
      <Menu.Divider />
      <Menu.Item leftSection={<IconPencil {...icon} />} onClick={openSettings}>
        {t('edit')}
      </Menu.Item>
    </>
  );
}

/** Time in milliseconds within which letters are one word, as in Mantine's menus. */
const wordMs = 500;

/** Returns the keys of a menu whose entries have accents: "E" leads to "Équipe", and "é" to "Espoirs". */
function useFirstLetters() {
  const typed = useRef({ letters: '', at: 0 });
  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, currentTarget, timeStamp } = event;
    if (key.length !== 1 || key === ' ' || event.altKey || event.ctrlKey || event.metaKey) return;
    const { letters, at } = typed.current;
    const all = (timeStamp - at < wordMs ? letters : '') + foldText(key);
    typed.current = { letters: all, at: timeStamp };
    const entries = Array.from(currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]'));
    const next = entries.indexOf(document.activeElement as HTMLElement) + 1;
    // The same letter again leads to the next entry.
    const isOne = new Set(all).size === 1;
    const word = isOne ? all.slice(0, 1) : all;
    const inOrder = isOne ? [...entries.slice(next), ...entries.slice(0, next)] : entries;
    const labelOf = (entry: Element) => entry.querySelector('[data-menu-item-label]') ?? entry;
    inOrder.find((entry) => foldText(labelOf(entry).textContent).trim().startsWith(word))?.focus();
    event.preventDefault();
  };
}

/** The choice of a team, which holds in each view. */
function TeamMenu() {
  const { t } = useTranslation('teams');
  const { team, isWithout } = useTeamNamed(useCurrent('team'));
  const name = isWithout ? t('none') : (team?.name ?? t('all'));
  const onKeyDown = useFirstLetters();
  return (
    <Menu {...inRow} shadow="md" returnFocus withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button
          type="button"
          className="chip team-chip"
          data-chosen={team !== null || isWithout || undefined}
          aria-keyshortcuts="v"
          onKeyDown={closeOnEscape}
        >
          {team && <TeamMark team={team} />}
          <span dir="auto">{name}</span>
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown className="more-menu team-menu" aria-label={t('teams')} onKeyDown={onKeyDown}>
        <TeamItems team={team} isWithout={isWithout} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The name under which this computer keeps that a club wants no teams. */
const offName = (account: string) => `club-events:teams-off:${account}`;

/** The teams that the names of events suggest, each with a tick. */
function Suggestions(props: {
  readonly teams: readonly SuggestedTeam[];
  readonly onOff: () => void;
}) {
  const { teams, onOff } = props;
  const { t } = useTranslation(['teams', 'event']);
  const { number } = useFormats();
  const describe = useTeamWords();
  const context = use(TeamsContext);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<Error | null>(null);
  const refusal = useErrorMessage(error);
  const used = teams.filter(({ name }) => !left.has(name));
  const add = () => context?.add(used).catch((thrown) => setError(errorOf(thrown)));
  return (
    <div className="stack">
      <div>
        <h2 id="suggested-teams">{t('suggested')}</h2>
        <p className="small quiet">{t('help')}</p>
      </div>
      <ul className="ruled team-suggestions" aria-labelledby="suggested-teams">
        {teams.map((team, at) => (
          <li key={team.name} className="row">
            <Checkbox
              aria-label={team.name}
              checked={!left.has(team.name)}
              onChange={() => setLeft(new Set(left.symmetricDifference(new Set([team.name]))))}
            />
            <TeamMark
              team={{
                letters: lettersOf(team.name),
                colour: teamColours[at % teamColours.length] ?? 1,
              }}
            />
            <span className="team-about">
              <strong dir="auto">{team.name}</strong>
              <span className="small quiet">{describe(team)}</span>
            </span>
            <span className="small quiet">
              {t('event:number', { count: team.events, shown: number(team.events) })}
            </span>
          </li>
        ))}
      </ul>
      {refusal !== undefined && <p role="alert">{refusal}</p>}
      <div className="flow">
        <Button disabled={used.length === 0} onClick={() => void add()}>
          {t('use', { count: used.length, shown: number(used.length) })}
        </Button>
        <Button variant="default" onClick={onOff}>
          {t('off')}
        </Button>
        <LinkButton onClick={openSettings}>{t('own')}</LinkButton>
      </div>
    </div>
  );
}

/** The teams that the names of events suggest, which each view asks for. */
const suggested = new WeakMap<readonly Event[], readonly SuggestedTeam[]>();

const noEvents: readonly Event[] = [];

function suggestedTeams(events: readonly Event[]): readonly SuggestedTeam[] {
  const teams = suggested.get(events) ?? suggestTeams(events);
  suggested.set(events, teams);
  return teams;
}

/** The chip of a club without teams whose events' names repeat some; nothing for any other. */
function FirstTeams() {
  const { t } = useTranslation('teams');
  const { all, account } = useVisibleEvents();
  const [isOff, setOff] = useState(() => browserStore.getItem(offName(account)) !== null);
  const read = all?.pastRead && all.comingRead ? all.events : noEvents;
  // The list comes first; a chip that is known does not push the others aside.
  const events = useDeferredValue(read, suggested.has(read) ? read : noEvents);
  const teams = suggestedTeams(events);
  if (isOff || teams.length === 0) return null;
  const turnOff = () => {
    browserStore.setItem(offName(account), '1');
    setOff(true);
  };
  return (
    <Popover {...inRow} width="min(25rem, calc(100vw - 1.5rem))" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <button
          type="button"
          className="chip team-chip"
          aria-keyshortcuts="v"
          onKeyDown={closeOnEscape}
        >
          <IconUsersGroup size={16} stroke={1.75} aria-hidden />
          {t('teams')}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-labelledby="suggested-teams">
        <Suggestions teams={teams} onOff={turnOff} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The first chip: the choice of a team, or the teams that the names suggest. */
export function TeamChip() {
  const context = use(TeamsContext);
  if (context?.teams === undefined) return null;
  return context.teams.length > 0 ? <TeamMenu /> : <FirstTeams />;
}
