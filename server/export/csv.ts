import { eventMembers, type StoredEvent } from '../../db/model.ts';
import { emptyTextCell, escapeCell } from '../club/csv-cell.ts';
import { createSheetRows, type SheetCell, type SheetOptions, sheetHeadings } from './sheet.ts';

const columns = ['id', ...eventMembers] as const satisfies readonly (keyof StoredEvent)[];

/** Cell separators. Spreadsheets with decimal commas expect a semicolon. */
export const csvSeparators = [',', ';'] as const;
export type CsvSeparator = (typeof csvSeparators)[number];

/** Quotes a cell if RFC 4180 requires it. */
function quoteCell(cell: string, separator: CsvSeparator): string {
  const isPlain = !/["\r\n]/.test(cell) && !cell.includes(separator);
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}

/**
 * Returns a value as a cell. A null or absent value is an empty cell; an empty description, which
 * differs from none, is `emptyTextCell`.
 */
function cellOf(event: StoredEvent, field: keyof StoredEvent): string {
  const value = event[field];
  if (value === null || value === undefined) return '';
  if (field === 'description' && value === '') return emptyTextCell;
  return escapeCell(String(value));
}

/**
 * Writes events as CSV (RFC 4180), with the API's member names as its header. Escapes cells that a
 * spreadsheet would run as a formula; an import reverses this.
 */
export function* writeCsv(events: Iterable<StoredEvent>): Generator<string> {
  yield `${columns.join(',')}\r\n`;
  for (const event of events) {
    yield `${columns.map((column) => quoteCell(cellOf(event, column), ',')).join(',')}\r\n`;
  }
}

/** Returns a cell of a spreadsheet as text; dates and times in a form that all countries read. */
function textOf(cell: SheetCell): string {
  if (cell === null) return '';
  if (cell === '') return emptyTextCell;
  if (typeof cell !== 'object') return escapeCell(String(cell));
  const [day = '', time = ''] = new Date(cell.local).toISOString().slice(0, -1).split('T');
  const short = time.replace(/(:00)?\.000$/, '');
  return { date: day, time: short, moment: `${day} ${short}` }[cell.kind];
}

/**
 * Writes CSV that spreadsheet programs open with a double click, with local dates and headings in
 * the reader's language. Excel recognises UTF-8 only by a byte order mark and expects semicolons
 * where decimals have a comma.
 */
export function* writeSpreadsheet(
  events: Iterable<StoredEvent>,
  options: SheetOptions & { readonly separator: CsvSeparator },
): Generator<string> {
  const { separator } = options;
  const rowOf = createSheetRows(options);
  const writeRow = (cells: readonly string[]) =>
    `${cells.map((cell) => quoteCell(cell, separator)).join(separator)}\r\n`;
  yield `\ufeff${writeRow(sheetHeadings(options))}`;
  for (const event of events) yield writeRow(rowOf(event).map(textOf));
}
