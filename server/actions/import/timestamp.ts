import { Temporal } from 'temporal-polyfill';

const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?: ?([Zz]|[+-]\d\d(?::?\d\d)?))?)?$/;

/** An offset as Temporal names a zone: `Z`, `+02` and `+0200` become `UTC` and `+02:00`. */
function zoneOfOffset(offset: string): string {
  if (offset === 'Z' || offset === 'z') return 'UTC';
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/**
 * Reads an ISO 8601 date, with or without a time, as `YYYY-MM-DDTHH:MM:SS.sssZ`; undefined when it
 * is none or does not exist. A date alone is its midnight. What has no offset is local time in
 * `timeZone` (an IANA name): in the gap when clocks go forward the offset before the gap holds, and
 * of an hour that comes twice the first is meant (RFC 5545 section 3.3.5). Fractions of a second
 * are cut to milliseconds, which is all the interface carries.
 */
export function parseTimestamp(text: string, timeZone: string): string | undefined {
  const match = form.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', offset] = match;
  try {
    const local = Temporal.PlainDateTime.from(
      {
        year: Number(year),
        month: Number(month),
        day: Number(day),
        hour: Number(hour),
        minute: Number(minute),
        second: Number(second),
        millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')),
      },
      { overflow: 'reject' },
    );
    const zone = offset === undefined ? timeZone : zoneOfOffset(offset);
    const { epochMilliseconds } = local.toZonedDateTime(zone, { disambiguation: 'compatible' });
    const timestamp = new Date(epochMilliseconds).toISOString();
    return /^(?!0000)\d{4}-/.test(timestamp) ? timestamp : undefined;
  } catch (error) {
    // A day, an hour or an offset that no calendar or clock has.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether `name` is a time zone this machine knows, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
