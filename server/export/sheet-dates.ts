const dayMs = 86_400_000;

/** Spreadsheet programs disagree about earlier days, and have none after the year 9999. */
const firstLocal = Date.UTC(1900, 2, 1);
const endLocal = Date.UTC(10_000, 0, 1);

/**
 * A timestamp in a cell: its local date and time as epoch milliseconds, as if in UTC, or ISO 8601
 * if an import of the local time would give another timestamp.
 */
type SheetDate = number | string;

/** Creates a function that returns the local time of an instant, both in epoch milliseconds. */
function createClock(timeZone: string): (epoch: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (epoch) => {
    const seconds = Math.floor(epoch / 1000) * 1000;
    // 5/1/2026, 18:00:00
    const [month = 0, day, year = 0, hour, minute, second] = format
      .format(seconds)
      .split(/\D+/)
      .map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second) + epoch - seconds;
  };
}

/** Writes a local time with its offset, or the timestamp if that is not in whole minutes. */
function writeOffset(timestamp: string, local: number, offset: number): string {
  if (offset % 60_000 !== 0) return timestamp;
  const size = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  const text = new Date(local).toISOString().replace(/(\.000)?Z$/, '');
  return `${text}${offset < 0 ? '-' : '+'}${size}`;
}

/**
 * Creates a function that returns the offset of a UTC day, in milliseconds; undefined if it changes
 * on that day or the day before. Cached, because events share days and formatting is slow.
 */
function createDayOffsets(clock: (epoch: number) => number) {
  const offsets = new Map<number, number | undefined>();
  return (day: number): number | undefined => {
    if (offsets.has(day)) return offsets.get(day);
    const [before, at, after] = [day - 1, day, day + 1].map(
      (near) => clock(near * dayMs) - near * dayMs,
    );
    const offset = before === at && at === after ? at : undefined;
    offsets.set(day, offset);
    return offset;
  };
}

/**
 * Creates a function that returns timestamps as dates of a time zone, for cells that hold whole
 * multiples of `unit` milliseconds.
 */
export function createSheetDates(
  timeZone: string,
): (timestamp: string, unit: 1 | 1000) => SheetDate {
  const clock = createClock(timeZone);
  const offsetOfDay = createDayOffsets(clock);

  /** Returns true for the second occurrence of a local time, as an import reads the first one. */
  function isRepeat(epoch: number, local: number): boolean {
    const offsetBefore = clock(epoch - dayMs) - (epoch - dayMs);
    const earlier = local - offsetBefore;
    return earlier < epoch && clock(earlier) === local;
  }

  return (timestamp, unit) => {
    const epoch = Date.parse(timestamp);
    if (epoch < firstLocal - dayMs) return timestamp;
    const steady = offsetOfDay(Math.floor(epoch / dayMs));
    const local = steady === undefined ? clock(epoch) : epoch + steady;
    if (local < firstLocal || local >= endLocal) return timestamp;
    const isExact = local % unit === 0 && (steady !== undefined || !isRepeat(epoch, local));
    return isExact ? local : writeOffset(timestamp, local, local - epoch);
  };
}
