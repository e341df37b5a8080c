import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Formats } from '../../../dates/formats.ts';
import type { Event } from '../../../http/contract.ts';
import type { Column, Route } from '../../base/address.ts';
import { useFormats } from '../../base/format.ts';

type Order = Pick<Route, 'sort' | 'order'>;

/** Events in the order of the table, and that order. */
export type Sorted = Order & { readonly events: readonly Event[] };

type SortKey = string | number;

/** Returns the name of a status or type in the page's language. */
type NameOf = (key: Event['status'] | NonNullable<Event['eventType']> | 'none') => string;

/** Sort keys by column; statuses and types sort by their names. */
const sortKeys: Readonly<Record<Column, (event: Event, nameOf: NameOf) => SortKey>> = {
  date: ({ date }) => Date.parse(date),
  name: ({ name }) => name,
  location: ({ location }) => location,
  status: ({ status }, nameOf) => nameOf(status),
  type: ({ eventType }, nameOf) => nameOf(eventType ?? 'none'),
  created: ({ createdAt }) => Date.parse(createdAt),
  id: ({ id }) => id,
};

/** Sorts events by a column. Events with equal keys keep their order in both directions. */
export function sortEvents(
  events: readonly Event[],
  { sort, order }: Order,
  { compare }: Pick<Formats, 'compare'>,
  nameOf: NameOf,
): readonly Event[] {
  const direction = order === 'asc' ? 1 : -1;
  const compareKeys = (one: SortKey, other: SortKey) =>
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : compare(String(one), String(other));
  return events
    .map((event) => ({ event, key: sortKeys[sort](event, nameOf) }))
    .toSorted((one, other) => direction * compareKeys(one.key, other.key))
    .map(({ event }) => event);
}

/** Sorts events, which are in the order of their dates. */
export function useSorted(events: readonly Event[], { sort, order }: Order): Sorted {
  const formats = useFormats();
  const { t } = useTranslation('event');
  return useMemo(() => {
    const isByDate = sort === 'date' && order === 'asc';
    return {
      sort,
      order,
      events: isByDate ? events : sortEvents(events, { sort, order }, formats, t),
    };
  }, [events, sort, order, formats, t]);
}
