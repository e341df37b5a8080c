import { percentile } from '../../support/measure.ts';
import { serviceArguments, startCandidate } from '../candidate.ts';
import type { Figure } from '../figure.ts';
import { keyOf, withHome } from '../fill.ts';
import { authorize, keepAlive, request } from '../request.ts';

const maxMs = 20;
const users = 20;
const eventsEach = 50_000;
const rounds = 4;

const searches = ['', 'a', 's', 'berlin', 'lodz', 'conf', 'a s', '2019', 'night relay', 'nothing'];
const filters = [
  '',
  '&status=draft',
  '&eventType=none,club',
  '&from=2015-01-01&to=2022-01-01',
  '&status=active,draft&eventType=club&from=2019-03-01',
  '&from=2019-05-01&to=2019-05-03',
];
const orders = ['', '&order=asc', '&sort=date', '&sort=date&order=asc'];
const queries = searches.flatMap((q) =>
  filters.flatMap((filter) =>
    orders.map((order) => `?q=${encodeURIComponent(q)}${filter}${order}`),
  ),
);

/** Measures the first pages of searches and filters, and the pages that follow them. */
export function measurePages(): Promise<Figure[]> {
  return withHome(users, eventsEach, async ({ directory }) => {
    await using service = await startCandidate(serviceArguments(directory));
    const list = `${service.url}/v1/events`;
    await readPage(`${list}?q=warm`);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const query of queries) {
        const first = await readPage(list + query);
        times.push(first.ms);
        if (first.next !== undefined) times.push((await readPage(first.next)).ms);
      }
    }
    const what = `p95 of a searched or filtered page, ${eventsEach} of ${users * eventsEach} events`;
    return [{ what, value: percentile(times, 0.95), unit: 'ms', atMost: maxMs }];
  });
}

/** Requests a page; returns its milliseconds and the URL of the next one. */
async function readPage(url: string): Promise<{ ms: number; next: string | undefined }> {
  const { status, ms, headers } = await request(url, authorize(keyOf(users / 2)), keepAlive);
  if (status !== 200) throw new Error(`${url} was answered with ${status}.`);
  const link = headers.includes('Link') ? headers[headers.indexOf('Link') + 1] : undefined;
  return { ms, next: /<(.*)>/.exec(link ?? '')?.[1] };
}
