import { pipeline, Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { unescapeCell } from '../csv-cell.ts';
import {
  badSource,
  type EventField,
  eventFields,
  type FieldMap,
  type ReadSource,
  type SourceFile,
  type SourceOptions,
  type SourceRecord,
} from './source.ts';
import { decodeUtf8 } from './utf8.ts';

/** The longest row that is taken, in characters: a quote that is never closed ends there. */
const longestRow = 1_000_000;

type CsvRow = { readonly record: string[]; readonly info: Info };

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};

/** A cell that is one word of a list, whatever its case and the blanks around it. */
function word(cell: string): string {
  return cell.trim().toLowerCase();
}

/** Only a canonical integer becomes a number, so that no digit is lost; the rest is refused later. */
function integer(cell: string): unknown {
  const text = cell.trim();
  const value = Number(text);
  return /^-?\d+$/.test(text) && Number.isSafeInteger(value) ? value : text;
}

/** What a cell says of its field; an empty one says "none", or nothing where there must be one. */
const readCell: Readonly<Record<EventField, (cell: string) => unknown>> = {
  id: (cell) => (cell.trim() === '' ? undefined : integer(unescapeCell(cell))),
  name: unescapeCell,
  date: (cell) => (cell.trim() === '' ? undefined : cell),
  location: unescapeCell,
  description: (cell) => (cell === '' ? null : unescapeCell(cell)),
  status: (cell) => (cell.trim() === '' ? undefined : word(cell)),
  eventType: (cell) => (cell.trim() === '' ? null : word(cell)),
  registrationOpen: (cell) => (cell.trim() === '' ? undefined : (truths[word(cell)] ?? cell)),
  createdAt: (cell) => (cell.trim() === '' ? undefined : cell),
};

type Column = { readonly field: EventField; readonly index: number };

/** The columns that hold a mapped field under its given name. Throws when one is not there, once. */
function findMapped(file: string, header: readonly string[], map: FieldMap): Column[] {
  return eventFields.flatMap((field) => {
    const name = map[field];
    if (name === undefined) return [];
    const index = header.indexOf(name);
    if (index === -1) {
      const names = header.map((column) => `"${column}"`).join(', ');
      throw badSource(
        file,
        'row 1',
        `there is no column "${name}" for ${field}; there are ${names}`,
      );
    }
    if (header.indexOf(name, index + 1) !== -1) {
      throw badSource(file, 'row 1', `two columns are named "${name}"; rename one`);
    }
    return [{ field, index }];
  });
}

/** The columns that bear the name of a field that is not mapped, in any case. */
function findNamed(file: string, header: readonly string[], map: FieldMap): Column[] {
  return eventFields.flatMap((field) => {
    if (map[field] !== undefined) return [];
    const indexes = header.keys().filter((at) => header[at] && word(header[at]) === word(field));
    const [index, second] = indexes;
    if (second !== undefined) {
      throw badSource(file, 'row 1', `two columns are named "${field}"; rename one`);
    }
    return index === undefined ? [] : [{ field, index }];
  });
}

function findColumns(
  { name: file }: SourceFile,
  header: readonly string[],
  { map, ignore }: SourceOptions,
): Column[] {
  const columns = [...findMapped(file, header, map), ...findNamed(file, header, map)];
  for (const field of ['name', 'date'] as const) {
    if (columns.some((column) => column.field === field)) continue;
    const names = header.map((name) => `"${name}"`).join(', ');
    const what = `there is no column "${field}"; say which one it is with --map ${field}=COLUMN, of ${names}`;
    throw badSource(file, 'row 1', what);
  }
  const taken = new Set(columns.map(({ index }) => index));
  for (const [index, name] of header.entries()) if (!taken.has(index)) ignore(name);
  return columns;
}

/** The row as spreadsheets number it: the header is row 1, and empty ones count. */
function rowOf({ records, empty_lines }: Info): string {
  return `row ${records + empty_lines}`;
}

function valuesOf(cells: readonly string[], columns: readonly Column[]): SourceRecord['values'] {
  const values: Partial<Record<EventField, unknown>> = {};
  for (const { field, index } of columns) {
    const value = readCell[field](cells[index] ?? '');
    if (value !== undefined) values[field] = value;
  }
  return values;
}

const csvSentences: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed; the file may have been cut off',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; double the quotes inside a cell',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell; put the cell in quotes and double it',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${longestRow} characters; a quote may not be closed`,
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH:
    'the row has more or fewer cells than the header; the file may have been cut off',
};

/**
 * Reads a CSV file (RFC 4180) in UTF-8 whose first row names the columns, a record at a time.
 * Throws `bad_input` naming the row.
 */
export const readCsv: ReadSource = async function* readCsv(file, options) {
  const parser = parse({ info: true, skip_empty_lines: true, max_record_size: longestRow });
  // Errors of either stream come out of the iteration below.
  pipeline(Readable.from(decodeUtf8(file.open(), file.name)), parser, () => undefined);
  let columns: Column[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRow>) {
      if (columns === undefined) columns = findColumns(file, record, options);
      else yield { place: rowOf(info), values: valuesOf(record, columns) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const what = csvSentences[error.code] ?? `it is not valid CSV: ${error.message}`;
    throw badSource(file.name, `row ${parser.info.records + parser.info.empty_lines + 1}`, what);
  }
  if (columns === undefined) {
    throw badSource(
      file.name,
      undefined,
      'the file is empty; its first row has to name the columns',
    );
  }
};
