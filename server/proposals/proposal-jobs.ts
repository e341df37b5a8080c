import { existsSync } from 'node:fs';
import type { Home } from '../base/home.ts';
import type { JobSource, JobTools } from '../outside/reconciler.ts';

type ProposalJobsOptions = {
  readonly home: Home;
  /** Performs `proposal settle` on a thread. */
  readonly settle: (args: object, tools: JobTools) => Promise<unknown>;
  /** Performs `proposal expire` on a thread. */
  readonly expire: (args: object, tools: JobTools) => Promise<unknown>;
};

/** Creates the source of files of proposals: those that differ from what they should be, or are too old. */
export function createProposalJobs({ home, settle, expire }: ProposalJobsOptions): JobSource {
  return async ({ stampOf }) => {
    // Loaded late: zod, which checks the states, would delay the first answer of the service.
    const { findDueOutboxes } = await import('./settle.ts');
    const now = new Date();
    const { due, paths } = await findDueOutboxes(home, stampOf, now);
    const jobs = due.map(({ club, folder }) => ({
      key: `proposals ${club}`,
      resource: folder,
      run: (tools: JobTools) => settle({ club }, tools),
    }));
    // Most homes have none, and need not load what reads them.
    const areExpired =
      existsSync(home.proposals) && (await import('./assistant.ts')).hasExpiredProposals(home, now);
    const run = (tools: JobTools) => expire({}, tools);
    const expiring = { key: 'proposals of assistants', resource: home.proposals, run };
    return { jobs: [...jobs, ...(areExpired ? [expiring] : [])], paths };
  };
}
