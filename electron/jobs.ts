import { setTimeout as delay } from 'node:timers/promises';
import { performInBackground } from '../server/actions/background.ts';
import type { ActionName, ActionRequest, Progress } from '../server/bridge.ts';
import { ClubEventsError } from '../server/errors.ts';
import type { Home } from '../server/home.ts';

/** The actions that the page has under way, each by the name it gave. */
export type Jobs = {
  /** Runs an action on a thread of its own. Throws `wrong_usage` for a name that is taken. */
  run(
    request: ActionRequest,
    home: Home,
    onProgress: (progress: Progress) => void,
  ): Promise<unknown>;
  /** Gives an action up; false when it is over. */
  cancel(job: string): boolean;
  /** Gives up all of them, and waits for their ends, though not for ever. */
  cancelAll(): Promise<void>;
  /** Whether anything is under way that changes data and should not be cut off by the end. */
  isBusy(): boolean;
};

type Job = { readonly given: AbortController; readonly action: Promise<unknown> };

/** How long the end of the program waits for actions that were given up, in milliseconds. */
const longestEndMs = 5_000;

export function createJobs(): Jobs {
  const running = new Map<string, Job>();
  return {
    async run({ job, name, args }, home, onProgress) {
      if (running.has(job)) {
        throw new ClubEventsError('wrong_usage', 'An action of this name is under way already.');
      }
      const given = new AbortController();
      const options = { home, onProgress, signal: given.signal };
      const action = performInBackground(name as ActionName, args, options);
      running.set(job, { given, action });
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
    isBusy: () => running.size > 0,
  };
}
