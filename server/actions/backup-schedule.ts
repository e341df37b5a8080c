import { explain, type Problem } from '../errors.ts';
import type { Home } from '../home.ts';
import type { LongRunning } from '../long-running.ts';
import type { RecentRequests } from '../recent-requests.ts';
import { performInBackground } from './background.ts';

/** Times in milliseconds: the first look after the start, which must not wait, and the next ones. */
const timing = { firstAfter: 30_000, every: 60 * 60 * 1_000 };

type ScheduleOptions = Partial<typeof timing> & {
  readonly home: Home;
  readonly recent: RecentRequests;
  /** Called with the reason why a backup failed; once while it stays the same. */
  readonly warn: (problem: Problem) => void;
};

/**
 * Creates the schedule of a running service: it makes the daily backup and proves the newest one
 * every week, on a thread. It only reads the database.
 */
export function createBackupSchedule({
  home,
  recent,
  warn,
  firstAfter = timing.firstAfter,
  every = timing.every,
}: ScheduleOptions): LongRunning {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let look = Promise.resolve();
  let lastFailure: string | undefined;

  async function backUp(): Promise<void> {
    const options = { home, onProgress: () => undefined, signal: stopping.signal };
    try {
      await performInBackground('backup daily', {}, options);
      await performInBackground('backup prove', { requests: recent.all() }, options);
      lastFailure = undefined;
    } catch (error) {
      const failure = explain(error);
      if (failure === undefined) throw error;
      if (failure.code === lastFailure || stopping.signal.aborted) return;
      lastFailure = failure.code;
      warn(failure);
    }
  }

  function wait(ms: number): void {
    timer = setTimeout(() => {
      look = backUp().finally(() => {
        if (!stopping.signal.aborted) wait(every);
      });
    }, ms);
    // A schedule must not keep the process alive.
    timer.unref();
  }

  return {
    run: () => wait(firstAfter),
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await look;
    },
  };
}
