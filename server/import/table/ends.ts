import { parseTimestamp } from '../../club/timestamp.ts';
import {
  completeDate,
  type DateOrder,
  hasOffset,
  looksLikeDate,
  parseDate,
  readSerial,
  type WrittenDate,
  yearFrom,
} from '../../dates/dates.ts';
import { addDays, type Day, partsOf, writeDay } from '../../dates/days.ts';
import { type NamedZone, onClock, splitZone } from '../../dates/time-zones.ts';
import {
  isEndOfDay,
  isNoTime,
  readFirstTime,
  readTime,
  readTimeNumber,
} from '../../dates/times.ts';
import { simplify } from '../../dates/tokens.ts';
import { ends, oneOf } from '../../dates/vocabulary.ts';
import { zoneNamed } from '../../dates/zone.ts';
import { createEndWriter, type End, isNearlyADay } from '../end-words.ts';
import type { SourceOptions } from '../source.ts';
import type { EndColumns } from './columns.ts';
import type { Row } from './table.ts';
import type { createZoneReader } from './zones.ts';

/** Words and signs before the time of an end. */
const before = new RegExp(`^(?:${oneOf(ends.day)}|-)\\s*`, 'i');

/** Returns the day and time of a timestamp on the clock of the club; undefined if it is invalid. */
function localOf(timestamp: string, own: string) {
  const instant = parseTimestamp(timestamp, own);
  const { dayOf, timeOf } = zoneNamed(own);
  return instant === undefined ? undefined : { day: dayOf(instant), time: timeOf(instant) };
}

/** Parses the cells of an end; undefined if one is no date or time, or in a zone of others. */
function parseEnd(
  [dayCell, timeCell]: readonly [string, string],
  start: string,
  order: DateOrder | undefined,
  { own, zone }: { readonly own: string; readonly zone: NamedZone },
): End | undefined {
  const exact = [timeCell, dayCell].find((cell) => hasOffset.test(cell));
  if (exact !== undefined) return localOf(exact, own);
  const zoned = splitZone(timeCell, own, zone);
  if (zoned === 'foreign') return undefined;
  const end = parsePlainEnd([dayCell, zoned.time], start.slice(0, 10), order);
  if (end?.time === undefined || zoned.offset === undefined) return end;
  const local = `${end.day ?? start.slice(0, 10)}T${end.time}:00`;
  const [day, time] = onClock(local, zoned.offset, own).split('T');
  return { day: end.day && day, time: time?.slice(0, 5) };
}

/** Number of days after a start within which an end without a year is looked for. */
const maxDays = 180;

/** Returns the year of an end that has none; one before its start is not that of the next year. */
function yearOfEnd(startDay: Day, written: WrittenDate): number {
  const year = yearFrom(startDay, written);
  const end = writeDay(year, written.month, written.day);
  return end > addDays(startDay, maxDays) ? partsOf(startDay).year : year;
}

/** Parses the cells of an end on the clock of the club. */
function parsePlainEnd(
  [dayCell, timeCell]: readonly [string, string],
  startDay: Day,
  order: DateOrder | undefined,
): End | undefined {
  const written = dayCell === '' ? undefined : parseDate(dayCell, order);
  const date =
    readSerial(dayCell) ??
    (written && completeDate(written, written.year ?? yearOfEnd(startDay, written))) ??
    undefined;
  if (dayCell !== '' && date === undefined) return undefined;
  const text = simplify(timeCell).replace(before, '');
  const [, clock = text] = /^\d{4}-\d\d-\d\dT(.+)$/.exec(text) ?? [];
  if (isEndOfDay(clock)) return { day: date && addDays(date.day, 1), time: '00:00' };
  const time = readTime(clock) ?? readTimeNumber(clock) ?? readFirstTime(clock);
  if (time === undefined && !isNoTime(clock)) return undefined;
  return { day: date?.day, time: (time ?? date?.time)?.slice(0, 5) };
}

/** The start of an event, with the end that its date or time has. */
type Start = {
  readonly timestamp: string;
  readonly range: End;
  readonly order: DateOrder | undefined;
  /** The offset from UTC that the start names, in which its end is too. */
  readonly offset: number | undefined;
};

/**
 * Creates the function that words the end of an event, such as "until 22:00"; `noteUnfit` gets the
 * columns that have no end.
 */
export function createEndReader(
  { day, time }: EndColumns,
  { language, timeZone: own }: SourceOptions,
  zoneOf: ReturnType<typeof createZoneReader>,
  noteUnfit: (column: number, row: Row) => void,
) {
  const writeEnd = createEndWriter(language);
  const columns = [day, time].flatMap((at) => at ?? []);
  return (row: Row, { timestamp, range, order, offset }: Start) => {
    const cellAt = (at = -1) => row.cells[at]?.trim() ?? '';
    // One column may have the times of short events and the last days of long ones.
    const isShared = day === time && !looksLikeDate(cellAt(day));
    const [dayCell, timeCell] = [
      isShared ? '' : cellAt(day),
      day === time && !isShared ? '' : cellAt(time),
    ];
    if (dayCell === '' && timeCell === '' && !range.day && !range.time) return undefined;
    const local = hasOffset.test(timestamp) ? localOf(timestamp, own) : undefined;
    const startDay = local?.day ?? timestamp.slice(0, 10);
    const startTime = local?.time ?? timestamp.slice(11, 16);
    const cells = [dayCell, timeCell] as const;
    const zone = zoneOf(row, columns).zone ?? offset;
    const end = parseEnd(cells, startDay, order, { own, zone });
    if (end === undefined || (end.day ?? startDay) < startDay) {
      noteUnfit((timeCell === '' ? day : time) ?? day ?? 0, row);
      return undefined;
    }
    // An end before its start is in the night after it, unless that is hardly possible.
    if ((end.day ?? startDay) === startDay && isNearlyADay(startTime, end.time)) {
      noteUnfit(time ?? day ?? 0, row);
      return undefined;
    }
    const isWhole = startTime === '' || startTime === '00:00';
    const begin = { day: startDay, time: isWhole ? '' : startTime };
    return writeEnd(begin, { day: end.day ?? range.day, time: end.time ?? range.time });
  };
}
