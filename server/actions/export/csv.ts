import type { StoredEvent } from '../../../db/model.ts';
import { emptyTextCell, escapeCell } from '../csv-cell.ts';
import { eventFields } from '../import/source.ts';

/** A cell, in quotes where RFC 4180 wants them. */
function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
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
export function* writeCsv(events: Iterable<StoredEvent>): Generator<string> {
  yield `${eventFields.join(',')}\r\n`;
  for (const event of events) {
    yield `${eventFields.map((field) => quoteCell(cellOf(event, field))).join(',')}\r\n`;
  }
}
