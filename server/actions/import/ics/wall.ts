/**
 * A time as a clock on a wall shows it, without a zone: milliseconds from 1970-01-01T00:00 on that
 * clock. Days are whole numbers from 1970-01-01.
 */
export type Wall = number;

/**
 * Wall times and instants (milliseconds since 1970 in UTC). In the gap when clocks go forward the
 * offset before the gap holds, and of an hour that comes twice the first is meant (RFC 5545
 * section 3.3.5).
 */
export type Zone = {
  readonly toInstant: (wall: Wall) => number;
  readonly toWall: (instant: number) => Wall;
};

export const utc: Zone = { toInstant: (wall) => wall, toWall: (instant) => instant };

export const millisecondsOfDay = 86_400_000;

const form = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/i;

export type WallTime = {
  readonly wall: Wall;
  readonly kind: 'date' | 'local' | 'utc';
};

/** The day of that date; a day or month beyond its end runs on into the next. */
export function dayOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / millisecondsOfDay;
}

/**
 * Reads a DATE or a DATE-TIME (RFC 5545 sections 3.3.4 and 3.3.5); undefined when it is none or
 * does not exist. A leap second is the one before it.
 */
export function parseWallTime(text: string): WallTime | undefined {
  const [, year, month, day, hour, minute = 0, second = 0, utc] = form.exec(text) ?? [];
  if (year === undefined || Number(year) === 0) return undefined;
  const days = dayOf(Number(year), Number(month), Number(day));
  const date = new Date(days * millisecondsOfDay);
  if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) {
    return undefined;
  }
  if (Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const seconds = Number(hour ?? 0) * 3600 + Number(minute) * 60 + Math.min(Number(second), 59);
  const kind = hour === undefined ? 'date' : utc === undefined ? 'local' : 'utc';
  return { wall: days * millisecondsOfDay + seconds * 1000, kind };
}

/** As `YYYY-MM-DDTHH:MM:SS.sssZ`; undefined outside the years 0001 to 9999. */
export function formatInstant(instant: number): string | undefined {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  return /^(?!0000)\d{4}-/.test(text) ? text : undefined;
}

/** The date of a wall time, `YYYY-MM-DD`. */
export function formatDate(wall: Wall): string {
  return new Date(wall).toISOString().slice(0, -14);
}
