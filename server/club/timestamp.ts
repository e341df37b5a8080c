import { isDay } from '../dates/dates.ts';
import { minuteMs } from '../dates/units.ts';
import { isKnownZone, zoneNamed } from '../dates/zone.ts';

const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?: ?([Zz]|[+-]\d\d(?::?\d\d)?))?)?$/;

const canonical = '0000-00-00T00:00:00.000Z';

/**
 * Parses an ISO 8601 date, with or without a time, into `YYYY-MM-DDTHH:MM:SS.sssZ`. Returns
 * undefined if it is invalid. A date alone means its midnight. A time without an offset is local to
 * `timeZone` (an IANA name). In the gap when clocks go forward, the offset before the gap applies;
 * a repeated hour means the first one (RFC 5545 section 3.3.5). Fractions of a second are truncated
 * to milliseconds, the precision of the API.
 */
export function parseTimestamp(text: string, timeZone: string): string | undefined {
  if (isCanonical(text)) return text;
  const match = form.exec(text.trim());
  const local = match === null ? undefined : readWallClock(match);
  if (match === null || local === undefined) return undefined;
  const [offset, zone] = match[8] === undefined ? [0, timeZone] : [readOffset(match[8]), undefined];
  if (offset === undefined) return undefined;
  const epoch = zone === undefined ? local - offset : zoneNamed(zone).toInstant(local);
  const timestamp = new Date(epoch).toISOString();
  return /^(?!0000)\d{4}-/.test(timestamp) ? timestamp : undefined;
}

/** Returns true for a time zone that this machine knows, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  // Intl also knows abbreviations such as PST, of which few are names of IANA.
  const isAbbreviation = /^(?!(?:[CEMW]E|[EHM]S|GM)T)..T$/i.test(name);
  return !isAbbreviation && isKnownZone(name);
}

/** Recognises a canonical timestamp, by far the commonest case, without a regular expression. */
function isCanonical(text: string): boolean {
  if (text.length !== canonical.length) return false;
  for (let at = 0; at < canonical.length; at += 1) {
    const code = text.charCodeAt(at);
    const expected = canonical.charCodeAt(at);
    if (expected === 48 ? code < 48 || code > 57 : code !== expected) return false;
  }
  const two = (at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
  if (two(11) > 23 || two(14) > 59 || two(17) > 59) return false;
  return isDay(two(0) * 100 + two(2), two(5), two(8));
}

/** Returns a match of `form` as epoch milliseconds as if in UTC; undefined if it does not exist. */
function readWallClock(match: RegExpExecArray): number | undefined {
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = ''] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  const date = new Date(
    Date.UTC(2000, 0, 1, Number(hour), Number(minute), Number(second), milliseconds),
  );
  return date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
}

/** Parses `Z`, `+02`, `+0200` or `+02:00` into milliseconds east of UTC. */
function readOffset(offset: string): number | undefined {
  if (offset === 'Z' || offset === 'z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  return (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * minuteMs;
}
