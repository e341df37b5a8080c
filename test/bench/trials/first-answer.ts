import { median } from '../../support/measure.ts';
import { findRequests, saveAnswers } from '../answers.ts';
import { candidateArguments, serviceArguments, startCandidate } from '../candidate.ts';
import type { Figure } from '../figure.ts';
import { keyOf, withHome } from '../fill.ts';
import { authorize, request } from '../request.ts';

const maxTimes = 2.5;
const rounds = 11;

/** Compares the time from process start to the first list with bare node:http. */
export function measureFirstAnswer(): Promise<Figure[]> {
  return withHome(1, 500, async ({ directory }) => {
    const file = await saveList(directory);
    const times = { service: [] as number[], nodeHttp: [] as number[] };
    // The first round fills the caches of the operating system and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      const nodeHttp = await timeToAnswer(candidateArguments('node-http.js', file));
      const service = await timeToAnswer(serviceArguments(directory));
      if (round === 0) continue;
      times.nodeHttp.push(nodeHttp);
      times.service.push(service);
    }
    const value = median(times.service) / median(times.nodeHttp);
    return [
      {
        what: 'first answer from process start, against node:http',
        value,
        unit: 'times',
        atMost: maxTimes,
      },
    ];
  });
}

async function saveList(home: string): Promise<string> {
  await using service = await startCandidate(serviceArguments(home));
  return await saveAnswers(await findRequests(service.url, keyOf(0)), home);
}

/** Returns the milliseconds from the start of a process to its first list. */
async function timeToAnswer(args: readonly string[]): Promise<number> {
  const start = performance.now();
  await using candidate = await startCandidate(args);
  const { status } = await request(`${candidate.url}/v1/events`, authorize(keyOf(0)));
  const elapsed = performance.now() - start;
  if (status !== 200) throw new Error(`The list was answered with ${status}.`);
  return elapsed;
}
