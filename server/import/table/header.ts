import { looksLikeDate } from '../../dates/dates.ts';
import { looksLikeTime } from '../../dates/times.ts';
import type { FieldMap } from '../source.ts';
import { rolesOf } from './field-names.ts';
import type { Row } from './table.ts';

/** The parts of a table, judged by its first rows. */
export type TableLayout = {
  /** The headings, without surrounding blanks; all empty if the table has no header. */
  readonly names: readonly string[];
  /** The header; undefined if the table begins with its first event. */
  readonly header: Row | undefined;
  /** The rows above the header. */
  readonly titles: readonly Row[];
  /** The first rows below the header. */
  readonly data: readonly Row[];
};

/** Maximum number of rows above a header. */
const maxTitles = 50;
/** Number of cells of a row that are judged; a table of a club has fewer columns. */
const maxCells = 300;

/** Returns the letters by which spreadsheets name a column: A, B, …, Z, AA. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

/** Returns the distinct texts of a row; a merged title may be repeated in every cell. */
export function distinctCells({ cells }: Row): string[] {
  return [...new Set(cells.map((cell) => cell.trim()))].filter((cell) => cell !== '');
}

function hasDate(row: Row): boolean {
  return row.cells.some((cell) => /\d/.test(cell) && looksLikeDate(cell));
}

/** Counts the columns that a row names, if it is a header; mapped names are the surest sign. */
function countNames(row: Row, mapped: ReadonlySet<string>): number {
  const all = distinctCells(row);
  const cells = all.slice(0, maxCells);
  const named = all.filter((cell) => mapped.has(cell)).length;
  if (named > 0) return 100 * named;
  if (cells.some((cell) => looksLikeDate(cell) || looksLikeTime(cell))) return 0;
  return new Set(cells.map((cell) => rolesOf(cell)[0]).filter((role) => role !== undefined)).size;
}

/**
 * Returns the index of the header among the first rows of a table, or -1 without a header. It is
 * the row that names most fields, else the row above the first date.
 */
function findHeader(rows: readonly Row[], mapped: ReadonlySet<string>): number {
  const counts = rows.slice(0, maxTitles).map((row) => countNames(row, mapped));
  const most = Math.max(0, ...counts);
  const best = counts.indexOf(most);
  const first = rows.findIndex(hasDate);
  if (most > 1 || (most === 1 && (first === -1 || best < first))) return best;
  if (first <= 0) return first === -1 ? 0 : -1;
  const [above, below] = [rows[first - 1], rows[first]].map((row) => row && distinctCells(row));
  const isHeader = above !== undefined && above.length > 1 && below !== undefined;
  return isHeader && above.length * 2 >= below.length ? first - 1 : -1;
}

function listMappedNames(map: FieldMap): Set<string> {
  return new Set(
    Object.values(map).flatMap((names) =>
      typeof names === 'string' ? [names, ...names.split('+')] : (names ?? []),
    ),
  );
}

/**
 * Joins two rows that are a header together, such as "Zeit" above "von" and "bis"; the upper cells
 * may be merged. Returns undefined if the lower row is no header.
 */
function joinHeaders(upper: Row | undefined, lower: Row | undefined): Row | undefined {
  if (upper === undefined || lower === undefined || lower.row !== upper.row + 1) return undefined;
  const [above, below] = [upper, lower].map(({ cells }) => cells.map((cell) => cell.trim()));
  if (above === undefined || below === undefined) return undefined;
  const isText = (cell: string) => !/\d/.test(cell) && cell.length <= 40;
  const parts = below.filter((cell, at) => cell !== '' && (above[at] ?? '') === '');
  const isBelowSpan = parts.length > 0 && distinctCells(upper).length > 1;
  const isNamed = below.some((cell) => rolesOf(cell).length > 0);
  if (!isBelowSpan || !isNamed || ![...above, ...below].every(isText)) return undefined;
  let span = '';
  const cells = Array.from({ length: Math.max(above.length, below.length) }, (_, at) => {
    const [own = '', part = ''] = [above[at], below[at]];
    if (own !== '') span = own;
    if (part === '' || part === own) return own;
    return `${span} ${part}`.trim();
  });
  return { row: lower.row, cells };
}

/** Finds the header in the first rows of a table. */
export function findLayout(rows: readonly Row[], map: FieldMap): TableLayout {
  const mapped = listMappedNames(map);
  const found = findHeader(rows, mapped);
  // The user may have named a column by one of its two rows.
  const isMapped = rows[found]?.cells.some((cell) => mapped.has(cell.trim())) ?? false;
  const lower = isMapped ? undefined : joinHeaders(rows[found], rows[found + 1]);
  const upper = isMapped || lower ? undefined : joinHeaders(rows[found - 1], rows[found]);
  const at = lower === undefined ? found : found + 1;
  const header = lower ?? upper ?? rows[found];
  const data = rows.slice(at + 1);
  const width = Math.max(header?.cells.length ?? 0, ...data.map(({ cells }) => cells.length));
  const names = Array.from({ length: width }, (_, index) => header?.cells[index]?.trim() ?? '');
  // Without a header, the first rows may still be titles.
  const start = header === undefined ? Math.max(0, data.findIndex(hasDate)) : 0;
  return {
    names,
    header,
    titles: header === undefined ? data.slice(0, start) : rows.slice(0, upper ? found - 1 : found),
    data: data.slice(start),
  };
}
