import { Temporal } from 'temporal-polyfill';
import { asUsage, problem } from '../base/errors.ts';
import { completeDate, dayOf, parseDate, type WrittenDate, yearFrom } from '../dates/dates.ts';
import { listDays, readRepetition } from '../dates/repetition.ts';
import { parseTimestamp } from './timestamp.ts';

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

/**
 * Returns the dates of a repetition, from the first that fits. Throws `repeat_unclear` for words that
 * mean no repetition, `repeat_endless` without an end, `repeat_empty` without a date, and
 * `except_unknown`.
 */
export function planSeries({ repeat, except, first, timeZone }: SeriesRequest): Series {
  const written = readRepetition(repeat);
  if (written === undefined) throw asUsage(problem('repeat_unclear', { text: repeat }));
  const { rule, count } = written;
  const { year, month, day } = dayOf(new Date(first), timeZone);
  const date = Temporal.PlainDate.from({ year, month, day }).toString();
  const from = written.from === undefined ? date : dayText(written.from, date);
  if (from === undefined) throw asUsage(problem('repeat_unclear', { text: repeat }));
  const until = dayText(written.until, from);
  if (written.until !== undefined && until === undefined) {
    throw asUsage(problem('repeat_unclear', { text: repeat }));
  }
  if (until === undefined && count === undefined)
    throw asUsage(problem('repeat_endless', { text: repeat }));
  const end = until === undefined ? { count: count as number } : { until };
  // A date that is left out does not count, so the search for it goes two years ahead.
  const possible = listDays(rule, from, { count: Number.POSITIVE_INFINITY }).days;
  const leftOut = new Set(except.map((text) => dayLeftOut(text, possible, from)));
  const { days, isCut } = listDays(rule, from, end, leftOut);
  if (days.length === 0) throw asUsage(problem('repeat_empty', { text: repeat }));
  const time = Temporal.Instant.from(first).toZonedDateTimeISO(timeZone).toPlainTime();
  const dates = days.map((each) => {
    const text = `${each}T${time.toString({ smallestUnit: 'millisecond' })}`;
    return parseTimestamp(text, timeZone) as string;
  });
  return { dates, isCut };
}
