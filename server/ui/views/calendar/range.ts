import type { Span } from '../../base/address.ts';
import { addDays, addMonths, type Day, daysIntoWeek, monthOf, partsOf } from '../../base/days.ts';

const minDay: Day = '0001-01-01';
const maxDay: Day = '9999-12-31';

export type Range = {
  /** First day of the span itself; days of the previous month may come before it. */
  readonly anchor: Day;
  readonly first: Day;
  /** Day after the last. */
  readonly end: Day;
  readonly days: readonly Day[];
};

function rangeFrom(anchor: Day, first: Day, count: number): Range {
  const days = Array.from({ length: count }, (_, index) => addDays(first, index));
  return { anchor, first, end: addDays(first, count), days };
}

function daysOfMonth(month: Day): number {
  return partsOf(addDays(addMonths(month, 1), -1)).date;
}

/** Returns the first day of the week, month or year that contains a day. */
export function anchorOf(span: Span, day: Day, weekStart: number): Day {
  if (span === 'month') return monthOf(day);
  if (span === 'year') return `${day.slice(0, 4)}-01-01`;
  return addDays(day, -daysIntoWeek(day, weekStart));
}

/** Returns the days that a span shows from its anchor on; a month is extended to whole weeks. */
export function rangeOf(span: Span, anchor: Day, weekStart: number): Range {
  if (span === 'week') return rangeFrom(anchor, anchor, 7);
  if (span === 'year') {
    const isLeap = daysOfMonth(addMonths(anchor, 1)) === 29;
    return rangeFrom(anchor, anchor, isLeap ? 366 : 365);
  }
  const before = daysIntoWeek(anchor, weekStart);
  const weeks = Math.ceil((before + daysOfMonth(anchor)) / 7);
  return rangeFrom(anchor, addDays(anchor, -before), weeks * 7);
}

/** Returns the day, or null outside the years 1 to 9999. */
export function withinTime(day: Day): Day | null {
  return day.length === 10 && day >= minDay && day <= maxDay ? day : null;
}

/** Returns a day one span earlier or later; null outside the years 1 to 9999. */
export function stepBy(span: Span, day: Day, step: 1 | -1): Day | null {
  if (span === 'week') return withinTime(addDays(day, step * 7));
  if (span === 'month') return withinTime(addMonths(day, step));
  return withinTime(addMonths(`${day.slice(0, 4)}-01-01`, step * 12));
}
