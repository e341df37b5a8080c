import {
  addDays,
  addMonths,
  type Day,
  daysBetween,
  daysIntoWeek,
  monthOf,
  seasonOf,
} from '../../../dates/days.ts';
import type { Span } from '../../base/address.ts';

const minDay: Day = '0001-01-01';
const maxDay: Day = '9999-12-31';

/** First day of the week, as a weekday that counts from Sunday, 0, and first month of the season. */
type Starts = { readonly weekStart: number; readonly seasonStart: number };

export type Range = {
  /** First day of the span itself; days of the previous month may come before it. */
  readonly anchor: Day;
  readonly first: Day;
  /** Day after the last. */
  readonly end: Day;
  readonly days: readonly Day[];
};

/** Returns the first day of the week, month or season that contains a day. */
export function anchorOf(span: Span, day: Day, { weekStart, seasonStart }: Starts): Day {
  if (span === 'month') return monthOf(day);
  if (span === 'year') return seasonOf(day, seasonStart).first;
  return addDays(day, -daysIntoWeek(day, weekStart));
}

/** Returns the days that a span shows from its anchor on; a month is extended to whole weeks. */
export function rangeOf(span: Span, anchor: Day, weekStart: number): Range {
  const next = span === 'week' ? addDays(anchor, 7) : addMonths(anchor, span === 'year' ? 12 : 1);
  const before = span === 'month' ? daysIntoWeek(anchor, weekStart) : 0;
  const after = span === 'month' ? (7 - daysIntoWeek(next, weekStart)) % 7 : 0;
  const [first, end] = [addDays(anchor, -before), addDays(next, after)];
  const days = Array.from({ length: daysBetween(first, end) }, (_, at) => addDays(first, at));
  return { anchor, first, end, days };
}

/** Returns the weeks of a range of whole weeks, each by its first day. */
export function weeksOf({ days }: Pick<Range, 'days'>): readonly Day[] {
  return days.filter((_, index) => index % 7 === 0);
}

/** Returns the day, or null outside the years 1 to 9999. */
export function withinTime(day: Day): Day | null {
  return day.length === 10 && day >= minDay && day <= maxDay ? day : null;
}

/** Returns the first day of the span before or after an anchor; null outside the years 1 to 9999. */
export function stepBy(span: Span, anchor: Day, step: 1 | -1): Day | null {
  if (span === 'week') return withinTime(addDays(anchor, step * 7));
  return withinTime(addMonths(anchor, step * (span === 'year' ? 12 : 1)));
}

/** Returns the same day of a later or earlier month, or the last day of that month. */
export function dayInMonth(day: Day, months: number): Day {
  const month = addMonths(day, months);
  const last = addDays(addMonths(month, 1), -1);
  const same = `${monthOf(month).slice(0, -2)}${day.slice(-2)}`;
  return same < last ? same : last;
}
