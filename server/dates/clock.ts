import { type Day, dateAt, dayAt, partsOf } from './days.ts';
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

/** Sorts after every timestamp when compared as text. */
const afterAllTime = '~';

/** A moment as a timestamp, a date or milliseconds. */
type Instant = string | Date | number;

/** Creates the clock of a zone, with its days and their times. Throws as `createZone` does. */
export function createClock(name: string) {
  const { toInstant, toWall } = createZone(name);
  /** Returns a moment as a date whose UTC fields are those of the clock. */
  const wallOf = (moment: Instant) => new Date(toWall(new Date(moment).getTime()));
  /** Returns the moment of such a date; a time that the clocks skip becomes a later one. */
  const momentAt = (wall: Date) => new Date(toInstant(wall.getTime()));
  const dayOf = (moment: Instant): Day => dayAt(wallOf(moment));
  /** Returns the time of day of a moment, `HH:MM`. */
  const timeOf = (moment: Instant): string => wallOf(moment).toISOString().slice(11, 16);
  /**
   * Checks that a moment is the start of its day, as that of an event without a time is. It is
   * midnight, or the first time after it if the clocks skip midnight.
   */
  function isDayStart(moment: Instant): boolean {
    const instant = new Date(moment).getTime();
    return toInstant(Math.floor(toWall(instant) / dayMs) * dayMs) === instant;
  }
  return {
    /** The name of the zone (IANA). */
    name,
    toInstant,
    toWall,
    wallOf,
    momentAt,
    dayOf,
    timeOf,
    isDayStart,
    /** Returns the start of a day as a timestamp, comparable as text with those of events. */
    startOf(day: Day): string {
      const { year, month, date } = partsOf(day);
      const start = momentAt(dateAt(year, month, date));
      return start.getUTCFullYear() > 9999 ? afterAllTime : start.toISOString();
    },
    /** Returns the day and the time of a timestamp; the start of a day is no time. */
    momentIn: (date: string): Moment => ({
      day: dayOf(date),
      time: isDayStart(date) ? '' : timeOf(date),
    }),
    /** Returns the instant of a moment up to the year 9999; one without a time is the start of its day. */
    instantOf: ({ day, time }: Moment): number =>
      toInstant(Date.parse(`${day}T${time || '00:00'}Z`)),
  };
}

export type Clock = ReturnType<typeof createClock>;
