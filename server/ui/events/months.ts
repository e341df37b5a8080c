import type { Event } from '../../contract.ts';
import { indexAt } from '../filter/matching.ts';
import { addMonths, type Day, dayOf, monthOf, startOf } from '../time/days.ts';

/** The events of a month: the indexes from `first` up to `end`, exclusive. */
export type MonthOfEvents = { readonly month: Day; readonly first: number; readonly end: number };

/** Yields each month that has events; `events` must be sorted by date. */
export function* eachMonth(events: readonly Event[]): Generator<MonthOfEvents> {
  for (let first = 0; first < events.length; ) {
    const month = monthOf(dayOf(events[first]?.date ?? ''));
    const end = Math.max(first + 1, indexAt(events, startOf(addMonths(month, 1))));
    yield { month, first, end };
    first = end;
  }
}
