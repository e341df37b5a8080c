import { type Candidate, candidateFile, cli, startCandidate } from '../candidate.ts';
import { compare } from '../compare.ts';
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
      await using started = new AsyncDisposableStack();
      const start = async (args: readonly string[]) =>
        started.adopt(await startCandidate(args), (candidate) => candidate.stop());
      const ours = await start([cli, '--home', home.directory, 'serve', '--port', '0']);
      const { requests, file } = await keepAnswers(ours.url, home.directory);
      const l0 = await start(candidateFile('l0.js', file));
      const { path, ...rest } = requests.list;
      const against = (candidate: Candidate) => ({
        candidate,
        target: { url: candidate.url + path, ...rest },
      });
      const figures: Figure[] = [];
      for (const rate of [10, 100] as const) {
        const writer = await startCandidate(candidateFile('writer.js', home.database, `${rate}`));
        const both = await compare({ l0: against(l0), ours: against(ours) }, connections);
        await writer.stop();
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
