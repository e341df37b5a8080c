import { setTimeout as delay } from 'node:timers/promises';
import type { ActionName, ActionRequest, Progress } from '../../server/actions/bridge.ts';
import { actionKinds } from '../../server/actions/kinds.ts';
import { problem } from '../../server/base/errors.ts';
import type { Supervisor } from '../service/supervisor.ts';

/** Running actions of the page, by the names that it gave them. */
export type Jobs = {
  /** Runs an action. Throws its error, or `wrong_usage` if the name is in use. */
  run(request: ActionRequest, onProgress: (progress: Progress) => void): Promise<unknown>;
  /** Cancels an action; returns false if it has already ended. */
  cancel(job: string): boolean;
  /** Cancels all actions and waits a limited time for them to end. */
  cancelAll(): Promise<void>;
  /** Returns whether an action is running that an interruption would undo. */
  isBusy(): boolean;
};

type Job = {
  readonly name: ActionName;
  readonly controller: AbortController;
  readonly action: Promise<unknown>;
};

/** Time limit for cancelled actions to end before the program quits, in milliseconds. */
const cancelLimitMs = 5_000;

export function createJobs(perform: Supervisor['perform']): Jobs {
  const running = new Map<string, Job>();
  return {
    async run({ job, name, args }, onProgress) {
      if (running.has(job)) {
        throw problem('job_exists');
      }
      const controller = new AbortController();
      const action = perform(name, args, { onProgress, signal: controller.signal });
      running.set(job, { name, controller, action });
      try {
        return await action;
      } finally {
        running.delete(job);
      }
    },
    cancel(job) {
      const found = running.get(job);
      found?.controller.abort();
      return found !== undefined;
    },
    async cancelAll() {
      for (const { controller } of running.values()) controller.abort();
      const ended = Promise.allSettled(Array.from(running.values(), ({ action }) => action));
      await Promise.race([ended, delay(cancelLimitMs, undefined, { ref: false })]);
    },
    isBusy: () => [...running.values()].some(({ name }) => actionKinds[name].effect === 'change'),
  };
}
