import type { Moment } from './end-line.ts';
import { dayMs } from './units.ts';

/**
 * A wall-clock time without a zone: milliseconds from 1970-01-01T00:00 on that clock. The UTC fields
 * of a `Date` with this value are those of the clock.
 */
export type Wall = number;

/**
 * Converts between wall times and instants (milliseconds since 1970 in UTC). In the gap when clocks
 * go forward, the offset before the gap applies; a repeated hour means the first one (RFC 5545
 * section 3.3.5).
 */
export type Zone = {
  readonly toInstant: (wall: Wall) => number;
  readonly toWall: (instant: number) => Wall;
};

/** Creates a function that returns the offset from UTC at an instant, both in milliseconds. */
function createOffsets(name: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  return (instant) => {
    // 5/1/2026, GMT+02:00; historical offsets have seconds.
    const text = format.format(instant);
    const [, sign, ...parts] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
    const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
    return (sign === '-' ? -1_000 : 1_000) * ((hours * 60 + minutes) * 60 + seconds);
  };
}

/** The days whose offsets a zone remembers; bounded for hostile files. */
const maxDays = 20_000;

/**
 * Creates a zone from the data of this machine; `name` is an IANA name. Throws a `RangeError` for an
 * unknown one. Offsets are cached by day, because events share days and `Intl` is slow.
 */
export function createZone(name: string): Zone {
  const offsetAt = createOffsets(name);
  const midnights = new Map<number, number>();

  /** Returns the offset at a UTC midnight. */
  function offsetOf(day: number): number {
    const known = midnights.get(day);
    if (known !== undefined) return known;
    if (midnights.size >= maxDays) midnights.clear();
    const offset = offsetAt(day * dayMs);
    midnights.set(day, offset);
    return offset;
  }

  /** Returns the offset of all instants near a UTC day; undefined if clocks change there. */
  function steadyOffset(day: number): number | undefined {
    const offset = offsetOf(day);
    // No offset is as long as a day: equal offsets at these midnights rule out a change nearby.
    const isSteady =
      offsetOf(day - 1) === offset && offsetOf(day + 1) === offset && offsetOf(day + 2) === offset;
    return isSteady ? offset : undefined;
  }

  return {
    toWall: (instant) => instant + (steadyOffset(Math.floor(instant / dayMs)) ?? offsetAt(instant)),
    toInstant(wall) {
      const steady = steadyOffset(Math.floor(wall / dayMs));
      if (steady !== undefined) return wall - steady;
      // The offsets on both sides of a change nearby. The earlier one applies to a repeated hour,
      // where both fit, and in a gap, where none does.
      const before = wall - offsetAt(wall - dayMs);
      if (before + offsetAt(before) === wall) return before;
      const after = wall - offsetAt(wall + dayMs);
      return after + offsetAt(after) === wall ? after : before;
    },
  };
}

/** The zones in use; bounded, as callers choose the names. */
const zones = new Map<string, Zone>();
const maxZones = 8;

/** Returns the zone of a name, which is created once. Throws as `createZone` does. */
export function zoneNamed(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  if (zones.size >= maxZones) zones.clear();
  const zone = createZone(name);
  zones.set(name, zone);
  return zone;
}

/**
 * Returns true for the instant at which a day of the zone starts, which means an event without a time
 * of day. It is midnight, or the first time after it if the clocks skip midnight.
 */
export function isDayStart({ toWall, toInstant }: Zone, instant: number): boolean {
  const wall = toWall(instant);
  return toInstant(Math.floor(wall / dayMs) * dayMs) === instant;
}

/** Returns the day and the time of a timestamp on the clock of a zone; the start of a day is no time. */
export function momentIn(date: string, zone: Zone): Moment {
  const instant = Date.parse(date);
  const text = new Date(zone.toWall(instant)).toISOString();
  return { day: text.slice(0, 10), time: isDayStart(zone, instant) ? '' : text.slice(11, 16) };
}

/** Returns the instant of a moment; one without a time is the start of its day. */
export function instantOf({ day, time }: Moment, zone: Zone): number {
  return zone.toInstant(Date.parse(`${day}T${time || '00:00'}Z`));
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
    return isDayStart(zone, Date.parse(timestamp)) ? text.replace(/, .*/, '') : text;
  };
}

/** Creates a formatter of ends: `Fri 1 May 2026`, or with its time also at midnight. */
export function createLocalEnds(timeZone: string): (end: Moment) => string {
  return (end) => {
    const timestamp = new Date(instantOf(end, zoneNamed(timeZone))).toISOString();
    return (end.time === '' ? createLocalDates : createLocalMoments)(timeZone)(timestamp);
  };
}
