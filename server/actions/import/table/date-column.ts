import { message } from '../../../messages/message.ts';
import {
  badSource,
  type DateOrder,
  displayValue,
  RecordError,
  type SourceOptions,
} from '../source.ts';
import type { Column } from './columns.ts';
import { completeDate, type LocalDate, orderOf, parseDate, readSerial } from './dates.ts';
import type { Row, Table } from './table.ts';
import { readTime } from './times.ts';

/** A column of dates, whose cells together show the order of day and month. */
export type DateColumn = {
  readonly column: Column & { readonly kind: 'date' | 'createdAt' };
  /** Returns the order of day and month in dates with slashes, if known. */
  order(): DateOrder | undefined;
  /** Returns true for an ambiguous cell while the order is unknown. */
  isUndecided(row: Row): boolean;
  /** Infers the order, if a row shows it. Throws `bad_input` if two rows contradict each other. */
  decide(by: 'first row' | 'all rows'): Promise<void>;
  /** Infers the order from all rows. Throws `bad_input` if they do not show it. */
  require(): Promise<void>;
  /**
   * Returns the cell as ISO 8601, or an invalid one unchanged. Throws a `RecordError` for a bad
   * time.
   */
  read(row: Row): string | undefined;
};

const isoDay = /^\d{4}-\d\d-\d\d/;
/** The time that spreadsheets add to date-only cells. */
const midnight = '00:00:00';

type Evidence = Map<DateOrder | 'either', { readonly row: number; readonly cell: string }>;

function write({ day, time }: LocalDate): string {
  return time === undefined ? day : `${day}T${time}`;
}

/** Records the order that a cell shows. Throws `bad_input` if another cell contradicts it. */
function gather(evidence: Evidence, row: Row, { index, label }: Column, file: string): void {
  const cell = row.cells[index] ?? '';
  const order = orderOf(cell);
  if (order === undefined || evidence.has(order)) return;
  evidence.set(order, { row: row.row, cell });
  const [dmy, mdy] = [evidence.get('dmy'), evidence.get('mdy')];
  if (dmy === undefined || mdy === undefined) return;
  const dayFirst = { dayFirst: displayValue(dmy.cell), dayFirstRow: dmy.row };
  const monthFirst = { monthFirst: displayValue(mdy.cell), monthFirstRow: mdy.row };
  const reason = message('reason:date_orders_mixed', { ...dayFirst, ...monthFirst });
  throw badSource(file, label, reason);
}

/** Creates the function that notes, once per file, that numbers were read as Excel's dates. */
export function createSerialNote({ note }: SourceOptions) {
  let isSent = false;
  return (row: number, cell: string, date: LocalDate): void => {
    if (isSent) return;
    isSent = true;
    const values = { number: cell.trim(), row, date: write(date).replace('T', ' ') };
    note(message('note:dates_were_numbers', values));
  };
}

/**
 * Adds the time of another column to a date. Throws a `RecordError` if it is bad or conflicting.
 */
function joinTime(date: LocalDate, cell: string): LocalDate {
  const time = readTime(cell);
  if (time === undefined) {
    throw new RecordError(message('reason:not_a_time', { value: displayValue(cell) }));
  }
  if (date.time === undefined || date.time === midnight || date.time === time) {
    return { day: date.day, time };
  }
  const values = { value: displayValue(cell), time: date.time };
  throw new RecordError(message('reason:times_differ', values));
}

/** Creates the reader of a column of dates; `timeColumn` holds their times. */
export function createDateColumn(
  table: Table,
  column: DateColumn['column'],
  timeColumn: Column | undefined,
  options: SourceOptions,
  noteSerial: ReturnType<typeof createSerialNote>,
): DateColumn {
  const { file } = table;
  const evidence: Evidence = new Map();
  let order = options.dateOrder;

  const undecidedError = (): Error => {
    const { row, cell } = evidence.get('either') ?? { row: 1, cell: '' };
    const place = message('place:row', { row });
    return badSource(
      file,
      message('place:field_at', { place, field: column.label }),
      message('reason:date_order_unclear', { value: displayValue(cell) }),
    );
  };

  const readAny = (cell: string, row: number): LocalDate | undefined => {
    const serial = readSerial(cell);
    if (serial === undefined) {
      const written = parseDate(cell, order);
      return written?.year === undefined ? undefined : completeDate(written, written.year);
    }
    noteSerial(row, cell, serial);
    return serial;
  };

  const inferOrder = (): DateOrder | undefined => {
    if (evidence.has('dmy')) return 'dmy';
    return evidence.has('mdy') ? 'mdy' : undefined;
  };

  const decide: DateColumn['decide'] = async (by) => {
    let isHeader = true;
    for await (const rows of table.rows()) {
      for (const row of isHeader ? rows.slice(1) : rows) gather(evidence, row, column, file);
      if (rows.length > 0) isHeader = false;
      if (by === 'first row' && inferOrder() !== undefined) break;
    }
    order = inferOrder();
  };

  return {
    column,
    order: () => order,
    isUndecided: (row) => {
      if (order !== undefined || !row.cells[column.index]?.includes('/')) return false;
      gather(evidence, row, column, file);
      return orderOf(row.cells[column.index] ?? '') === 'either';
    },
    decide,
    require: async () => {
      await decide('all rows');
      if (order === undefined) throw undecidedError();
    },
    read: ({ row, cells }) => {
      const cell = cells[column.index] ?? '';
      if (cell.trim() === '') return undefined;
      const time = timeColumn === undefined ? '' : (cells[timeColumn.index] ?? '');
      const hasTime = time.trim() !== '';
      if (!hasTime && isoDay.test(cell)) return cell;
      const date = readAny(cell, row);
      if (!hasTime) return date === undefined ? cell : write(date);
      if (date !== undefined) return write(joinTime(date, time));
      if (!isoDay.test(cell.trim()) || parseDate(cell, order) !== undefined) return cell;
      throw new RecordError(message('reason:date_has_time', { value: displayValue(cell) }));
    },
  };
}
