import { Problem, packProblem } from '../../../errors.ts';
import { type Message, message } from '../../../messages/message.ts';
import { unescapeCell } from '../../csv-cell.ts';
import {
  dependOnZone,
  type FormatPreview,
  type FormatReader,
  type Head,
  type PreviewColumn,
  type PreviewProblem,
  pickSamples,
  previewRows,
  shorten,
  takeFirst,
} from '../preview.ts';
import {
  type BadRecord,
  badSource,
  type EventField,
  RecordError,
  type SourceFile,
  type SourceItem,
  type SourceOptions,
  type SourceRecord,
} from '../source.ts';
import { type Column, checkHeader, matchColumns, requireColumns } from './columns.ts';
import { createDateColumn, createSerialNote, type DateColumn } from './date-column.ts';
import { orderOf } from './dates.ts';
import { readBoolean, readStatus, readType } from './field-names.ts';
import type { OpenTables, Row, Table } from './table.ts';

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
function findWidthProblem({ cells }: Row, width: number): Message | undefined {
  if (cells.length === width) return undefined;
  if (cells.length > width && cells.slice(width).every((cell) => cell === '')) return undefined;
  return message('reason:row_width', { cells: cells.length, width });
}

/** Creates the reader of the imported columns; the header has `width` cells. */
export function createRecordReader(
  table: Table,
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
    const date = createDateColumn(table, { ...column, kind }, timeOfDate, options, noteSerial);
    dates.push(date);
    return [{ field: kind, read: date.read }];
  };
  const fields = columns.flatMap(readerOf);
  const labels = Object.fromEntries(columns.map(({ kind, label }) => [kind, label]));
  const placeOf = ({ row }: Row) => message('place:row', { row });
  return {
    dates,
    check: (row) => {
      const problem = row.problem ?? findWidthProblem(row, width);
      return problem === undefined ? undefined : { place: placeOf(row), problem };
    },
    read: (row) => {
      const place = placeOf(row);
      try {
        return { place, values: readValues(row, fields), labels };
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        const { problem } = error;
        return time === undefined
          ? { place, problem }
          : { place: message('place:field_at', { place, field: time.label }), problem };
      }
    },
  };
}

export function emptyFile(file: string): Error {
  return badSource(file, undefined, message('reason:file_empty'));
}

/** Opens the table to import of a file. */
async function openTable(
  open: OpenTables,
  file: SourceFile,
  options: SourceOptions,
): Promise<Table> {
  const [table] = await open(file, options);
  if (table === undefined) throw emptyFile(file.name);
  return table;
}

/**
 * Reads the records of a table, whose first row is the header. Yields many records at a time and
 * reads the table one to four times. Throws `bad_input`, naming the row if there is one.
 */
async function* readTable(open: OpenTables, file: SourceFile, options: SourceOptions) {
  const table = await openTable(open, file, options);
  let reader: RecordReader | undefined;
  for await (const rows of table.rows()) {
    const records: SourceItem[] = [];
    try {
      for (const row of rows) {
        if (reader === undefined) {
          const columns = requireColumns(file.name, row, options);
          reader = createRecordReader(table, columns, row.cells.length, options);
          continue;
        }
        const bad = reader.check(row);
        if (bad !== undefined) {
          records.push(bad);
          continue;
        }
        for (const date of reader.dates) if (date.isUndecided(row)) await date.require();
        records.push(reader.read(row));
      }
    } finally {
      // Yield before an error too, so that the first bad row of the file is the one reported.
      yield records;
    }
  }
  if (reader === undefined) throw emptyFile(file.name);
}

/** Maximum number of columns shown, besides imported ones; nobody looks through more. */
const maxColumns = 300;

function describeColumns(
  header: Row,
  rows: readonly Row[],
  columns: readonly Column[],
): PreviewColumn[] {
  const kinds = new Map(columns.map(({ index, kind }) => [index, kind]));
  return header.cells.flatMap((name, index) => {
    if (index >= maxColumns && !kinds.has(index)) return [];
    const samples = pickSamples(rows.map(({ cells }) => cells[index] ?? ''));
    return [{ name, samples, takenAs: kinds.get(index) ?? null }];
  });
}

/** Infers the order of day and month where it is unknown; reads no further than needed. */
async function decideDates(
  { dates }: RecordReader,
  row: Row,
  problems: PreviewProblem[],
): Promise<void> {
  for (const date of dates) {
    const { kind, index } = date.column;
    if (problems.some((one) => one.kind === 'dateOrder' && one.field === kind)) continue;
    if (!date.isUndecided(row)) continue;
    await date.decide('first row');
    if (date.order() !== undefined) continue;
    const cell = shorten(row.cells[index] ?? '');
    const place = message('place:row', { row: row.row });
    problems.push({ kind: 'dateOrder', field: kind, place, cell });
  }
}

/** Reads a row; dates whose order is unknown stay as written. */
function readRow(reader: RecordReader, row: Row): SourceItem {
  const record = reader.read(row);
  if ('problem' in record) return record;
  const open = reader.dates.filter((date) => date.isUndecided(row));
  const cells = open.map(({ column }) => [column.kind, row.cells[column.index]] as const);
  return { ...record, values: { ...record.values, ...Object.fromEntries(cells) } };
}

async function readRecords(
  reader: RecordReader,
  rows: readonly Row[],
  problems: PreviewProblem[],
): Promise<Head<SourceItem>> {
  const items: SourceItem[] = [];
  try {
    for (const row of rows) {
      const bad = reader.check(row);
      if (bad === undefined) await decideDates(reader, row, problems);
      items.push(bad ?? readRow(reader, row));
    }
    return { items, failure: undefined };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { items, failure: error };
  }
}

/**
 * Previews the first rows of a table. It is read beyond those rows only to infer the order of day
 * and month.
 */
async function previewTable(
  open: OpenTables,
  file: SourceFile,
  options: SourceOptions,
  maxRows: number,
): Promise<FormatPreview> {
  const table = await openTable(open, file, options);
  const { items, failure } = await takeFirst(table.rows(), maxRows + 1);
  const [header, ...rows] = items;
  if (header === undefined) throw emptyFile(file.name);
  checkHeader(file.name, header);
  const matched = matchColumns(header.cells, options.map);
  const problems: PreviewProblem[] = [...matched.problems];
  const reader = createRecordReader(table, matched.columns, header.cells.length, options);
  const records = await readRecords(reader, rows, problems);
  const { timeZone } = options;
  const problem = records.failure ?? failure;
  const cells = reader.dates.flatMap(({ column }) => rows.map((row) => row.cells[column.index]));
  return {
    table: { sheets: [], sheet: table.sheet, firstRow: rows[0]?.row ?? null, count: null },
    columns: describeColumns(header, rows, matched.columns),
    problems,
    dates: {
      haveSlashes: cells.some((cell) => orderOf(cell ?? '') !== undefined),
      order: reader.dates.map((date) => date.order()).find((order) => order !== undefined) ?? null,
      areLocal: dependOnZone(records.items, timeZone),
    },
    rows: previewRows(records.items, timeZone, problems),
    failure: problem === undefined ? null : packProblem(problem),
  };
}

/** Creates the reader of a format whose files are tables. */
export function createTableReader(open: OpenTables): FormatReader {
  return {
    read: (file, options) => readTable(open, file, options),
    preview: (file, options, maxRows) => previewTable(open, file, options, maxRows),
  };
}
