import {
  keepPreviousData,
  type Query,
  queryOptions,
  experimental_streamedQuery as streamedQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import {
  type CalendarIdentity,
  queries as cache,
  type EventChanges,
  type ReadingError,
  readCalendarIdentity,
} from '../base/client.ts';
import { type EventSet, nothingRead, readAll, type Walk, withChanges } from './read-all.ts';

/** Query for the identity of a club. */
export const calendarIdentityOf = (key: string) =>
  queryOptions({
    queryKey: ['calendar', key],
    queryFn: ({ signal }) => readCalendarIdentity(key, signal),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  });

/** Interval of reading the zone of a club, in milliseconds. */
const zoneIntervalMs = 30_000;

/**
 * Returns the time zone of a club: empty for that of this computer, while the service does not
 * answer; undefined before its first answer.
 */
export function useZoneOfKey(key: string, enabled: boolean): string | undefined {
  const { data, failureCount } = useQuery({
    ...calendarIdentityOf(key),
    enabled,
    // A change of zone leaves the events and their revision as they are.
    refetchInterval: zoneIntervalMs,
    refetchOnWindowFocus: 'always',
  });
  return data?.zone ?? (failureCount > 0 ? '' : undefined);
}

/** Returns the identity of a club; undefined until it is read. */
export function useCalendarIdentity(key: string): CalendarIdentity | undefined {
  return useQuery(calendarIdentityOf(key)).data;
}

/** Limits of the polling interval, in milliseconds. */
const minIntervalMs = 5_000;
const maxIntervalMs = 60_000;
/** Share of the time to spend on reading: large clubs are polled less often. */
const readingShare = 1 / 20;

export type Reading = {
  readonly set: EventSet | undefined;
  /** Error of the last attempt; `set` stays as it was before. */
  readonly error: ReadingError | null;
  /**
   * Returns the time at which the data was last confirmed, in milliseconds since 1970; 0 before the
   * first time. A function, because a value would render all views after every poll.
   */
  readonly confirmedAt: () => number;
  /** True while `set` is the result of the previous search. */
  readonly isStale: boolean;
  readonly readAgain: () => void;
};

export type Club = {
  readonly key: string;
  /** Timestamp at which reading starts, in both directions. */
  readonly start: string;
};

type QueryKey = readonly string[];

function intervalOf({ state }: Query<Walk, ReadingError, Walk, QueryKey>): number | false {
  // The service would refuse the same request again.
  if (state.error?.kind === 'key' || state.error?.kind === 'words') return false;
  const tookMs = state.data?.tookMs ?? 0;
  return Math.min(maxIntervalMs, Math.max(minIntervalMs, tookMs / readingShare));
}

const setOf = ({ set }: Walk) => set;

function useWalk(name: string, club: Club, words: string, enabled: boolean): Reading {
  const queries = useQueryClient();
  const key = useMemo(() => [name, club.key, club.start, words], [name, club, words]);
  const query = useQuery<Walk, ReadingError, EventSet, QueryKey>({
    queryKey: key,
    enabled,
    // Shows the events so far during the first reading, and only the result of later ones.
    queryFn: streamedQuery<Walk, Walk, QueryKey>({
      streamFn: ({ client, queryKey, signal }) =>
        readAll({ ...club, words }, client.getQueryData(queryKey) ?? nothingRead, signal),
      refetchMode: 'replace',
      reducer: (_, walk) => walk,
      initialValue: nothingRead,
    }),
    select: setOf,
    refetchInterval: intervalOf,
    refetchOnWindowFocus: true,
    structuralSharing: false,
    retry: false,
    gcTime: 0,
    // A service on this machine answers without a network.
    networkMode: 'always',
    ...(words !== '' && { placeholderData: keepPreviousData }),
  });
  const { data: set, error, isPlaceholderData, refetch } = query;
  return useMemo(
    () => ({
      set,
      error,
      confirmedAt: () => queries.getQueryState(key)?.dataUpdatedAt ?? 0,
      isStale: isPlaceholderData,
      readAgain: () => void refetch(),
    }),
    [set, error, isPlaceholderData, refetch, queries, key],
  );
}

/** Reads all events of the club and polls for changes. */
export function useClub(club: Club): Reading {
  return useWalk('club', club, '', true);
}

/** Shows what this window saved at once; the reading after it finds nothing new. */
export function showSaved(saved: EventChanges): void {
  for (const { queryKey, state } of cache.getQueryCache().findAll({ queryKey: ['club'] })) {
    cache.setQueryData<Walk>(
      queryKey,
      (walk) => {
        if (walk === undefined || !walk.set.pastRead || !walk.set.comingRead) return walk;
        return { ...walk, set: withChanges(walk.set, saved, walk.set.asOf) };
      },
      // The service has confirmed nothing.
      { updatedAt: state.dataUpdatedAt },
    );
  }
}

/** Returns true for the events that were read last. */
export function areLatest(events: EventSet | undefined): boolean {
  const reading = cache.getQueryCache().findAll({ queryKey: ['club'], type: 'active' });
  return reading.every(({ state }) => (state.data as Walk | undefined)?.set === events);
}

/** Reads the events that match a search, of all years. */
export function useSearch(club: Club, words: string): Reading {
  return useWalk('search', club, words, words !== '');
}

/** Formats the time of the last confirmation; renders only when the text changes. */
export function useConfirmedText(reading: Reading, format: (moment: Date) => string): string {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  return useSyncExternalStore(subscribe, () => format(new Date(reading.confirmedAt())));
}
