import type { Event } from '../../contract.ts';
import { indexAt } from '../filter/matching.ts';
import { addDays, type Day, startOf } from '../time/days.ts';

/** An item of a day: its heading, an event, or the number of events that do not fit. */
export type DayItem =
  | { readonly kind: 'head'; readonly day: Day; readonly count: number }
  | { readonly kind: 'event'; readonly day: Day; readonly event: Event }
  | { readonly kind: 'more'; readonly day: Day; readonly count: number };

/** Returns the indexes of a day's events among all events; `end` is exclusive. */
function indexRangeOf(events: readonly Event[], day: Day): readonly [first: number, end: number] {
  return [indexAt(events, startOf(day)), indexAt(events, startOf(addDays(day, 1)))];
}

/** Counts the events of each day; days without events are left out. */
export function countsOf(events: readonly Event[], days: readonly Day[]): ReadonlyMap<Day, number> {
  const counts = new Map<Day, number>();
  for (const day of days) {
    const [first, end] = indexRangeOf(events, day);
    if (end > first) counts.set(day, end - first);
  }
  return counts;
}

/** Creates the headings of days, which come before their other items. */
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
  const [first, end] = indexRangeOf(events, day);
  const toItem = (event: Event): DayItem => ({ kind: 'event', day, event });
  if (end - first <= room) return events.slice(first, end).map(toItem);
  const shown = events.slice(first, first + room - 1);
  const rest = events.slice(first + room - 1, end);
  // The chosen event is always shown; if necessary, it replaces the last one.
  const hidden = rest.find(({ id }) => id === chosen);
  if (hidden !== undefined) shown[shown.length - 1] = hidden;
  return [...shown.map(toItem), { kind: 'more', day, count: rest.length }];
}

/** Creates the items of some days; `room` is the number of items that fit in a day, at least 2. */
export function itemsOf(
  events: readonly Event[],
  days: readonly Day[],
  room: number,
  chosen: number | null,
): readonly DayItem[] {
  return days.flatMap((day) => itemsOfDay(events, day, Math.max(2, room), chosen));
}
