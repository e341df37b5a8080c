import { compareAfterCommits } from '../after-commits.ts';
import { serving, startCandidate } from '../candidate.ts';
import { compare, contend } from '../compare.ts';
import type { Figure, Trial } from '../figure.ts';
import { withHome } from '../fill.ts';
import { describeLoad, keepAnswers, type RequestName, requestTitles } from '../kept.ts';

const users = 20;
/** By how much a figure may differ between 20,000 and a million events, and memory in MB. */
const leastShare = 0.9;
const mostGrowth = 30;

export const trial: Trial = {
  title: 'One million events of 20 users against 20,000',
  measure: () =>
    withHome(users, 1_000, (small) =>
      withHome(users, 50_000, async (large): Promise<Figure[]> => {
        await using few = await startCandidate(serving(small));
        await using many = await startCandidate(serving(large));
        const asked = {
          few: (await keepAnswers(few.url, small.directory)).requests,
          many: (await keepAnswers(many.url, large.directory)).requests,
        };
        const figures: Figure[] = [];
        for (const request of Object.keys(requestTitles) as RequestName[]) {
          for (const connections of [1, 16]) {
            const contenders = {
              few: contend(few, asked.few[request]),
              many: contend(many, asked.many[request]),
            };
            const both = await compare(contenders, connections);
            figures.push({
              what: describeLoad(request, connections),
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
