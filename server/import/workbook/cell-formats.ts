import { dayMs, hourMs } from '../../dates/units.ts';
import type { HiddenPart } from '../table/table.ts';

/** Kinds of number formats: plain numbers, days, days with times, and times alone. */
export type CellFormat = 'number' | `${number} digits` | 'day' | 'clock' | 'time' | 'precise time';

/** Built-in formats with dates or times; 27 to 36 and 50 to 58 are those of East Asia. */
const builtInDates = [
  [14, 17, 'day'],
  [18, 21, 'clock'],
  [22, 22, 'time'],
  [27, 36, 'day'],
  [45, 46, 'time'],
  [47, 47, 'precise time'],
  [50, 58, 'day'],
] as const;

export function builtInFormat(id: number): CellFormat {
  return builtInDates.find(([first, last]) => id >= first && id <= last)?.[2] ?? 'number';
}

/** Returns the code of the format for positive numbers, without texts and colours. */
function sectionOf(code: string): string {
  return code
    .replace(/"[^"]*"|\\.|[_*]./gs, '')
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
    .split(';', 1)[0] as string;
}

/** Returns the part of a date that a format code such as `dd.mm.` or `mmmm yyyy` leaves out. */
export function hiddenPart(code: string): HiddenPart | undefined {
  const section = sectionOf(code).toLowerCase();
  // Beside hours, "m" are minutes.
  const hasMonth = /m/.test(section.replace(/am\/pm|h\]?[:. ]?m+|m+\]?[:.]?s/g, ''));
  if (!hasMonth || /^\s*general/.test(section)) return undefined;
  // "ddd" is a weekday.
  if (!/(?<!d)d{1,2}(?!d)/.test(section)) return 'day';
  return section.includes('y') ? undefined : 'year';
}

/** Returns the part of a date that a built-in format leaves out. */
export function builtInHiddenPart(id: number): HiddenPart | undefined {
  if (id === 17) return 'day';
  return id === 16 ? 'year' : undefined;
}

/** Classifies a format code such as `[$-407]dddd, d. mmmm yyyy` by its section for positive numbers. */
export function classifyFormat(code: string): CellFormat {
  const section = sectionOf(code);
  // Postal codes keep their leading zeros.
  if (/^0{2,20}$/.test(section)) return `${section.length} digits`;
  if (/^\s*General/i.test(section) || !/[ymdhs]/i.test(section)) return 'number';
  if (/s\]?[.,]0/i.test(section)) return 'precise time';
  if (!/[hs]/i.test(section)) return 'day';
  return /[yd]|\[/i.test(section) ? 'time' : 'clock';
}

/** Serial number of 1970-01-01 in the calendar from 1900. */
const unixEpoch = 25_569;
/** Number of days between the calendars from 1900 and from 1904. */
const calendarShift = 1_462;
/** Serial number of 1900-03-01; Excel takes 1900 for a leap year, so earlier dates are shifted. */
const firstSerial = 61;
/** Serial number of the day after 9999-12-31. */
const endOfSerials = 2_958_466;

function withoutZeroMs(iso: string): string {
  return iso.replace(/\.000$/, '');
}

/** A JavaScript library writes midnight in Central Europe so much too early. */
const lostMs = 44_000;

/** Returns a time as `2026-05-02T19:30:00`, or as `2026-05-02` at midnight. */
function formatUtc(written: number): string {
  const ms = (written + lostMs) % dayMs === 0 ? written + lostMs : written;
  const iso = new Date(ms).toISOString();
  return ms % dayMs === 0 ? iso.slice(0, 10) : withoutZeroMs(iso.slice(0, -1));
}

/**
 * Returns a number in a date format as canonical text, such as `2026-05-02`, `2026-05-02T19:30:00` or,
 * below 1, `19:30:00`. A number that is not a date stays a number.
 */
export function formatSerial(serial: number, format: CellFormat, has1904Dates: boolean): string {
  // Numbers stores a time with the day on which it was typed, and shows the time alone.
  const isTime =
    serial >= 1 ? format === 'clock' : serial > 0 || (serial === 0 && format !== 'day');
  // The display of a time rounds to seconds; the stored number is seldom exact.
  const unit = format === 'precise time' ? 1 : 1000;
  const ms = Math.round((serial * dayMs) / unit) * unit;
  if (format === 'number') return String(serial);
  if (format.endsWith('digits')) return String(serial).padStart(Number.parseInt(format, 10), '0');
  if (isTime) return withoutZeroMs(new Date(ms % dayMs).toISOString().slice(11, -1));
  const shift = has1904Dates ? calendarShift : 0;
  const isDate = serial >= (has1904Dates ? 1 : firstSerial) && serial + shift < endOfSerials;
  return isDate ? formatUtc(ms + (shift - unixEpoch) * dayMs) : String(serial);
}

/** Returns an ISO date, time or both in the canonical form; undefined for any other text. */
export function formatIso(text: string): string | undefined {
  const [match, date = '', time = '00:00', fraction = ''] =
    /^(\d{4}-\d\d-\d\d)?(?:(?:T|(?!\d{4}-))(\d\d:\d\d(?::\d\d)?)(\.\d{1,12})?Z?)?$/.exec(
      text.trim(),
    ) ?? [];
  if (match === undefined || match === '') return undefined;
  const start = Date.parse(`${date === '' ? '2000-01-01' : date}T${time}Z`);
  if (Number.isNaN(start)) return undefined;
  const ms = start + Math.round(Number(`0${fraction}`) * 1000);
  return date === '' ? withoutZeroMs(new Date(ms).toISOString().slice(11, -1)) : formatUtc(ms);
}

/** Returns a duration such as `PT19H30M00S` as `19:30:00`; undefined for any other text. */
export function formatDuration(text: string): string | undefined {
  const [match, hours = '0', minutes = '0', seconds = '0'] =
    /^PT(?=\d)(?:(\d{1,6})H)?(?:(\d{1,2})M)?(?:(\d{1,2}(?:[.,]\d{1,12})?)S)?$/.exec(text.trim()) ??
    [];
  if (match === undefined) return undefined;
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'));
  const ms = Math.round(total * 1000);
  const hour = String(Math.floor(ms / hourMs)).padStart(2, '0');
  return `${hour}${withoutZeroMs(new Date(ms).toISOString().slice(13, -1))}`;
}

/** Returns a number as its shortest decimal; any other text stays as it is. */
export function formatNumber(text: string): string {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? text : String(value);
}
