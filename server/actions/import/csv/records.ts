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

/** Parses an integer if no digit is lost; the schema refuses any other cell. */
function integer(cell: string): unknown {
  const text = cell.trim();
  const value = Number(text);
  return /^-?\d+$/.test(text) && Number.isSafeInteger(value) ? value : text;
}

type DateField = 'date' | 'createdAt';

/** Parsers of cells by field; undefined means that the cell has no value. */
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

export type RecordReader = {
  readonly dates: readonly DateColumn[];
  /** Returns a bad record for a row that is broken or does not match the header in length. */
  check(row: Row): BadRecord | undefined;
  /** Returns the record of a checked row, once the order of its dates is known. */
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

/** Describes a row that does not match the header in length; surplus cells may be empty. */
function findWidthProblem({ cells }: Row, width: number): string | undefined {
  if (cells.length === width) return undefined;
  if (cells.length > width && cells.slice(width).every((cell) => cell === '')) return undefined;
  return `the row has more or fewer cells than the header (${cells.length}, not ${width}); the file may have been cut off`;
}

/** Creates the reader of the imported columns; the header has `width` cells. */
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
