import { createContext, type ReactNode, use, useMemo } from 'react';
import type { Event } from '../../contract.ts';
import type { LastLook } from '../changes/last-look.ts';
import { type Change, useChanges } from '../changes/use-changes.ts';
import { filterEvents } from '../filter/matching.ts';
import { boundsOf } from '../filter/period.ts';
import { usePlace } from '../place/use-place.ts';
import { type Club, type Reading, useClub, useSearch } from '../reading/club.ts';
import type { EventSet } from '../reading/walk.ts';
import { usePreferences } from '../shell/preferences.ts';
import type { Day } from '../time/days.ts';
import { useToday } from '../time/use-today.ts';

/** What every view shows: the same events, in the same state of being read. */
export type VisibleEvents = {
  /** What opens the service, for what is not in `all` yet. */
  readonly accessKey: string;
  readonly club: Reading;
  /** The events that pass all filters, by date. */
  readonly events: readonly Event[];
  /** All events of the club, by date, as far as they have been read. */
  readonly all: EventSet | undefined;
  /** What has been read of the set that the filters choose from: that of the search, or all. */
  readonly source: EventSet | undefined;
  /** Why the search failed, if there is one and it did. */
  readonly searchError: Reading['error'];
  /** Whether a search has not answered yet. */
  readonly isSearching: boolean;
  /** What has changed since the last look and is not seen yet. */
  readonly changes: ReadonlyMap<number, Change>;
  readonly lastLook: LastLook;
  readonly markSeen: (ids: Iterable<number>) => void;
  readonly today: Day;
};

const VisibleEventsContext = createContext<VisibleEvents | undefined>(undefined);

/** The events on view; only below `VisibleEventsProvider`. */
export function useVisibleEvents(): VisibleEvents {
  const shown = use(VisibleEventsContext);
  if (shown === undefined)
    throw new Error('useVisibleEvents is for what is below VisibleEventsProvider.');
  return shown;
}

export function VisibleEventsProvider({
  club,
  account,
  children,
}: {
  readonly club: Club;
  /** What the last look is remembered under. */
  readonly account: string;
  readonly children: ReactNode;
}) {
  const { words, statuses, types, period, changedOnly } = usePlace();
  const { seasonStart } = usePreferences();
  const today = useToday();
  const search = words.trim();
  const everything = useClub(club);
  const found = useSearch(club, search);
  const all = everything.set;
  const source = search === '' ? all : found.set;
  const { changes, listed, lastLook, markSeen } = useChanges(account, all);

  const events = useMemo(() => {
    const bounds = boundsOf(period, today, seasonStart);
    const ids = changedOnly ? listed : null;
    return filterEvents(source?.events ?? [], { statuses, types, bounds, ids });
  }, [source, statuses, types, period, today, seasonStart, changedOnly, listed]);

  const shown = useMemo<VisibleEvents>(
    () => ({
      accessKey: club.key,
      club: everything,
      events,
      all,
      source,
      searchError: search === '' ? null : found.error,
      isSearching: search !== '' && found.error === null && (found.isStale || !found.set),
      changes,
      lastLook,
      markSeen,
      today,
    }),
    [club.key, everything, events, all, source, search, found, changes, lastLook, markSeen, today],
  );
  return <VisibleEventsContext value={shown}>{children}</VisibleEventsContext>;
}
