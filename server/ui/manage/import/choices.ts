import type { ActionInput, ActionResult, ChosenFile, Progress } from '../../../actions/bridge.ts';
import type { Message } from '../../../messages/message.ts';
import type { Answers } from '../../data/season-plan.ts';

export type ImportPreview = ActionResult<'import preview'>;
export type PreviewProblem = ImportPreview['problems'][number];
export type ImportReport = ActionResult<'import'>;
type AnyRow = ImportReport['files'][number]['rows'][number];
/** An event whose edits by hand differ from its row. */
export type KeptEvent = Extract<AnyRow, { readonly kind: 'kept' }>;
/** The result of a row. */
export type ReportedRow = Exclude<AnyRow, KeptEvent>;
export type FieldMap = NonNullable<ActionInput<'import'>['map']>;
/** A field of an event, or the time of day for its date. */
export type EventField = keyof FieldMap;
export type DateOrder = NonNullable<ActionInput<'import'>['dateOrder']>;

/** The fields of an event, the most likely ones of an old spreadsheet first. */
export const fields = [
  'name',
  'date',
  'time',
  'ends',
  'location',
  'eventType',
  'description',
  'status',
  'registrationOpen',
  'id',
  'createdAt',
] as const satisfies readonly EventField[];

/** An event to come that is no longer in a plan that came again. */
export type MissingEvent = ImportReport['files'][number]['missingEvents'][number];
/** The answer about events of last season that come again: they move, or are added as new ones. */
export type Moved = NonNullable<ActionInput<'import'>['moved']>;

/** The part of a checked import that the answers to clashes decide. */
export type Decisions = {
  /** The keys of new events that are left out. */
  readonly omitted: ReadonlySet<string>;
  /** The times at which new events begin instead, by their keys. */
  readonly begins: ReadonlyMap<string, string>;
  /** The events that are here and that move or are cancelled. */
  readonly changes: NonNullable<ActionInput<'import'>['changes']>;
};

/** The user's choices for reading the files; the rest is detected from their contents. */
export type Choices = {
  readonly map: FieldMap;
  readonly dateOrder: DateOrder | null;
  /** The first day of a list whose dates have no year, `YYYY-MM-DD`. */
  readonly from: string | null;
  /** The sheets of a workbook; null for the first with events and those like it. */
  readonly sheet: readonly string[] | null;
  /** `table` to read a year planner, or a list in rounds, as an ordinary table. */
  readonly layout: 'table' | null;
  /** An IANA name. */
  readonly timeZone: string;
};

export type WorkFile = ChosenFile & {
  /** The latest preview; absent before the first one. */
  readonly preview?: ImportPreview;
  /** The error of the last reading; the preview is that of earlier choices then. */
  readonly error?: Error;
};

/** A file that could be read, at least with earlier choices. */
export type PreviewedFile = WorkFile & { readonly preview: ImportPreview };

export function isPreviewed(file: WorkFile): file is PreviewedFile {
  return file.preview !== undefined;
}

/** The state of a long operation, or its outcome. */
export type Job<Result> =
  | { readonly state: 'none' }
  | {
      readonly state: 'running';
      readonly progress: Progress | undefined;
      readonly cancel: () => void;
    }
  | { readonly state: 'done'; readonly result: Result }
  | { readonly state: 'failed'; readonly error: Error };

/** A value for a cell, typed by the user or chosen from the suggestions. */
export type CellCorrection = {
  readonly token: string;
  readonly row: number;
  /** The sheet, if several were read. */
  readonly sheet?: string | undefined;
  readonly field: EventField;
  /** The text as the import understands it. */
  readonly text: string;
  /** The text in the user's language. */
  readonly shown: string;
};

type Skipped = Extract<ReportedRow, { readonly kind: 'skipped' }>;
type CorrectableRow = NonNullable<Skipped['correctable']>;

/** A row that cannot be imported, or that could not before the user corrected it. */
export type BadRow = {
  readonly key: string;
  /** The file, also by its index in the report. */
  readonly token: string;
  readonly file: number;
  readonly place: Message;
  /** Absent if no correction of a cell helps. */
  readonly correctable?: CorrectableRow | undefined;
  /** Null for a corrected row. */
  readonly reason: Message | null;
};

/** A row that contradicts edits by hand; the user chooses between the edits and the file. */
export type KeptRow = {
  readonly key: string;
  /** The file, by its index in the report. */
  readonly file: number;
  readonly event: KeptEvent;
};

export const steps = ['file', 'columns', 'check'] as const;
export type ImportStep = (typeof steps)[number];

/** The state of an import, from the choice of its files to its undo. */
export type ImportWork = {
  readonly step: ImportStep;
  readonly files: readonly WorkFile[];
  readonly choices: Choices;
  /** True if the choices are those of an earlier import. */
  readonly hasRememberedChoices: boolean;
  readonly corrections: readonly CellCorrection[];
  /** Keys of the bad rows that the user does not want to correct. */
  readonly leftOut: ReadonlySet<string>;
  /** The bad rows of the latest check, and the rows corrected since the first one. */
  readonly badRows: readonly BadRow[];
  /** The rows that contradict edits by hand, also those for which the user chose the file. */
  readonly kept: readonly KeptRow[];
  /** The ids of events whose edits by hand give way to the file. */
  readonly overwrite: ReadonlySet<number>;
  /** The answers to the clashes of several files. */
  readonly answers: Answers;
  /** The question about events of last season that come again; null without any. */
  readonly question: { readonly count: number; readonly weeks: number } | null;
  /** The answer to it; without one, the check is that of a move. */
  readonly moved: Moved | null;
  /** The answers about events that are no longer in the files: true to cancel, false to keep. */
  readonly cancelled: ReadonlyMap<number, boolean>;
  /** True if the report of the check lacks the latest corrections. */
  readonly isOutdated: boolean;
  readonly check: Job<ImportReport>;
  readonly import: Job<ImportReport>;
  readonly undo: Job<ActionResult<'undo'>>;
};

const none = { state: 'none' } as const;

/** No check, import or undo; the state after every change of files or choices. */
export const unchecked = {
  check: none,
  import: none,
  undo: none,
  isOutdated: false,
} satisfies Partial<ImportWork>;

/** The edits by hand win, and no question is answered; the state after every change of files or choices. */
export const undecided = {
  kept: [],
  overwrite: new Set<number>(),
  answers: new Map() as Answers,
  question: null,
  moved: null,
  cancelled: new Map<number, boolean>(),
} satisfies Partial<ImportWork>;

/** Corrections of no rows; the state of a new table. */
export const uncorrected = {
  corrections: [],
  leftOut: new Set<string>(),
  badRows: [],
} satisfies Partial<ImportWork>;

/** Returns the default choices, in a time zone: the rest is detected from the files. */
export function automaticChoices(timeZone: string): Choices {
  return { map: {}, dateOrder: null, from: null, sheet: null, layout: null, timeZone };
}

/** Returns the initial state of an import. */
export function noWork(timeZone: string): ImportWork {
  return {
    step: 'file',
    files: [],
    choices: automaticChoices(timeZone),
    hasRememberedChoices: false,
    ...uncorrected,
    ...undecided,
    ...unchecked,
  };
}

/** Returns the names of files for a sentence. */
export function namesOf(files: readonly { readonly name: string }[]): string {
  return files.map(({ name }) => name).join(', ');
}

/** Returns true for an import with files that are not imported yet. */
export function isStarted({ files, import: job }: ImportWork): boolean {
  return files.length > 0 && job.state !== 'done';
}

/** Returns true for a file with events, whose columns or first events can be shown. */
function isReadable(file: WorkFile): file is PreviewedFile {
  const { preview, error } = file;
  if (preview === undefined || error !== undefined) return false;
  const { rows, problems, columns, failure } = preview;
  return rows.length > 0 || problems.length > 0 || (failure !== null && columns.length > 0);
}

/** Returns true if there are files and all are readable. */
export function areReadable(files: readonly WorkFile[]): files is readonly PreviewedFile[] {
  return files.length > 0 && files.every(isReadable);
}

/** Returns true if the files can be checked: all were read, without open problems. */
export function isReady({ files }: ImportWork): boolean {
  return (
    areReadable(files) &&
    files.every(({ preview }) => preview.problems.length === 0 && preview.failure === null)
  );
}

/** Returns the number of events of all files; null if a file is too long to count them now. */
export function countEvents({ files }: ImportWork): number | null {
  const counts = files.map(({ preview }) => preview?.table?.count ?? null);
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}

/** Returns the events to come that are no longer in the files, by date. */
export function missingEvents({ files }: ImportReport): readonly MissingEvent[] {
  const missing = files.flatMap((file) => file.missingEvents);
  return missing.toSorted((one, other) => (one.date < other.date ? -1 : 1));
}

/** Returns the missing events that the user cancels, as changes of the import. */
export function cancellations(report: ImportReport, { cancelled }: ImportWork) {
  return missingEvents(report)
    .filter(({ id }) => cancelled.get(id) === true)
    .map(({ id, date }) => ({ kind: 'cancel' as const, id, date }));
}

/** Returns the number of events that the import adds, moves, changes or cancels. */
export function countChanges(report: ImportReport, work: ImportWork): number {
  return report.added + report.moved + report.changed + cancellations(report, work).length;
}
