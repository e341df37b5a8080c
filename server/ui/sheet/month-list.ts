import type { Event } from '../../contract.ts';
import { eachMonth } from '../events/months.ts';
import type { Day } from '../time/days.ts';

/** The events of a month, in parts that are rendered one after the other. */
export type MonthPart = {
  readonly month: Day;
  readonly parts: readonly (readonly Event[])[];
  /** Number of parts in earlier months. */
  readonly before: number;
};

const rowsPerPart = 50;

function splitRows(events: readonly Event[]): Event[][] {
  return Array.from({ length: Math.ceil(events.length / rowsPerPart) }, (_, index) =>
    events.slice(index * rowsPerPart, (index + 1) * rowsPerPart),
  );
}

/** Groups events by month; `events` must be sorted by date. */
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
