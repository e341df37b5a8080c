import { asUsage, problem } from '../base/errors.ts';
import { completeDate, parseDate, type WrittenDate, yearFrom } from '../dates/dates.ts';
import { type End, listDays, type Rule, readRepetition } from '../dates/repetition.ts';
import { createZone } from '../dates/zone.ts';

/** The dates of events that are added together, as timestamps. */
export type Series = {
  readonly dates: readonly string[];
  /** True if the repetition would go on after two years. */
  readonly isCut: boolean;
};

type SeriesRequest = {
  /** The repetition in words, such as "every Tue until 30 June". */
  readonly repeat: string;
  /** Days that are left out, as written. */
  readonly except: readonly string[];
  /** The timestamp of the first event; its local time is that of all. */
  readonly first: string;
  readonly timeZone: string;
};

/** Returns a written day as `YYYY-MM-DD`; without a year, it is the next one from `first` on. */
function dayText(written: WrittenDate | undefined, first: string): string | undefined {
  const [year = 0, month = 0, day = 0] = first.split('-').map(Number);
  if (written === undefined) return undefined;
  return completeDate(written, written.year ?? yearFrom({ year, month, day }, written))?.day;
}

/** Returns a day that is left out. Throws `except_unknown` if it is none of the days. */
function dayLeftOut(text: string, days: readonly string[], first: string): string {
  const day = dayText(parseDate(text, undefined), first);
  if (day !== undefined && days.includes(day)) return day;
  throw asUsage(problem('except_unknown', { text }));
}

/** Reads the words of a repetition, which begins on a day by default. */
function readBounds(repeat: string, day: string): { rule: Rule; from: string; end: End } {
  const written = readRepetition(repeat);
  const from = written?.from === undefined ? day : dayText(written.from, day);
  const until = from === undefined ? undefined : dayText(written?.until, from);
  const isNoDay = written?.until !== undefined && until === undefined;
  if (written === undefined || from === undefined || isNoDay) {
    throw asUsage(problem('repeat_unclear', { text: repeat }));
  }
  const { rule, count } = written;
  if (until !== undefined) return { rule, from, end: { until } };
  if (count !== undefined) return { rule, from, end: { count } };
  throw asUsage(problem('repeat_endless', { text: repeat }));
}

/**
 * Returns the dates of a repetition, from the first that fits. Throws `repeat_unclear` for words that
 * mean no repetition, `repeat_endless` without an end, `repeat_empty` without a date, and
 * `except_unknown`.
 */
export function planSeries({ repeat, except, first, timeZone }: SeriesRequest): Series {
  const zone = createZone(timeZone);
  const wall = zone.toWall(Date.parse(first));
  const date = new Date(wall).toISOString().slice(0, 10);
  const timeOfDay = wall - Date.parse(date);
  const { rule, from, end } = readBounds(repeat, date);
  // A date that is left out does not count, so the search for it goes two years ahead.
  const possible = listDays(rule, from, { count: Number.POSITIVE_INFINITY }).days;
  const leftOut = new Set(except.map((text) => dayLeftOut(text, possible, from)));
  const { days, isCut } = listDays(rule, from, end, leftOut);
  if (days.length === 0) throw asUsage(problem('repeat_empty', { text: repeat }));
  const dates = days.map((day) =>
    new Date(zone.toInstant(Date.parse(day) + timeOfDay)).toISOString(),
  );
  return { dates, isCut };
}
