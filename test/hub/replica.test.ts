import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Home, homeAt } from '../../server/base/home.ts';
import { addEvents, addMember, makeEvent, makeFolder, removeFolder } from '../support/home.ts';
import {
  forgetRecord,
  performHub,
  pointToRecord,
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

const push = () => performHub(home, 'hub push', { user: 'Chess' });

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

it('a node keeps what it has while a replica lags, and trusts none that is cut off', async () => {
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
