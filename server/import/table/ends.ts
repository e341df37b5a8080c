import { completeDate, type DateOrder, parseDate, readSerial } from '../../dates/dates.ts';
import { addDays, type EndWords, type Moment, wordEnd } from '../../dates/end-line.ts';
import { isNoTime, readFirstTime, readTime } from '../../dates/times.ts';
import { supportedLanguage, translator } from '../../messages/messages.ts';
import type { EndColumns } from './columns.ts';
import type { Row } from './table.ts';

/** The end of an event, on the clock of its start. */
type End = { readonly day: string | undefined; readonly time: string | undefined };

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
  const text = timeCell.replace(/^(?:bis|until|till|to|tot|jusqu.à|[-–])\s*/i, '');
  const [, clock = text] = /^\d{4}-\d\d-\d\dT(.+)$/.exec(text) ?? [];
  const time = readTime(clock) ?? readFirstTime(clock);
  if (time === undefined && !isNoTime(clock)) return undefined;
  return { day: date?.day, time: (time ?? date?.time)?.slice(0, 5) };
}

/** Returns the end of an event. Calendars end a whole day at the midnight after it. */
function endOf(start: Moment, { day = start.day, time = '' }: End): Moment {
  if (start.time !== '') {
    const isNight = day === start.day && time !== '' && time < start.time;
    return { day: isNight ? addDays(day, 1) : day, time };
  }
  if (time === '23:59' && day === start.day) return start;
  if (time !== '00:00') return { day, time: day === start.day ? time : '' };
  return { day: day === start.day ? day : addDays(day, -1), time: '' };
}

/**
 * Creates the function that words the end of an event, such as "until 22:00". Its start is a local
 * timestamp, `range` the end of its range of times; `noteUnfit` gets the columns that have no end.
 */
export function createEndReader(
  { day, time }: EndColumns,
  language = 'en-GB',
  noteUnfit: (column: number, row: Row) => void,
) {
  const supported = supportedLanguage([language]);
  const translate = translator(supported);
  const words = ((key, values) => translate(`value:${key}`, values)) satisfies EndWords;
  return (row: Row, start: string, range: string | undefined, order: DateOrder | undefined) => {
    const [dayCell, timeCell] = [day, time].map((at) => row.cells[at ?? -1]?.trim() ?? '');
    if (dayCell === '' && timeCell === '' && range === undefined) return undefined;
    const [startDay, startTime] = [start.slice(0, 10), start.slice(11, 16)];
    const cells = [dayCell ?? '', timeCell ?? ''] as const;
    const end = parseEnd(cells, Number(start.slice(0, 4)), order);
    if (end === undefined || (end.day ?? startDay) < startDay) {
      noteUnfit((timeCell === '' ? day : time) ?? day ?? 0, row);
      return undefined;
    }
    const isWhole = startTime === '' || startTime === '00:00';
    const begin = { day: startDay, time: isWhole ? '' : startTime };
    return wordEnd(endOf(begin, { ...end, time: end.time ?? range }), begin, supported, words);
  };
}
