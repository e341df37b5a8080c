import { unescapeCell } from '../csv-cell.ts';
import { createDateColumn, createSerialNote, type DateColumn } from './csv/date-column.ts';
import { type Column, findColumns } from './csv/header.ts';
import { type Row, readRows } from './csv/rows.ts';
import { findText, type TextFile } from './csv/text.ts';
import { readBoolean, readStatus, readType } from './csv/words.ts';
import {
  badSource,
  type EventField,
  type ReadSource,
  type SourceOptions,
  type SourceRecord,
} from './source.ts';

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

type RowReader = {
  readonly labels: NonNullable<SourceRecord['labels']>;
  readonly width: number;
  readonly dates: readonly DateColumn[];
  readonly fields: readonly ReadField[];
};

/** Makes the readers of all columns that are taken, in the light of the header. */
function createRowReader(text: TextFile, header: Row, options: SourceOptions): RowReader {
  const columns = findColumns(text.file.name, header, options);
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
    const date = createDateColumn(text, column, timeOfDate, options, noteSerial);
    dates.push(date);
    return [{ field: kind, read: date.read }];
  };
  const fields = columns.flatMap(readerOf);
  const labels = Object.fromEntries(columns.map(({ kind, label }) => [kind, label]));
  return { labels, width: header.cells.length, dates, fields };
}

function readValues(row: Row, fields: readonly ReadField[]): SourceRecord['values'] {
  const values: Partial<Record<EventField, unknown>> = {};
  for (const { field, read } of fields) {
    const value = read(row);
    if (value !== undefined) values[field] = value;
  }
  return values;
}

/** Refuses a row of another length; only empty cells may stand where there is no column. */
function checkWidth({ row, cells }: Row, width: number, file: string): void {
  if (cells.length === width) return;
  if (cells.length > width && cells.slice(width).every((cell) => cell === '')) return;
  const what = `the row has more or fewer cells than the header (${cells.length}, not ${width}); the file may have been cut off`;
  throw badSource(file, `row ${row}`, what);
}

/**
 * Reads a CSV file (RFC 4180, or as spreadsheets write it) in UTF-8, UTF-16 or an encoding of one
 * byte, whose first row names the columns, many records at a time. The file is opened two to five
 * times. Throws `bad_input` naming the row, as far as there is one.
 */
export const readCsv: ReadSource = async function* readCsv(file, options) {
  const text = await findText(file, options.note);
  let reader: RowReader | undefined;
  for await (const rows of readRows(text)) {
    const records: SourceRecord[] = [];
    try {
      for (const row of rows) {
        if (reader === undefined) {
          reader = createRowReader(text, row, options);
          continue;
        }
        checkWidth(row, reader.width, file.name);
        for (const date of reader.dates) if (date.isUndecided(row)) await date.decide();
        const { labels, fields } = reader;
        records.push({ place: `row ${row.row}`, values: readValues(row, fields), labels });
      }
    } finally {
      // Before an error, too: of all bad rows, the first one is told.
      yield records;
    }
  }
  if (reader !== undefined) return;
  const what = 'the file is empty; its first row has to name the columns';
  throw badSource(file.name, undefined, what);
};
