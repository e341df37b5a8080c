import { dayMs, minuteMs } from '../dates/units.ts';
import { zoneNamed } from '../dates/zone.ts';

/** Spreadsheet programs disagree about earlier days, and have none after the year 9999. */
const firstLocal = Date.UTC(1900, 2, 1);
const endLocal = Date.UTC(10_000, 0, 1);

/**
 * A timestamp in a cell: its local date and time as epoch milliseconds, as if in UTC, or ISO 8601
 * if an import of the local time would give another timestamp.
 */
type SheetDate = number | string;

/** Writes a local time with its offset, or the timestamp if that is not in whole minutes. */
function writeOffset(timestamp: string, local: number, offset: number): string {
  if (offset % minuteMs !== 0) return timestamp;
  const size = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  const text = new Date(local).toISOString().replace(/(\.000)?Z$/, '');
  return `${text}${offset < 0 ? '-' : '+'}${size}`;
}

/**
 * Creates a function that returns timestamps as dates of a time zone, for cells that hold whole
 * multiples of `unit` milliseconds.
 */
export function createSheetDates(
  timeZone: string,
): (timestamp: string, unit: 1 | 1000) => SheetDate {
  const { toInstant, toWall } = zoneNamed(timeZone);
  return (timestamp, unit) => {
    const epoch = Date.parse(timestamp);
    if (epoch < firstLocal - dayMs) return timestamp;
    const local = toWall(epoch);
    if (local < firstLocal || local >= endLocal) return timestamp;
    // An import reads a repeated local time as the first one.
    const isExact = local % unit === 0 && toInstant(local) === epoch;
    return isExact ? local : writeOffset(timestamp, local, local - epoch);
  };
}
