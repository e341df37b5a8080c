import type { Event } from '../../contract.ts';
import { indexAt } from '../filter/matching.ts';
import { addDays, type Day, startOf } from '../time/days.ts';

/** What stands in a day: its name, an event, or how many more there are than it has room for. */
export type DayItem =
  | { readonly kind: 'head'; readonly day: Day; readonly count: number }
  | { readonly kind: 'event'; readonly day: Day; readonly event: Event }
  | { readonly kind: 'more'; readonly day: Day; readonly count: number };

/** Where the events of a day are among all of them. */
function placesOf(events: readonly Event[], day: Day): readonly [first: number, end: number] {
  return [indexAt(events, startOf(day)), indexAt(events, startOf(addDays(day, 1)))];
}

/** How many events each day has; days without any are left out. */
export function countsOf(events: readonly Event[], days: readonly Day[]): ReadonlyMap<Day, number> {
  const counts = new Map<Day, number>();
  for (const day of days) {
    const [first, end] = placesOf(events, day);
    if (end > first) counts.set(day, end - first);
  }
  return counts;
}

/** The names of days, which come before everything in them. */
export function headsOf(
  days: readonly Day[],
  counts: ReadonlyMap<Day, number>,
): readonly DayItem[] {
  return days.map((day) => ({ kind: 'head', day, count: counts.get(day) ?? 0 }));
}

function itemsOfDay(
  events: readonly Event[],
  day: Day,
  room: number,
  chosen: number | null,
): readonly DayItem[] {
  const [first, end] = placesOf(events, day);
  const toItem = (event: Event): DayItem => ({ kind: 'event', day, event });
  if (end - first <= room) return events.slice(first, end).map(toItem);
  const shown = events.slice(first, first + room - 1);
  const rest = events.slice(first + room - 1, end);
  // The chosen event is always seen, in place of the last that would be.
  const hidden = rest.find(({ id }) => id === chosen);
  if (hidden !== undefined) shown[shown.length - 1] = hidden;
  return [...shown.map(toItem), { kind: 'more', day, count: rest.length }];
}

/** What stands in each of some days, of which each has room for a few items, at least two. */
export function itemsOf(
  events: readonly Event[],
  days: readonly Day[],
  room: number,
  chosen: number | null,
): readonly DayItem[] {
  return days.flatMap((day) => itemsOfDay(events, day, Math.max(2, room), chosen));
}
