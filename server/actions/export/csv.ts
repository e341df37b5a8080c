import { eventMembers, type StoredEvent } from '../../../db/model.ts';
import { emptyTextCell, escapeCell } from '../csv-cell.ts';

const columns = ['id', ...eventMembers] as const satisfies readonly (keyof StoredEvent)[];

/** What stands between cells: spreadsheets whose decimals have a comma want a semicolon. */
export const csvSeparators = [',', ';'] as const;
export type CsvSeparator = (typeof csvSeparators)[number];

/** A cell, in quotes where RFC 4180 wants them. */
function quoteCell(cell: string, separator: CsvSeparator): string {
  const isPlain = !/["\r\n]/.test(cell) && !cell.includes(separator);
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}

/**
 * A value as a cell. Null and "never said" are empty cells; the empty description, which is not
 * the same as none, has a cell of its own.
 */
function cellOf(event: StoredEvent, field: keyof StoredEvent): string {
  const value = event[field];
  if (value === null || value === undefined) return '';
  if (field === 'description' && value === '') return emptyTextCell;
  return escapeCell(String(value));
}

/**
 * Writes events as CSV (RFC 4180) in UTF-8, its columns named as the members of the contract. Cells
 * that a spreadsheet would run as a formula are escaped; an import takes the escape away.
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
 * CSV as a spreadsheet program opens it with a double click: Excel takes a file for UTF-8 only with
 * a byte order mark, and wants semicolons where decimals have a comma.
 */
export function* writeSpreadsheet(
  events: Iterable<StoredEvent>,
  separator: CsvSeparator,
): Generator<string> {
  yield '\ufeff';
  yield* writeCsv(events, separator);
}
