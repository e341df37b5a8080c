import type { Event } from '../../contract.ts';
import { indexAt } from '../filter/matching.ts';
import { addMonths, type Day, dayOf, monthOf, startOf } from '../time/days.ts';

/** The events of a month, in parts of which each is made at once. */
export type MonthPart = {
  readonly month: Day;
  readonly parts: readonly (readonly Event[])[];
  /** How many parts there are before these. */
  readonly before: number;
};

/** How many rows are made between two frames. */
const rowsAtOnce = 50;

function splitRows(events: readonly Event[]): Event[][] {
  return Array.from({ length: Math.ceil(events.length / rowsAtOnce) }, (_, index) =>
    events.slice(index * rowsAtOnce, (index + 1) * rowsAtOnce),
  );
}

/** Groups events, which are in the order of their dates, by their months. */
export function groupByMonth(events: readonly Event[]): MonthPart[] {
  const groups: MonthPart[] = [];
  let before = 0;
  for (let first = 0; first < events.length; ) {
    const month = monthOf(dayOf(events[first]?.date ?? ''));
    const end = Math.max(first + 1, indexAt(events, startOf(addMonths(month, 1))));
    const parts = splitRows(events.slice(first, end));
    groups.push({ month, parts, before });
    before += parts.length;
    first = end;
  }
  return groups;
}
