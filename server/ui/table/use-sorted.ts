import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../contract.ts';
import type { Column, Place } from '../place/place.ts';
import { type Formats, useFormats } from '../time/format.ts';
import { createRanking, type Ranking, type Sorting, type SortKey } from './ranking.ts';
import { createFramePace } from './slices.ts';

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
