import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Home, homeAt } from '../../../server/base/home.ts';
import { cli, serviceArguments, startCandidate } from '../candidate.ts';
import { fillClubs, keyOf, makeEvents, withFolder } from '../fill.ts';

/**
 * Measures one machine with many clubs and prints a table for `server/service/README.md`. Run it by
 * hand: `node test/bench/trials/big.ts`. BENCH_CLUBS is the number of clubs (50,000), each with 100
 * events; BENCH_FOLDER keeps the filled home for another run.
 */
const clubs = Number(process.env['BENCH_CLUBS'] ?? 50_000);
const eventsEach = 100;
const connections = 16;
const keys = Math.min(1_000, clubs);
const loadMs = 10_000;

const run = promisify(execFile);
const rows: string[] = [];

function report(what: string, value: string): void {
  rows.push(`| ${what} | ${value} |`);
  console.log(rows.at(-1));
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Runs a command; returns its milliseconds until the first output, and until its end. */
async function time(
  home: Home,
  ...args: readonly string[]
): Promise<{ first: number; end: number }> {
  const start = performance.now();
  const running = run(process.execPath, [cli, '--home', home.directory, ...args], {
    maxBuffer: 2 ** 30,
  });
  let first: number | undefined;
  running.child.stdout?.once('data', () => {
    first = performance.now() - start;
  });
  await running;
  const end = performance.now() - start;
  return { first: first ?? end, end };
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

/** Requests paths with all keys in turn for some seconds; returns the milliseconds of each. */
async function load(url: string, path: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const end = performance.now() + loadMs;
  let next = 0;
  const client = async () => {
    while (performance.now() < end) {
      const start = performance.now();
      const headers = { Authorization: `Bearer ${keyOf(next++ % keys)}` };
      const sent = request(url + path, { agent, headers }).end();
      const [response] = await once(sent, 'response');
      await readText(response);
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return times;
}

function reportLoad(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  const perSecond = Math.round((times.length / loadMs) * 1_000);
  report(what, `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ${perSecond}/s`);
}

async function measureCommands(home: Home): Promise<void> {
  const names = (kind: string) =>
    [1, 2, 3, 4, 5].map((number) => `${kind} ${Date.now()} ${number}`);
  const first = await time(home, 'user', 'add', `first ${Date.now()}`);
  report('first `user add` of the run, result printed', seconds(first.first));
  report('the same until its process ended', seconds(first.end));
  const adds: number[] = [];
  for (const name of names('club')) adds.push((await time(home, 'user', 'add', name)).end);
  report('`user add`, median of 5', seconds(median(adds)));
  const events: number[] = [];
  for (const name of names('Event')) {
    const args = ['--user', 'user7', '--name', name, '--date', '2026-06-01'];
    events.push((await time(home, 'event', 'add', ...args)).end);
  }
  report('`event add`, median of 5', seconds(median(events)));
  report('`user list`', seconds((await time(home, 'user', 'list')).end));
  report('`key list`', seconds((await time(home, 'key', 'list')).end));
  report('`history`', seconds((await time(home, 'history', '--user', 'user7')).end));
}

async function measureService(home: Home): Promise<void> {
  const start = performance.now();
  await using service = await startCandidate(serviceArguments(home.directory));
  report('start of the service', seconds(performance.now() - start));
  reportLoad('list of a club', await load(service.url, '/v1/events'));
  reportLoad('one event', await load(service.url, '/v1/events/50'));
  const file = join(home.directory, '..', 'import.json');
  writeFileSync(file, JSON.stringify({ events: makeEvents(10_000) }));
  const importing = time(home, 'import', file, '--user', 'user3');
  reportLoad('list of a club beside an import', await load(service.url, '/v1/events'));
  report('import of 10,000 events beside the load', seconds((await importing).end));
  report('peak memory of the service', `${Math.round(service.peakMegabytes())} MB`);
}

async function measure(home: Home): Promise<void> {
  if (!existsSync(home.database)) {
    const start = performance.now();
    await fillClubs(home, clubs, eventsEach);
    report('filling', seconds(performance.now() - start));
  }
  report('database', `${Math.round(statSync(home.database).size / 1e6)} MB`);
  await measureCommands(home);
  await measureService(home);
  const backup = join(home.directory, '..', 'backup.sqlite');
  rmSync(backup, { force: true });
  report('`backup`', seconds((await time(home, 'backup', '--output', backup)).end));
  report('`restore`', seconds((await time(home, 'restore', backup)).end));
  report('`check`', seconds((await time(home, 'check')).end));
}

console.log(
  `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}, ${clubs} clubs\n`,
);
console.log('| what | measured |\n|---|---|');
const kept = process.env['BENCH_FOLDER'];
if (kept === undefined) await withFolder((folder) => measure(homeAt(join(folder, 'home'))));
else {
  mkdirSync(kept, { recursive: true });
  await measure(homeAt(join(kept, 'home')));
}
