import type { Message } from '../../../messages/message.ts';
import type {
  BadRow,
  ImportReport,
  ImportWork,
  KeptRow,
  ReportedRow,
  WorkFile,
} from './choices.ts';
import { keyedRows, rowAt } from './corrections.ts';

/** The kinds of rows, those to correct or to decide first. */
export const kinds = ['skipped', 'kept', 'moved', 'added', 'changed', 'unchanged'] as const;
export type Kind = (typeof kinds)[number];

/** A row of the table: a bad row, one that contradicts edits by hand, or another of the report. */
export type CheckRow = {
  readonly key: string;
  readonly file: number;
  /** The kinds under which the row is shown. */
  readonly kinds: readonly Kind[];
  readonly bad?: BadRow;
  readonly kept?: KeptRow;
  /** The expected result; absent for a row that cannot be imported or changes nothing. */
  readonly result?: ReportedRow;
  /** True if the year of the date is not in the row. */
  readonly isYearGuessed?: boolean;
};

/** Returns a row of a table as a text; sheets that are read together number their rows alike. */
const rowText = (row: unknown, sheet: unknown = '') => `${row} ${sheet}`;

/** Returns the rows whose dates got a year from elsewhere, by the notes on a file or its sheets. */
function rowsWithoutYear(notes: readonly Message[], sheet?: unknown): readonly string[] {
  return notes.flatMap(({ values = {} }) => {
    const { note, guessed } = values;
    // A note on one of several sheets is within the note that names the sheet.
    if (typeof note === 'object' && 'key' in note) return rowsWithoutYear([note], values['sheet']);
    return Array.isArray(guessed) ? guessed.map((row) => rowText(row, sheet)) : [];
  });
}

/** Returns the rows of a report: first the bad ones, then those that contradict edits by hand. */
export function tableRowsOf(
  report: ImportReport,
  files: readonly WorkFile[],
  badRows: readonly BadRow[],
  keptRows: readonly KeptRow[],
): readonly CheckRow[] {
  const badKeys = new Set(badRows.map(({ key }) => key));
  const keptByEvent = new Map(keptRows.map((row) => [`${row.file} ${row.event.id}`, row]));
  const keptByKey = new Map(keptRows.map((row) => [row.key, row]));
  const results = new Map<string, ReportedRow>();
  const others: CheckRow[] = [];
  const withoutYear = report.files.map(({ notes }) => new Set(rowsWithoutYear(notes)));
  for (const { key, file, row } of keyedRows(report, files)) {
    if (row.kind === 'skipped') continue;
    const kept = 'changes' in row ? keptByEvent.get(`${file} ${row.id}`) : undefined;
    if (kept !== undefined || badKeys.has(key)) results.set(kept?.key ?? key, row);
    else {
      const at = rowAt(row.place);
      const isYearGuessed = withoutYear[file]?.has(rowText(at?.row, at?.sheet)) ?? false;
      others.push({ key, file, kinds: [row.kind], result: row, isYearGuessed });
    }
  }
  const rowOf = (key: string, file: number, bad: BadRow | undefined): CheckRow => {
    const isRight = bad === undefined || bad.reason === null;
    const kept = isRight ? keptByKey.get(key) : undefined;
    const result = isRight ? results.get(key) : undefined;
    const own: readonly (Kind | undefined)[] = [
      bad && 'skipped',
      kept && 'kept',
      result?.kind ?? (isRight ? 'unchanged' : undefined),
    ];
    return {
      key,
      file,
      kinds: own.filter((kind) => kind !== undefined),
      ...(bad && { bad }),
      ...(kept && { kept }),
      ...(result && { result }),
    };
  };
  return [
    ...badRows.map((bad) => rowOf(bad.key, bad.file, bad)),
    ...keptRows
      .filter(({ key }) => !badKeys.has(key))
      .map(({ key, file }) => rowOf(key, file, undefined)),
    ...others,
  ];
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
