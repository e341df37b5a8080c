import type { Message } from '../../../messages/message.ts';
import type {
  BadRow,
  CellCorrection,
  ImportReport,
  KeptRow,
  ReportedRow,
  WorkFile,
} from './choices.ts';

/** A row of the report, with the key of its row in the file. */
export type KeyedRow = { readonly key: string; readonly file: number; readonly row: ReportedRow };

/** Returns the number of a row in a table; undefined for other places, such as that of an event. */
export function rowNumberOf({ key, values = {} }: Message): number | undefined {
  const { row, place } = values;
  if (key === 'place:row' && typeof row === 'number') return row;
  return typeof place === 'object' && 'key' in place ? rowNumberOf(place) : undefined;
}

/** Returns the key of a row of a table, the same in every report; other places share an event. */
function keyOf(token: string, row: ReportedRow, index: number): string {
  const number =
    (row.kind === 'skipped' ? row.correctable?.row : undefined) ?? rowNumberOf(row.place);
  return `${token} ${number ?? `at ${index}`}`;
}

/** Returns the rows of a report in the order of the files. */
export function keyedRows(report: ImportReport, files: readonly WorkFile[]): readonly KeyedRow[] {
  return report.files.flatMap(({ rows }, file) =>
    rows
      .filter((row) => row.kind !== 'kept')
      .map((row, index) => ({ key: keyOf(files[file]?.token ?? '', row, index), file, row })),
  );
}

/**
 * Returns the rows of a report that contradict edits by hand, after those of the previous report:
 * rows for which the user chose the file are no longer in the report.
 */
export function collectKeptRows(
  report: ImportReport,
  files: readonly WorkFile[],
  previous: readonly KeptRow[],
  overwrite: ReadonlySet<number>,
): readonly KeptRow[] {
  const reported = report.files.flatMap(({ rows }, file) =>
    rows.flatMap((event): KeptRow[] => {
      if (event.kind !== 'kept') return [];
      const row = rowNumberOf(event.place) ?? `event ${event.id}`;
      return [{ key: `${files[file]?.token} ${row}`, file, event }];
    }),
  );
  const byKey = new Map(reported.map((row) => [row.key, row]));
  const known = previous.flatMap((row) => {
    const now = byKey.get(row.key) ?? (overwrite.has(row.event.id) ? row : undefined);
    return now === undefined ? [] : [now];
  });
  const knownKeys = new Set(known.map(({ key }) => key));
  return [...known, ...reported.filter(({ key }) => !knownKeys.has(key))];
}

/** Returns true for a correction of the row. */
export function isOf({ token, row }: CellCorrection, bad: BadRow): boolean {
  return token === bad.token && row === bad.correctable?.row;
}

/** Compares two rows by their files, then by their numbers. */
function compare(one: BadRow, other: BadRow): number {
  const numberOf = ({ place, correctable }: BadRow) => correctable?.row ?? rowNumberOf(place) ?? 0;
  return one.file - other.file || numberOf(one) - numberOf(other);
}

/** Returns the bad rows of a report, and those of the previous one that the user has corrected. */
export function collectBadRows(
  report: ImportReport,
  files: readonly WorkFile[],
  previous: readonly BadRow[],
  corrections: readonly CellCorrection[],
): readonly BadRow[] {
  const bad = keyedRows(report, files).flatMap(({ key, file, row }): BadRow[] => {
    if (row.kind !== 'skipped') return [];
    const { place, reason, correctable } = row;
    return [{ key, token: files[file]?.token ?? '', file, place, reason, correctable }];
  });
  const keys = new Set(bad.map(({ key }) => key));
  const corrected = previous
    .filter((row) => !keys.has(row.key) && corrections.some((one) => isOf(one, row)))
    .map((row) => ({ ...row, reason: null }));
  return corrected.length === 0 ? bad : [...bad, ...corrected].toSorted(compare);
}
