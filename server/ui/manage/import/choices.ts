import type { ActionInput, ActionResult, ChosenFile, Progress } from '../../../bridge.ts';

export type ImportPreview = ActionResult<'import preview'>;
export type PreviewProblem = ImportPreview['problems'][number];
export type ImportReport = ActionResult<'import'>;
/** A row of a report; `file` is absent if there is only one. */
export type ReportedRow = ImportReport['files'][number]['rows'][number] & {
  readonly file?: string;
};
export type FieldMap = NonNullable<ActionInput<'import'>['map']>;
export type EventField = keyof FieldMap;
export type DateOrder = NonNullable<ActionInput<'import'>['dateOrder']>;

/** The fields of an event, the most likely ones of an old spreadsheet first. */
export const fields = [
  'name',
  'date',
  'location',
  'description',
  'status',
  'eventType',
  'registrationOpen',
  'id',
  'createdAt',
] as const satisfies readonly EventField[];

/** The user's choices for reading the files; the rest is detected from their contents. */
export type Choices = {
  readonly map: FieldMap;
  readonly dateOrder: DateOrder | null;
  /** An IANA name. */
  readonly timeZone: string;
};

export type WorkFile = ChosenFile & {
  /** The latest preview; absent before the first one. */
  readonly preview?: ImportPreview;
  readonly error?: Error;
};

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

/** The state of an import, from the choice of its files to its undo. */
export type ImportWork = {
  readonly files: readonly WorkFile[];
  readonly choices: Choices;
  /** True if the choices are those of an earlier import. */
  readonly hasRememberedChoices: boolean;
  readonly check: Job<ImportReport>;
  readonly import: Job<ImportReport>;
  readonly undo: Job<ActionResult<'undo'>>;
};

const none = { state: 'none' } as const;

/** No check, import or undo; the state after every change of files or choices. */
export const unchecked = { check: none, import: none, undo: none } satisfies Partial<ImportWork>;

/** Returns the default choices: detected from the files, in the time zone of this computer. */
export function automaticChoices(): Choices {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { map: {}, dateOrder: null, timeZone };
}

/** Returns the initial state of an import. */
export function noWork(): ImportWork {
  return { files: [], choices: automaticChoices(), hasRememberedChoices: false, ...unchecked };
}

/** Returns true if the files can be checked: all were read, without open problems. */
export function isReady({ files }: ImportWork): boolean {
  return (
    files.length > 0 &&
    files.every(({ preview, error }) => {
      if (preview === undefined || error !== undefined) return false;
      return preview.problems.length === 0 && preview.failure === null;
    })
  );
}

/** Returns the number of events added or changed, also for a dry run. */
export function countChanges({ added, changed }: ImportReport): number {
  return added + changed;
}
