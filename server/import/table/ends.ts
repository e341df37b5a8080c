import { completeDate, type DateOrder, parseDate, readSerial } from '../../dates/dates.ts';
import { isNoTime, readFirstTime, readTime } from '../../dates/times.ts';
import { supportedLanguage, translator } from '../../messages/messages.ts';
import type { EndColumns } from './columns.ts';
import { nextDay } from './date-column.ts';
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

/** Returns the end without what its start says too, and without the midnight of whole days. */
function shorten(day: string, time: string, end: End): Partial<End> {
  const isWhole = time === '' || time === '00:00';
  if (end.day === undefined || end.day === day) {
    const isSame = end.time === time || (isWhole && /^(?:00:00|23:59)$/.test(end.time ?? ''));
    return isSame ? {} : { time: end.time };
  }
  if (!isWhole && end.time !== undefined && end.day === nextDay(day) && end.time < time) {
    return { time: end.time };
  }
  if (!isWhole || end.time !== '00:00') return { ...end, time: isWhole ? undefined : end.time };
  // Calendars end a whole day at the midnight after it.
  const before = new Date(Date.parse(`${end.day}T00:00Z`) - 1).toISOString().slice(0, 10);
  return before === day ? {} : { day: before };
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
  const words = translator(supported);
  const tag = language.startsWith(supported) ? language : supported;
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
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
    const last = shorten(startDay, startTime, { ...end, time: end.time ?? range });
    if (last.day === undefined) {
      return last.time && words('value:until_time', { time: last.time });
    }
    const date = format.format(new Date(`${last.day}T00:00Z`));
    return last.time === undefined
      ? words('value:until_day', { day: date })
      : words('value:until_moment', { day: date, time: last.time });
  };
}
