import {
  keepPreviousData,
  type Query,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { type ReadingError, readUidBase } from '../base/client.ts';
import { createWalker, type EventSet } from './read-all.ts';

/** Query for the random part of a club's calendar UIDs, which never changes. */
export const uidBaseOf = (key: string) =>
  queryOptions({
    queryKey: ['uid base', key],
    queryFn: ({ signal }) => readUidBase(key, signal),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  });

/** Returns the random part of a club's calendar UIDs; undefined until it is read. */
export function useUidBase(key: string): string | undefined {
  return useQuery(uidBaseOf(key)).data;
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

function intervalAfter(walkMs: number): number {
  return Math.min(maxIntervalMs, Math.max(minIntervalMs, walkMs / readingShare));
}

type WalkQuery = Query<EventSet, ReadingError, EventSet, readonly unknown[]>;

function intervalOf({ state }: WalkQuery, walkMs: number): number | false {
  // The service would refuse the same request again.
  if (state.error?.kind === 'key' || state.error?.kind === 'words') return false;
  return intervalAfter(walkMs);
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
    refetchInterval: (state) => intervalOf(state, walk.tookMs),
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
