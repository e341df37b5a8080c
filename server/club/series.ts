import { asUsage, problem } from '../base/errors.ts';
import { parseDate } from '../dates/dates.ts';
import {
  boundsOf,
  dayFrom,
  type End,
  listDays,
  type Rule,
  readRepetition,
} from '../dates/repetition.ts';
import { createZone, dayMs } from '../dates/zone.ts';

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

/** Returns a day that is left out. Throws `except_unknown` if it is none of the days. */
function dayLeftOut(text: string, days: readonly string[], first: string): string {
  const day = dayFrom(parseDate(text, undefined), first);
  if (day !== undefined && days.includes(day)) return day;
  throw asUsage(problem('except_unknown', { text }));
}

/** Reads the words of a repetition, which begins on a day by default. */
function readBounds(repeat: string, day: string): { rule: Rule; from: string; end: End } {
  const written = readRepetition(repeat);
  const bounds = written && boundsOf(written, day);
  if (written === undefined || bounds === undefined) {
    throw asUsage(problem('repeat_unclear', { text: repeat }));
  }
  const { from, end } = bounds;
  if (end === undefined) throw asUsage(problem('repeat_endless', { text: repeat }));
  return { rule: written.rule, from, end };
}

/**
 * Returns the dates of a repetition, from the first that fits. Throws `repeat_unclear` for words that
 * mean no repetition, `repeat_endless` without an end, `repeat_empty` without a date, and
 * `except_unknown`.
 */
export function planSeries({ repeat, except, first, timeZone }: SeriesRequest): Series {
  const zone = createZone(timeZone);
  const date = new Date(zone.toWall(Date.parse(first))).toISOString().slice(0, 10);
  const { rule, from, end } = readBounds(repeat, date);
  // A date that is left out does not count, so the search for it goes two years ahead.
  const possible = listDays(rule, from, { count: Number.POSITIVE_INFINITY }).days;
  const leftOut = new Set(except.map((text) => dayLeftOut(text, possible, from)));
  const { days, isCut } = listDays(rule, from, end, leftOut);
  if (days.length === 0) throw asUsage(problem('repeat_empty', { text: repeat }));
  return { dates: datesOf(days, first, timeZone), isCut };
}

/** Returns the timestamps of days at the local time of the first one. */
export function datesOf(
  days: readonly string[],
  first: string,
  timeZone: string,
): readonly string[] {
  const zone = createZone(timeZone);
  const wall = zone.toWall(Date.parse(first));
  const timeOfDay = wall - Math.floor(wall / dayMs) * dayMs;
  return days.map((day) => new Date(zone.toInstant(Date.parse(day) + timeOfDay)).toISOString());
}
