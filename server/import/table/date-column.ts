import {
  completeDate,
  type DateOrder,
  type LocalDate,
  orderOf,
  parseDate,
  readSerial,
  type WrittenDate,
  yearFrom,
} from '../../dates/dates.ts';
import { addDays } from '../../dates/days.ts';
import { isNoTime, isOpenTime, readFirstTime, readTime, readTimeEnd } from '../../dates/times.ts';
import { articles, dayTimes, oneOf } from '../../dates/vocabulary.ts';
import { displayText, displayValue, type Message, message } from '../../messages/message.ts';
import { badSource, RecordError, type SourceOptions } from '../source.ts';
import type { FieldColumns } from './columns.ts';
import { type FirstDay, findFirstDay } from './first-day.ts';
import type { TableLayout } from './header.ts';
import { createCellNotes, rangesOf } from './remarks.ts';
import type { Row, Table } from './table.ts';

/** The missing knowledge about the dates of a column. */
type DateGap = 'order' | 'year';

/** A column of dates, whose cells together show the order of day and month. */
export type DateColumn = {
  readonly columns: FieldColumns & { readonly field: 'date' | 'createdAt' };
  /** Returns the cell of a row. */
  cell(row: Row): string;
  /** Returns the order of day and month in dates with slashes, if known. */
  order(): DateOrder | undefined;
  /** Returns the knowledge that a cell needs and no other cell has given so far. */
  findGap(row: Row): DateGap | undefined;
  /** Infers the order, if a row shows it. Throws `bad_input` if two rows contradict each other. */
  decide(by: 'first row' | 'all rows'): Promise<void>;
  /** Infers the order from all rows. Throws `bad_input` if something stays unknown. */
  require(row: Row, gap: DateGap): Promise<void>;
  /**
   * Returns the cell as ISO 8601, or an invalid one unchanged. Throws a `RecordError` for a bad
   * time.
   */
  read(row: Row): string | undefined;
  /** Returns the end of the range of times in the row that was read last, as `HH:MM`. */
  endTime(): string | undefined;
  /** Returns messages about dates that were read in an unusual way. */
  notes(): readonly Message[];
};

const isoDay = /^\d{4}-\d\d-\d\d/;
/** A timestamp or a day, which the schema of events reads faster. */
const isoForm = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d[^/]*)?$/;
/** The time that spreadsheets add to date-only cells. */
const midnight = /^00:00(?::00)?/;

type Evidence = Map<DateOrder | 'either', { readonly row: number; readonly cell: string }>;

function write({ day, time }: LocalDate): string {
  return time === undefined ? day : `${day}T${time}`;
}

/** Returns the cells of all columns, joined by blanks. */
export function joinedCell({ parts }: FieldColumns, { cells }: Row): string {
  const [first] = parts[0] ?? [];
  if (parts.length === 1 && parts[0]?.length === 1) return cells[first ?? 0] ?? '';
  return parts
    .flat()
    .map((index) => cells[index]?.trim() ?? '')
    .filter((cell) => cell !== '')
    .join(' ');
}

const hour = oneOf(dayTimes.hour);

/** The end of a day, at which the next one begins. */
const endOfDay = new RegExp(
  `^(?:(?:${oneOf(articles.hour)}) )?(?:24[:.]00(?::00)?(?: ?(?:${hour}))?|24 ?(?:${hour})|(?:12 )?(?:${oneOf(dayTimes.midnight)})|12 uhr nachts)$`,
  'i',
);

/**
 * Adds the time of another column to a date; calls `note` for a time that is not all of the cell, or
 * on the next day. Throws a `RecordError` if it is bad or conflicting.
 */
function joinTime(
  date: LocalDate,
  cell: string,
  note: (key: 'note:times_with_texts' | 'note:midnights') => void,
): LocalDate {
  // A moment in a column of times: a workbook that shows only its time.
  const [, text = cell] = /^\d{4}-\d\d-\d\dT(.+)$/.exec(cell) ?? [];
  const hasOwn = date.time !== undefined && !midnight.test(date.time);
  if (!hasOwn && endOfDay.test(text.trim())) {
    note('note:midnights');
    return { day: addDays(date.day, 1), time: '00:00:00' };
  }
  const [utc] = /^\d\d:\d\d(?::\d\d)?Z$/i.exec(text.trim()) ?? [];
  const whole = utc ?? readTime(text);
  const time = whole ?? readFirstTime(text);
  if (time === undefined) {
    throw new RecordError(message('reason:not_a_time', { value: displayValue(cell) }));
  }
  if (!hasOwn || date.time === time) {
    if (whole === undefined) note('note:times_with_texts');
    return { day: date.day, time };
  }
  const values = { value: displayValue(cell), time: date.time };
  throw new RecordError(message('reason:times_differ', values));
}

/** Number of rows that a table can mark. */
const maxMarked = 10_000;

/** Creates the reader of a column of dates; `timeColumns` hold their times. */
export function createDateColumn(
  table: Table,
  layout: TableLayout,
  columns: DateColumn['columns'],
  timeColumns: FieldColumns | undefined,
  options: SourceOptions,
): DateColumn {
  const { file } = table;
  const evidence: Evidence = new Map();
  const cellNotes = createCellNotes();
  const cellOf = (row: Row) => joinedCell(columns, row);
  const firstRow = (layout.header?.row ?? layout.titles.at(-1)?.row ?? 0) + 1;
  let order = options.dateOrder;
  let firstDay: FirstDay | null | undefined;
  /** The rows whose dates have no year of their own. */
  const rowsWithoutYear: number[] = [];
  let cellWithoutYear = '';
  let endTime: string | undefined;
  /** True once all rows were read for their order. */
  let isSurveyed = false;

  /** Finds the first day when the first date without a year comes. */
  const getFirstDay = (): FirstDay | undefined => {
    firstDay ??= findFirstDay(table, layout, cellOf, options) ?? null;
    return firstDay ?? undefined;
  };

  /** Records the order that a cell shows. Throws `bad_input` if another cell contradicts it. */
  const gather = (row: Row): void => {
    const cell = cellOf(row);
    const shown = orderOf(cell);
    if (shown === undefined || evidence.has(shown)) return;
    evidence.set(shown, { row: row.row, cell });
    const [dmy, mdy] = [evidence.get('dmy'), evidence.get('mdy')];
    if (dmy === undefined || mdy === undefined) return;
    const dayFirst = { dayFirst: displayValue(dmy.cell), dayFirstRow: dmy.row };
    const monthFirst = { monthFirst: displayValue(mdy.cell), monthFirstRow: mdy.row };
    const reason = message('reason:date_orders_mixed', { ...dayFirst, ...monthFirst });
    throw badSource(file, columns.label, reason);
  };

  const gapError = (row: number, cell: string, gap: DateGap): Error =>
    badSource(
      file,
      message('place:field_at', { place: message('place:row', { row }), field: columns.label }),
      message(gap === 'order' ? 'reason:date_order_unclear' : 'reason:year_missing', {
        value: displayValue(cell.trim()),
      }),
    );

  const inferOrder = (): DateOrder | undefined => {
    if (evidence.has('dmy')) return 'dmy';
    return evidence.has('mdy') ? 'mdy' : undefined;
  };

  const decide: DateColumn['decide'] = async (by) => {
    for await (const rows of table.rows()) {
      for (const row of rows) if (row.row >= firstRow) gather(row);
      if (by === 'first row' && inferOrder() !== undefined) break;
    }
    order = inferOrder();
    isSurveyed ||= by === 'all rows' || order !== undefined;
  };

  /** Completes a date with its year, and notes the unusual. */
  const complete = (written: WrittenDate, cell: string, row: number): LocalDate | undefined => {
    const first = written.year === undefined ? getFirstDay() : undefined;
    const year = written.year ?? (first && yearFrom(first.day, written));
    const date = year === undefined ? undefined : completeDate(written, year);
    if (date === undefined) return undefined;
    if (first !== undefined && rowsWithoutYear.at(-1) !== row) {
      if (rowsWithoutYear.length === 0) cellWithoutYear = displayText(cell.trim());
      rowsWithoutYear.push(row);
    }
    if (written.isRange) cellNotes.add('note:date_ranges', row, cell, write(date));
    const weekday = new Date(date.day).getUTCDay();
    if (written.weekdays.length > 0 && !written.weekdays.includes(weekday)) {
      cellNotes.add('note:weekdays_differ', row, cell, write(date));
    }
    return date;
  };

  const readAny = (cell: string, row: number): LocalDate | undefined => {
    const serial = readSerial(cell);
    if (serial !== undefined) {
      cellNotes.add('note:dates_were_numbers', row, cell, write(serial));
      return serial;
    }
    // A weekday may show the order of a single date.
    const shown = order ?? orderOf(cell);
    const written = parseDate(cell, shown === 'either' ? undefined : shown);
    endTime = written?.end;
    if (written?.isTimeOpen) cellNotes.add('note:times_open', row, cell);
    if (written?.hasMark) cellNotes.add('note:times_with_texts', row, cell);
    return written && complete(written, cell, row);
  };

  /** Returns the note on the source of the years, with the rows that have none. */
  const noteYears = ({ key, values }: Message): Message =>
    message(key, {
      ...values,
      count: rowsWithoutYear.length,
      rows: rangesOf(rowsWithoutYear),
      cell: cellWithoutYear,
      guessed: rowsWithoutYear.slice(0, maxMarked),
    });

  return {
    columns,
    cell: cellOf,
    order: () => order,
    findGap: (row) => {
      const cell = cellOf(row);
      if (order === undefined && /\d[/-]\d/.test(cell) && !isoDay.test(cell)) {
        gather(row);
        if (orderOf(cell) === 'either') return 'order';
        // A date with hyphens begins with its day unless another row shows the opposite.
        if (!isSurveyed && !cell.includes('/')) return 'order';
      }
      // Four digits are a year, or a time behind a date that hardly anybody writes without one.
      if (/\d{4}/.test(cell)) return undefined;
      const written = parseDate(cell, order);
      const hasYear = written === undefined || written.year !== undefined;
      return hasYear || getFirstDay() !== undefined ? undefined : 'year';
    },
    decide,
    require: async (row, gap) => {
      if (gap === 'year') throw gapError(row.row, cellOf(row), gap);
      await decide('all rows');
      const { row: at, cell } = evidence.get('either') ?? { row: row.row, cell: cellOf(row) };
      if (order === undefined && cellOf(row).includes('/')) throw gapError(at, cell, gap);
    },
    read: (row) => {
      const cell = cellOf(row);
      endTime = undefined;
      if (cell.trim() === '') return undefined;
      const time = timeColumns === undefined ? '' : joinedCell(timeColumns, row);
      const hasTime = time.trim() !== '' && !isNoTime(time);
      if (!hasTime && isOpenTime(time)) cellNotes.add('note:times_open', row.row, time);
      if (!hasTime && isoForm.test(cell)) return cell;
      const date = readAny(cell, row.row);
      if (!hasTime) return date === undefined ? cell : write(date);
      if (date !== undefined) {
        const end = readTimeEnd(time);
        if (end?.isList) cellNotes.add('note:times_with_texts', row.row, time);
        else endTime = end?.time;
        return write(joinTime(date, time, (key) => cellNotes.add(key, row.row, time)));
      }
      if (!isoDay.test(cell.trim()) || parseDate(cell, order) !== undefined) return cell;
      throw new RecordError(message('reason:date_has_time', { value: displayValue(cell) }));
    },
    endTime: () => endTime,
    notes: () => [
      ...cellNotes.messages(),
      ...(rowsWithoutYear.length > 0 && firstDay?.note ? [noteYears(firstDay.note)] : []),
    ],
  };
}
