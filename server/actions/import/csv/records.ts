import { unescapeCell } from '../../csv-cell.ts';
import {
  type BadRecord,
  type EventField,
  RecordError,
  type SourceItem,
  type SourceOptions,
  type SourceRecord,
} from '../source.ts';
import { createDateColumn, createSerialNote, type DateColumn } from './date-column.ts';
import type { Column } from './header.ts';
import type { Row } from './rows.ts';
import type { TextFile } from './text.ts';
import { readBoolean, readStatus, readType } from './words.ts';

/** Only a canonical integer becomes a number, so that no digit is lost; the rest is refused later. */
function integer(cell: string): unknown {
  const text = cell.trim();
  const value = Number(text);
  return /^-?\d+$/.test(text) && Number.isSafeInteger(value) ? value : text;
}

type DateField = 'date' | 'createdAt';

/** What a cell says of its field; an empty one says "none", or nothing where there must be one. */
const readCell: Readonly<Record<Exclude<EventField, DateField>, (cell: string) => unknown>> = {
  id: (cell) => (cell.trim() === '' ? undefined : integer(unescapeCell(cell))),
  name: unescapeCell,
  location: unescapeCell,
  description: (cell) => (cell === '' ? null : unescapeCell(cell)),
  status: (cell) => (cell.trim() === '' ? undefined : readStatus(unescapeCell(cell))),
  eventType: (cell) => (cell.trim() === '' ? null : readType(unescapeCell(cell))),
  registrationOpen: (cell) => (cell.trim() === '' ? undefined : readBoolean(unescapeCell(cell))),
};

type ReadField = { readonly field: EventField; readonly read: (row: Row) => unknown };

/** Makes records of the rows of a file whose columns are known. */
export type RecordReader = {
  readonly dates: readonly DateColumn[];
  /** The bad record of a row that is broken, or of another length than the header. */
  check(row: Row): BadRecord | undefined;
  /** The record of a row that was checked, once its dates are decided. */
  read(row: Row): SourceItem;
};

function readValues(row: Row, fields: readonly ReadField[]): SourceRecord['values'] {
  const values: Partial<Record<EventField, unknown>> = {};
  for (const { field, read } of fields) {
    const value = read(row);
    if (value !== undefined) values[field] = value;
  }
  return values;
}

/** The fault of a row of another length; only empty cells may stand where there is no column. */
function findWidthProblem({ cells }: Row, width: number): string | undefined {
  if (cells.length === width) return undefined;
  if (cells.length > width && cells.slice(width).every((cell) => cell === '')) return undefined;
  return `the row has more or fewer cells than the header (${cells.length}, not ${width}); the file may have been cut off`;
}

/** Makes the reader of all columns that are taken; the header has `width` cells. */
export function createRecordReader(
  text: TextFile,
  columns: readonly Column[],
  width: number,
  options: SourceOptions,
): RecordReader {
  const time = columns.find(({ kind }) => kind === 'time');
  const noteSerial = createSerialNote(options);
  const dates: DateColumn[] = [];
  const readerOf = (column: Column): ReadField[] => {
    const { kind, index } = column;
    if (kind === 'time') return [];
    if (kind !== 'date' && kind !== 'createdAt') {
      const read = readCell[kind];
      return [{ field: kind, read: ({ cells }) => read(cells[index] ?? '') }];
    }
    const timeOfDate = kind === 'date' ? time : undefined;
    const date = createDateColumn(text, { ...column, kind }, timeOfDate, options, noteSerial);
    dates.push(date);
    return [{ field: kind, read: date.read }];
  };
  const fields = columns.flatMap(readerOf);
  const labels = Object.fromEntries(columns.map(({ kind, label }) => [kind, label]));
  return {
    dates,
    check: (row) => {
      const problem = row.problem ?? findWidthProblem(row, width);
      return problem === undefined ? undefined : { place: `row ${row.row}`, problem };
    },
    read: (row) => {
      const place = `row ${row.row}`;
      try {
        return { place, values: readValues(row, fields), labels };
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        return {
          place: time === undefined ? place : `${place}, ${time.label}`,
          problem: error.message,
        };
      }
    },
  };
}
