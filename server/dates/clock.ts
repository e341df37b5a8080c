import { type Day, dateAt, dayAt, partsOf } from './days.ts';
import { isDayStart, type Zone } from './zone.ts';

/** Sorts after every timestamp when compared as text. */
const afterAllTime = '~';

/** A moment as a timestamp, a date or milliseconds. */
type Instant = string | Date | number;

function midnightOf(day: Day): Date {
  const { year, month, date } = partsOf(day);
  return dateAt(year, month, date);
}

/** Creates the clock of a zone, with its days and their times. */
export function createClock(zone: Zone) {
  /** Returns a moment as a date whose UTC fields are those of the clock. */
  const wallOf = (moment: Instant) => new Date(zone.toWall(new Date(moment).getTime()));
  /** Returns the moment of such a date; a time that the clocks skip becomes a later one. */
  const momentAt = (wall: Date) => new Date(zone.toInstant(wall.getTime()));
  return {
    ...zone,
    wallOf,
    momentAt,
    /** Returns the moment of a day and a time `HH:MM`. */
    momentOf(day: Day, time: string): Date {
      const [hours = 0, minutes = 0] = time.split(':').map(Number);
      return momentAt(new Date(midnightOf(day).setUTCHours(hours, minutes)));
    },
    dayOf: (moment: Instant): Day => dayAt(wallOf(moment)),
    /** Returns the time of day of a moment, `HH:MM`. */
    timeOf: (moment: Instant): string => wallOf(moment).toISOString().slice(11, 16),
    /** Returns the start of a day as a timestamp, comparable as text with those of events. */
    startOf(day: Day): string {
      const start = momentAt(midnightOf(day));
      return start.getUTCFullYear() > 9999 ? afterAllTime : start.toISOString();
    },
    /** Checks that a moment is the start of its day, as that of an event without a time is. */
    isDayStart: (moment: Instant): boolean => isDayStart(zone, new Date(moment).getTime()),
  };
}

export type Clock = ReturnType<typeof createClock>;
