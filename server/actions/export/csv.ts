import { eventMembers, type StoredEvent } from '../../../db/model.ts';
import { emptyTextCell, escapeCell } from '../csv-cell.ts';

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
export function* writeCsv(
  events: Iterable<StoredEvent>,
  separator: CsvSeparator = ',',
): Generator<string> {
  yield `${columns.join(separator)}\r\n`;
  for (const event of events) {
    const cells = columns.map((column) => quoteCell(cellOf(event, column), separator));
    yield `${cells.join(separator)}\r\n`;
  }
}

/**
 * Writes CSV that spreadsheet programs open with a double click. Excel recognises UTF-8 only by a
 * byte order mark and expects semicolons where decimals have a comma.
 */
export function* writeSpreadsheet(
  events: Iterable<StoredEvent>,
  separator: CsvSeparator,
): Generator<string> {
  yield '\ufeff';
  yield* writeCsv(events, separator);
}
