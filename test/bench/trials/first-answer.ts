import type { Home } from '../../../server/home.ts';
import { median } from '../../support/measure.ts';
import { ask } from '../ask.ts';
import { candidateFile, serving, startCandidate } from '../candidate.ts';
import type { Trial } from '../figure.ts';
import { keyOf, withHome } from '../fill.ts';
import { keepAnswers } from '../kept.ts';

/** The time to a first answer, as a multiple of what the limit takes from memory. */
const mostTimes = 2.5;
const rounds = 11;

/** Milliseconds from the start of a process to an answer, once it has printed its URL. */
async function timeToAnswer(args: readonly string[], path: string): Promise<number> {
  const start = performance.now();
  await using candidate = await startCandidate(args);
  const headers = { Authorization: `Bearer ${keyOf(0)}` };
  const { status } = await ask(candidate.url + path, headers);
  const elapsed = performance.now() - start;
  if (status !== 200) throw new Error(`${path} was answered with ${status}.`);
  return elapsed;
}

/** A file with what L0 sends. */
async function keepList(home: Home): Promise<string> {
  await using once = await startCandidate(serving(home));
  return (await keepAnswers(once.url, home.directory)).file;
}

export const trial: Trial = {
  title: 'First answer from process start',
  measure: () =>
    withHome(1, 500, async (home) => {
      const file = await keepList(home);
      const l0: number[] = [];
      const ours: number[] = [];
      // The first round fills the caches of the operating system, and is not counted.
      for (let round = 0; round <= rounds; round += 1) {
        const pair = [
          await timeToAnswer(candidateFile('l0.js', file), '/v1/events'),
          await timeToAnswer(serving(home), '/v1/events'),
        ] as const;
        if (round === 0) continue;
        l0.push(pair[0]);
        ours.push(pair[1]);
      }
      const times = median(ours) / median(l0);
      return [
        { what: 'serve, against L0', value: times, unit: 'times', atMost: mostTimes },
        { what: 'serve', value: median(ours), unit: 'ms' },
      ];
    }),
};
