import type { BadRow, ImportReport, ImportWork, ReportedRow, WorkFile } from './choices.ts';
import { keyedRows } from './corrections.ts';

/** The kinds of rows, those to correct first. */
export const kinds = ['skipped', 'added', 'changed', 'unchanged'] as const;
export type Kind = (typeof kinds)[number];

/** A row of the table: a bad row, or one that the import will take. */
export type CheckRow = {
  readonly key: string;
  readonly file: number;
  /** The kinds under which the row is shown. */
  readonly kinds: readonly Kind[];
  readonly bad?: BadRow;
  /** The expected result; absent for a row that cannot be imported. */
  readonly result?: ReportedRow;
};

/** Returns the rows of a report: first the bad ones, with their result once they are corrected. */
export function tableRowsOf(
  report: ImportReport,
  files: readonly WorkFile[],
  badRows: readonly BadRow[],
): readonly CheckRow[] {
  const badKeys = new Set(badRows.map(({ key }) => key));
  const results = new Map<string, ReportedRow>();
  const others: CheckRow[] = [];
  for (const { key, file, row } of keyedRows(report, files)) {
    if (row.kind === 'skipped') continue;
    if (badKeys.has(key)) results.set(key, row);
    else others.push({ key, file, kinds: [row.kind], result: row });
  }
  const bad = badRows.map((row): CheckRow => {
    const result = row.reason === null ? results.get(row.key) : undefined;
    const own: readonly Kind[] = result === undefined ? ['skipped'] : ['skipped', result.kind];
    return { key: row.key, file: row.file, kinds: own, bad: row, ...(result && { result }) };
  });
  return [...bad, ...others];
}

/** Returns the state of a bad row; undefined for other rows. */
export function rowState({ bad }: CheckRow, { leftOut }: ImportWork): string | undefined {
  if (bad === undefined || leftOut.has(bad.key)) return undefined;
  return bad.reason === null ? 'right' : 'bad';
}

/** Returns the first row after another one that the user still has to correct. */
export function nextToCorrect(
  rows: readonly CheckRow[],
  { leftOut }: ImportWork,
  after: number,
): number | undefined {
  const isOpen = ({ bad }: CheckRow) =>
    bad?.correctable !== undefined && bad.reason !== null && !leftOut.has(bad.key);
  const order = [...rows.keys()];
  const cyclic = [...order.slice(after + 1), ...order.slice(0, Math.max(after, 0))];
  return cyclic.find((index) => isOpen(rows[index] as CheckRow));
}
