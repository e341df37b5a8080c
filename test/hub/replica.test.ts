import process from 'node:process';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Home, homeAt } from '../../server/base/home.ts';
import { callCommand } from '../support/command.ts';
import { addEvents, addMember, makeEvent, makeFolder, removeFolder } from '../support/home.ts';
import {
  forgetRecord,
  performHub,
  pointToRecord,
  pushClub,
  startNode,
  type TestNode,
} from '../support/hub.ts';
import { lacking, requirePlace } from '../support/place.ts';
import { createPostgres, type Postgres } from '../support/postgres.ts';

const folder = makeFolder();
const stops: (() => Promise<void>)[] = [];
let primary: Postgres;
let replica: Postgres;
let home: Home;
let userId: number;
let key: string;

const push = () => pushClub(home, 'Chess');

/** Runs a command that needs the primary, while nodes are pointed elsewhere. */
async function onPrimary<Result>(run: () => Promise<Result>): Promise<Result> {
  const { PGHOST, PGPORT } = process.env;
  pointToRecord(primary);
  try {
    return await run();
  } finally {
    Object.assign(process.env, { PGHOST, PGPORT });
  }
}

const asOf = async (node: TestNode) =>
  (await node.get('/v1/events/1', key)).headers.get('Data-As-Of');

beforeAll(async () => {
  if (lacking('a PostgreSQL') !== undefined) return;
  primary = await createPostgres();
  stops.push(() => primary.remove());
  await primary.start();
  pointToRecord(primary);
  home = homeAt(`${folder}/home`);
  ({ userId } = await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]));
  await performHub(home, 'hub init');
  await push();
  ({ key } = await performHub(home, 'hub key create', { user: 'Chess' }));
  await primary.stop();
  replica = await primary.createReplica();
  stops.push(() => replica.remove());
  await primary.start();
  await replica.start();
});

afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  forgetRecord();
  removeFolder(folder);
});

beforeEach((context) => requirePlace(context, 'a PostgreSQL'));

it('a node keeps what it has while a replica lags, and trusts none that is cut off', {
  tags: 'long',
}, async () => {
  const node = await startNode();
  await expect.poll(() => asOf(node)).toBeNull();
  await replica.query('SELECT pg_wal_replay_pause()');
  await addEvents(home, userId, [makeEvent(3)]);
  const { number } = await push();
  await expect.poll(() => node.number()).toBe(number);

  pointToRecord(replica);
  await primary.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name LIKE 'club-events node %'`);
  // It has looked, and found an earlier state than its own.
  const looks = () =>
    replica.query(`SELECT FROM pg_stat_activity
      WHERE application_name LIKE 'club-events node %' AND query LIKE '%club_events.head%'`);
  await expect.poll(looks).toHaveLength(1);
  expect([node.number(), node.warnings.includes('hub_record_forgot')]).toEqual([number, false]);
  expect(await asOf(node)).not.toBeNull();

  await replica.query('SELECT pg_wal_replay_resume()');
  await expect.poll(() => asOf(node)).toBeNull();
  expect(node.number()).toBe(number);

  await primary.stop('immediate');
  await expect.poll(() => node.warnings).toContain('hub_replica_alone');
  expect(await asOf(node)).not.toBeNull();
});

it('a replica that does not replay is no contact, and the primary is asked first', {
  tags: 'long',
}, async () => {
  await primary.start();
  await expect
    .poll(() => replica.query('SELECT FROM pg_stat_get_wal_receiver() WHERE pid IS NOT NULL'))
    .toHaveLength(1);
  pointToRecord(replica);
  const node = await startNode({ maxLag: 8_000 });
  await expect.poll(() => node.node.isReady()).toBe(true);
  const { id, key: revoked } = await onPrimary(() =>
    performHub(home, 'hub key create', { user: 'Chess' }),
  );
  const status = async () => (await node.get('/v1/events/1', revoked)).status;
  await expect.poll(status).toBe(200);
  await replica.query('SELECT pg_wal_replay_pause()');
  await onPrimary(() => performHub(home, 'hub key revoke', { id }));
  await expect.poll(() => node.node.isReady()).toBe(false);
  expect(await asOf(node)).not.toBeNull();
  // As long as the documents say, and no longer.
  await expect.poll(status).toBe(503);
  pointToRecord(replica, primary);
  await expect.poll(status).toBe(401);
  expect(node.node.isReady()).toBe(true);
  await replica.query('SELECT pg_wal_replay_resume()');
});

it('a former primary that comes back is refused by nodes, pushes and the status', async () => {
  pointToRecord(primary, replica);
  const node = await startNode();
  await expect.poll(() => node.node.isReady()).toBe(true);
  const { id, key: revoked } = await performHub(home, 'hub key create', { user: 'Chess' });
  const status = async () => (await node.get('/v1/events/1', revoked)).status;
  await expect.poll(status).toBe(200);
  const received = () => replica.query(`SELECT FROM club_events.keys WHERE id = ${id}`);
  await expect.poll(received).toHaveLength(1);
  await primary.stop('immediate');
  await replica.promote();
  await expect.poll(() => node.node.readState().timeline).toBe(2);
  await performHub(home, 'hub key revoke', { id });
  await addEvents(home, userId, [makeEvent(7)]);
  expect(await push()).toMatchObject({ conflict: null });
  await expect.poll(status).toBe(401);
  // It starts by itself after a reboot.
  await primary.start();
  const late = await startNode();
  await expect.poll(() => late.node.readState().timeline).toBe(2);
  await expect.poll(async () => (await late.get('/v1/events/1', revoked)).status).toBe(401);
  expect(await status()).toBe(401);
  const { servers, isInOrder } = await performHub(home, 'hub status');
  expect(servers.map(({ role, timeline }) => [role, timeline])).toEqual([
    ['former', 1],
    ['record', 2],
  ]);
  expect(isInOrder).toBe(false);
  const { status: code, stderr } = await callCommand(['hub', 'status', '--home', home.directory]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('was replaced by a later primary')]);
  // The new one is away: better none than the old one.
  await replica.stop();
  await expect.poll(() => node.warnings).toContain('hub_record_older');
  expect(await status()).toBe(401);
  await expect(push()).rejects.toMatchObject({ code: 'hub_record_older' });
  expect(await pushClub(home, 'Chess', { acceptRecord: true })).toMatchObject({ conflict: 'lost' });
  // Once is enough, also if nothing was pushed.
  expect(await push()).toMatchObject({ conflict: 'lost' });
});
