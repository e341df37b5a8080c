import type { ChosenFile, Club } from '../../../bridge.ts';
import { refreshEvents } from '../../reading/queries.ts';
import { useDesktop } from '../desktop.tsx';
import { createSharedValue } from '../parts/shared-value.ts';
import { runJob } from './job.ts';
import { rememberChoices } from './last-choices.ts';
import { createPreviewRefresh } from './previewing.ts';
import {
  automaticChoices,
  type Choices,
  type ImportReport,
  type ImportWork,
  noWork,
  unchecked,
} from './work.ts';

/** Maximum number of rows of each kind in a report: more than anyone reads, but fast to send. */
export const mostRows = 10_000;

export type ClubImport = {
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
    const args = { ...argumentsOf(current), skipBadRows: checked.skipped > 0, mostRows };
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
      const options = { dryRun: true, skipBadRows: true, details: true, mostRows };
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
