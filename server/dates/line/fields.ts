import { parseDate } from '../dates.ts';
import { addDays, addMonths, type Day, partsOf, writeDay } from '../days.ts';
import { isNoTime, readTime } from '../times.ts';
import type { DayContext } from './line.ts';
import { parsePlainWords } from './plain-words.ts';
import { parseSpokenDay } from './spoken-day.ts';

/** The month of a day that does not exist; without a year, the longest one. */
export type ShortMonth = {
  readonly first: Day;
  readonly hasYear: boolean;
  readonly days: number;
};

/** A leap year, whose February is the longest. */
const leapYear = 2024;

/** Reads the text of a date field; returns undefined if it is no day. */
export function readDay(text: string, context: DayContext): Day | ShortMonth | undefined {
  const day = parseSpokenDay(text, context);
  if (day !== undefined) return day;
  const written = parseDate(text, 'dmy');
  if (written === undefined) return undefined;
  const first = writeDay(written.year ?? leapYear, written.month, 1);
  const days = partsOf(addDays(addMonths(first, 1), -1)).date;
  if (written.day <= days) return undefined;
  return { first, hasYear: written.year !== undefined, days };
}

/**
 * Reads a text that is a date and nothing else, with a time of day or without one, such as "Easter
 * Monday 2027"; undefined if it is more, or could be another day.
 */
export function readDate(
  text: string,
  context: DayContext,
): { readonly day: Day; readonly time: string | undefined } | undefined {
  const { day, time, parts } = parsePlainWords(text, { ...context, places: [] });
  const isDate = parts.every(({ field }) => field === 'date' || field === 'time');
  return day !== undefined && isDate ? { day, time } : undefined;
}

/** Reads a date with a time of day, such as "Tue 19:00"; undefined if the text is anything else. */
export function readMoment(
  text: string,
  context: DayContext,
): { readonly day: Day; readonly time: string } | undefined {
  const { day, time } = readDate(text, context) ?? {};
  return day === undefined || time === undefined ? undefined : { day, time };
}

/**
 * Reads the text of a time field as `HH:MM`, empty without a time; undefined if it is neither. Words
 * such as "halb 8" are those of the line.
 */
export function readTimeOfDay(text: string, context: DayContext): string | undefined {
  const trimmed = text.trim();
  if (isNoTime(trimmed)) return '';
  if (/^(?:\d|[01]\d|2[0-3])$/.test(trimmed)) return `${trimmed.padStart(2, '0')}:00`;
  const written = readTime(trimmed)?.slice(0, 5);
  if (written !== undefined) return written;
  const { time, parts } = parsePlainWords(trimmed, { ...context, places: [] });
  const [only] = parts;
  const isWhole = parts.length === 1 && only?.field === 'time' && only.end === trimmed.length;
  return isWhole ? time : undefined;
}
