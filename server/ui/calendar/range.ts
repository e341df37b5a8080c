import type { Span } from '../place/place.ts';
import { addDays, addMonths, type Day, monthOf, noonOf, partsOf } from '../time/days.ts';

const firstOfAll: Day = '0001-01-01';
const lastOfAll: Day = '9999-12-31';

/** Days that follow each other. */
export type Range = {
  /** The day of the span itself that it begins with: days of another month may come before. */
  readonly anchor: Day;
  readonly first: Day;
  /** The day after the last. */
  readonly end: Day;
  readonly days: readonly Day[];
};

function rangeFrom(anchor: Day, first: Day, count: number): Range {
  const days = Array.from({ length: count }, (_, index) => addDays(first, index));
  return { anchor, first, end: addDays(first, count), days };
}

/** How many days a day is after the first of its week; weekdays count from Sunday, 0. */
function daysIntoWeek(day: Day, weekStart: number): number {
  return (noonOf(day).getDay() - weekStart + 7) % 7;
}

function daysOfMonth(month: Day): number {
  return partsOf(addDays(addMonths(month, 1), -1)).date;
}

/** The first day of the week, month or year of a day. */
export function anchorOf(span: Span, day: Day, weekStart: number): Day {
  if (span === 'month') return monthOf(day);
  if (span === 'year') return `${day.slice(0, 4)}-01-01`;
  return addDays(day, -daysIntoWeek(day, weekStart));
}

/** The days that a span shows which begins with a day: for a month, those of whole weeks. */
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

/** The day itself, or null where the calendar has no more years. */
export function withinTime(day: Day): Day | null {
  return day.length === 10 && day >= firstOfAll && day <= lastOfAll ? day : null;
}

/** A day one span before or after; null where the calendar has no more years. */
export function stepBy(span: Span, day: Day, step: 1 | -1): Day | null {
  if (span === 'week') return withinTime(addDays(day, step * 7));
  if (span === 'month') return withinTime(addMonths(day, step));
  return withinTime(addMonths(`${day.slice(0, 4)}-01-01`, step * 12));
}

type WeekInfo = { readonly firstDay: number };

/** The weekday a week begins with where a language is spoken, from Sunday, 0. */
export function weekStartOf(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & { getWeekInfo?: () => WeekInfo };
  // Not every browser knows; where this page's languages are spoken, it is Monday.
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7;
}
