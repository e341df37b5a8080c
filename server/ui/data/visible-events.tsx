import { useQuery } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
} from 'react';
import type { Clock } from '../../dates/clock.ts';
import type { Day } from '../../dates/days.ts';
import { samePlaceEvents } from '../../event/places.ts';
import type { Event } from '../../http/contract.ts';
import { type ReadingError, readEvent } from '../base/client.ts';
import { useClock, useToday } from '../base/days.ts';
import { useRoute } from '../base/navigation.ts';
import { createSharedValue } from '../base/shared-value.ts';
import { type Club, type Reading, useClub, useSearch } from './club.ts';
import { useClubSettings } from './club-settings.ts';
import type { DraftEvent } from './editor.ts';
import { boundsOf, filterEvents } from './event-queries.ts';
import { useFollowed } from './followed.ts';
import { type LastVisit, useChanges } from './last-visit.ts';
import type { EventSet } from './read-all.ts';
import type { Change } from './seen-events.ts';
import { type TeamTest, useTeamChoice } from './teams.ts';

/** The events that all views show, and the state of reading them. */
export type VisibleEvents = {
  /** Key of the service, to read events that are not in `all` yet. */
  readonly accessKey: string;
  /** Name under which the browser stores data of this club. */
  readonly account: string;
  readonly club: Reading;
  /** The events that pass all filters, by date. */
  readonly events: readonly Event[];
  /** The test for the chosen team; null for all events. */
  readonly inTeam: TeamTest | null;
  /** All read events of the chosen team, by date, regardless of the other filters. */
  readonly ofTeam: readonly Event[];
  /** All events of the club that have been read so far. */
  readonly all: EventSet | undefined;
  /** Input of the filters: the search result, or all events. */
  readonly source: EventSet | undefined;
  /** Error of the search; null if there is no search or no error. */
  readonly searchError: Reading['error'];
  /** True while a search has no result yet. */
  readonly isSearching: boolean;
  /** Unseen changes since the last visit, by id. */
  readonly changes: ReadonlyMap<number, Change>;
  readonly lastVisit: LastVisit;
  readonly markSeen: (ids: Iterable<number>) => void;
  readonly today: Day;
  /** The clock of the club, the same as that of `useClock`. */
  readonly clock: Clock;
};

const noneSaved: ReadonlyMap<number, Event> = new Map();

/** Events as this window saved them, until they are among those on view. */
export const savedEvents = createSharedValue(noneSaved);

/** The events of the club that are on view, which may be older than those that were read last. */
export const shownEvents = createSharedValue<EventSet | undefined>(undefined);

const VisibleEventsContext = createContext<VisibleEvents | undefined>(undefined);

/** Returns the events on view. Throws outside `VisibleEventsProvider`. */
export function useVisibleEvents(): VisibleEvents {
  const visible = use(VisibleEventsContext);
  if (visible === undefined) throw new Error('useVisibleEvents requires a VisibleEventsProvider.');
  return visible;
}

export function VisibleEventsProvider({
  club,
  account,
  children,
}: {
  readonly club: Club;
  /** Name under which the last visit is stored. */
  readonly account: string;
  readonly children: ReactNode;
}) {
  const clock = useClock();
  const { words, statuses, types, period, changedOnly } = useRoute();
  const { seasonStart } = useClubSettings();
  const today = useToday();
  const { inTeam } = useTeamChoice();
  const search = words.trim();
  const everything = useClub(club);
  // In slices: an answer must not hold up the next letter, and a change not the next key.
  const found = useDeferredValue(useSearch(club, search));
  const later = useDeferredValue(everything);
  // The first events are what a person waits for.
  const reading = later.set === undefined ? everything : later;
  const all = reading.set;
  const source = search === '' ? all : found.set;
  const { changes, listed, lastVisit, markSeen } = useChanges(account, everything.set);

  const events = useMemo(() => {
    const bounds = boundsOf(period, today, seasonStart);
    const ids = changedOnly ? listed : null;
    return filterEvents(source?.events ?? [], { clock, statuses, types, bounds, ids, inTeam });
  }, [source, clock, statuses, types, period, today, seasonStart, changedOnly, listed, inTeam]);
  const ofTeam = useMemo(() => {
    const read = all?.events ?? [];
    return inTeam === null ? read : read.filter(inTeam);
  }, [all, inTeam]);

  useLayoutEffect(() => {
    shownEvents.set(all);
    savedEvents.set(noneSaved);
  }, [all]);

  const visible = useMemo<VisibleEvents>(
    () => ({
      accessKey: club.key,
      account,
      club: reading,
      events,
      inTeam,
      ofTeam,
      all,
      source,
      searchError: search === '' ? null : found.error,
      isSearching: search !== '' && found.error === null && (found.isStale || !found.set),
      changes,
      lastVisit,
      markSeen,
      today,
      clock,
    }),
    [
      club.key,
      account,
      reading,
      events,
      inTeam,
      ofTeam,
      all,
      source,
      search,
      found,
      changes,
      lastVisit,
      markSeen,
      today,
      clock,
    ],
  );
  return <VisibleEventsContext value={visible}>{children}</VisibleEventsContext>;
}

/** Returns a function that finds the other events at the place of one, on its days, also those to look at. */
export function useSamePlace(): (event: Event) => ReturnType<typeof samePlaceEvents<Event>> {
  const { all, clock } = useVisibleEvents();
  const { looked } = useFollowed();
  const { usualLength } = useClubSettings();
  return (event) => {
    const own = samePlaceEvents(clock, event, all?.events ?? [], usualLength);
    if (looked.length === 0) return own;
    const other = samePlaceEvents(clock, event, looked, usualLength);
    return {
      clashes: [...own.clashes, ...other.clashes],
      others: [...own.others, ...other.others],
    };
  };
}

const noneLooked: readonly DraftEvent[] = [];

/** Returns the events to look at in the chosen period; none while anything else is filtered. */
export function useLookedEvents(): readonly DraftEvent[] {
  const { looked } = useFollowed();
  const { today, clock, inTeam } = useVisibleEvents();
  const { words, statuses, types, period, changedOnly } = useRoute();
  const { seasonStart } = useClubSettings();
  const isFiltered =
    words.trim() !== '' || statuses.length + types.length > 0 || changedOnly || inTeam !== null;
  return useMemo(() => {
    if (isFiltered || looked.length === 0) return noneLooked;
    const bounds = boundsOf(period, today, seasonStart);
    return filterEvents(looked, {
      clock,
      statuses: [],
      types: [],
      bounds,
      ids: null,
      inTeam: null,
    });
  }, [isFiltered, looked, period, today, seasonStart, clock]);
}

export type Finding =
  | { readonly state: 'found'; readonly event: Event }
  | { readonly state: 'looking' }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly again: () => void };

/** Finds an event among those that have been read; otherwise requests it. */
export function useEvent(id: number): Finding {
  const { accessKey, all } = useVisibleEvents();
  const read = savedEvents.use().get(id) ?? all?.byId.get(id);
  const isWhole = Boolean(all?.pastRead && all.comingRead);
  const query = useQuery<Event, ReadingError>({
    // Once the whole club has been read without the event, an earlier answer is outdated.
    queryKey: ['event', accessKey, id, isWhole],
    queryFn: ({ signal }) => readEvent(accessKey, id, signal),
    enabled: read === undefined,
    retry: false,
    gcTime: 0,
    networkMode: 'always',
  });
  if (read !== undefined) return { state: 'found', event: read };
  if (query.error?.kind === 'absent') return { state: 'absent' };
  if (query.data !== undefined) return { state: 'found', event: query.data };
  if (query.error === null) return { state: 'looking' };
  return { state: 'failed', again: () => void query.refetch() };
}
