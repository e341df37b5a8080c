import { findRequests, saveAnswers } from '../answers.ts';
import { candidateArguments, serviceArguments, startCandidate } from '../candidate.ts';
import { seconds } from '../compare.ts';
import type { Figure } from '../figure.ts';
import { keyOf, withHome } from '../fill.ts';
import { load } from '../load.ts';

const maxTimes = 1.2;

/** Compares the peak memory under the same load with bare node:http. */
export function measureMemory(): Promise<Figure[]> {
  return withHome(20, 1_000, async ({ directory }) => {
    await using service = await startCandidate(serviceArguments(directory));
    const requests = await findRequests(service.url, keyOf(0));
    const file = await saveAnswers(requests, directory);
    await using nodeHttp = await startCandidate(candidateArguments('node-http.js', file));
    for (const { path, target } of Object.values(requests)) {
      for (const { url } of [service, nodeHttp]) {
        await load({ ...target, url: url + path }, 16, seconds);
      }
    }
    const value = service.peakMegabytes() / nodeHttp.peakMegabytes();
    return [{ what: 'peak memory, against node:http', value, unit: 'times', atMost: maxTimes }];
  });
}
