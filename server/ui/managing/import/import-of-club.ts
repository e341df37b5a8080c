import type { ChosenFile, Club } from '../../../bridge.ts';
import { refreshEvents } from '../../reading/queries.ts';
import { useDesktop } from '../desktop.tsx';
import { createSharedValue } from '../parts/shared-value.ts';
import { runJob } from './job.ts';
import { rememberChoices } from './last-choices.ts';
import { createPreviewing } from './previewing.ts';
import {
  automaticChoices,
  type Choices,
  type ImportReport,
  type ImportWork,
  noWork,
  unchecked,
} from './work.ts';

/** How many rows of each kind a check lists: more than anyone reads, and soon handed over. */
export const mostRows = 10_000;

/** The import of one club, and all that can be done with it. */
export type ClubImport = {
  /** How it stands, and anew whenever that changes. */
  readonly use: () => ImportWork;
  /** Adds files; one takes the place of another of its name. After an import it begins anew. */
  takeFiles(files: readonly ChosenFile[]): void;
  leaveOut(token: string): void;
  choose(choices: Partial<Choices>): void;
  /** Leaves the choices to the files again. */
  chooseAutomatically(): void;
  /** Finds out what would be changed, and changes nothing. */
  check(): Promise<void>;
  /** Imports what was checked, without the rows that were bad. */
  import(): Promise<void>;
  undo(): Promise<void>;
  /** Forgets what was done, but not the files and choices. */
  goBack(): void;
  /** Forgets everything. */
  beginAnew(): void;
};

function createClubImport(club: Club): ClubImport {
  const work = createSharedValue<ImportWork>(noWork());
  const change = (part: Partial<ImportWork>) => work.set({ ...work.get(), ...part });
  const preview = createPreviewing(work);
  /** The check whose outcome counts; a choice made meanwhile ends it. */
  let turn = 0;

  /** Another file or choice: what was checked is no longer what would be imported. */
  const begin = (part: Partial<ImportWork>) => {
    const { check } = work.get();
    if (check.state === 'running') check.cancel();
    turn += 1;
    change({ ...unchecked, ...part });
    void preview();
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
    for (const { preview: read } of report === undefined ? [] : current.files) {
      if (read !== undefined && read.columns.length > 0) rememberChoices(read, current.choices);
    }
    await refreshEvents();
  };

  return {
    use: work.use,
    takeFiles(taken) {
      const { files, import: done } = work.get();
      if (done.state !== 'none') change(noWork());
      const kept = done.state === 'none' ? files : [];
      const names = new Set(taken.map(({ name }) => name));
      begin({ files: [...kept.filter(({ name }) => !names.has(name)), ...taken] });
    },
    leaveOut(token) {
      const files = work.get().files.filter((file) => file.token !== token);
      begin(files.length === 0 ? noWork() : { files });
    },
    choose: (choices) => begin({ choices: { ...work.get().choices, ...choices }, isAsLast: false }),
    chooseAutomatically: () => begin({ choices: automaticChoices(), isAsLast: false }),
    async check() {
      turn += 1;
      const own = turn;
      change(unchecked);
      const checking = { dryRun: true, skipBadRows: true, details: true, mostRows };
      const args = { ...argumentsOf(work.get()), ...checking };
      await runJob('import', args, (job) => own === turn && change({ check: job }));
    },
    async import() {
      const { check } = work.get();
      if (check.state === 'done') await importChecked(check.result);
    },
    async undo() {
      const { import: done } = work.get();
      if (done.state !== 'done' || done.result.batch === undefined) return;
      await runJob('undo', { id: done.result.batch }, (job) => change({ undo: job }));
      await refreshEvents();
    },
    goBack: () => begin({}),
    beginAnew: () => begin(noWork()),
  };
}

const imports = new Map<string, ClubImport>();

/** The import of the club that is shown, which goes on while another screen is looked at. */
export function useClubImport(): ClubImport {
  const { club, state } = useDesktop();
  // Another data directory has other clubs, which may have the same numbers.
  const name = `${club.id} ${state.home.directory}`;
  const known = imports.get(name) ?? createClubImport(club);
  imports.set(name, known);
  return known;
}
