import { isDay } from '../../timestamp.ts';
import type { DateOrder } from '../source.ts';

/** A local date as `YYYY-MM-DD`, and its time as `HH:MM:SS` if there is one. */
export type LocalDate = { readonly day: string; readonly time: string | undefined };

const dateForm = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:(?:,? +|T)(.+))?$/i;
const isoForm = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?))?$/;
const timeForm =
  /^(\d{1,2})(?:(?:[:.](\d\d)(?:[:.](\d\d))?|h(\d\d)?)(?: ?uhr)?| ?uhr)?(?: ?([ap])\.?m\.?)?$/i;
const serialForm = /^\d{1,7}(?:[.,]\d+)?$/;

const secondsOfDay = 86_400;
/** The end of Excel's calendar, just before the year 10000. */
const lastSerial = 2_958_465.999_99;

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

function writeTime(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map(pad).join(':');
}

function numberOf(cell: string): number {
  return Number(cell.replace(',', '.'));
}

/** Parses a year; two digits mean 1969 to 2068, as in POSIX. */
function yearOf(digits: string): number | undefined {
  const year = Number(digits);
  if (digits.length === 4) return year;
  if (digits.length !== 2) return undefined;
  return year < 69 ? 2000 + year : 1900 + year;
}

/** Reads a time of day such as `18:00`, `6:00 PM`, `18.00 Uhr`, `18h00` or Excel's `0.75`. */
export function readTime(cell: string): string | undefined {
  const text = cell.trim();
  if (/^0?[.,]\d+$|^0$/.test(text)) {
    // Ambiguous: 0.15 is a quarter past midnight or 15 hundredths of a day.
    if (/^0\.[0-5]\d$/.test(text)) return undefined;
    return writeTime(Math.round(numberOf(text) * secondsOfDay) % secondsOfDay);
  }
  const match = timeForm.exec(text);
  // A bare number could be anything.
  if (match === null || /^\d+$/.test(text)) return undefined;
  const [, hours = '', minutes = match[4] ?? '0', seconds = '0', , half] = match;
  let hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return writeTime((hour * 60 + Number(minutes)) * 60 + Number(seconds));
}

/** Returns the only possible order of a date with slashes, or `either` if both are possible. */
export function orderOf(cell: string): DateOrder | 'either' | undefined {
  if (!cell.includes('/')) return undefined;
  const match = dateForm.exec(cell.trim());
  if (match === null || match[2] !== '/' || yearOf(match[4] ?? '') === undefined) return undefined;
  const [first, second] = [Number(match[1]), Number(match[3])];
  if (match[1]?.length === 4 || first === second) return undefined;
  if (first > 12) return second > 12 ? undefined : 'dmy';
  return second > 12 ? 'mdy' : 'either';
}

function partsOf(match: RegExpExecArray, order: DateOrder): readonly [string, string, string] {
  const [, first = '', separator, second = '', third = ''] = match;
  if (separator !== '/') return [first, second, third];
  if (first.length === 4) return [third, second, first];
  return order === 'mdy' ? [second, first, third] : [first, second, third];
}

/**
 * Reads a local date, with or without a time, in ISO 8601 or a common notation. A date with slashes
 * uses `order`, else its only possible order, else day first. Returns undefined for any other text;
 * ISO dates are not checked for existence.
 */
export function readDate(cell: string, order: DateOrder | undefined): LocalDate | undefined {
  const text = cell.trim();
  const iso = isoForm.exec(text);
  if (iso?.[1] !== undefined) return { day: iso[1], time: iso[2]?.padEnd(8, ':00') };
  const match = dateForm.exec(text);
  if (match === null) return undefined;
  const only = orderOf(text);
  const known = order ?? (only === 'mdy' ? 'mdy' : 'dmy');
  const [date, month, digits] = partsOf(match, known);
  const year = yearOf(digits);
  if (date.length > 2 || year === undefined || !isDay(year, Number(month), Number(date))) {
    return undefined;
  }
  const day = `${String(year).padStart(4, '0')}-${pad(Number(month))}-${pad(Number(date))}`;
  if (match[5] === undefined) return { day, time: undefined };
  const time = readTime(match[5]);
  return time === undefined ? undefined : { day, time };
}

/**
 * Reads the number by which Excel stores a date: days since the end of 1899, where day 60 is
 * 1900-02-29, which never existed. Rounds to the nearest second.
 */
export function readSerial(cell: string): LocalDate | undefined {
  const text = cell.trim();
  if (!serialForm.test(text)) return undefined;
  const serial = numberOf(text);
  if (serial < 1 || serial > lastSerial || Math.floor(serial) === 60) return undefined;
  const seconds = Math.round(serial * secondsOfDay);
  const days = Math.floor(seconds / secondsOfDay);
  const date = new Date(Date.UTC(1899, 11, serial < 60 ? 31 : 30) + days * secondsOfDay * 1000);
  const time = seconds % secondsOfDay;
  const day = date.toISOString().slice(0, 10);
  return { day, time: time === 0 ? undefined : writeTime(time) };
}
