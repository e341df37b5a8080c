import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../contract.ts';
import type { Column, Place } from '../../base/address.ts';
import { createPace, type Pace, stride } from '../../base/browser.ts';
import { type Formats, useFormats } from '../../base/format.ts';

const sliceMs = 10;

type Compare<T> = (one: T, other: T) => number;

/** Waits for the next frame; in a hidden window, which has no frames, 50 ms. */
async function nextFrame(): Promise<void> {
  await new Promise<void>((resume) => {
    const timer = setTimeout(resume, 50);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resume);
    });
  });
}

/** Creates a pace that waits for frames and throws when the signal is aborted. */
function createFramePace(signal: AbortSignal): Pace {
  return createPace(sliceMs, async () => {
    await nextFrame();
    signal.throwIfAborted();
  });
}

async function visitInSlices<T>(
  items: readonly T[],
  visit: (item: T, index: number) => void,
  pace: Pace,
): Promise<void> {
  for (let index = 0; index < items.length; index += 1) {
    visit(items[index] as T, index);
    const pause = index % stride === 0 ? pace() : undefined;
    if (pause !== undefined) await pause;
  }
}

/** Merges two sorted lists in time slices; of equal items, those of `first` come first. */
async function mergeInSlices<T>(
  first: readonly T[],
  second: readonly T[],
  compare: Compare<T>,
  pace: Pace,
): Promise<T[]> {
  const merged: T[] = [];
  const count = first.length + second.length;
  let [one, other] = [0, 0];
  while (merged.length < count) {
    const pausesAt = Math.min(count, merged.length + stride);
    while (merged.length < pausesAt) {
      const takesFirst =
        other === second.length ||
        (one < first.length && compare(first[one] as T, second[other] as T) <= 0);
      merged.push((takesFirst ? first[one++] : second[other++]) as T);
    }
    const pause = pace();
    if (pause !== undefined) await pause;
  }
  return merged;
}

/** Sorts in time slices, without blocking the page. Stable. */
async function sortInSlices<T>(
  items: readonly T[],
  compare: Compare<T>,
  pace: Pace,
): Promise<readonly T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += stride) {
    runs.push(items.slice(at, at + stride).sort(compare));
    const pause = pace();
    if (pause !== undefined) await pause;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await mergeInSlices(runs[at] ?? [], runs[at + 1] ?? [], compare, pace));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

type SortKey = string | number;

type Sorting = {
  readonly keyOf: (event: Event) => SortKey;
  readonly compare: (one: SortKey, other: SortKey) => number;
};

/**
 * Ranks of the sort keys of a column. Ranking is the slow part of sorting and happens once for each
 * key; with the ranks, any selection of the events is sorted at once.
 */
type Ranking = {
  /** Sorts events in a stable way; returns undefined if a key has no rank yet. */
  readonly arrange: (
    events: readonly Event[],
    order: 'asc' | 'desc',
  ) => readonly Event[] | undefined;
  /** Ranks the keys of all these events. */
  readonly learn: (events: readonly Event[], pace: Pace) => Promise<void>;
};

export function createRanking({ keyOf, compare }: Sorting): Ranking {
  let sorted: readonly SortKey[] = [];
  let ranks: ReadonlyMap<SortKey, number> = new Map();
  /** Ranks of the events that were last arranged or learnt. */
  let last: { readonly events: readonly Event[]; readonly ranks: Float64Array } | undefined;

  function ranksOf(events: readonly Event[]): Float64Array | undefined {
    if (last?.events === events) return last.ranks;
    const eventRanks = new Float64Array(events.length);
    for (let index = 0; index < events.length; index += 1) {
      const rank = ranks.get(keyOf(events[index] as Event));
      if (rank === undefined) return undefined;
      eventRanks[index] = rank;
    }
    last = { events, ranks: eventRanks };
    return eventRanks;
  }

  return {
    arrange(events, order) {
      const eventRanks = ranksOf(events);
      if (eventRanks === undefined) return undefined;
      const count = events.length;
      const direction = order === 'asc' ? 1 : -1;
      // Combines rank and index in one number, because numbers are sorted without a comparator.
      const combined = eventRanks.map((rank, index) => direction * rank * count + index);
      combined.sort();
      return Array.from(combined, (value) => events[((value % count) + count) % count] as Event);
    },
    async learn(events, pace) {
      const newKeys = new Set<SortKey>();
      const collect = (event: Event) => {
        const key = keyOf(event);
        if (!ranks.has(key)) newKeys.add(key);
      };
      await visitInSlices(events, collect, pace);
      const added = await sortInSlices([...newKeys], compare, pace);
      const next = await mergeInSlices(sorted, added, compare, pace);
      ranks = await rank(next, compare, pace);
      sorted = next;
      const eventRanks = new Float64Array(events.length);
      const assignRank = (event: Event, index: number) => {
        eventRanks[index] = ranks.get(keyOf(event)) ?? 0;
      };
      await visitInSlices(events, assignRank, pace);
      last = { events, ranks: eventRanks };
    },
  };
}

/** Ranks sorted keys; keys that compare as equal, such as two encodings of a letter, share a rank. */
async function rank(
  sorted: readonly SortKey[],
  compare: Sorting['compare'],
  pace: Pace,
): Promise<ReadonlyMap<SortKey, number>> {
  const ranks = new Map<SortKey, number>();
  let last = 0;
  const add = (key: SortKey, index: number) => {
    if (index > 0 && compare(sorted[index - 1] as SortKey, key) !== 0) last = index;
    ranks.set(key, last);
  };
  await visitInSlices(sorted, add, pace);
  return ranks;
}

type Order = Pick<Place, 'sort' | 'order'>;

/** Events in the order of the table, and that order. */
export type Sorted = Order & { readonly events: readonly Event[] };

const byValue = (one: SortKey, other: SortKey) => (one < other ? -1 : one > other ? 1 : 0);

/** Returns the sorting of a column by its content; statuses and types sort by their names. */
function sortingOf(column: Column, { compare }: Formats, nameOf: (key: string) => string): Sorting {
  const asText = (one: SortKey, other: SortKey) => compare(String(one), String(other));
  const byName = (one: SortKey, other: SortKey) =>
    compare(nameOf(String(one)), nameOf(String(other)));
  switch (column) {
    case 'date':
      return { keyOf: ({ date }) => date, compare: byValue };
    case 'created':
      return { keyOf: ({ createdAt }) => createdAt, compare: byValue };
    case 'id':
      return { keyOf: ({ id }) => id, compare: byValue };
    case 'name':
      return { keyOf: ({ name }) => name, compare: asText };
    case 'location':
      return { keyOf: ({ location }) => location, compare: asText };
    case 'status':
      return { keyOf: ({ status }) => status, compare: byName };
    case 'type':
      return { keyOf: ({ eventType }) => eventType ?? 'none', compare: byName };
  }
}

/** Returns a function that creates the ranking of a column on first use, again in each language. */
function useRankings(): (column: Column) => Ranking {
  const formats = useFormats();
  const { i18n } = useTranslation();
  return useMemo(() => {
    const rankings = new Map<Column, Ranking>();
    const nameOf = (key: string) => i18n.t(key as Event['status'], { ns: 'event' });
    return (column) => {
      const ranking = rankings.get(column) ?? createRanking(sortingOf(column, formats, nameOf));
      rankings.set(column, ranking);
      return ranking;
    };
  }, [formats, i18n]);
}

/**
 * Sorts events, which are in the order of their dates. Returns the previous order until the
 * sorting is done.
 */
export function useSorted(
  events: readonly Event[],
  { sort, order }: Order,
): { readonly sorted: Sorted; readonly isSorting: boolean } {
  const rankingOf = useRankings();
  const [sorted, setSorted] = useState<Sorted>({ events, sort: 'date', order: 'asc' });
  const [pendingRanking, setPendingRanking] = useState<Ranking | null>(null);

  // Before the paint, so that events with known ranks never show in the wrong order.
  useLayoutEffect(() => {
    const isByDate = sort === 'date' && order === 'asc';
    const ranking = rankingOf(sort);
    const arranged = isByDate ? events : ranking.arrange(events, order);
    if (arranged !== undefined) setSorted({ events: arranged, sort, order });
    setPendingRanking(arranged === undefined ? ranking : null);
  }, [events, sort, order, rankingOf]);

  useEffect(() => {
    if (pendingRanking === null) return;
    const controller = new AbortController();
    const learn = async () => {
      await pendingRanking.learn(events, createFramePace(controller.signal));
      setSorted({ events: pendingRanking.arrange(events, order) ?? events, sort, order });
      setPendingRanking(null);
    };
    learn().catch((error: unknown) => {
      if (!controller.signal.aborted) throw error;
    });
    return () => controller.abort();
  }, [pendingRanking, events, sort, order]);

  return { sorted, isSorting: pendingRanking !== null };
}
