import { completeDate, type DateOrder, parseDate, readSerial } from '../../dates/dates.ts';
import { isNoTime, readFirstTime, readTime } from '../../dates/times.ts';
import { simplify } from '../../dates/tokens.ts';
import { ends, oneOf } from '../../dates/vocabulary.ts';
import { createEndWriter, type End } from '../end-words.ts';
import type { EndColumns } from './columns.ts';
import type { Row } from './table.ts';

/** Hours of an event that goes on in the night and ends at an earlier time of day. */
const maxNight = 16;

const hoursOf = (time = '') => Number(time.slice(0, 2)) + Number(time.slice(3, 5)) / 60;

/** Words and signs before the time of an end. */
const before = new RegExp(`^(?:${oneOf(ends.day)}|-)\\s*`, 'i');

/** Parses the cells of an end; undefined if one is no date or time. */
function parseEnd(
  [dayCell, timeCell]: readonly [string, string],
  year: number,
  order: DateOrder | undefined,
): End | undefined {
  const written = dayCell === '' ? undefined : parseDate(dayCell, order);
  const date =
    readSerial(dayCell) ?? (written && completeDate(written, written.year ?? year)) ?? undefined;
  if (dayCell !== '' && date === undefined) return undefined;
  const text = simplify(timeCell).replace(before, '');
  const [, clock = text] = /^\d{4}-\d\d-\d\dT(.+)$/.exec(text) ?? [];
  const time = readTime(clock) ?? readFirstTime(clock);
  if (time === undefined && !isNoTime(clock)) return undefined;
  return { day: date?.day, time: (time ?? date?.time)?.slice(0, 5) };
}

/**
 * Creates the function that words the end of an event, such as "until 22:00". Its start is a local
 * timestamp, `range` the end that its date or time has; `noteUnfit` gets the columns that have no end.
 */
export function createEndReader(
  { day, time }: EndColumns,
  language: string | undefined,
  noteUnfit: (column: number, row: Row) => void,
) {
  const writeEnd = createEndWriter(language);
  return (row: Row, start: string, range: End, order: DateOrder | undefined) => {
    const [dayCell, timeCell] = [day, time].map((at) => row.cells[at ?? -1]?.trim() ?? '');
    if (dayCell === '' && timeCell === '' && !range.day && !range.time) return undefined;
    const [startDay, startTime] = [start.slice(0, 10), start.slice(11, 16)];
    const cells = [dayCell ?? '', timeCell ?? ''] as const;
    const end = parseEnd(cells, Number(start.slice(0, 4)), order);
    if (end === undefined || (end.day ?? startDay) < startDay) {
      noteUnfit((timeCell === '' ? day : time) ?? day ?? 0, row);
      return undefined;
    }
    // An end before its start is in the night after it, unless that is hardly possible.
    const isNextDay = (end.day ?? startDay) === startDay && end.time && end.time < startTime;
    if (isNextDay && hoursOf(end.time) + 24 - hoursOf(startTime) > maxNight) {
      noteUnfit(time ?? day ?? 0, row);
      return undefined;
    }
    const isWhole = startTime === '' || startTime === '00:00';
    const begin = { day: startDay, time: isWhole ? '' : startTime };
    return writeEnd(begin, { day: end.day ?? range.day, time: end.time ?? range.time });
  };
}
