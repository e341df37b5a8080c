import { compareAfterCommits } from '../after-commits.ts';
import { candidateFile, requirePeer, serving, startCandidate } from '../candidate.ts';
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
      await using service = await startCandidate(serving(home));
      await using peer = await startCandidate(candidateFile('fastify.js', home.database));
      const ours = { path: home.database, candidate: service };
      const fastify = { path: home.database, candidate: peer };
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
