import { existsSync } from 'node:fs';
import type { Home } from '../base/home.ts';
import type { JobSource, JobTools } from './reconciler.ts';

type BackupJobsOptions = {
  readonly home: Home;
  /** Performs `backup folder tick` on a thread. */
  readonly tick: (args: object, tools: JobTools) => Promise<unknown>;
};

/** Creates the source of the folders that get each new backup. */
export function createBackupJobs({ home, tick }: BackupJobsOptions): JobSource {
  return async (look) => {
    if (!existsSync(home.backupFolders)) return { jobs: [] };
    // Loaded late: zod, which checks the list, would delay the first answer of the service.
    const { findDueFolders, readBackupFolders, watchedPaths } = await import('./backup-folders.ts');
    const jobs = findDueFolders(home, new Date(), look).map(({ real }) => {
      const key = `backups ${real}`;
      // The resource is not the folder itself: a live file in it must not wait for a large copy.
      return { key, resource: key, run: (tools: JobTools) => tick({ folder: real }, tools) };
    });
    const paths = readBackupFolders(home).flatMap((folder) => watchedPaths(home, folder));
    return { jobs, paths };
  };
}
