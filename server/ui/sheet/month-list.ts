import type { Event } from '../../contract.ts';
import { eachMonth } from '../events/months.ts';
import type { Day } from '../time/days.ts';

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
  for (const { month, first, end } of eachMonth(events)) {
    const parts = splitRows(events.slice(first, end));
    groups.push({ month, parts, before });
    before += parts.length;
  }
  return groups;
}
