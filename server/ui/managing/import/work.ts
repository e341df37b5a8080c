import type { ActionInput, ActionResult, ChosenFile, Progress } from '../../../bridge.ts';

export type ImportPreview = ActionResult<'import preview'>;
export type PreviewProblem = ImportPreview['problems'][number];
export type ImportReport = ActionResult<'import'>;
/** A row of a report; of which file, where there are several. */
export type ReportedRow = ImportReport['files'][number]['rows'][number] & {
  readonly file?: string;
};
export type FieldMap = NonNullable<ActionInput<'import'>['map']>;
export type EventField = keyof FieldMap;
export type DateOrder = NonNullable<ActionInput<'import'>['dateOrder']>;

/** The fields of an event, those first that an old spreadsheet most likely has. */
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

/** What the user has said of how the files are to be read; the rest is chosen by their contents. */
export type Choices = {
  readonly map: FieldMap;
  readonly dateOrder: DateOrder | null;
  /** An IANA name. */
  readonly timeZone: string;
};

/** A file to import, and what is known of it. */
export type WorkFile = ChosenFile & {
  /** As the choices were when it was last read; absent before that. */
  readonly preview?: ImportPreview;
  /** Why nothing of it can be read. */
  readonly error?: Error;
};

/** Something that takes its time: how it stands, or what came of it. */
export type Job<Result> =
  | { readonly state: 'none' }
  | {
      readonly state: 'running';
      readonly progress: Progress | undefined;
      readonly cancel: () => void;
    }
  | { readonly state: 'done'; readonly result: Result }
  | { readonly state: 'failed'; readonly error: Error };

/** An import of a club from the choice of its files to its end; it goes on when nobody looks. */
export type ImportWork = {
  readonly files: readonly WorkFile[];
  readonly choices: Choices;
  /** Whether the choices are those of an earlier import. */
  readonly isAsLast: boolean;
  readonly check: Job<ImportReport>;
  readonly import: Job<ImportReport>;
  readonly undo: Job<ActionResult<'undo'>>;
};

const none = { state: 'none' } as const;

/** Nothing checked and nothing done: how it stands again after every change of files or choices. */
export const unchecked = { check: none, import: none, undo: none } satisfies Partial<ImportWork>;

/** What the files themselves tell, and the time zone of this computer. */
export function automaticChoices(): Choices {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { map: {}, dateOrder: null, timeZone };
}

/** An import that has not begun. */
export function noWork(): ImportWork {
  return { files: [], choices: automaticChoices(), isAsLast: false, ...unchecked };
}

/** Whether the files can be checked: each was read, and nothing is left to choose. */
export function isReady({ files }: ImportWork): boolean {
  return (
    files.length > 0 &&
    files.every(({ preview, error }) => {
      if (preview === undefined || error !== undefined) return false;
      return preview.problems.length === 0 && preview.failure === null;
    })
  );
}

/** How many events would be, or were, added or changed. */
export function countChanges({ added, changed }: ImportReport): number {
  return added + changed;
}
