import type { DayOff } from '../../db/days-off.ts';
import { asUsage, problem } from '../base/errors.ts';
import { parseDate } from '../dates/dates.ts';
import { holidaysOn } from '../dates/days.ts';
import { moveToDay } from '../dates/moves.ts';
import { boundsOf, type End, planDays, type Rule, readRepetition } from '../dates/repetition.ts';
import { dayFrom } from '../dates/spans.ts';
import { zoneNamed } from '../dates/zone.ts';

/** A day off on which a repetition takes place no more, with the name of its holiday. */
export type LeftOut = { readonly day: string; readonly name: string };

/** The dates of events that are added together, as timestamps. */
export type Series = {
  readonly dates: readonly string[];
  /** The dates that are left out as days off. */
  readonly daysOff: readonly LeftOut[];
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
  /** Reads the days off of the club. */
  readonly readDaysOff: () => readonly DayOff[];
};

/** Returns a day that is left out. Throws `except_unknown` if it is none of the days. */
function dayLeftOut(text: string, days: readonly string[], first: string): string {
  const day = dayFrom(parseDate(text, undefined), first);
  if (day !== undefined && days.includes(day)) return day;
  throw asUsage(problem('except_unknown', { text }));
}

/** Reads the words of a repetition, which begins on a day by default. */
function readBounds(
  repeat: string,
  day: string,
  daysOff: readonly DayOff[],
): { rule: Rule; from: string; end: End; except: readonly string[]; exceptDaysOff: boolean } {
  const written = readRepetition(repeat, daysOff);
  const bounds = written && boundsOf(written, day);
  if (written === undefined || bounds === undefined) {
    throw asUsage(problem('repeat_unclear', { text: repeat }));
  }
  const { from, end, except } = bounds;
  if (end === undefined) throw asUsage(problem('repeat_endless', { text: repeat }));
  return { rule: written.rule, from, end, except, exceptDaysOff: written.exceptDaysOff === true };
}

/** Returns which of some days are off. Throws `days_off_missing` for a club without any. */
function daysOffAmong(days: readonly string[], daysOff: readonly DayOff[]): readonly LeftOut[] {
  if (daysOff.length === 0) throw asUsage(problem('days_off_missing'));
  return days.flatMap((day) => {
    const [holiday] = holidaysOn(day, daysOff);
    return holiday === undefined ? [] : [{ day, name: holiday.name }];
  });
}

/**
 * Returns the dates of a repetition, from the first that fits. Throws `repeat_unclear` for words that
 * mean no repetition, `repeat_endless` without an end, `repeat_empty` without a date,
 * `except_unknown`, and `days_off_missing`.
 */
export function planSeries(request: SeriesRequest): Series {
  const { repeat, except, first, timeZone, readDaysOff } = request;
  const { day: date } = zoneNamed(timeZone).momentIn(first);
  const clubDaysOff = readDaysOff();
  const { rule, from, end, ...named } = readBounds(repeat, date, clubDaysOff);
  let off: readonly LeftOut[] = [];
  const { days, possible, isCut } = planDays(rule, from, end, (all) => {
    if (named.exceptDaysOff) off = daysOffAmong(all, clubDaysOff);
    const written = except.map((text) => dayLeftOut(text, all, from));
    return new Set([...written, ...named.except, ...off.map(({ day }) => day)]);
  });
  if (days.length === 0) throw asUsage(problem('repeat_empty', { text: repeat }));
  const daysOff = off.filter(({ day }) => possible.includes(day));
  return { dates: datesOf(days, first, timeZone), daysOff, isCut };
}

/** Returns the timestamps of days at the local time of the first one. */
export function datesOf(
  days: readonly string[],
  first: string,
  timeZone: string,
): readonly string[] {
  return days.map((day) => moveToDay(first, day, zoneNamed(timeZone)));
}
