import { keepPreviousData, type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { ReadingError } from './client.ts';
import { createWalker, type EventSet } from './walk.ts';

/** How often the service is asked for what is new, in milliseconds. */
const shortestPause = 5_000;
const longestPause = 60_000;
/** Large clubs are read again more seldom: a walk takes at most this part of the time. */
const shareOfTime = 1 / 20;

export type Reading = {
  readonly set: EventSet | undefined;
  /** Why the last attempt failed; what was read before stays. */
  readonly error: ReadingError | null;
  /**
   * Returns when the service last confirmed what is shown, in milliseconds since 1970; 0 before the
   * first time. Not a value, as every poll changes it and would render all views.
   */
  readonly confirmedAt: () => number;
  /** Whether the shown set is that of an earlier search, while the new one is on its way. */
  readonly isStale: boolean;
  readonly readAgain: () => void;
};

export type Club = {
  readonly key: string;
  /** The day from which the events are read, both ways: a timestamp. */
  readonly start: string;
};

function pauseAfter(walkMs: number): number {
  return Math.min(longestPause, Math.max(shortestPause, walkMs / shareOfTime));
}

type Walked = Query<EventSet, ReadingError, EventSet, readonly unknown[]>;

function pauseOf({ state }: Walked, walkMs: number): number | false {
  // What is refused for itself is not taken for being asked again.
  if (state.error?.kind === 'key' || state.error?.kind === 'words') return false;
  return pauseAfter(walkMs);
}

function useWalk(name: string, club: Club, words: string, enabled: boolean): Reading {
  const queries = useQueryClient();
  const key = useMemo(() => [name, club.key, club.start, words], [name, club, words]);
  const walk = useMemo(
    () => ({ read: createWalker({ key: club.key, words, start: club.start }), tookMs: 0 }),
    [club.key, club.start, words],
  );
  const query = useQuery<EventSet, ReadingError, EventSet, readonly unknown[]>({
    queryKey: key,
    enabled,
    queryFn: async ({ signal }) => {
      const began = performance.now();
      const isFirst = !(queries.getQueryData<EventSet>(key)?.pastRead ?? false);
      const set = await walk.read(signal, (soFar) => {
        if (isFirst && !signal.aborted) queries.setQueryData(key, soFar);
      });
      walk.tookMs = performance.now() - began;
      return set;
    },
    refetchInterval: (state) => pauseOf(state, walk.tookMs),
    refetchOnWindowFocus: true,
    structuralSharing: false,
    retry: false,
    gcTime: 0,
    // With no network at all the service on this machine still answers.
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

/** All events of the club, read again whenever they may have changed. */
export function useClub(club: Club): Reading {
  return useWalk('club', club, '', true);
}

/** The events that the service finds for some words, over all years. */
export function useSearch(club: Club, words: string): Reading {
  return useWalk('search', club, words, words !== '');
}

/** The time of the last confirmation as a text; renders only when the text changes. */
export function useConfirmedText(reading: Reading, format: (moment: Date) => string): string {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  return useSyncExternalStore(subscribe, () => format(new Date(reading.confirmedAt())));
}
