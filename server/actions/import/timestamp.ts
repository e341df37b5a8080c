import { Temporal } from 'temporal-polyfill';

const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?: ?([Zz]|[+-]\d\d(?::?\d\d)?))?)?$/;

const canonical = '0000-00-00T00:00:00.000Z';

const dayLength = 86_400_000;

/** Offsets at midnights of UTC, in milliseconds, by zone and day; bounded, as files are hostile. */
const midnightsByZone = new Map<string, Map<number, number>>();
const mostZones = 8;
const mostMidnights = 20_000;

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** Whether there is such a day in the proleptic Gregorian calendar, from the year 1 on. */
export function isDay(year: number, month: number, date: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && date >= 1 && date <= daysInMonth(year, month);
}

/** Whether the text is a timestamp of the contract as it stands: the commonest case by far. */
function isCanonical(text: string): boolean {
  if (text.length !== canonical.length) return false;
  for (let at = 0; at < canonical.length; at += 1) {
    const code = text.charCodeAt(at);
    const wanted = canonical.charCodeAt(at);
    if (wanted === 48 ? code < 48 || code > 57 : code !== wanted) return false;
  }
  const two = (at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
  if (two(11) > 23 || two(14) > 59 || two(17) > 59) return false;
  return isDay(two(0) * 100 + two(2), two(5), two(8));
}

function midnightsOf(timeZone: string): Map<number, number> {
  let midnights = midnightsByZone.get(timeZone);
  if (midnights === undefined) {
    if (midnightsByZone.size >= mostZones) midnightsByZone.clear();
    midnights = new Map();
    midnightsByZone.set(timeZone, midnights);
  }
  if (midnights.size >= mostMidnights) midnights.clear();
  return midnights;
}

function offsetAtMidnight(days: number, timeZone: string, midnights: Map<number, number>): number {
  const known = midnights.get(days);
  if (known !== undefined) return known;
  const instant = Temporal.Instant.fromEpochMilliseconds(days * dayLength);
  const offset = instant.toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6;
  midnights.set(days, offset);
  return offset;
}

/** The instant of a local time, given as if it were UTC; both in epoch milliseconds. */
function instantOf(local: number, timeZone: string): number {
  const midnights = midnightsOf(timeZone);
  const days = Math.floor(local / dayLength);
  // No offset is a whole day: what holds from the midnight before to the one after next, holds.
  const offset = offsetAtMidnight(days, timeZone, midnights);
  const isSteady = [days - 1, days + 1, days + 2].every(
    (near) => offsetAtMidnight(near, timeZone, midnights) === offset,
  );
  if (isSteady) return local - offset;
  const wall = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO('UTC');
  return wall.toPlainDateTime().toZonedDateTime(timeZone, { disambiguation: 'compatible' })
    .epochMilliseconds;
}

/** Milliseconds east of UTC of `Z`, `+02`, `+0200` or `+02:00`; undefined when no clock has it. */
function readOffset(offset: string): number | undefined {
  if (offset === 'Z' || offset === 'z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  return (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** The epoch milliseconds of what `form` found, as if it were UTC; undefined if it never was. */
function readWallClock(match: RegExpExecArray): number | undefined {
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = ''] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  // Date.UTC takes the years 0 to 99 for those of the twentieth century.
  const date = new Date(
    Date.UTC(2000, 0, 1, Number(hour), Number(minute), Number(second), milliseconds),
  );
  return date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
}

/**
 * Reads an ISO 8601 date, with or without a time, as `YYYY-MM-DDTHH:MM:SS.sssZ`; undefined when it
 * is none or does not exist. A date alone is its midnight. What has no offset is local time in
 * `timeZone` (an IANA name): in the gap when clocks go forward the offset before the gap holds, and
 * of an hour that comes twice the first is meant (RFC 5545 section 3.3.5). Fractions of a second
 * are cut to milliseconds, which is all the interface carries.
 */
export function parseTimestamp(text: string, timeZone: string): string | undefined {
  if (isCanonical(text)) return text;
  const match = form.exec(text.trim());
  const local = match === null ? undefined : readWallClock(match);
  if (match === null || local === undefined) return undefined;
  const [offset, zone] = match[8] === undefined ? [0, timeZone] : [readOffset(match[8]), undefined];
  if (offset === undefined) return undefined;
  const epoch = zone === undefined ? local - offset : instantOf(local, zone);
  const timestamp = new Date(epoch).toISOString();
  return /^(?!0000)\d{4}-/.test(timestamp) ? timestamp : undefined;
}

/** Whether `name` is a time zone this machine knows, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    // Not by Intl, which knows abbreviations such as PST that Temporal refuses.
    return new Temporal.ZonedDateTime(0n, name).timeZoneId !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
