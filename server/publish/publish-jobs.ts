import { existsSync } from 'node:fs';
import type { Home } from '../base/home.ts';
import { type ActionTools, thisMachine } from '../club/tools.ts';
import type { PublishedFile } from '../outside/live-files.ts';
import type { JobSource, JobTools } from '../outside/reconciler.ts';

type PublishJobsOptions = {
  readonly home: Home;
  /** Performs `publish tick` on a thread. */
  readonly tick: (args: object, tools: JobTools) => Promise<unknown>;
};

/** Creates the source of live files: those that differ from what they should be, and their addresses. */
export function createPublishJobs({ home, tick }: PublishJobsOptions): JobSource {
  return async ({ isWake, stampOf }) => {
    if (!existsSync(home.published)) return { jobs: [] };
    // Loaded late: zod, which checks the list, would delay the first answer of the service.
    const { findDueFiles, sharedPlace } = await import('./publish.ts');
    const { findDueAddresses } = await import('./address-check.ts');
    const { readWithFarewells } = await import('../outside/live-files.ts');
    const tools = { ...thisMachine, home } as ActionTools;
    const files = readWithFarewells(home);
    const due = await findDueFiles(files, tools, { isWake, stampOf });
    const addresses = findDueAddresses(
      files.filter((file) => !due.includes(file)),
      tools.now(),
    );
    const jobOf = (file: PublishedFile, isDue: boolean) => ({
      key: `live ${file.id}`,
      place: sharedPlace(file),
      run: (jobTools: JobTools) => tick({ id: file.id, isDue }, jobTools),
    });
    const jobs = [
      ...due.map((file) => jobOf(file, true)),
      ...addresses.map((file) => jobOf(file, false)),
    ];
    const paths = files.flatMap(({ target }) => (target.kind === 'folder' ? [target.path] : []));
    return { jobs, paths };
  };
}
