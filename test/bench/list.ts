import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventStatuses, eventTypes } from '../../db/model.ts';
import { beginEventImport } from '../../db/write/event-import.ts';
import { insertKey } from '../../db/write/keys.ts';
import { insertUser } from '../../db/write/users.ts';
import { type Home, homeAt } from '../../server/home.ts';
import { digestOfKey } from '../../server/key-digest.ts';
import { startService } from '../../server/main.ts';
import { withWriter } from '../../server/store.ts';
import { percentile } from './measure.ts';

/** How long a filtered or searched page may take, in milliseconds, for 95 of 100 requests. */
const mostMs = 20;
const users = 20;
const eventsEach = 50_000;
const createdAt = '2026-01-01T00:00:00.000Z';
const words =
  'a all and annual autumn beginners berlin camp championship city club coffee conference course cup evening final forest friends łódź meeting members münchen night open relay registration results school season spring sprint straße summer team the tour training trophy winter with women world youth'.split(
    ' ',
  );

/** The same numbers in every run, from 0 to 1. */
let state = 1;
function random(): number {
  state = (state * 48_271) % 0x7fffffff;
  return state / 0x7fffffff;
}
const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
const text = (count: number) => Array.from({ length: count }, () => pick(words)).join(' ');
const momentIn = (year: number, years: number) =>
  new Date(Date.UTC(year, 0, 1) + Math.floor(random() * years * 365 * 86_400) * 1000).toISOString();

function makeEvent(id: number) {
  const date = momentIn(2010, 18);
  return {
    id,
    name: `${text(3)} ${date.slice(0, 4)}`,
    date,
    location: text(2),
    description: random() < 0.7 ? text(16) : null,
    status: pick(eventStatuses) ?? 'active',
    eventType: pick([...eventTypes, null]) ?? null,
    createdAt: momentIn(2018, 8),
  };
}

function fill(home: Home): Promise<void> {
  return withWriter(home, (db) => {
    for (let at = 0; at < users; at += 1) {
      const userId = insertUser(db, `user${at}`, createdAt) ?? 0;
      const digest = digestOfKey(`key${at}`);
      insertKey(db, { userId, digest, label: null, createdAt, expiresAt: null });
      const batch = beginEventImport(db, { userId, now: createdAt, source: 'bench' });
      for (let id = 1; id <= eventsEach; id += 1) batch.apply(makeEvent(id));
      batch.commit();
    }
  });
}

const agent = new Agent({ keepAlive: true });

/** Milliseconds to the whole answer, and where the next page is. */
function ask(url: string, key: string): Promise<{ ms: number; next: string | undefined }> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` };
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} gave ${response.statusCode}.`));
      const next = /<(.*)>/.exec(String(response.headers['link']))?.[1];
      response.resume().on('end', () => resolve({ ms: performance.now() - start, next }));
    }).on('error', reject);
  });
}

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

function report(name: string, times: readonly number[]): number {
  const p95 = percentile(times, 0.95);
  const [middle, most] = [percentile(times, 0.5), percentile(times, 1)];
  const figures = [middle, p95, most].map((ms) => ms.toFixed(1).padStart(6)).join(' ');
  console.log(`  ${name.padEnd(28)}${figures}  (${times.length} requests)`);
  return p95;
}

const folder = mkdtempSync(join(tmpdir(), 'club-events-bench-'));
try {
  const home = homeAt(join(folder, 'home'));
  await fill(home);
  const settings = { home: home.directory, host: '127.0.0.1', port: 0, allowedOrigins: [] };
  const tools = { now: () => new Date(), warn: (sentence: string) => console.log(sentence) };
  const service = await startService(settings, tools);
  const times = { plain: [] as number[], first: [] as number[], deep: [] as number[] };
  await ask(`${service.baseUrl}/v1/events?q=warm`, 'key0');
  for (const [at, query] of queries.entries()) {
    for (let turn = 0; turn < 4; turn += 1) {
      const key = `key${(at * 7 + turn * 5) % users}`;
      times.plain.push((await ask(`${service.baseUrl}/v1/events`, key)).ms);
      const first = await ask(`${service.baseUrl}/v1/events${query}`, key);
      times.first.push(first.ms);
      for (let page = 0, { next } = first; next !== undefined && page < 5; page += 1) {
        const later = await ask(next, key);
        times.deep.push(later.ms);
        next = later.next;
      }
    }
  }
  console.log(`A page of the list, of ${users * eventsEach} events of ${users} users, in ms:`);
  console.log(`  ${''.padEnd(28)}median    p95   most`);
  report('nothing asked', times.plain);
  const found = report('filtered or searched, first', times.first);
  const followed = report('the pages after that', times.deep);
  if (!(found <= mostMs && followed <= mostMs)) process.exitCode = 1;
  agent.destroy();
  await service.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
