import type { Problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { createFollowJobs } from '../follow/follow-jobs.ts';
import { createSyncJobs, type MissedIds } from '../mirror/scheduler.ts';
import { createBackupJobs } from '../outside/backup-jobs.ts';
import { createReconciler, type JobTools, type Reconciler } from '../outside/reconciler.ts';
import { createProposalJobs } from '../proposals/proposal-jobs.ts';
import { createPublishJobs } from '../publish/publish-jobs.ts';
import type { UpstreamKey } from '../store/upstream-keys.ts';
import { performInBackground } from './background.ts';
import type { ActionName } from './catalogue.ts';

type OutsideWorkOptions = {
  readonly home: Home;
  /** Ids that local scripts missed, which are asked for next. */
  readonly missed: MissedIds;
  /** Minutes between two syncs of an online service; null for none. */
  readonly minutes: () => number | null;
  /** Keys of online services, and passwords of web spaces, that are in memory only. */
  readonly upstreamKeys?: () => ReadonlyMap<number, UpstreamKey>;
  /** Called with the reason why something was not brought up to date, and its key. */
  readonly warn: (problem: Problem, key: string) => void;
  /** Times in milliseconds, for tests. */
  readonly firstAfter?: number;
  readonly every?: number;
};

/** Creates the work of a running service on what lies outside its database, on threads. */
export function createOutsideWork(options: OutsideWorkOptions): Reconciler {
  const { home, missed, minutes, upstreamKeys, ...others } = options;
  const performOf =
    <Name extends ActionName>(name: Name) =>
    (args: object, tools: JobTools) =>
      performInBackground(name, args, {
        ...{ home, upstreamKeys: upstreamKeys?.(), onProgress: () => undefined },
        ...tools,
      });
  return createReconciler({
    ...others,
    sources: [
      createSyncJobs({ home, tick: performOf('mirror tick'), missed, minutes }),
      createFollowJobs({ home, tick: performOf('follow tick') }),
      createPublishJobs({ home, tick: performOf('publish tick') }),
      createBackupJobs({ home, tick: performOf('backup folder tick') }),
      createProposalJobs({
        home,
        settle: performOf('proposal settle'),
        expire: performOf('proposal expire'),
      }),
    ],
  });
}
