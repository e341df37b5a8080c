import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { explain, type Problem } from '../base/errors.ts';
import type { LongRunning } from '../base/long-running.ts';
import { createOutsideWatch, type OutsideWatch } from './outside-files.ts';

/** A comparison of what should be outside the database with what is there, and its repair. */
export type Job = {
  /** The thing that is compared; a second job for it waits for the first. */
  readonly key: string;
  /** The folder or host that it uses: one job at a time, so that a slow one delays no other. */
  readonly resource: string;
  /** Performs the job. Failures that a later look repeats are passed to `warn`. */
  run(tools: JobTools): Promise<unknown>;
};

export type JobTools = {
  readonly signal: AbortSignal;
  readonly warn: (problem: Problem) => void;
};

export type Look = {
  /** True at the start, after sleep, and when the network has changed. */
  readonly isWake: boolean;
  readonly stampOf: OutsideWatch['stampOf'];
};

/** The things outside of one kind: those that are due now, and the paths whose changes matter. */
export type JobSource = (
  look: Look,
) => Promise<{ readonly jobs: readonly Job[]; readonly paths?: readonly string[] }>;

/**
 * Times in milliseconds: the first look after the start, the interval of later ones, and the longest
 * wait for running jobs at the end.
 */
const timing = { firstAfter: 2_000, every: 3_000, stopWithin: 3_000 };

/** Most jobs at the same time. */
const maxJobs = 8;

type ReconcilerOptions = Partial<typeof timing> & {
  readonly sources: readonly JobSource[];
  /** Called with the reason why a job failed, and its key; once while the reason stays the same. */
  readonly warn: (problem: Problem, key: string) => void;
};

export type Reconciler = LongRunning & {
  /** Looks at once, after the computer woke or the network returned. */
  wake(): void;
};

/** Returns a text that changes when the computer joins or leaves a network. */
function describeNetworks(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
    .sort()
    .join(' ');
}

/**
 * Creates the reconciler of a running service: it looks for files and sources that differ from what
 * they should be, and has each brought up to date.
 */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { sources, warn } = options;
  const { firstAfter, every, stopWithin } = { ...timing, ...options };
  const stopping = new AbortController();
  const running = new Map<string, { readonly resource: string; readonly work: Promise<void> }>();
  /** The code of the last failure of each job, or of a look. */
  const failures = new Map<string, string>();
  const watch = createOutsideWatch(() => wait(0));
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> | undefined;
  let isAgain = false;
  let lastLook = Date.now();
  let networks = describeNetworks();
  let isWake = true;

  /** Returns true after sleep, which stops timers, and when the network has changed. */
  function hasWoken(): boolean {
    const now = Date.now();
    const hasSlept = Math.abs(now - lastLook) > 30 * every;
    const previous = networks;
    networks = describeNetworks();
    lastLook = now;
    return hasSlept || (networks !== previous && networks !== '');
  }

  /** Warns of a failure, once until another one comes or the job succeeds. */
  function warnOnce(key: string, failure: Problem): void {
    if (failures.get(key) === failure.code || stopping.signal.aborted) return;
    failures.set(key, failure.code);
    warn(failure, key);
  }

  /** Runs `use`, and warns of its failure. */
  async function attempt(key: string, use: (tools: JobTools) => Promise<unknown>): Promise<void> {
    let failed = false;
    const report = (failure: Problem) => {
      failed = true;
      warnOnce(key, failure);
    };
    try {
      await use({ signal: stopping.signal, warn: report });
    } catch (error) {
      const failure = explain(error);
      if (failure === undefined) throw error;
      report(failure);
    }
    if (!failed) failures.delete(key);
  }

  function begin(job: Job): void {
    const isBusy = [...running.values()].some(({ resource }) => resource === job.resource);
    if (isBusy || running.has(job.key) || running.size >= maxJobs) return;
    const done = attempt(job.key, (tools) => job.run(tools)).finally(() => {
      running.delete(job.key);
      // The next job with the same resource.
      wait(0);
    });
    running.set(job.key, { resource: job.resource, work: done });
  }

  async function look(): Promise<void> {
    const wasWoken = hasWoken() || isWake;
    isWake = false;
    const found = await Promise.all(
      sources.map(async (source, index) => {
        const none: Awaited<ReturnType<JobSource>> = { jobs: [] };
        let result = none;
        await attempt(`look ${index}`, async () => {
          result = await source({ isWake: wasWoken, stampOf: watch.stampOf });
        });
        return result;
      }),
    );
    if (stopping.signal.aborted) return;
    watch.follow(found.flatMap(({ paths }) => paths ?? []));
    for (const { jobs } of found) for (const job of jobs) begin(job);
  }

  function lookNow(): void {
    if (work !== undefined) {
      isAgain = true;
      return;
    }
    work = look().finally(() => {
      work = undefined;
      wait(isAgain ? 0 : every);
      isAgain = false;
    });
  }

  function wait(ms: number): void {
    if (stopping.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(lookNow, ms);
    // Looks must not keep the process alive.
    timer.unref();
  }

  return {
    run: () => wait(firstAfter),
    wake() {
      isWake = true;
      wait(0);
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      watch.stop();
      const all = [work, ...Array.from(running.values(), (each) => each.work)];
      // What does not answer is left behind.
      await Promise.race([Promise.allSettled(all), delay(stopWithin, undefined, { ref: false })]);
    },
  };
}
