import { dayMs } from './units.ts';

/** A day of a calendar, `YYYY-MM-DD`. */
export type Day = string;

/** Days from which a range without years would be nearly a year: its last day is before its first one. */
export const maxDaysWithoutYear = 300;

/** Returns the start of a day in UTC; a month or date out of range carries over. */
export function dateAt(year: number, month: number, day: number): Date {
  const date = new Date(0);
  // `Date.UTC` would take year 1 for 1901.
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

const pad = (part: number, length = 2) => String(part).padStart(length, '0');

/** Writes a day; months count from 1. */
export const writeDay = (year: number, month: number, date: number): Day =>
  `${pad(year, 4)}-${pad(month)}-${pad(date)}`;

/** Returns the day of a date in UTC. */
export const dayAt = (date: Date): Day =>
  writeDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());

/** Checks that a text is a day of the years 0001 to 9999, which its month has. */
export function isDay(text: string): text is Day {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < '0001') return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Splits a day into numbers; months count from 1. */
export function partsOf(day: Day): { year: number; month: number; date: number } {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number);
  return { year, month, date };
}

export function addDays(day: Day, count: number): Day {
  const { year, month, date } = partsOf(day);
  return dayAt(dateAt(year, month, date + count));
}

export function addMonths(day: Day, count: number): Day {
  const { year, month } = partsOf(day);
  return dayAt(dateAt(year, month + count, 1));
}

/** Returns the first day of the month. */
export function monthOf(day: Day): Day {
  return `${day.slice(0, day.lastIndexOf('-'))}-01`;
}

type WeekInfo = { readonly firstDay: number };

/** Returns the first weekday of the week for a language tag; weekdays count from Sunday, 0. */
export function weekStartOf(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & {
    readonly getWeekInfo?: () => WeekInfo;
    readonly weekInfo?: WeekInfo;
  };
  // Some browsers lack week data; Monday is usual for the languages of the page.
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) % 7;
}

/** Returns the number of days since the start of the week; weekdays count from Sunday, 0. */
export function daysIntoWeek(day: Day, weekStart: number): number {
  return (noonOf(day).getUTCDay() - weekStart + 7) % 7;
}

/** Returns noon of a day in UTC, for formatting. */
export function noonOf(day: Day): Date {
  const { year, month, date } = partsOf(day);
  return new Date(dateAt(year, month, date).getTime() + dayMs / 2);
}

/** Returns the number of days from one day to another. */
export function daysBetween(from: Day, to: Day): number {
  return (noonOf(to).getTime() - noonOf(from).getTime()) / dayMs;
}

/** Returns the holidays on a day, in their order. */
export function holidaysOn<Holiday extends { readonly first: Day; readonly last: Day }>(
  day: Day,
  holidays: readonly Holiday[],
): Holiday[] {
  return holidays.filter(({ first, last }) => first <= day && day <= last);
}

/** Returns the last day of holidays; undefined without any. */
export function lastHoliday(holidays: readonly { readonly last: Day }[]): Day | undefined {
  return (
    holidays.map(({ last }) => last).reduce((one, other) => (one > other ? one : other), '') ||
    undefined
  );
}

/** A club's season of twelve months; `end` is exclusive. */
export type Season = { readonly first: Day; readonly end: Day };

/** Returns the season that contains a day; `startMonth` counts from 1. */
export function seasonOf(day: Day, startMonth: number): Season {
  const { year, month } = partsOf(day);
  const startYear = month >= startMonth ? year : year - 1;
  const first = writeDay(startYear, startMonth, 1);
  return { first, end: addMonths(first, 12) };
}

/** Returns the season before another one. */
export function seasonBefore({ first }: Season, startMonth: number): Season {
  return seasonOf(addDays(first, -1), startMonth);
}

/** Names a season: `2026`, or `2026/27` if it spans two years. */
export function seasonName({ first }: Season): string {
  const { year, month } = partsOf(first);
  return month === 1 ? String(year) : `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
}
