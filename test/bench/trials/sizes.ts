import { compareAfterCommits } from '../after-commits.ts';
import { cli, startCandidate } from '../candidate.ts';
import { compare } from '../compare.ts';
import type { Figure, Trial } from '../figure.ts';
import { withHome } from '../fill.ts';
import { keepAnswers, type Requests } from '../kept.ts';

const users = 20;
/** By how much a figure may differ between 20,000 and a million events, and memory in MB. */
const leastShare = 0.9;
const mostGrowth = 30;

const titles = { list: 'list of 200', one: 'one event', unchanged: '304' } as const;

export const trial: Trial = {
  title: 'One million events of 20 users against 20,000',
  measure: () =>
    withHome(users, 1_000, (small) =>
      withHome(users, 50_000, async (large): Promise<Figure[]> => {
        await using started = new AsyncDisposableStack();
        const start = async (home: string) =>
          started.adopt(
            await startCandidate([cli, '--home', home, 'serve', '--port', '0']),
            (one) => one.stop(),
          );
        const [few, many] = [await start(small.directory), await start(large.directory)];
        const asked = {
          few: (await keepAnswers(few.url, small.directory)).requests,
          many: (await keepAnswers(many.url, large.directory)).requests,
        };
        const figures: Figure[] = [];
        for (const request of Object.keys(titles) as (keyof Requests)[]) {
          const against = (name: 'few' | 'many') => {
            const { path, ...rest } = asked[name][request];
            const candidate = { few, many }[name];
            return { candidate, target: { url: candidate.url + path, ...rest } };
          };
          for (const connections of [1, 16]) {
            const both = await compare({ few: against('few'), many: against('many') }, connections);
            figures.push({
              what: `${titles[request]}, ${connections} connection${connections === 1 ? '' : 's'}`,
              value: both.many.perSecond / both.few.perSecond,
              unit: 'times',
              atLeast: leastShare,
            });
          }
        }
        const firsts = await compareAfterCommits(
          {
            few: { path: small.database, candidate: few },
            many: { path: large.database, candidate: many },
          },
          users,
        );
        figures.push({
          what: `first list after a commit, ${users} users at once`,
          value: firsts.few.ms / firsts.many.ms,
          unit: 'times',
          atLeast: leastShare,
        });
        const growth = many.peakMegabytes() - few.peakMegabytes();
        return [...figures, { what: 'memory', value: growth, unit: 'MB', atMost: mostGrowth }];
      }),
    ),
};
