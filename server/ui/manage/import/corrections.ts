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
type KeyedRow = { readonly key: string; readonly file: number; readonly row: ReportedRow };

type TableRow = { readonly row: number; readonly sheet: string | undefined };

/** Returns the row of a table at a place; undefined for other places, such as that of an event. */
export function rowAt({ key, values = {} }: Message): TableRow | undefined {
  const { row, sheet, place } = values;
  if ((key === 'place:row' || key === 'place:sheet_row') && typeof row === 'number') {
    return { row, sheet: typeof sheet === 'string' ? sheet : undefined };
  }
  return typeof place === 'object' && 'key' in place ? rowAt(place) : undefined;
}

/** Returns the key of a row of a table, the same in every report; other places share an event. */
function keyOf(token: string, place: Message, other: string): string {
  const { row = other, sheet = '' } = rowAt(place) ?? {};
  return [token, sheet, row].filter((part) => part !== '').join(' ');
}

/** Returns the rows of a report in the order of the files. */
export function keyedRows(report: ImportReport, files: readonly WorkFile[]): readonly KeyedRow[] {
  return report.files.flatMap(({ rows }, file) =>
    rows
      .filter((row) => row.kind !== 'kept')
      .map((row, index) => ({
        key: keyOf(files[file]?.token ?? '', row.place, `at ${index}`),
        file,
        row,
      })),
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
      const key = keyOf(files[file]?.token ?? '', event.place, `event ${event.id}`);
      return [{ key, file, event }];
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
export function isOf({ token, row, sheet }: CellCorrection, bad: BadRow): boolean {
  const { row: badRow, sheet: badSheet } = bad.correctable ?? {};
  return token === bad.token && row === badRow && sheet === badSheet;
}

/** Compares two rows by their files, then by their sheets and numbers. */
function compare(one: BadRow, other: BadRow): number {
  const [first, second] = [rowAt(one.place), rowAt(other.place)];
  const sheets = (first?.sheet ?? '').localeCompare(second?.sheet ?? '');
  return one.file - other.file || sheets || (first?.row ?? 0) - (second?.row ?? 0);
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
