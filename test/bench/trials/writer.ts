import { candidateFile, serving, startCandidate } from '../candidate.ts';
import { compare, contend } from '../compare.ts';
import type { Figure, Trial } from '../figure.ts';
import { withHome } from '../fill.ts';
import { keepAnswers } from '../kept.ts';

/** What is asked for of the list beside a writer, by commits a second, as a share of the limit. */
const asked = { 10: 0.7, 100: 0.62 } as const;
const connections = 16;

export const trial: Trial = {
  title: 'The list of 200 at 16 connections, beside a steady writer',
  measure: () =>
    withHome(20, 1_000, async (home): Promise<Figure[]> => {
      await using ours = await startCandidate(serving(home));
      const { requests, file } = await keepAnswers(ours.url, home.directory);
      await using l0 = await startCandidate(candidateFile('l0.js', file));
      const contenders = { l0: contend(l0, requests.list), ours: contend(ours, requests.list) };
      const figures: Figure[] = [];
      for (const rate of [10, 100] as const) {
        await using _writer = await startCandidate(
          candidateFile('writer.js', home.database, `${rate}`),
        );
        const both = await compare(contenders, connections);
        const value = both.ours.perSecond / both.l0.perSecond;
        figures.push({
          what: `${rate} commits a second`,
          value,
          unit: 'of L0',
          atLeast: asked[rate],
        });
      }
      return figures;
    }),
};
