import { wording } from '../../wording.ts';
import { badSource, type DateOrder, RecordError, type SourceOptions } from '../source.ts';
import { type LocalDate, orderOf, readDate, readSerial, readTime } from './date.ts';
import type { Column } from './header.ts';
import { type Row, readRows } from './rows.ts';
import type { TextFile } from './text.ts';

/** A column of dates, whose cells together tell how those with slashes are meant. */
export type DateColumn = {
  readonly column: Column & { readonly kind: 'date' | 'createdAt' };
  /** How dates with slashes are meant, as far as it is known. */
  order(): DateOrder | undefined;
  /** Whether a cell can only be read once the rest of the column is known. */
  isUndecided(row: Row): boolean;
  /**
   * Decides by the column: by the first row that tells, or by all of them, which have to agree.
   * Throws `bad_input` when they do not.
   */
  decide(by: 'first row' | 'all rows'): Promise<void>;
  /** Decides by all rows. Throws `bad_input` when they do not tell, or contradict each other. */
  require(): Promise<void>;
  /** The cell as ISO 8601, or as it is, to be refused. Throws a `RecordError` for a bad time. */
  read(row: Row): string | undefined;
};

const isoDay = /^\d{4}-\d\d-\d\d/;
/** What a cell with only a date says of its time, as far as it says it. */
const midnight = '00:00:00';

type Evidence = Map<DateOrder | 'either', { readonly row: number; readonly cell: string }>;

function showCell(cell: string): string {
  return JSON.stringify(cell.length > 60 ? `${cell.slice(0, 60)}…` : cell);
}

function write({ day, time }: LocalDate): string {
  return time === undefined ? day : `${day}T${time}`;
}

/** Notes what a cell tells of its column. Throws `bad_input` when another told otherwise. */
function gather(evidence: Evidence, row: Row, { index, label }: Column, file: string): void {
  const cell = row.cells[index] ?? '';
  const order = orderOf(cell);
  if (order === undefined || evidence.has(order)) return;
  evidence.set(order, { row: row.row, cell });
  const [dmy, mdy] = [evidence.get('dmy'), evidence.get('mdy')];
  if (dmy === undefined || mdy === undefined) return;
  const what = `${showCell(dmy.cell)} in row ${dmy.row} has the day first, ${showCell(mdy.cell)} in row ${mdy.row} the month; write all dates one way`;
  throw badSource(file, label, what);
}

/** Makes the note that numbers were taken for Excel's dates; one for a whole file. */
export function createSerialNote({ note }: SourceOptions) {
  let isTold = false;
  return (row: number, cell: string, date: LocalDate): void => {
    if (isTold) return;
    isTold = true;
    const example = `${cell.trim()} in row ${row} as ${write(date).replace('T', ' ')}`;
    note(`there are numbers for dates; they were read as Excel's, ${example}.`);
  };
}

/** A date with the time of another column; conflicting times are refused. */
function joinTime(date: LocalDate, cell: string): LocalDate {
  const time = readTime(cell);
  if (time === undefined) {
    throw new RecordError(`${showCell(cell)} is not a time; write it like 18:00`);
  }
  if (date.time === undefined || date.time === midnight || date.time === time) {
    return { day: date.day, time };
  }
  throw new RecordError(
    `${showCell(cell)} is not the time of the date, ${date.time}; leave one of them out`,
  );
}

/** Makes the reader of a column of dates, with the times of another one if there is one. */
export function createDateColumn(
  text: TextFile,
  column: DateColumn['column'],
  timeColumn: Column | undefined,
  options: SourceOptions,
  noteSerial: ReturnType<typeof createSerialNote>,
): DateColumn {
  const { name: file } = text.file;
  const evidence: Evidence = new Map();
  let order = options.dateOrder;

  const refuseUndecided = (): Error => {
    const { row, cell } = evidence.get('either') ?? { row: 1, cell: '' };
    const what = `${showCell(cell)} could begin with its day or its month, and no row of the column tells`;
    return badSource(
      file,
      `row ${row}, ${column.label}`,
      (front) => `${what}; ${wording[front].tellDateOrder}`,
    );
  };

  const readAny = (cell: string, row: number): LocalDate | undefined => {
    const serial = readSerial(cell);
    if (serial === undefined) return readDate(cell, order);
    noteSerial(row, cell, serial);
    return serial;
  };

  const tellOrder = (): DateOrder | undefined => {
    if (evidence.has('dmy')) return 'dmy';
    return evidence.has('mdy') ? 'mdy' : undefined;
  };

  const decide: DateColumn['decide'] = async (by) => {
    let isHeader = true;
    for await (const rows of readRows(text)) {
      for (const row of isHeader ? rows.slice(1) : rows) gather(evidence, row, column, file);
      if (rows.length > 0) isHeader = false;
      if (by === 'first row' && tellOrder() !== undefined) break;
    }
    order = tellOrder();
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
      if (order === undefined) throw refuseUndecided();
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
      if (!isoDay.test(cell.trim())) return cell;
      throw new RecordError(
        `the date ${showCell(cell)} has a time of its own; leave one of them out`,
      );
    },
  };
}
