import { compareAfterCommits } from '../after-commits.ts';
import { candidateFile, cli, requirePeer, startCandidate } from '../candidate.ts';
import type { Figure, Trial } from '../figure.ts';
import { withHome } from '../fill.ts';

/** How many times as fast as Fastify's the first list after a commit has to come. */
const leastTimes = 1.4;
const users = 16;

export const trial: Trial = {
  title: "The first list after every commit, against Fastify's",
  measure: () => {
    requirePeer('fastify');
    return withHome(20, 1_000, async (home): Promise<Figure[]> => {
      await using started = new AsyncDisposableStack();
      const start = async (args: readonly string[]) => ({
        path: home.database,
        candidate: started.adopt(await startCandidate(args), (candidate) => candidate.stop()),
      });
      const ours = await start([cli, '--home', home.directory, 'serve', '--port', '0']);
      const fastify = await start(candidateFile('fastify.js', home.database));
      const many = await compareAfterCommits({ ours, fastify }, users);
      const one = await compareAfterCommits({ ours, fastify }, 1);
      const what = `of ${users} users at once`;
      const times = 'times';
      return [
        {
          what: `${what}`,
          value: many.fastify.ms / many.ours.ms,
          unit: times,
          atLeast: leastTimes,
        },
        { what: `${what}: ours`, value: many.ours.ms, unit: 'ms' },
        { what: `${what}: processor time`, value: many.fastify.cpu / many.ours.cpu, unit: times },
        { what: `${what}: processor time of ours`, value: many.ours.cpu, unit: 'µs' },
        { what: 'of one user', value: one.fastify.ms / one.ours.ms, unit: times },
        { what: 'of one user: ours', value: one.ours.ms, unit: 'ms' },
        { what: 'of one user: processor time', value: one.fastify.cpu / one.ours.cpu, unit: times },
      ];
    });
  },
};
