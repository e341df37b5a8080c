import i18next from 'i18next';
import type {
  ActionInput,
  ActionResult,
  CancellableName,
  ChosenFile,
  Club,
} from '../../../actions/bridge.ts';
import { computerZone } from '../../base/days.ts';
import { BridgeError, errorOf, perform } from '../../base/desktop.ts';
import { regionalTag } from '../../base/format.ts';
import { createSharedValue, type SharedValue } from '../../base/shared-value.ts';
import { startOwnChange } from '../../data/own-changes.ts';
import type { Answers } from '../../data/season-plan.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import {
  areReadable,
  automaticChoices,
  type BadRow,
  type CellCorrection,
  type Choices,
  cancellations,
  countChanges,
  type Decisions,
  type ImportReport,
  type ImportStep,
  type ImportWork,
  type Job,
  type Moved,
  noWork,
  unchecked,
  uncorrected,
  undecided,
  type WorkFile,
} from './choices.ts';
import { collectBadRows, collectKeptRows, isOf, keyedRows } from './corrections.ts';
import { recallChoices, rememberChoices } from './remembered.ts';
import { placeOfImport, recallImport, storeImport } from './stored-import.ts';

/** Runs an action and reports its state; resolves to undefined if the action fails. */
async function runJob<Name extends CancellableName>(
  name: Name,
  args: ActionInput<Name>,
  onChange: (job: Job<ActionResult<Name>>) => void,
): Promise<ActionResult<Name> | undefined> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  onChange({ state: 'running', progress: undefined, cancel });
  try {
    const result = await perform(name, args, {
      signal: controller.signal,
      onProgress: (progress) => onChange({ state: 'running', progress, cancel }),
    });
    onChange({ state: 'done', result });
    return result;
  } catch (thrown) {
    onChange({ state: 'failed', error: errorOf(thrown) });
    return undefined;
  }
}

/** Returns the choices as arguments of an action, without those that are open. */
function optionsOf({ map, timeZone, dateOrder, from, sheet, layout }: Choices) {
  return {
    map,
    timeZone,
    language: regionalTag(i18next.language),
    ...(dateOrder !== null && { dateOrder }),
    ...(from !== null && { from }),
    ...(sheet !== null && { sheet: [...sheet] }),
    ...(layout !== null && { layout }),
  };
}

/** Number of events shown of each file. */
const rows = 6;

/** Reads the beginning of a file; returns the file with a preview or an error. */
async function readFile(file: WorkFile, choices: Choices): Promise<WorkFile> {
  const { token, name, size, preview } = file;
  try {
    const args = { files: [token] as [string], rows, ...optionsOf(choices) };
    return { token, name, size, preview: await perform('import preview', args) };
  } catch (thrown) {
    // The earlier preview lets the user change the choices that led to the error.
    return { token, name, size, error: errorOf(thrown), ...(preview && { preview }) };
  }
}

const isUnread = ({ preview, error }: WorkFile) => preview === undefined && error === undefined;

/** Returns the remembered choices on the first preview, unless the user has chosen anything. */
function recall(file: WorkFile, { choices, files }: ImportWork): Partial<ImportWork> {
  const isChosen = Object.keys(choices.map).length > 0 || choices.dateOrder !== null;
  const isNew = files.every(({ preview }) => preview === undefined);
  if (isChosen || !isNew || file.preview === undefined || file.preview.columns.length === 0)
    return {};
  const last = recallChoices(file.preview);
  if (last === undefined) return {};
  return { choices: { ...choices, ...last }, hasRememberedChoices: true };
}

/**
 * Returns a function that updates the previews; a call during an update repeats it afterwards. New files
 * that can be read lead to the step of their columns, unless the step is kept.
 */
function createPreviewRefresh(
  work: SharedValue<ImportWork>,
): (keepsStep?: 'keepsStep') => Promise<void> {
  let isReading = false;
  let isOutdated = false;
  let isStepKept = false;

  async function readAll(): Promise<void> {
    const { files, choices } = work.get();
    const previewed = await Promise.all(files.map((file) => readFile(file, choices)));
    // Previews for outdated choices would only flicker.
    if (isOutdated) return;
    const current = work.get();
    const [first] = previewed;
    const recalled = first === undefined ? {} : recall(first, current);
    isOutdated = recalled.choices !== undefined;
    const isNew = current.files.some(isUnread) && !isStepKept;
    const continues = current.step === 'file' && isNew && areReadable(previewed);
    const step = continues ? 'columns' : current.step;
    work.set({ ...current, ...recalled, files: previewed, step });
  }

  return async (keepsStep) => {
    isOutdated = isReading;
    isStepKept = keepsStep !== undefined;
    if (isReading) return;
    isReading = true;
    try {
      do {
        isOutdated = false;
        await readAll();
      } while (isOutdated);
    } finally {
      isReading = false;
    }
  };
}

/** Maximum number of rows of each kind in a report: more than anyone reads, but fast to send. */
const maxRows = 10_000;

/** Pause in typing after which a correction is checked, in milliseconds. */
const typingPauseMs = 400;

/** Returns the question with which a check fails; undefined for any other outcome. */
function questionOf(job: Job<unknown>): ImportWork['question'] | undefined {
  if (job.state !== 'failed' || !(job.error instanceof BridgeError)) return undefined;
  const { code, values } = job.error;
  if (code !== 'import_moved_or_added') return undefined;
  return { count: Number(values['count']), weeks: Number(values['weeks']) };
}

type ClubImport = {
  /** Hook that returns the state of the import and follows its changes. */
  readonly use: () => ImportWork;
  /** Reads the files of an import that was started earlier, and checks it if it was checked. */
  resume(): Promise<void>;
  /** Adds files; a file replaces another of its name. After an import, a new one starts. */
  addFiles(files: readonly ChosenFile[]): void;
  /** Starts a new import of these files. */
  replaceFiles(files: readonly ChosenFile[]): void;
  removeFile(token: string): void;
  choose(choices: Partial<Choices>): void;
  /** Resets the columns to the detected ones. */
  matchAutomatically(): void;
  /** Goes back to the files or their columns; a running check is cancelled. */
  goBack(step: Exclude<ImportStep, 'check'>): void;
  /** Goes on from the files to their columns. */
  showColumns(): void;
  /** Reports what the import would change, without changing anything. */
  check(): Promise<void>;
  /** Replaces the value of a cell, which is checked after a pause in typing. */
  correct(correction: CellCorrection): void;
  /** Checks the latest corrections at once; returns the bad rows that are left. */
  checkCorrections(): Promise<readonly BadRow[]>;
  /** Leaves a bad row out of the import, or includes it again. */
  leaveOut(row: BadRow, isLeftOut: boolean): void;
  /** Takes the values of the file for an event that was edited by hand, or keeps the edits. */
  overwriteEdits(id: number, isOverwritten: boolean): void;
  /** Answers the question about events of last season that come again. */
  answerMoved(moved: Moved): void;
  /** Cancels events that are no longer in the files, or keeps them. */
  cancelMissing(ids: readonly number[], isCancelled: boolean): void;
  /** Starts the import of other sheets of an imported file. */
  openSheets(file: WorkFile, sheets: readonly string[]): void;
  /** Stores answers to clashes, by their ids. */
  answer(answers: Answers): void;
  /** Imports the checked files without their bad rows, as the answers to clashes say. */
  import(decisions: Decisions): Promise<void>;
  undo(): Promise<void>;
  /** Clears the results, but not the files and choices. */
  clearResults(): void;
  /** Clears the files, the choices and the results. */
  reset(): void;
  /** Brings back an import as it was before `reset`. */
  restore(work: ImportWork): void;
};

/** Creates the import of a club, which is stored under the name of its place. */
function createClubImport(place: string, clubNow: () => Club): ClubImport {
  const stored = recallImport(place);
  /** False for an import whose files were not read since the start of the program. */
  let isRead = stored === undefined;
  const newWork = () => noWork(clubNow().zone || computerZone());
  const shared = createSharedValue<ImportWork>({ ...newWork(), ...stored });
  const work: SharedValue<ImportWork> = {
    ...shared,
    set(next) {
      shared.set(next);
      storeImport(place, next);
    },
  };
  const change = (part: Partial<ImportWork>) => work.set({ ...work.get(), ...part });
  const refreshPreviews = createPreviewRefresh(work);
  /** Increases with every check and change of input; results of earlier checks are discarded. */
  let revision = 0;
  let cancelCheck: (() => void) | undefined;
  let typingPause: ReturnType<typeof setTimeout> | undefined;
  let isStarting = false;

  const discardCheck = () => {
    clearTimeout(typingPause);
    cancelCheck?.();
    revision += 1;
  };

  /** Changes files or choices. The check no longer matches them, so it is cancelled and cleared. */
  const changeInput = (part: Partial<ImportWork>) => {
    discardCheck();
    change({ ...unchecked, ...undecided, ...part });
    void refreshPreviews();
  };

  const argumentsOf = (current: ImportWork) => {
    const { files, choices, corrections, leftOut, badRows, overwrite, question } = current;
    const moved = current.moved ?? (question === null ? undefined : 'move');
    const isLeftOut = (one: CellCorrection) =>
      badRows.some((row) => leftOut.has(row.key) && isOf(one, row));
    const fileOf = (token: string) => files.findIndex((file) => file.token === token);
    return {
      files: files.map(({ token }) => token),
      user: clubNow().name,
      ...optionsOf(choices),
      corrections: corrections
        .filter((one) => !isLeftOut(one))
        .map(({ token, shown: _, ...one }) => ({ file: fileOf(token), ...one }))
        .filter(({ file }) => file !== -1),
      overwrite: [...overwrite],
      ...(moved && { moved }),
    };
  };

  /** Runs a check. A quiet one leaves the earlier report in place until the new one is there. */
  const runCheck = async ({ quiet }: { readonly quiet: boolean }): Promise<void> => {
    discardCheck();
    const own = revision;
    if (!quiet) change(unchecked);
    const options = { dryRun: true, skipBadRows: true, details: true, maxRows };
    let question: ImportWork['question'] | undefined;
    await runJob('import', { ...argumentsOf(work.get()), ...options }, (job) => {
      if (own !== revision) return;
      question = questionOf(job);
      if (question !== undefined) return change({ question });
      cancelCheck = job.state === 'running' ? job.cancel : undefined;
      if (job.state === 'running' && quiet) return;
      const { files, badRows, corrections, kept, overwrite } = work.get();
      change({
        check: job,
        isOutdated: false,
        ...(job.state === 'done' && {
          badRows: collectBadRows(job.result, files, badRows, corrections),
          kept: collectKeptRows(job.result, files, kept, overwrite),
        }),
      });
    });
    // The pairs of the question are those of a move.
    if (question !== undefined) await runCheck({ quiet });
  };

  const checkCorrections = async (): Promise<readonly BadRow[]> => {
    if (work.get().isOutdated) await runCheck({ quiet: true });
    return work.get().badRows;
  };

  const importChecked = async (
    checked: ImportReport,
    { omitted, begins, changes }: Decisions,
  ): Promise<void> => {
    const current = work.get();
    const rows = keyedRows(checked, current.files).map(({ key, file, row }) => ({
      key,
      at: { file, place: JSON.stringify(row.place) },
    }));
    const omit = rows.filter(({ key }) => omitted.has(key)).map(({ at }) => at);
    const begin = rows.flatMap(({ key, at }) => {
      const date = begins.get(key);
      return date === undefined ? [] : [{ ...at, date }];
    });
    const decided = { omit, begin, changes: [...changes, ...cancellations(checked, current)] };
    const args = { ...argumentsOf(current), ...decided, skipBadRows: checked.skipped > 0, maxRows };
    const endChange = startOwnChange();
    const report = await runJob('import', args, (job) => change({ import: job }));
    // Before the list is read again: the user may choose the next file meanwhile.
    for (const { preview } of report === undefined ? [] : current.files) {
      if (preview !== undefined && preview.columns.length > 0) {
        rememberChoices(preview, current.choices);
      }
    }
    await endChange();
  };

  return {
    use: work.use,
    async resume() {
      if (isRead) return;
      isRead = true;
      const { step } = work.get();
      await refreshPreviews('keepsStep');
      if (!areReadable(work.get().files)) change({ step: 'file' });
      else if (step === 'check') await runCheck({ quiet: false });
    },
    addFiles(added) {
      const { files, import: job } = work.get();
      const isDone = job.state === 'done';
      if (isDone) change(newWork());
      const existing = isDone ? [] : files;
      const names = new Set(added.map(({ name }) => name));
      const others = existing.filter(({ name }) => !names.has(name));
      changeInput({ files: [...others, ...added], step: 'file' });
    },
    replaceFiles: (files) => changeInput({ ...newWork(), files }),
    removeFile(token) {
      const files = work.get().files.filter((file) => file.token !== token);
      changeInput(files.length === 0 ? newWork() : { files });
    },
    choose: (choices) =>
      changeInput({
        choices: { ...work.get().choices, ...choices },
        hasRememberedChoices: false,
        // Other sheets and layouts have other rows.
        ...(('sheet' in choices || 'layout' in choices) && uncorrected),
      }),
    matchAutomatically() {
      const { timeZone, from, sheet, layout } = work.get().choices;
      const choices = { ...automaticChoices(timeZone), from, sheet, layout };
      changeInput({ choices, hasRememberedChoices: false });
    },
    goBack(step) {
      discardCheck();
      change({ ...unchecked, step });
    },
    showColumns: () => change({ step: 'columns' }),
    check() {
      change({ step: 'check' });
      return runCheck({ quiet: false });
    },
    correct(correction) {
      const keys = ['token', 'row', 'sheet', 'field'] as const;
      const isSame = (one: CellCorrection) => keys.every((key) => one[key] === correction[key]);
      const others = work.get().corrections.filter((one) => !isSame(one));
      discardCheck();
      change({ corrections: [...others, correction], isOutdated: true });
      typingPause = setTimeout(() => void checkCorrections(), typingPauseMs);
    },
    checkCorrections,
    leaveOut(row, isLeftOut) {
      const { leftOut, corrections } = work.get();
      const next = new Set(leftOut);
      if (isLeftOut) next.add(row.key);
      else next.delete(row.key);
      const isOutdated = work.get().isOutdated || corrections.some((one) => isOf(one, row));
      change({ leftOut: next, isOutdated });
      void checkCorrections();
    },
    overwriteEdits(id, isOverwritten) {
      const overwrite = new Set(work.get().overwrite);
      if (isOverwritten) overwrite.add(id);
      else overwrite.delete(id);
      change({ overwrite, isOutdated: true });
      void checkCorrections();
    },
    answerMoved(moved) {
      change({ moved, isOutdated: true });
      void checkCorrections();
    },
    cancelMissing(ids, isCancelled) {
      const answered = ids.map((id) => [id, isCancelled] as const);
      change({ cancelled: new Map([...work.get().cancelled, ...answered]) });
    },
    openSheets({ token, name, size }, sheet) {
      const { timeZone } = work.get().choices;
      const choices = { ...automaticChoices(timeZone), sheet };
      changeInput({ ...newWork(), files: [{ token, name, size }], choices });
    },
    answer(answers) {
      change({ answers: new Map([...work.get().answers, ...answers]) });
    },
    async import(decisions) {
      if (isStarting) return;
      isStarting = true;
      try {
        while (work.get().isOutdated) await checkCorrections();
        const { check } = work.get();
        if (check.state === 'done' && countChanges(check.result, work.get()) > 0) {
          await importChecked(check.result, decisions);
        }
      } finally {
        isStarting = false;
      }
    },
    async undo() {
      const { import: job } = work.get();
      if (job.state !== 'done' || job.result.batch === undefined) return;
      const endChange = startOwnChange();
      await runJob('undo', { id: job.result.batch }, (undo) => change({ undo }));
      await endChange();
    },
    clearResults: () => changeInput({ step: 'columns' }),
    reset: () => changeInput(newWork()),
    restore(earlier) {
      discardCheck();
      isRead = false;
      change({ ...earlier, ...unchecked });
    },
  };
}

/** The imports, with their clubs as they are now. */
const imports = new Map<string, { readonly club: Club; readonly work: ClubImport }>();

/** Returns the import of the open club, which continues while another screen is shown. */
export function useClubImport(): ClubImport {
  const { club, state } = useDesktop();
  const place = placeOfImport(club, state.home.directory);
  const clubNow = () => imports.get(place)?.club ?? club;
  const work = imports.get(place)?.work ?? createClubImport(place, clubNow);
  imports.set(place, { club, work });
  return work;
}
