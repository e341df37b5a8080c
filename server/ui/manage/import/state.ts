import type { ActionInput, ActionName, ActionResult, ChosenFile, Club } from '../../../bridge.ts';
import { refreshEvents } from '../../base/client.ts';
import { errorOf, perform } from '../../base/desktop.ts';
import { browserStore } from '../../base/storage.ts';
import { createSharedValue, type SharedValue } from '../parts/actions.ts';
import { useDesktop } from '../parts/desktop.tsx';
import {
  automaticChoices,
  type Choices,
  type FieldMap,
  fields,
  type ImportPreview,
  type ImportReport,
  type ImportWork,
  type Job,
  noWork,
  unchecked,
  type WorkFile,
} from './choices.ts';

/** The choices for a file, remembered for the next one with the same columns. */
type LastChoices = Pick<Choices, 'map' | 'dateOrder'>;

const storageName = 'club-events-import';
const maxEntries = 30;

/** Returns a text that is equal for files with the same columns. */
function signatureOf({ columns }: ImportPreview): string {
  return JSON.stringify(columns.map(({ name }) => name));
}

/** Reads the stored entries, whose contents are not trusted. */
function readAll(): (readonly unknown[])[] {
  try {
    const stored: unknown = JSON.parse(browserStore.getItem(storageName) ?? '[]');
    return Array.isArray(stored) ? stored.filter((entry) => Array.isArray(entry)) : [];
  } catch {
    // Invalid JSON counts as an empty store.
    return [];
  }
}

function parseChoices(stored: unknown): LastChoices {
  const { map, dateOrder }: Partial<Record<keyof LastChoices, unknown>> = Object(stored);
  const columns: Readonly<Record<string, unknown>> = Object(map);
  const known = fields.flatMap((field) => {
    const name = columns[field];
    return typeof name === 'string' || name === null ? [[field, name] as const] : [];
  });
  return {
    map: Object.fromEntries(known) as FieldMap,
    dateOrder: dateOrder === 'dmy' || dateOrder === 'mdy' ? dateOrder : null,
  };
}

/** Returns the choices for the last file with the same columns, if there are any. */
function recallChoices(preview: ImportPreview): LastChoices | undefined {
  const signature = signatureOf(preview);
  const found = readAll().find(([key]) => key === signature);
  return found && parseChoices(found[1]);
}

/** Stores the choices for a file; without any, removes those stored for its columns. */
function rememberChoices(preview: ImportPreview, { map, dateOrder }: Choices): void {
  const signature = signatureOf(preview);
  const others = readAll().filter(([key]) => key !== signature);
  const isChosen = Object.keys(map).length > 0 || dateOrder !== null;
  const added = isChosen ? [[signature, { map, dateOrder }]] : [];
  const entries = [...added, ...others].slice(0, maxEntries);
  browserStore.setItem(storageName, JSON.stringify(entries));
}

/** Runs an action and reports its state; resolves to undefined if the action fails. */
async function runJob<Name extends ActionName>(
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

/** Number of events shown of each file. */
const rows = 6;

/** Reads the beginning of a file; returns the file with a preview or an error. */
async function readFile(file: WorkFile, choices: Choices): Promise<WorkFile> {
  const { token, name, size } = file;
  const { dateOrder, ...others } = choices;
  try {
    const args = { files: [token] as [string], rows, ...others, ...(dateOrder && { dateOrder }) };
    return { token, name, size, preview: await perform('import preview', args) };
  } catch (thrown) {
    return { token, name, size, error: errorOf(thrown) };
  }
}

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

/** Returns a function that updates the previews; a call during an update repeats it afterwards. */
function createPreviewRefresh(work: SharedValue<ImportWork>): () => Promise<void> {
  let isReading = false;
  let isOutdated = false;

  async function readAll(): Promise<void> {
    const { files, choices } = work.get();
    const previewed = await Promise.all(files.map((file) => readFile(file, choices)));
    // Previews for outdated choices would only flicker.
    if (isOutdated) return;
    const current = work.get();
    const [first] = previewed;
    const recalled = first === undefined ? {} : recall(first, current);
    isOutdated = recalled.choices !== undefined;
    work.set({ ...current, ...recalled, files: previewed });
  }

  return async () => {
    isOutdated = isReading;
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

type ClubImport = {
  /** Hook that returns the state of the import and follows its changes. */
  readonly use: () => ImportWork;
  /** Adds files; a file replaces another of its name. After an import, a new one starts. */
  addFiles(files: readonly ChosenFile[]): void;
  removeFile(token: string): void;
  choose(choices: Partial<Choices>): void;
  /** Resets the choices to the defaults. */
  chooseAutomatically(): void;
  /** Reports what the import would change, without changing anything. */
  check(): Promise<void>;
  /** Imports the checked files without their bad rows. */
  import(): Promise<void>;
  undo(): Promise<void>;
  /** Clears the results, but not the files and choices. */
  clearResults(): void;
  /** Clears the files, the choices and the results. */
  reset(): void;
};

function createClubImport(club: Club): ClubImport {
  const work = createSharedValue<ImportWork>(noWork());
  const change = (part: Partial<ImportWork>) => work.set({ ...work.get(), ...part });
  const refreshPreviews = createPreviewRefresh(work);
  /** Increases with every check and change of input; results of earlier checks are discarded. */
  let revision = 0;

  /** Changes files or choices. The check no longer matches them, so it is cancelled and cleared. */
  const changeInput = (part: Partial<ImportWork>) => {
    const { check } = work.get();
    if (check.state === 'running') check.cancel();
    revision += 1;
    change({ ...unchecked, ...part });
    void refreshPreviews();
  };

  const argumentsOf = ({ files, choices: { dateOrder, ...choices } }: ImportWork) => ({
    files: files.map(({ token }) => token),
    user: club.name,
    ...choices,
    ...(dateOrder && { dateOrder }),
  });

  const importChecked = async (checked: ImportReport): Promise<void> => {
    const current = work.get();
    const args = { ...argumentsOf(current), skipBadRows: checked.skipped > 0, maxRows };
    const report = await runJob('import', args, (job) => change({ import: job }));
    for (const { preview } of report === undefined ? [] : current.files) {
      if (preview !== undefined && preview.columns.length > 0) {
        rememberChoices(preview, current.choices);
      }
    }
    await refreshEvents();
  };

  return {
    use: work.use,
    addFiles(added) {
      const { files, import: job } = work.get();
      if (job.state !== 'none') change(noWork());
      const existing = job.state === 'none' ? files : [];
      const names = new Set(added.map(({ name }) => name));
      changeInput({ files: [...existing.filter(({ name }) => !names.has(name)), ...added] });
    },
    removeFile(token) {
      const files = work.get().files.filter((file) => file.token !== token);
      changeInput(files.length === 0 ? noWork() : { files });
    },
    choose: (choices) =>
      changeInput({ choices: { ...work.get().choices, ...choices }, hasRememberedChoices: false }),
    chooseAutomatically: () =>
      changeInput({ choices: automaticChoices(), hasRememberedChoices: false }),
    async check() {
      revision += 1;
      const checkRevision = revision;
      change(unchecked);
      const options = { dryRun: true, skipBadRows: true, details: true, maxRows };
      const args = { ...argumentsOf(work.get()), ...options };
      await runJob('import', args, (job) => checkRevision === revision && change({ check: job }));
    },
    async import() {
      const { check } = work.get();
      if (check.state === 'done') await importChecked(check.result);
    },
    async undo() {
      const { import: job } = work.get();
      if (job.state !== 'done' || job.result.batch === undefined) return;
      await runJob('undo', { id: job.result.batch }, (undo) => change({ undo }));
      await refreshEvents();
    },
    clearResults: () => changeInput({}),
    reset: () => changeInput(noWork()),
  };
}

const imports = new Map<string, ClubImport>();

/** Returns the import of the open club, which continues while another screen is shown. */
export function useClubImport(): ClubImport {
  const { club, state } = useDesktop();
  // Clubs of another data directory may have the same ids.
  const name = `${club.id} ${state.home.directory}`;
  const clubImport = imports.get(name) ?? createClubImport(club);
  imports.set(name, clubImport);
  return clubImport;
}
