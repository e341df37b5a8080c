import type { Wall, Zone } from '../../dates/clock.ts';
import { dayMs } from '../../dates/units.ts';

export const utc: Zone = { toInstant: (wall) => wall, toWall: (instant) => instant };

/** A DATE or a DATE-TIME; Google’s calendars of birthdays have a Z behind a DATE. */
const form = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?|Z)?$/i;

export type WallTime = {
  readonly wall: Wall;
  readonly kind: 'date' | 'local' | 'utc';
};

/** Returns the day number of a date; a month or day out of range carries over. */
export function dayOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / dayMs;
}

/**
 * Parses a DATE or a DATE-TIME (RFC 5545 sections 3.3.4 and 3.3.5). Returns undefined if it is
 * invalid. A leap second becomes the second before it.
 */
export function parseWallTime(text: string): WallTime | undefined {
  const [, year, month, day, hour, minute = 0, second = 0, utc] = form.exec(text) ?? [];
  if (year === undefined || Number(year) === 0) return undefined;
  const days = dayOf(Number(year), Number(month), Number(day));
  const date = new Date(days * dayMs);
  if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) {
    return undefined;
  }
  if (Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const seconds = Number(hour ?? 0) * 3600 + Number(minute) * 60 + Math.min(Number(second), 59);
  const kind = hour === undefined ? 'date' : utc === undefined ? 'local' : 'utc';
  return { wall: days * dayMs + seconds * 1000, kind };
}

/** Formats an instant as `YYYY-MM-DDTHH:MM:SS.sssZ`, or undefined outside the years 1 to 9999. */
export function formatInstant(instant: number): string | undefined {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  return /^(?!0000)\d{4}-/.test(text) ? text : undefined;
}

/** Formats the date of a wall time as `YYYY-MM-DD`. */
export function formatDate(wall: Wall): string {
  return new Date(wall).toISOString().slice(0, -14);
}
