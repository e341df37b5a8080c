import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../contract.ts';
import type { Column, Place } from '../place/place.ts';
import { type Formats, useFormats } from '../time/format.ts';
import { createRanking, type Ranking, type Sorting, type SortKey } from './ranking.ts';
import { createFramePace } from './slices.ts';

type Order = Pick<Place, 'sort' | 'order'>;

/** Events as they stand in the table, and what they are sorted by. */
export type Sorted = Order & { readonly events: readonly Event[] };

const plain = (one: SortKey, other: SortKey) => (one < other ? -1 : one > other ? 1 : 0);

/** Columns are sorted by what they show: states and types by their names in a language. */
function sortingOf(column: Column, { compare }: Formats, nameOf: (key: string) => string): Sorting {
  const asText = (one: SortKey, other: SortKey) => compare(String(one), String(other));
  const byName = (one: SortKey, other: SortKey) =>
    compare(nameOf(String(one)), nameOf(String(other)));
  switch (column) {
    case 'date':
      return { keyOf: ({ date }) => date, compare: plain };
    case 'created':
      return { keyOf: ({ createdAt }) => createdAt, compare: plain };
    case 'id':
      return { keyOf: ({ id }) => id, compare: plain };
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

/** The rankings of all columns, each made when it is first sorted by; anew in each language. */
function useRankings(): (column: Column) => Ranking {
  const formats = useFormats();
  const { i18n } = useTranslation();
  return useMemo(() => {
    const made = new Map<Column, Ranking>();
    const nameOf = (key: string) => i18n.t(key as Event['status'], { ns: 'event' });
    return (column) => {
      const ranking = made.get(column) ?? createRanking(sortingOf(column, formats, nameOf));
      made.set(column, ranking);
      return ranking;
    };
  }, [formats, i18n]);
}

/**
 * Sorts events, which come in the order of their dates. As long as sorting takes, the order from
 * before is shown.
 */
export function useSorted(
  events: readonly Event[],
  { sort, order }: Order,
): { readonly sorted: Sorted; readonly isSorting: boolean } {
  const rankingOf = useRankings();
  const [sorted, setSorted] = useState<Sorted>({ events, sort: 'date', order: 'asc' });
  const [wanted, setWanted] = useState<Ranking | null>(null);

  // Before anything is painted, so that what needs no sorting never shows in the wrong order.
  useLayoutEffect(() => {
    const isByDate = sort === 'date' && order === 'asc';
    const ranking = rankingOf(sort);
    const arranged = isByDate ? events : ranking.arrange(events, order);
    if (arranged !== undefined) setSorted({ events: arranged, sort, order });
    setWanted(arranged === undefined ? ranking : null);
  }, [events, sort, order, rankingOf]);

  useEffect(() => {
    if (wanted === null) return;
    const controller = new AbortController();
    const learn = async () => {
      await wanted.learn(events, createFramePace(controller.signal));
      setSorted({ events: wanted.arrange(events, order) ?? events, sort, order });
      setWanted(null);
    };
    learn().catch((error: unknown) => {
      if (!controller.signal.aborted) throw error;
    });
    return () => controller.abort();
  }, [wanted, events, sort, order]);

  return { sorted, isSorting: wanted !== null };
}
