import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { cpus } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { digestOf } from '../../../db/event-hash.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { type Home, homeAt } from '../../../server/base/home.ts';
import { type ActionTools, thisMachine } from '../../../server/club/tools.ts';
import { initHub } from '../../../server/hub/manage.ts';
import { pointToRecord } from '../../support/hub.ts';
import { createPostgres, type Postgres } from '../../support/postgres.ts';
import { type Link, serveLink } from '../../support/proxy.ts';
import { type Candidate, serviceArguments, startCandidate } from '../candidate.ts';
import { keyOf, makeEvents, withFolder } from '../fill.ts';

/**
 * Measures nodes of a hub and prints a table for `server/hub/README.md`. Run it by hand:
 * `node test/bench/trials/hub.ts`. BENCH_CLUBS is the number of clubs (50,000), each with 100 events;
 * BENCH_REQUESTS that of the requests to both nodes (100,000).
 */
const clubs = Number(process.env['BENCH_CLUBS'] ?? 50_000);
const requests = Number(process.env['BENCH_REQUESTS'] ?? 100_000);
const connections = 16;
const keys = Math.min(1_000, clubs);
const publicUrl = 'https://events.example';

function report(what: string, value: string): void {
  console.log(`| ${what} | ${value} |`);
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const texts = makeEvents(1_000);

/** The event that pushes change, and its name after the first push. */
const changed = { id: 50, name: 'Changed 2' } as const;

/** Returns the digest of a club. All clubs have the same events, as nodes check the digest of each. */
function digestOfClub(isChanged: boolean): string {
  const byId = new Map(texts.map((event) => [event.id, event]));
  const events = Array.from({ length: 100 }, (_, at) => {
    const { registrationOpen: _open, ...event } = byId.get(
      (((at + 1) * 13) % 1_000) + 1,
    ) as StoredEvent;
    return { ...event, id: at + 1, ...(isChanged && at + 1 === changed.id && changed) };
  });
  return digestOf(events);
}

/** Fills the record by SQL: to push so many clubs would take longer than all measurements. */
async function fillRecord(record: Postgres): Promise<void> {
  const values = JSON.stringify(texts).replaceAll("'", "''");
  const digest = digestOfClub(false);
  await record.query(`
    CREATE TABLE texts AS SELECT * FROM json_to_recordset('${values}') AS pool (
      id integer, name text, date text, location text, description text, status text,
      "eventType" text, "createdAt" text);
    CREATE UNIQUE INDEX ON texts (id);
    INSERT INTO club_events.clubs
        (name, zone, uid_base, epoch, revision, event_count, event_digest)
      SELECT 'Club ' || n, 'Europe/Berlin', substr(md5('u' || n), 1, 16),
        substr(md5('e' || n), 1, 16), 1, 100, '${digest}'
      FROM generate_series(1, ${clubs}) AS n ORDER BY n;
    INSERT INTO club_events.keys (digest, id, club, created_at)
      SELECT sha256(convert_to('key' || (n - 1), 'UTF8')), n, n, '2026-01-01T00:00:00.000Z'
      FROM generate_series(1, ${keys}) AS n;
    INSERT INTO club_events.log (number, id, club, kind, revision)
      SELECT n, substr(md5('e' || n), 1, 16), n, 'events', 1
      FROM generate_series(1, ${clubs}) AS n;
    INSERT INTO club_events.events
      SELECT club, n, name, date, location, description, status, "eventType", NULL,
        "createdAt", NULL, 1
      FROM generate_series(1, ${clubs}) AS club, generate_series(1, 100) AS n
      JOIN texts ON true WHERE texts.id = (n * 13) % 1000 + 1;
    UPDATE club_events.head SET number = ${clubs};
    ANALYZE`);
}

type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

const agent = new Agent({ keepAlive: true, maxSockets: connections });

async function ask({ url }: Candidate, path: string, key: number): Promise<Answer> {
  const headers = { Authorization: `Bearer ${keyOf(key)}`, Host: new URL(publicUrl).host };
  const sent = request(url + path, { agent, headers }).end();
  const [response] = await once(sent, 'response');
  const body = await readText(response);
  return { status: response.statusCode, headers: response.headers, body };
}

/** Runs `turn` on all connections until it returns false. */
async function onConnections(turn: () => Promise<boolean>): Promise<void> {
  const client = async () => {
    while (await turn());
  };
  await Promise.all(Array.from({ length: connections }, client));
}

const paths = [
  '/v1/events',
  '/v1/events/50',
  '/v1/events?q=spring',
  '/v1/events?sort=date&limit=20',
];

/** Compares the answers of two nodes; returns the number of those that differ. */
async function compareNodes(one: Candidate, other: Candidate): Promise<number> {
  let next = 0;
  let different = 0;
  const seen = ({ status, headers, body }: Answer) => {
    const { date, connection, 'keep-alive': _, ...others } = headers;
    return JSON.stringify([status, others, body]);
  };
  await onConnections(async () => {
    const index = next++;
    if (index >= requests / 2) return false;
    const path = paths[index % paths.length] as string;
    const both = await Promise.all([ask(one, path, index % keys), ask(other, path, index % keys)]);
    if (both[0].status !== 200) throw new Error(`${path}: ${both[0].status}`);
    if (seen(both[0]) !== seen(both[1])) different += 1;
    return true;
  });
  return different;
}

/** Returns the seconds of the processor that a service has used. */
function readProcessorTime(home: Home): number {
  const { pid } = JSON.parse(readRegistration(home));
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Returns the requests in a second of the processor of the service. */
async function measureLoad(
  [service, home]: readonly [Candidate, Home],
  path: string,
): Promise<number> {
  let next = 0;
  const start = performance.now();
  const before = readProcessorTime(home);
  await onConnections(async () => {
    const { status } = await ask(service, path, next++ % keys);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return performance.now() - start < 2_000;
  });
  return next / (readProcessorTime(home) - before);
}

async function startNode(home: Home): Promise<{ node: Candidate; ms: number }> {
  const start = performance.now();
  const node = await startCandidate([
    ...serviceArguments(home.directory),
    '--hub',
    '--public-url',
    publicUrl,
  ]);
  const { localUrl } = JSON.parse(readRegistration(home));
  const local = {
    ...node,
    url: localUrl as string,
    [Symbol.asyncDispose]: node[Symbol.asyncDispose],
  };
  const isReady = async () => (await fetch(`${local.url}/ready`)).ok;
  while (!(await isReady())) await delay(50);
  return { node: local, ms: performance.now() - start };
}

function readRegistration(home: Home): string {
  return readFileSync(home.registration, 'utf8');
}

/** Changes 200 clubs, 20 in a second, from one on; reports the time until nodes have each change. */
async function measureLag(record: Postgres, homes: readonly Home[], first: number): Promise<void> {
  const committed = new Map<number, number>();
  const lags: number[] = [];
  let isOver = false;
  const watch = async ({ database }: Home) => {
    const db = new Database(database, { readonly: true });
    const readNumber = db.prepare<[], number>('SELECT number FROM hub_node').pluck();
    let seen = readNumber.get() ?? 0;
    while (!isOver || seen < Math.max(...committed.keys())) {
      const number = readNumber.get() ?? 0;
      for (; seen < number; seen += 1) {
        const at = committed.get(seen + 1);
        if (at === undefined) break;
        lags.push(performance.now() - at);
      }
      await delay(5);
    }
    db.close();
  };
  const watching = homes.map(watch);
  const start = performance.now();
  for (let index = 0; index < 200; index += 1) {
    const [row] = await record.query<{ number: string }>(push(first + index));
    committed.set(Number(row?.number), performance.now());
    await delay(Math.max(0, start + (index + 1) * 50 - performance.now()));
  }
  const rate = 200_000 / (performance.now() - start);
  isOver = true;
  await Promise.all(watching);
  const sorted = lags.toSorted((one, another) => one - another);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  report(
    `lag of ${homes.length} nodes at ${rate.toFixed(1)} pushes a second`,
    `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(0.999)} ms`,
  );
}

const changedDigest = digestOfClub(true);

/** The first push of one event of a club, as one statement. */
const push = (club: number) => `
  WITH head AS (UPDATE club_events.head SET number = number + 1 RETURNING number),
  club AS (UPDATE club_events.clubs SET revision = revision + 1,
      epoch = substr(md5(random()::text), 1, 16), event_digest = '${changedDigest}'
    WHERE id = ${club} RETURNING revision, epoch),
  event AS (UPDATE club_events.events SET name = '${changed.name}',
      revision = club.revision FROM club WHERE events.club = ${club} AND id = ${changed.id}),
  logged AS (INSERT INTO club_events.log (number, id, club, kind, revision)
      SELECT number, epoch, ${club}, 'events', revision FROM head, club)
  SELECT number FROM head`;

/** Reports what five nodes ask of the record, at rest and while clubs change. */
async function measureFollowers(folder: string, record: Postgres): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  const links: Link[] = [];
  const homes: Home[] = [];
  for (let number = 1; number <= 5; number += 1) {
    const link = await serveLink(record.port, (stop) => stops.push(stop));
    process.env['PGPORT'] = `${link.port}`;
    const home = homeAt(join(folder, `follower ${number}`));
    const { node } = await startNode(home);
    stops.push(() => node[Symbol.asyncDispose]() as Promise<void>);
    links.push(link);
    homes.push(home);
  }
  const readCounts = async () => {
    const [row] = await record.query<{ count: string }>(
      'SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()',
    );
    return {
      bytes: links.reduce((sum, { received }) => sum + received(), 0),
      transactions: Number(row?.count),
      at: performance.now(),
    };
  };
  const measureTraffic = async (what: string, work: () => Promise<unknown>) => {
    const before = await readCounts();
    await work();
    // PostgreSQL counts with a delay of up to a second.
    await delay(2_000);
    const after = await readCounts();
    const passed = (after.at - before.at) / 1_000;
    const [bytes, transactions] = [
      (after.bytes - before.bytes) / passed / 5,
      (after.transactions - before.transactions) / passed,
    ];
    report(
      `five nodes ${what}, transactions of the record and bytes for each node in a second`,
      `${transactions.toFixed(1)}, ${Math.round(bytes)}`,
    );
  };
  await measureTraffic('at rest', () => delay(20_000));
  await measureTraffic('at 20 pushes a second', () => measureLag(record, homes, 401));
  for (const stop of stops.reverse()) await stop();
  process.env['PGPORT'] = `${record.port}`;
}

/** Waits until a service that started has checked its file and made its backup of the day. */
async function quiet(home: Home): Promise<void> {
  await delay(35_000);
  for (let before = 0, now = 1; now - before > 0.05; await delay(2_000)) {
    before = now;
    now = readProcessorTime(home);
  }
}

/** Compares a node with an ordinary service on a copy of its database. */
async function measureRatio(folder: string, node: Candidate, home: Home): Promise<void> {
  const plain = homeAt(join(folder, 'plain'));
  mkdirSync(plain.directory, { recursive: true });
  const source = new Database(home.database, { readonly: true });
  await source.backup(plain.database);
  source.close();
  const copy = new Database(plain.database);
  copy.exec('DELETE FROM hub_node');
  copy.close();
  await using service = await startCandidate([
    ...serviceArguments(plain.directory),
    '--public-url',
    publicUrl,
  ]);
  const local = { ...service, url: JSON.parse(readRegistration(plain)).localUrl as string };
  await quiet(plain);
  for (const path of ['/v1/events', '/v1/events/50']) {
    const ratios: number[] = [];
    for (let turn = 0; turn < 9; turn += 1) {
      // In turn, as other work on the machine comes and goes.
      const both = [[node, home] as const, [local, plain] as const] as const;
      const [first, second] = turn % 2 === 0 ? both : [both[1], both[0]];
      const [one, two] = [await measureLoad(first, path), await measureLoad(second, path)];
      ratios.push(turn % 2 === 0 ? one / two : two / one);
    }
    const all = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
    report(
      `node / service, requests per second of the processor, ${path}`,
      `${median(ratios).toFixed(2)} (${all})`,
    );
  }
}

async function measure(folder: string, record: Postgres): Promise<void> {
  await record.start();
  pointToRecord(record);
  await initHub({}, { ...thisMachine, home: homeAt(folder) } as ActionTools);
  const start = performance.now();
  await fillRecord(record);
  report('record filled by SQL', seconds(performance.now() - start));
  const homes = ['one', 'two'].map((name) => homeAt(join(folder, name)));
  const [first, second] = homes as [Home, Home];
  const one = await startNode(first);
  await using node = one.node;
  report('first filling of a node, until it is ready', seconds(one.ms));
  report('of which the processor worked', seconds(readProcessorTime(first) * 1_000));
  report('peak memory of the node', `${Math.round(node.peakMegabytes())} MB`);
  report('database of the node', `${Math.round(statSync(first.database).size / 1e6)} MB`);
  const two = await startNode(second);
  await using other = two.node;
  report('the same of a second node', seconds(two.ms));
  // After a long filling, a node says as of when its answers are until it has looked once more.
  await delay(1_000);
  const different = await compareNodes(node, other);
  report(`${requests} requests to two nodes, different answers`, `${different}`);
  await measureLag(record, [first], 1);
  await measureRatio(folder, node, first);
  await measureFollowers(folder, record);
  report('peak memory of the node at the end', `${Math.round(node.peakMegabytes())} MB`);
}

console.log(
  `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}, ${clubs} clubs\n`,
);
console.log('| what | measured |\n|---|---|');
const record = await createPostgres();
try {
  await withFolder((folder) => measure(folder, record));
} finally {
  agent.destroy();
  await record.remove();
}
