import { type Clock, createClock } from './clock.ts';
import type { Moment } from './end-line.ts';

/** The clocks in use; bounded, as callers choose the names. */
const zones = new Map<string, Clock>();
const maxZones = 8;

/** Returns the clock of a zone, which is created once. Throws as `createZone` does. */
export function zoneNamed(name: string): Clock {
  const known = zones.get(name);
  if (known !== undefined) return known;
  if (zones.size >= maxZones) zones.clear();
  const zone = createClock(name);
  zones.set(name, zone);
  return zone;
}

/** Returns true for a zone that this machine knows. `Intl` also knows abbreviations and offsets. */
export function isKnownZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Returns the IANA name of this computer's zone; undefined rather than UTC for a `TZ` that is not
 * the name of a zone. `variable` is the value of `TZ`.
 */
export function systemZone(variable: string | undefined): string | undefined {
  // POSIX: an empty TZ means UTC.
  if (variable === '') return 'UTC';
  // The type is wrong: there is no zone if `TZ` is not the name of one.
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isAssumed = zone === 'UTC' && variable !== undefined && !isKnownZone(variable);
  return zone !== undefined && isKnownZone(zone) && !isAssumed ? zone : undefined;
}

/** Returns the name that `Intl` has for a zone, such as `Europe/Kiev` for `Europe/Kyiv`. */
export const intlName = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;

/** Returns true for two names of the same zone, such as `Europe/Kyiv` and `Europe/Kiev`. */
export function isSameZone(one: string, other: string): boolean {
  return one === other || intlName(one) === intlName(other);
}

/** The formats of the zones that were needed: creating one takes as long as sixty dates. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** Creates a formatter of moments for a time zone: `Fri 1 May 2026, 18:00`. */
export function createLocalMoments(timeZone: string): (timestamp: string) => string {
  return (timestamp) => {
    const parts = formatOf(timeZone).formatToParts(new Date(timestamp));
    const get = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
    return `${get('weekday')} ${get('day')} ${get('month')} ${get('year')}, ${get('hour')}:${get('minute')}`;
  };
}

/** Creates a formatter of dates of events, which have no time at the start of a day: `Fri 1 May 2026`. */
export function createLocalDates(timeZone: string): (timestamp: string) => string {
  const format = createLocalMoments(timeZone);
  const zone = zoneNamed(timeZone);
  return (timestamp) => {
    const text = format(timestamp);
    return zone.isDayStart(timestamp) ? text.replace(/, .*/, '') : text;
  };
}

/** Creates a formatter of ends: `Fri 1 May 2026`, or with its time also at midnight. */
export function createLocalEnds(timeZone: string): (end: Moment) => string {
  return (end) => {
    const timestamp = new Date(zoneNamed(timeZone).instantOf(end)).toISOString();
    return (end.time === '' ? createLocalDates : createLocalMoments)(timeZone)(timestamp);
  };
}
