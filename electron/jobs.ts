import { performInBackground } from '../server/actions/background.ts';
import type { ActionName, ActionRequest, Progress } from '../server/bridge.ts';
import { ClubEventsError } from '../server/errors.ts';
import type { Home } from '../server/home.ts';

/** The actions that the page has under way, each by the name it gave. */
export type Jobs = {
  /** Runs an action on a thread of its own. Throws `refused` for a name that is taken. */
  run(
    request: ActionRequest,
    home: Home,
    onProgress: (progress: Progress) => void,
  ): Promise<unknown>;
  /** Gives an action up; false when it is over. */
  cancel(job: string): boolean;
  /** Gives up all of them. */
  cancelAll(): void;
  /** Whether anything is under way that changes data and should not be cut off by the end. */
  isBusy(): boolean;
};

export function createJobs(): Jobs {
  const running = new Map<string, AbortController>();
  return {
    async run({ job, name, args }, home, onProgress) {
      if (running.has(job)) {
        throw new ClubEventsError('wrong_usage', 'An action of this name is under way already.');
      }
      const given = new AbortController();
      running.set(job, given);
      try {
        const options = { home, onProgress, signal: given.signal };
        return await performInBackground(name as ActionName, args, options);
      } finally {
        running.delete(job);
      }
    },
    cancel(job) {
      const given = running.get(job);
      given?.abort();
      return given !== undefined;
    },
    cancelAll() {
      for (const given of running.values()) given.abort();
    },
    isBusy: () => running.size > 0,
  };
}
