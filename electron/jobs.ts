import { setTimeout as delay } from 'node:timers/promises';
import type { ActionName, ActionRequest, Progress } from '../server/bridge.ts';
import { ClubEventsError } from '../server/errors.ts';
import type { Supervisor } from './service.ts';

/** The actions that the page has under way, each by the name it gave. */
export type Jobs = {
  /** Runs an action. Throws its error, or `wrong_usage` for a name that is taken. */
  run(request: ActionRequest, onProgress: (progress: Progress) => void): Promise<unknown>;
  /** Gives an action up; false when it is over. */
  cancel(job: string): boolean;
  /** Gives up all of them, and waits for their ends, though not for ever. */
  cancelAll(): Promise<void>;
  /** Returns whether an action is in progress that writes, and so should not be interrupted. */
  isBusy(): boolean;
};

/** The actions that only read: interrupting one loses nothing. */
const reads: ReadonlySet<ActionName> = new Set([
  'user list',
  'key list',
  'import preview',
  'history',
  'check',
]);

type Job = {
  readonly name: ActionName;
  readonly given: AbortController;
  readonly action: Promise<unknown>;
};

/** How long the end of the program waits for actions that were given up, in milliseconds. */
const longestEndMs = 5_000;

export function createJobs(perform: Supervisor['perform']): Jobs {
  const running = new Map<string, Job>();
  return {
    async run({ job, name, args }, onProgress) {
      if (running.has(job)) {
        throw new ClubEventsError('wrong_usage', 'An action of this name is under way already.');
      }
      const given = new AbortController();
      const action = perform(name, args, { onProgress, signal: given.signal });
      running.set(job, { name, given, action });
      try {
        return await action;
      } finally {
        running.delete(job);
      }
    },
    cancel(job) {
      const found = running.get(job);
      found?.given.abort();
      return found !== undefined;
    },
    async cancelAll() {
      for (const { given } of running.values()) given.abort();
      const ended = Promise.allSettled(Array.from(running.values(), ({ action }) => action));
      await Promise.race([ended, delay(longestEndMs, undefined, { ref: false })]);
    },
    isBusy: () => [...running.values()].some(({ name }) => !reads.has(name)),
  };
}
