import type {
  ActionInput,
  ActionResult,
  CancellableName,
  Club,
  Progress,
} from '../../../actions/bridge.ts';
import { refreshEvents } from '../../base/client.ts';
import { BridgeError, errorOf, perform } from '../../base/desktop.ts';
import { createSharedValue } from '../../base/shared-value.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';

/** The work that a person starts on the screen; the data directory allows one at a time. */
type JobKind = 'sync' | 'search' | 'ready';

type SyncResult = ActionResult<'mirror sync'>['results'][number];
export type ReadyReport = ActionResult<'mirror ready'>['reports'][number];

export type Jobs = {
  readonly running?: {
    readonly kind: JobKind;
    /** Undefined before the first report. */
    readonly progress: Progress | undefined;
    readonly cancel: () => void;
  };
  readonly failed?: { readonly kind: JobKind; readonly error: Error };
  /** The result of the last sync by this window. */
  readonly synced?: SyncResult;
  /** The number of older events that the search of this window found; null if it was stopped. */
  readonly searched?: { readonly found: number | null };
  /** The last check before a trip. */
  readonly ready?: ReadyReport;
};

function createClubJobs({ name: user }: Club) {
  const jobs = createSharedValue<Jobs>({});

  /** Runs an action and reads all data again; resolves to undefined if it fails. */
  async function run<Name extends CancellableName>(
    kind: JobKind,
    name: Name,
    args: ActionInput<Name>,
  ): Promise<ActionResult<Name> | undefined> {
    if (jobs.get().running !== undefined) return undefined;
    const controller = new AbortController();
    const cancel = () => controller.abort();
    const { failed: _, synced: __, searched, ...before } = jobs.get();
    const kept = kind === 'search' || searched === undefined ? {} : { searched };
    jobs.set({ ...before, ...kept, running: { kind, progress: undefined, cancel } });
    const end = ({ running: ___, ...rest }: Jobs, outcome: Partial<Jobs>) =>
      jobs.set({ ...rest, ...outcome });
    try {
      const result = await perform(name, args, {
        signal: controller.signal,
        onProgress: (progress) => jobs.set({ ...jobs.get(), running: { kind, progress, cancel } }),
      });
      end(jobs.get(), {});
      return result;
    } catch (thrown) {
      const error = errorOf(thrown);
      // The person knows about their own cancellation.
      const isCancelled = error instanceof BridgeError && error.code === 'cancelled';
      end(jobs.get(), isCancelled ? {} : { failed: { kind, error } });
      return undefined;
    } finally {
      // Not as a change of this window: its events are news to the person.
      void refreshEvents();
    }
  }

  async function checkReady(): Promise<void> {
    const { ready: _, ...others } = jobs.get();
    if (others.running === undefined) jobs.set(others);
    const done = await run('ready', 'mirror ready', { user });
    const ready = done?.reports[0];
    if (ready !== undefined) jobs.set({ ...jobs.get(), ready });
  }

  return {
    use: jobs.use,
    checkReady,
    async sync(answers: Omit<ActionInput<'mirror sync'>, 'user'> = {}) {
      const done = await run('sync', 'mirror sync', { user, ...answers });
      const synced = done?.results[0];
      if (synced !== undefined) jobs.set({ ...jobs.get(), synced });
    },
    async search({ upcoming = false } = {}) {
      const done = await run('search', 'mirror search-ids', { user, upcoming, start: true });
      const isOver = done !== undefined && done.status.idsLeft === 0;
      jobs.set({ ...jobs.get(), searched: { found: isOver ? done.added : null } });
      if (upcoming && done !== undefined) await checkReady();
    },
  };
}

type ClubJobs = ReturnType<typeof createClubJobs>;

const all = new Map<string, ClubJobs>();

/** Returns the work for the open club, which continues while another screen is shown. */
export function useClubJobs(): ClubJobs {
  const { club, state } = useDesktop();
  // Clubs of another data directory may have the same ids.
  const name = `${club.id} ${club.name} ${state.home.directory}`;
  const jobs = all.get(name) ?? createClubJobs(club);
  all.set(name, jobs);
  return jobs;
}
