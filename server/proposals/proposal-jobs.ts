import type { Home } from '../base/home.ts';
import type { JobSource, JobTools } from '../outside/reconciler.ts';

type ProposalJobsOptions = {
  readonly home: Home;
  /** Performs `proposal settle` on a thread. */
  readonly settle: (args: object, tools: JobTools) => Promise<unknown>;
};

/** Creates the source of files of proposals: those that differ from what they should be. */
export function createProposalJobs({ home, settle }: ProposalJobsOptions): JobSource {
  return async ({ stampOf }) => {
    // Loaded late: zod, which checks the states, would delay the first answer of the service.
    const { findDueOutboxes } = await import('./settle.ts');
    const { due, paths } = await findDueOutboxes(home, stampOf, new Date());
    const jobs = due.map(({ club, folder }) => ({
      key: `proposals ${club}`,
      resource: folder,
      run: (tools: JobTools) => settle({ club }, tools),
    }));
    return { jobs, paths };
  };
}
