import { percentile } from '../../support/measure.ts';
import { ask, keepAlive } from '../ask.ts';
import { type Candidate, serving, startCandidate } from '../candidate.ts';
import type { Figure, Trial } from '../figure.ts';
import { keyOf, withHome } from '../fill.ts';

/** How long a filtered or searched page may take, in milliseconds, for 95 of 100 requests. */
const mostMs = 20;
const users = 20;
const eventsEach = 50_000;
/** How many pages after the first one are asked for. */
const deepest = 5;

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

/** Milliseconds to a page, and where the next one is. */
async function timePage(url: string, key: string): Promise<{ ms: number; next?: string }> {
  const headers = { Authorization: `Bearer ${key}` };
  const { status, ms, headers: told } = await ask(url, headers, keepAlive);
  if (status !== 200) throw new Error(`${url} was answered with ${status}.`);
  const link = told[told.indexOf('Link') + 1] ?? '';
  const next = told.includes('Link') ? /<(.*)>/.exec(link)?.[1] : undefined;
  return next === undefined ? { ms } : { ms, next };
}

async function timePages({ url }: Candidate) {
  const times = { plain: [] as number[], first: [] as number[], deep: [] as number[] };
  await timePage(`${url}/v1/events?q=warm`, keyOf(0));
  for (const [at, query] of queries.entries()) {
    for (let turn = 0; turn < 4; turn += 1) {
      const key = keyOf((at * 7 + turn * 5) % users);
      times.plain.push((await timePage(`${url}/v1/events`, key)).ms);
      let page = await timePage(`${url}/v1/events${query}`, key);
      times.first.push(page.ms);
      for (let depth = 0; page.next !== undefined && depth < deepest; depth += 1) {
        page = await timePage(page.next, key);
        times.deep.push(page.ms);
      }
    }
  }
  return times;
}

export const trial: Trial = {
  title: `A page of the list, of ${users * eventsEach} events of ${users} users`,
  measure: () =>
    withHome(users, eventsEach, async (home): Promise<Figure[]> => {
      await using ours = await startCandidate(serving(home));
      const { plain, first, deep } = await timePages(ours);
      const p95 = (what: string, times: readonly number[]) =>
        ({ what: `${what}, p95`, value: percentile(times, 0.95), unit: 'ms' }) as const;
      return [
        p95('nothing asked', plain),
        { ...p95('filtered or searched, first', first), atMost: mostMs },
        { ...p95('the pages after that', deep), atMost: mostMs },
      ];
    }),
};
