import { explain, type Problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import type { LongRunning } from '../base/long-running.ts';
import { listBackups } from '../store/backup-records.ts';
import { performInBackground } from './background.ts';

/**
 * Times in milliseconds: the check for damage and the first look for a backup after the start, which
 * must not wait for them, and the interval of later looks, before and after the first backup.
 */
const timing = {
  checkAfter: 2_000,
  firstAfter: 30_000,
  // The window says "five minutes".
  untilFirst: 4 * 60 * 1_000,
  every: 60 * 60 * 1_000,
};

type MaintenanceOptions = Partial<typeof timing> & {
  readonly home: Home;
  /** Called if the database is damaged. */
  readonly onDamage: () => void;
  /** Called with damage, and with the reason why a backup failed; once while it stays the same. */
  readonly warn: (problem: Problem) => void;
};

/**
 * Creates the maintenance of a running service: it looks for damage after the start, makes the daily
 * backup, proves the newest one every week, and reads the addresses of days off once a day, on a thread.
 */
export function createMaintenance({
  home,
  onDamage,
  warn,
  ...times
}: MaintenanceOptions): LongRunning {
  const { checkAfter, firstAfter, untilFirst, every } = { ...timing, ...times };
  const stopping = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const options = { home, onProgress: () => undefined, signal: stopping.signal };
  let work = Promise.resolve();
  /** The codes of the last failures by job: a job that succeeds says nothing about another. */
  const failures = new Map<() => Promise<void>, string>();

  async function findDamage(): Promise<void> {
    await performInBackground('find damage', {}, options);
  }

  let hasBackup = false;
  async function backUp(): Promise<void> {
    await performInBackground('backup daily', {}, options);
    hasBackup ||= listBackups(home).length > 0;
    await performInBackground('backup prove', {}, options);
  }

  /** Does a job, and warns of its failure. */
  async function attempt(job: () => Promise<void>): Promise<void> {
    try {
      await job();
      failures.delete(job);
    } catch (error) {
      const failure = explain(error);
      if (failure === undefined) throw error;
      const isKnown = [...failures.values()].includes(failure.code);
      failures.set(job, failure.code);
      if (stopping.signal.aborted || isKnown) return;
      if (failure.code.startsWith('damage_stops')) onDamage();
      warn(failure);
    }
  }

  /** Does a job after a time, and then `next`. */
  function wait(ms: number, job: () => Promise<void>, next?: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work = work
        .then(() => attempt(job))
        .finally(() => {
          if (!stopping.signal.aborted) next?.();
        });
    }, ms);
    timers.add(timer);
    // Maintenance must not keep the process alive.
    timer.unref();
  }
  const waitForBackup = (ms: number) =>
    wait(ms, backUp, () => waitForBackup(hasBackup ? every : Math.min(untilFirst, every)));

  return {
    run() {
      wait(checkAfter, findDamage);
      waitForBackup(firstAfter);
    },
    async stop() {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
      await work;
    },
  };
}
