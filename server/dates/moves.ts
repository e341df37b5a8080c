import type { Clock } from './clock.ts';
import { type Day, daysBetween } from './days.ts';
import { dayMs, minuteMs } from './units.ts';

/** A move of the date of an event, by the clock of its club. */
export type DateMove =
  /** To another day, at the same time of day. */
  | { readonly kind: 'move'; readonly days: number }
  /** To a day of the same week, from 0 for Sunday; weeks begin on Monday. */
  | { readonly kind: 'weekday'; readonly weekday: number }
  /** Later or earlier on the same day; a date without a time stays. */
  | { readonly kind: 'shift'; readonly minutes: number }
  /** To a time `HH:MM` on the same day. */
  | { readonly kind: 'time'; readonly time: string };

/** Returns the days from Monday to a weekday. */
const daysFromMonday = (weekday: number) => (weekday + 6) % 7;

/** Returns the wall time after a move; undefined if a shift leaves its day, or ends at its start. */
function movedWall(wall: number, move: DateMove): number | undefined {
  const day = Math.floor(wall / dayMs) * dayMs;
  switch (move.kind) {
    case 'move':
      return wall + move.days * dayMs;
    case 'weekday': {
      const weekday = new Date(wall).getUTCDay();
      return wall + (daysFromMonday(move.weekday) - daysFromMonday(weekday)) * dayMs;
    }
    case 'time':
      return day + Date.parse(`1970-01-01T${move.time}Z`);
    case 'shift': {
      const moved = wall + move.minutes * minuteMs;
      // The first minute of a day is no time.
      return moved >= day + minuteMs && moved < day + dayMs ? moved : undefined;
    }
  }
}

/**
 * Moves a timestamp, and returns the new one; undefined if a shift would leave the day. A time that
 * the clocks skip becomes a later one, and a time that they repeat is the first one.
 */
export function moveDate(date: string, move: DateMove, clock: Clock): string | undefined {
  const instant = Date.parse(date);
  if (move.kind === 'shift' && clock.isDayStart(date)) return date;
  const wall = clock.toWall(instant);
  const moved = movedWall(wall, move);
  // An unchanged one keeps its side of a repeated hour.
  if (moved === undefined || moved === wall) return moved === wall ? date : undefined;
  return new Date(clock.toInstant(moved)).toISOString();
}

/** Returns the timestamp of a date on another day, at the same time of day. */
export function moveToDay(date: string, day: Day, clock: Clock): string {
  const days = daysBetween(clock.dayOf(date), day);
  return moveDate(date, { kind: 'move', days }, clock) ?? date;
}
