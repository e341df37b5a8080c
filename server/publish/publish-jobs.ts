import { existsSync, statSync } from 'node:fs';
import type { Home } from '../base/home.ts';
import { type ActionTools, thisMachine } from '../club/tools.ts';
import type { PublishedFile } from '../outside/live-files.ts';
import type { JobSource, JobTools } from '../outside/reconciler.ts';

type PublishJobsOptions = {
  readonly home: Home;
  /** Performs `publish tick` on a thread. */
  readonly tick: (args: object, tools: JobTools) => Promise<unknown>;
};

/** Returns a text that differs after each change of files of the data directory, or of folders. */
function stampsOf(...paths: readonly string[]): string {
  const stamps = paths.map((path) => {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
  });
  return stamps.join();
}

/** Creates the source of live files: those that differ from what they should be, and their addresses. */
export function createPublishJobs({ home, tick }: PublishJobsOptions): JobSource {
  let seen = '';
  let files: readonly PublishedFile[] = [];
  let revisions: ReadonlyMap<number, string> = new Map();

  return async ({ isWake, stampOf }) => {
    if (!existsSync(home.published)) return { jobs: [] };
    // Loaded late: zod, which checks the list, would delay the first answer of the service.
    const { findDueFiles, readRevisions, resourceOf } = await import('./publish.ts');
    const { findDueAddresses } = await import('./address-check.ts');
    const { readWithFarewells } = await import('../outside/live-files.ts');
    const tools = { ...thisMachine, home } as ActionTools;
    // A commit changes the log or the database; a state in the folder is replaced by a new file.
    const { published, outside, database } = home;
    const stamps = stampsOf(published, outside, database, `${database}-wal`);
    if (stamps !== seen) {
      files = readWithFarewells(home);
      revisions = await readRevisions(files, tools);
      seen = stamps;
    }
    const now = tools.now();
    const due = findDueFiles(files, revisions, now, { isWake, stampOf });
    const addresses = findDueAddresses(
      files.filter((file) => !due.includes(file)),
      now,
    );
    const jobOf = (file: PublishedFile, isDue: boolean) => ({
      key: `live ${file.id}`,
      resource: resourceOf(file),
      run: (jobTools: JobTools) => tick({ id: file.id, isDue }, jobTools),
    });
    const jobs = [
      ...due.map((file) => jobOf(file, true)),
      ...addresses.map((file) => jobOf(file, false)),
    ];
    const paths = files.flatMap(({ target, farewell }) =>
      target.kind === 'folder' && farewell === null ? [target.path] : [],
    );
    return { jobs, paths };
  };
}
