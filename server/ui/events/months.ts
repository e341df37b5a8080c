import type { Event } from '../../contract.ts';
import { indexAt } from '../filter/matching.ts';
import { addMonths, type Day, dayOf, monthOf, startOf } from '../time/days.ts';

/** The events of a month: its first one, and the one after its last, among all events. */
export type MonthOfEvents = { readonly month: Day; readonly first: number; readonly end: number };

/** Each month that has events, which are in the order of their dates. */
export function* eachMonth(events: readonly Event[]): Generator<MonthOfEvents> {
  for (let first = 0; first < events.length; ) {
    const month = monthOf(dayOf(events[first]?.date ?? ''));
    const end = Math.max(first + 1, indexAt(events, startOf(addMonths(month, 1))));
    yield { month, first, end };
    first = end;
  }
}
