import type { Event } from '../../contract.ts';
import type { Place } from '../place/place.ts';
import type { Bounds } from './period.ts';

export type Filter = Pick<Place, 'statuses' | 'types'> & {
  readonly bounds: Bounds;
  /** Ids of the events that pass; null for all. */
  readonly ids: { has(id: number): boolean } | null;
};

/** Returns the index of the first event at or after a moment; `events` are sorted by date. */
export function indexAt(events: readonly Event[], moment: string): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.date ?? '') < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of an event, or the one to insert it at; `events` are sorted by date, then id. */
export function indexOfEvent(events: readonly Event[], { date, id }: Event): number {
  let index = indexAt(events, date);
  while (events[index]?.date === date && (events[index]?.id ?? 0) < id) index += 1;
  return index;
}

/** Returns the events that pass, in the same order; the same array if nothing is filtered. */
export function filterEvents(events: readonly Event[], filter: Filter): readonly Event[] {
  const { statuses, types, bounds, ids } = filter;
  const first = bounds.from === null ? 0 : indexAt(events, bounds.from);
  const end = bounds.to === null ? events.length : indexAt(events, bounds.to);
  const within = first === 0 && end === events.length ? events : events.slice(first, end);
  if (statuses.length === 0 && types.length === 0 && ids === null) return within;
  const [status, type] = [new Set<string>(statuses), new Set<string>(types)];
  return within.filter(
    (event) =>
      (status.size === 0 || status.has(event.status)) &&
      (type.size === 0 || type.has(event.eventType ?? 'none')) &&
      (ids === null || ids.has(event.id)),
  );
}
