import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, cpSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { prepareNodeUpdates, putPush, readNode, readPushes } from '../../db/hub.ts';
import { prepareUserReads } from '../../db/users.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { createConnections } from '../../server/http/connections.ts';
import { composeMetrics } from '../../server/hub/metrics.ts';
import { createNode } from '../../server/hub/node.ts';
import { migrations } from '../../server/hub/schema.ts';
import { withReader, withWriter } from '../../server/store/store.ts';
import { callCommand, pathWithCommand } from '../support/command.ts';
import {
  addEvents,
  addMember,
  makeEvent,
  makeFolder,
  makeTestFolder,
  makeTestHome,
  removeFolder,
} from '../support/home.ts';
import {
  contentOf,
  forgetRecord,
  performHub,
  pointToRecord,
  pushClub,
  pushClubs,
  readHead,
  startNode,
  type TestNode,
} from '../support/hub.ts';
import { performHere } from '../support/perform.ts';
import { lacking, requirePlace } from '../support/place.ts';
import { findFreePort } from '../support/port.ts';
import { createPostgres, type Postgres, recordPassword } from '../support/postgres.ts';
import { fetchWithKey, serveForTest } from '../support/service.ts';

/** The blocks of code in the page of the hub. */
const page = readFileSync(join(import.meta.dirname, '../../server/hub/README.md'), 'utf8');
const blocksIn = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );
const [roles = '', rights = ''] = blocksIn('sql');

const superuser = { user: 'postgres', password: recordPassword, database: 'postgres', ssl: false };

type Key = { readonly id: number; readonly key: string };

/** Gives the accounts of the page the password of the tests. */
const withPasswords = (sql: string) =>
  sql.replaceAll("PASSWORD '…'", `PASSWORD '${recordPassword}'`);

const folder = makeFolder();
const stops: (() => Promise<void>)[] = [];
const atEnd = (stop: () => Promise<void>) => void stops.push(stop);
let record: Postgres;
let home: Home;
let userId: number;
let key: string;
let nodes: readonly [TestNode, TestNode];

beforeAll(async () => {
  if (lacking('a PostgreSQL') !== undefined) return;
  record = await createPostgres();
  await record.start();
  // A node may only read.
  await record.query(withPasswords(roles.replace('DATABASE events', 'DATABASE postgres')));
  pointToRecord(record);
  process.env['PGUSER'] = 'club_events_push';
  home = homeAt(`${folder}/home`);
  const member = await addMember(
    home,
    'Chess',
    Array.from({ length: 450 }, (_, at) => makeEvent(at)),
  );
  userId = member.userId;
  await performHub(home, 'hub init');
  await record.query(rights);
  await pushClub(home, 'Chess');
  ({ key } = await performHub(home, 'hub key create', { user: 'Chess' }));
  process.env['PGUSER'] = 'club_events_node';
  nodes = [
    await startNode({ home: homeAt(`${folder}/one`), atEnd }),
    await startNode({ home: homeAt(`${folder}/two`), atEnd }),
  ];
  process.env['PGUSER'] = 'club_events_push';
});

afterAll(async () => {
  for (const stop of stops) await stop();
  await record?.remove();
  forgetRecord();
  removeFolder(folder);
});

beforeEach((context) => requirePlace(context, 'a PostgreSQL'));

/** Waits until both nodes have the last change of the record. */
async function settled(): Promise<number> {
  const number = await readHead(record);
  for (const node of nodes) {
    await expect.poll(() => node.number()).toBe(number);
    // They know that they have all.
    const asOf = async () => (await node.get('/v1/events/7', key)).headers.get('Data-As-Of');
    await expect.poll(asOf).toBeNull();
  }
  return number;
}

const push = (args: object = {}) => pushClub(home, 'Chess', args);

/** Expects that both nodes give the same answer; returns it. */
async function getSame(path: string, headers: Readonly<Record<string, string>> = {}, by = key) {
  const answers = await Promise.all(nodes.map((node) => node.get(path, by, headers)));
  const [first] = answers.map((answer) => answer.clone());
  const contents = await Promise.all(answers.map(contentOf));
  const hashes = contents.map((content) => hash('sha256', content));
  expect(hashes[0], contents[0]?.slice(0, 900)).toBe(hashes[1]);
  return first as Response;
}

type List = {
  readonly events: { readonly id: number; name: string }[];
  readonly removed?: number[];
};
const listOf = async (answer: Response) => (await answer.json()) as List;

describe('two nodes', () => {
  it('are filled from the record by a role that may only read', async () => {
    expect(await settled()).toBe(2);
    const roles = await record.query(`SELECT usename FROM pg_stat_activity
      WHERE application_name LIKE 'club-events node %'`);
    expect(roles).toEqual([{ usename: 'club_events_node' }, { usename: 'club_events_node' }]);
    process.env['PGUSER'] = 'club_events_node';
    const creation = performHub(home, 'hub key create', { user: 'Chess' });
    await expect(creation).rejects.toMatchObject({ code: 'hub_forbidden' });
    process.env['PGUSER'] = 'club_events_push';
  });

  it.each([
    ['/v1/events', {}],
    ['/v1/events?sort=date&limit=7', {}],
    ['/v1/events?q=event+4', {}],
    ['/v1/events?status=cancelled', {}],
    ['/v1/events/7', {}],
    ['/v1/events/9999', {}],
    ['/v1/events?limit=nothing', {}],
    ['/v1/events', { Accept: 'text/calendar' }],
    ['/v1/events', { Accept: 'text/csv' }],
    ['/v1/events', { 'Club-Events-Page': '1' }],
  ] as const)('answer %s %j with the same bytes', async (path, headers) => {
    const answer = await getSame(path, headers);
    expect([200, 400, 404]).toContain(answer.status);
  });

  it('answer the events, UIDs and digest of the home', async () => {
    const service = await serveForTest(home);
    for (const headers of [{}, { Accept: 'text/calendar' }]) {
      const own = await fetchWithKey(service, '/v1/events', 'key-of-Chess', headers);
      const answer = await getSame('/v1/events', headers);
      expect(answer.headers.get('Events-Digest')).toBe(own.headers.get('Events-Digest'));
      const withoutStamp = (text: string) => text.replaceAll(/DTSTAMP:.*/g, '');
      expect(withoutStamp(await answer.text())).toBe(withoutStamp(await own.text()));
    }
  });

  it('let a client change the node between two pages', async () => {
    const ids: number[] = [];
    let path: string | undefined = '/v1/events?limit=60';
    for (let turn = 0; path !== undefined; turn += 1) {
      const answer: Response | undefined = await nodes[turn % 2]?.get(path, key);
      ids.push(...(await listOf(answer as Response)).events.map(({ id }) => id));
      path = /<https:\/\/[^/]+(.*?)>; rel="next"/.exec(answer?.headers.get('Link') ?? '')?.[1];
    }
    expect(ids).toHaveLength(450);
    expect(new Set(ids).size).toBe(450);
  });

  it('have a change and list it after the revision before', async () => {
    const before = (await getSame('/v1/events')).headers.get('Events-Revision');
    await addEvents(home, userId, [makeEvent(1, { name: 'Renamed' }), makeEvent(1000)]);
    const removal = ['event', 'remove', '2', '--user', 'Chess', '--home', home.directory];
    expect(await callCommand(removal)).toMatchObject({ status: 0 });
    const pushed = await push();
    expect(pushed).toMatchObject({ added: [{ id: 1000 }], changed: [{ id: 1 }] });
    expect(pushed.removed).toMatchObject([{ id: 2, name: 'Event 2' }]);
    await settled();
    const answer = await getSame(`/v1/events?since=${before}`);
    const { events, removed } = await listOf(answer);
    expect([events.map(({ id }) => id), removed]).toEqual([[1, 1000], [2]]);
    expect(answer.headers.get('Events-Revision')).toBe(pushed.revision);
    // Over pages, and from one node to the other.
    const first = await getSame(`/v1/events?since=${before}&limit=2`);
    const [, next = ''] = /\?(.*)>/.exec(first.headers.get('Link') ?? '') ?? [];
    const rest = await listOf(await getSame(`/v1/events?${next}`));
    expect([rest.events.map(({ id }) => id), rest.removed]).toEqual([[1000], []]);
    expect((await getSame(`/v1/events?since=${pushed.revision}`)).status).toBe(200);
    const foreign = pushed.revision.replace(/^.{4}/, '0000');
    expect((await getSame(`/v1/events?since=${foreign}`)).status).toBe(410);
  });

  it('refuse a revoked key within a second', async () => {
    const { id, key: other } = await performHub(home, 'hub key create', { user: 'Chess' });
    await settled();
    expect((await getSame('/v1/events', {}, other)).status).toBe(200);
    await performHub(home, 'hub key revoke', { id });
    await delay(1_000);
    expect((await getSame('/v1/events', {}, other)).status).toBe(401);
    const { keys } = await performHub(home, 'hub key list', { user: 'Chess' });
    expect(keys.map(({ state }) => state)).toEqual(['valid', 'revoked']);
    expect(JSON.stringify(keys)).not.toContain(other);
  });

  it('remove a club that was removed from the record, which its home can push again', async () => {
    const other = makeTestHome();
    await addMember(other, 'Rowing', [makeEvent(1), makeEvent(2)]);
    const first = await pushClub(other, 'Rowing');
    const { key: opens } = await performHub(home, 'hub key create', { user: 'Rowing' });
    await settled();
    expect((await getSame('/v1/events', {}, opens)).status).toBe(200);
    const removal = ['hub', 'remove', '--user', 'Rowing'];
    const asked = await callCommand(removal);
    expect([asked.status, asked.stderr]).toEqual([1, expect.stringContaining('events (2)')]);
    const { stdout } = await callCommand([...removal, '--confirm']);
    expect(stdout).toBe('Removed club "Rowing" with 2 events and 1 key.\n');
    await settled();
    expect((await getSame('/v1/events', {}, opens)).status).toBe(401);
    expect(await record.query('SELECT name FROM club_events.clubs')).toEqual([{ name: 'Chess' }]);
    for (const node of nodes) {
      const users = await withReader(node.home, (db) => prepareUserReads(db).all());
      expect(users.map(({ name }) => name)).toEqual(['Chess']);
    }
    const refused = await pushClub(other, 'Rowing');
    expect(refused).toMatchObject({ number: null, conflict: 'removed', revision: 'none' });
    const again = await pushClub(other, 'Rowing', { onto: 'none' });
    expect(again.added).toHaveLength(2);
    expect(again.revision).not.toBe(first.revision);
    await performHub(other, 'hub remove', { user: 'Rowing', confirm: true });
  });

  it('are listed by "hub status" with their numbers', async () => {
    const number = await settled();
    await expect
      .poll(async () => (await performHub(home, 'hub status')).nodes)
      .toMatchObject([
        { number, behind: 0 },
        { number, behind: 0 },
      ]);
    const { status, stdout } = await callCommand(['hub', 'status']);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^1 club, 450 events\.\n\nSERVER +ROLE +NUMBER.*\n127\.0\.0\.1:\d+ +primary/,
    );
  });

  it('go on without a club that cannot be copied, whose keys they still revoke', async () => {
    const other = makeTestHome();
    await addMember(other, 'Rowing', [makeEvent(1)]);
    await pushClub(other, 'Rowing');
    const keys: Key[] = [];
    for (const user of ['Rowing', 'Rowing', 'Chess'])
      keys.push(await performHub(home, 'hub key create', { user }));
    const [kept, revoked, ofOther] = keys as [Key, Key, Key];
    await settled();
    const before = await contentOf(await getSame('/v1/events', {}, kept.key));
    await record.query('ALTER TABLE club_events.events DROP CONSTRAINT events_date_check');
    await record.query(`BEGIN;
      UPDATE club_events.head SET number = number + 1;
      UPDATE club_events.clubs SET revision = 2, epoch = '00000000000000e1', event_count = 2
        WHERE name = 'Rowing';
      INSERT INTO club_events.events
        SELECT id, 2, 'Bad', 'not a date', '', NULL, 'active', NULL, NULL, created_at, NULL, 2
        FROM club_events.clubs, (VALUES ('2026-01-01T00:00:00.000Z')) AS any_time (created_at)
        WHERE name = 'Rowing';
      INSERT INTO club_events.log (number, id, club, kind, revision)
        SELECT number, '00000000000000e1', clubs.id, 'events', 2
        FROM club_events.head, club_events.clubs WHERE name = 'Rowing';
      COMMIT`);
    for (const node of nodes) await expect.poll(() => node.warnings).toContain('hub_club_stuck');
    await performHub(home, 'hub key revoke', { id: revoked.id });
    await performHub(home, 'hub key revoke', { id: ofOther.id });
    await addEvents(home, userId, [makeEvent(5, { name: 'Goes on' })]);
    await push();
    await settled();
    for (const { key: by } of [revoked, ofOther])
      expect((await getSame('/v1/events', {}, by)).status).toBe(401);
    expect((await (await getSame('/v1/events/5')).json()).event.name).toBe('Goes on');
    for (const node of nodes) {
      const answer = await node.get('/v1/events', kept.key);
      expect(answer.headers.get('Data-As-Of')).toMatch(/Z$/);
      answer.headers.delete('Data-As-Of');
      expect(await contentOf(answer)).toBe(before);
      expect((await fetch(`http://127.0.0.1:${node.port}/ready`)).status).toBe(200);
    }
    const { status, stdout } = await callCommand(['hub', 'status']);
    expect([status, stdout]).toEqual([1, expect.stringMatching(/none +Rowing/)]);
    // The home has what the record should have.
    await record.query("DELETE FROM club_events.events WHERE date = 'not a date'");
    await record.query(`ALTER TABLE club_events.events ADD CONSTRAINT events_date_check
      CHECK (length(date) = 24)`);
    expect(await pushClub(other, 'Rowing')).toMatchObject({ number: expect.any(Number) });
    await expect.poll(async () => (await performHub(home, 'hub status')).isInOrder).toBe(true);
    await performHub(home, 'hub remove', { user: 'Rowing', confirm: true });
    await settled();
  });

  it('answer health checks of any name, with their number, and have metrics', async () => {
    const number = await settled();
    const [node] = nodes;
    const ask = { host: '127.0.0.1', port: node.port, path: '/ready' };
    const [answer] = (await once(
      get({ ...ask, headers: { Host: '10.0.0.5:80' } }),
      'response',
    )) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    expect(JSON.parse(await text(answer))).toMatchObject({ ready: true, number });
    const metrics = composeMetrics(node.node, createConnections());
    expect(metrics).toContain('\nclub_events_node_ready 1\n');
    expect(metrics).toContain(`\nclub_events_node_number ${number}\n`);
    expect(metrics).toMatch(/\nclub_events_answers_total\{status="200"\} \d+\n/);
    expect(metrics).toMatch(/\nclub_events_club_reads_total\{club="1"\} \d+\n/);
    for (const line of metrics.trim().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="\d+"\})? [\d.e-]+)$/);
  });

  it('have the teams of a club, and read all again after a change of one', async () => {
    const perform = (name: 'team add' | 'team change', args: object) =>
      performHere(name, { user: 'Chess', ...args }, { home, onProgress: () => undefined });
    await perform('team add', { name: 'First', words: 'Event 10, Event 11' });
    await push();
    await settled();
    const list = await getSame('/v1/events?team=First&limit=100');
    const names = (await listOf(list)).events.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.every((name) => name.startsWith('Event 1'))).toBe(true);
    const since = list.headers.get('Events-Revision');
    expect((await getSame(`/v1/events?team=First&since=${since}`)).status).toBe(200);
    await perform('team change', { name: 'First', words: 'Event 20' });
    await push();
    await settled();
    expect((await getSame(`/v1/events?team=First&since=${since}`)).status).toBe(410);
    expect((await getSame(`/v1/events?since=${since}`)).status).toBe(200);
  });

  it('keep a consistent database', async () => {
    const { status, stdout } = await callCommand(['check', '--home', nodes[0].home.directory]);
    expect(status, stdout).toBe(0);
  });
});

describe('hub push', () => {
  it('pushes nothing twice', async () => {
    expect(await push()).toMatchObject({ number: null, conflict: null });
  });

  it('brings all clubs and their keys along, which open the nodes', async () => {
    const other = makeTestHome();
    for (const name of ['Alpine', 'Bowls']) await addMember(other, name, [makeEvent(1)]);
    const first = await pushClubs(other);
    expect(first).toMatchObject({
      clubs: [
        { user: 'Alpine', added: 1, keys: 1 },
        { user: 'Bowls', added: 1, keys: 1 },
      ],
      unchanged: 0,
    });
    await settled();
    expect((await getSame('/v1/events/1', {}, 'key-of-Bowls')).status).toBe(200);
    expect(await pushClubs(other)).toMatchObject({ clubs: [], unchanged: 2 });
    await callCommand(['key', 'revoke', '2', '--home', other.directory]);
    expect(await pushClubs(other)).toMatchObject({
      clubs: [{ user: 'Bowls', keys: 1 }],
      unchanged: 1,
    });
    await settled();
    expect((await getSame('/v1/events/1', {}, 'key-of-Bowls')).status).toBe(401);
    // The record goes back to a dump, in which one is not revoked yet and one is not there.
    await record.query(`UPDATE club_events.keys SET revoked_at = NULL
      WHERE club = (SELECT id FROM club_events.clubs WHERE name = 'Bowls')`);
    await record.query(`DELETE FROM club_events.keys
      WHERE club = (SELECT id FROM club_events.clubs WHERE name = 'Alpine')`);
    expect(await pushClubs(other)).toMatchObject({
      clubs: [
        { user: 'Alpine', keys: 1 },
        { user: 'Bowls', keys: 1 },
      ],
      unchanged: 0,
    });
    await settled();
    expect((await getSame('/v1/events/1', {}, 'key-of-Alpine')).status).toBe(200);
    expect((await getSame('/v1/events/1', {}, 'key-of-Bowls')).status).toBe(401);
    const { status, stdout } = await callCommand([
      'hub',
      'push',
      '--all',
      '--home',
      other.directory,
    ]);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^0 clubs pushed to .*, 2 unchanged/),
    ]);
    const wrong = await callCommand(['hub', 'push', '--home', other.directory]);
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('--all')]);
    for (const user of ['Alpine', 'Bowls'])
      await performHub(home, 'hub remove', { user, confirm: true });
    await settled();
  });

  it('keeps a name that another home has given, until a person decides', async () => {
    const copy = homeAt(makeTestFolder());
    cpSync(home.directory, copy.directory, { recursive: true });
    const rename = (at: Home, ...names: string[]) =>
      callCommand(['user', 'rename', ...names, '--home', at.directory]);
    await rename(copy, 'Chess', 'Rovers');
    expect(await pushClub(copy, 'Rovers')).toMatchObject({ conflict: null });
    const refused = await push();
    expect(refused).toMatchObject({ number: null, conflict: 'renamed', recordName: 'Rovers' });
    const { status, stdout } = await callCommand([
      ...['hub', 'push', '--user', 'Chess', '--home', home.directory],
    ]);
    expect([status, stdout]).toEqual([1, expect.stringContaining('its name is "Rovers"')]);
    expect(await push({ onto: refused.revision })).toMatchObject({ conflict: null });
    // The copy has not renamed it again.
    expect(await pushClub(copy, 'Rovers')).toMatchObject({
      conflict: 'renamed',
      recordName: 'Chess',
    });
    await settled();
  });

  it('is no conflict with another one of this home at the same time', {
    tags: 'long',
  }, async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const events = Array.from({ length: 300 }, (_, at) =>
        makeEvent(10 + at, { name: `Turn ${turn}` }),
      );
      await addEvents(home, userId, events);
      const first = push();
      await delay(turn * 10);
      await addEvents(home, userId, [makeEvent(400 + turn, { name: `Late ${turn}` })]);
      const both = await Promise.all([first, push()]);
      expect(both.map(({ conflict }) => conflict)).toEqual([null, null]);
    }
    expect(await push()).toMatchObject({ number: null, conflict: null });
    const pushes = await withReader(home, (db) => readPushes(db, userId));
    expect(pushes).toHaveLength(1);
    await settled();
  });

  it('of a club holds up neither keys nor other clubs while it stands still', async () => {
    const asleep = new pg.Client({ host: '127.0.0.1', port: record.port, ...superuser });
    await asleep.connect();
    await asleep.query(`BEGIN; SELECT FROM club_events.clubs WHERE name = 'Chess' FOR NO KEY UPDATE;
      UPDATE club_events.events SET name = name || '!' WHERE club = 1`);
    // Whoever waited for it would fail after ten seconds.
    const { id } = await performHub(home, 'hub key create', { user: 'Chess' });
    await performHub(home, 'hub key revoke', { id });
    const other = makeTestHome();
    await addMember(other, 'Rowing', [makeEvent(1)]);
    await pushClub(other, 'Rowing');
    await performHub(home, 'hub remove', { user: 'Rowing', confirm: true });
    await asleep.query('ROLLBACK');
    await asleep.end();
  });

  it('refuses what another home has changed, lists the difference and can replace it', async () => {
    const other = makeTestHome();
    await addMember(other, 'Chess', [makeEvent(1), makeEvent(77_777)]);
    const refused = await pushClub(other, 'Chess');
    expect(refused).toMatchObject({ number: null, conflict: 'foreign', added: [{ id: 77_777 }] });
    expect(refused.removed).toHaveLength(449);
    const command = ['hub', 'push', '--user', 'Chess', '--home', other.directory];
    const { status, stdout } = await callCommand(command);
    expect(status).toBe(1);
    expect(stdout).toContain(`--onto ${refused.revision}`);
    const onto = { onto: refused.revision };
    expect(await pushClub(other, 'Chess', onto)).toMatchObject({ conflict: null });
    const own = await push();
    expect(own).toMatchObject({ number: null, conflict: 'changed' });
    expect(own.added).toHaveLength(449);
    await push({ onto: own.revision });
    await settled();
    expect((await getSame('/v1/events/77777')).status).toBe(404);
  });

  it('is stored at home before its commit, whose answer may be lost', async () => {
    await record.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON club_events.log
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const base = await withReader(home, (db) => readPushes(db, userId));
    await addEvents(home, userId, [makeEvent(2500)]);
    await expect(push()).rejects.toMatchObject({ code: 'hub_failed' });
    const pending = await withReader(home, (db) => readPushes(db, userId));
    expect(pending).toHaveLength(2);
    expect(pending).toEqual(expect.arrayContaining(base));
    await record.query('DROP FUNCTION refuse() CASCADE');
    expect(await push()).toMatchObject({ added: [{ id: 2500 }], conflict: null });
  });

  it('recognises a push whose answer was lost', { tags: 'long' }, async () => {
    const base = await withReader(home, (db) => readPushes(db, userId));
    await addEvents(home, userId, [makeEvent(2000)]);
    await push();
    const last = await withReader(home, (db) => readPushes(db, userId));
    expect([base.length, last.length]).toEqual([1, 1]);
    // As before the commit: the program has ended before it knew more.
    await withWriter(home, (db) => putPush(db, userId, base[0] as never, 1));
    expect(await push()).toMatchObject({ number: null, conflict: null });
    await addEvents(home, userId, [makeEvent(2001)]);
    expect(await push()).toMatchObject({ added: [{ id: 2001 }], conflict: null });
  });

  it('pushes a new name without a new revision', { tags: 'long' }, async () => {
    await settled();
    const before = (await getSame('/v1/events')).headers.get('Events-Revision');
    const rename = (...names: string[]) =>
      callCommand(['user', 'rename', ...names, '--home', home.directory]);
    await rename('Chess', 'Chess Club');
    const { number } = await pushClub(home, 'Chess Club');
    expect(number).toBeGreaterThan(0);
    await settled();
    const answer = await getSame('/v1/events', { 'Club-Events-Page': '1' });
    expect(answer.headers.get('Calendar-Name')).toBe('Chess%20Club');
    expect(answer.headers.get('Events-Revision')).toBe(before);
    await rename('Chess Club', 'Chess');
    await push();
  });

  it('compares all events after a restore of the home', async () => {
    const backup = `${makeTestFolder()}/backup.sqlite`;
    const at = ['--home', home.directory];
    await callCommand(['backup', '--output', backup, ...at]);
    await callCommand(['restore', backup, ...at]);
    await addEvents(home, userId, [makeEvent(3000)]);
    expect(await push()).toMatchObject({ added: [{ id: 3000 }], changed: [], removed: [] });
  });
});

describe('a home', () => {
  it('of a node takes no changes and is served only as a node', async () => {
    const at = ['--home', nodes[0].home.directory];
    for (const command of [
      ['user', 'add', 'Other'],
      ['key', 'create', '--user', 'Chess'],
      ['event', 'remove', '7', '--user', 'Chess'],
      ['hub', 'push', '--user', 'Chess'],
      ['restore', 'x.sqlite'],
    ]) {
      const { status, stderr } = await callCommand([...command, ...at]);
      expect([command, status, stderr]).toMatchObject([
        command,
        1,
        expect.stringContaining('node of a hub'),
      ]);
    }
    const serving = serveForTest(nodes[0].home);
    await expect(serving).rejects.toMatchObject({ code: 'home_needs_hub' });
  });

  it('with clubs of its own does not become a node', async () => {
    await expect(startNode({ home })).rejects.toMatchObject({ code: 'hub_home_in_use' });
  });

  it('is filled and served by the commands of the documents', { tags: 'long' }, async (context) => {
    requirePlace(context, 'a Unix shell', 'signals');
    await record.query('CREATE DATABASE events');
    const events = record.inDatabase('events');
    await events.query(roles.replaceAll(/^CREATE .*$/gm, ''));
    const own = makeTestHome();
    await addMember(own, 'Chess Club', [makeEvent(7)]);
    const [init = '', rest = ''] = blocksIn('sh').map((text) =>
      text
        .replace('PGHOST=db1,db2', 'PGHOST=$HOST')
        .replace(
          'serve --hub --home /var/lib/club-events-node',
          'serve --hub --port 0 --home node',
        ),
    );
    const env = {
      PATH: pathWithCommand(),
      HOME: own.directory,
      CLUB_EVENTS_HOME: own.directory,
      HOST: events.env['PGHOST'],
      PGPORT: events.env['PGPORT'],
      PGSSLROOTCERT: events.env['PGSSLROOTCERT'],
    };
    copyFileSync(events.env['PGPASSFILE'] ?? '', join(own.directory, '.pgpass'));
    chmodSync(join(own.directory, '.pgpass'), 0o600);
    const start = (text: string) => {
      const shell = spawn('sh', ['-ec', text], { cwd: makeTestFolder(), env, detached: true });
      onTestFinished(() => {
        // The service is another process of the shell.
        if (shell.exitCode === null) process.kill(-(shell.pid ?? 0), 'SIGKILL');
      });
      let output = '';
      for (const stream of [shell.stdout, shell.stderr]) {
        stream.setEncoding('utf8').on('data', (piece: string) => {
          output += piece;
        });
      }
      return { shell, output: () => output };
    };
    const { shell, output } = start(init);
    expect(await once(shell, 'close'), output()).toEqual([0, null]);
    await events.query(rights);
    const serving = start(init.replace(/^club-events hub init$/m, rest));
    await expect.poll(serving.output).toMatch(/^http:/m);
    const [, created = '', port] =
      /^(ce_\w+)\n[\s\S]*^http:\S+:(\d+)$/m.exec(serving.output()) ?? [];
    const read = async () => {
      const answer = await fetchWithKey({ port: Number(port) }, '/v1/events/7', created);
      return [answer.status, await answer.json()];
    };
    await expect.poll(read).toEqual([200, { event: makeEvent(7) }]);
  });

  it('that is an ordinary one is ready', async () => {
    const service = await serveForTest(makeTestHome());
    const answer = await fetch(`${service.baseUrl}/ready`);
    expect([answer.status, await answer.json()]).toEqual([200, { ready: true }]);
  });
});

it('nodes answer without the record until --max-lag, and not before they were filled', async () => {
  const brief = await startNode({ maxLag: 500 });
  await expect.poll(async () => (await brief.get('/v1/events', key)).status).toBe(200);
  await settled();
  const tag = (await nodes[0].get('/v1/events', key)).headers.get('ETag') ?? '';
  await record.stop();
  const empty = await startNode();
  const unfilled = await empty.get('/v1/events', key);
  expect([unfilled.status, await unfilled.json()]).toMatchObject([503, { code: 'node_filling' }]);
  expect((await fetch(`http://127.0.0.1:${empty.port}/health`)).status).toBe(200);
  // Each notices at its own next look.
  for (const [node, headers, status] of [
    [nodes[0], { 'If-None-Match': tag }, 304],
    [nodes[1], {}, 200],
  ] as const) {
    const ask = async () => {
      const known = await node.get('/v1/events', key, headers);
      return [known.status, known.headers.get('Data-As-Of')];
    };
    await expect.poll(ask).toMatchObject([status, expect.stringMatching(/^\d{4}-.*Z$/)]);
  }
  await expect.poll(async () => (await brief.get('/v1/events', key)).status).toBe(503);
  const refused = await brief.get('/v1/events', key);
  expect(refused.headers.get('Retry-After')).toBe('10');
  expect(await refused.json()).toMatchObject({ code: 'record_away' });
  expect((await fetch(`http://127.0.0.1:${brief.port}/ready`)).status).toBe(503);
  const { status, stderr } = await callCommand(['hub', 'status']);
  expect([status, stderr]).toMatchObject([1, expect.stringContaining('cannot be reached')]);
  await record.start();
  for (const node of [brief, empty]) {
    await expect.poll(async () => (await node.get('/v1/events', key)).status).toBe(200);
    const ready = async () => (await fetch(`http://127.0.0.1:${node.port}/ready`)).status;
    await expect.poll(ready).toBe(200);
  }
});

it('a record of the first version is migrated, whatever it has', async () => {
  await record.query('CREATE DATABASE earlier OWNER club_events_push');
  const earlier = record.inDatabase('earlier');
  await earlier.query(`SET ROLE club_events_push; CREATE SCHEMA club_events;
    CREATE TABLE club_events.head (
      id integer PRIMARY KEY CHECK (id = 1), number bigint NOT NULL, version integer NOT NULL);
    INSERT INTO club_events.head VALUES (1, 1, 1); ${migrations[0]};
    INSERT INTO club_events.clubs (name, zone, uid_base, epoch, revision, event_count, event_digest)
      VALUES ('Chess', 'UTC', 'base', repeat('e', 16), 1, 0, repeat('0', 64));
    INSERT INTO club_events.keys (digest, id, club, created_at)
      VALUES (sha256('x'), 7, 1, '2026-01-01T00:00:00.000Z')`);
  Object.assign(process.env, { PGDATABASE: 'earlier' });
  onTestFinished(() => void Object.assign(process.env, { PGDATABASE: 'postgres' }));
  expect(await performHub(home, 'hub init')).toMatchObject({ before: 1, version: 3 });
  const created = await performHub(home, 'hub key create', { user: 'Chess' });
  expect(created.id).toBe(8);
});

it('a node whose clock was ahead believes in no contact of the future', async () => {
  const ahead = homeAt(makeTestFolder());
  const tomorrow = () => new Date(Date.now() + 86_400_000);
  const warn = () => undefined;
  const first = createNode({ home: ahead, now: tomorrow, maxLag: 60_000, warn });
  await first.run();
  await expect.poll(() => first.isReady()).toBe(true);
  await first.stop();
  const { confirmedAt = 0 } = (await withReader(ahead, readNode)) ?? {};
  expect(confirmedAt).toBeLessThanOrEqual(Date.now() + 1_000);
  // As an earlier version stored it.
  await withWriter(ahead, (db) => prepareNodeUpdates(db).noteContact(+tomorrow(), 1), {
    isForNode: true,
  });
  process.env['PGPORT'] = String(await findFreePort());
  onTestFinished(() => void Object.assign(process.env, { PGPORT: String(record.port) }));
  const second = createNode({ home: ahead, now: () => new Date(), maxLag: 60_000, warn });
  await second.run();
  onTestFinished(() => second.stop());
  expect([second.isReady(), second.readFault()]).toEqual([false, 'record_away']);
});

describe('a record that forgot', () => {
  it('is noticed by nodes and by the home; lost revisions are gone', { tags: 'long' }, async () => {
    await settled();
    const kept = (await getSame('/v1/events')).headers.get('Events-Revision');
    await record.stop();
    await record.save();
    await record.start();
    await addEvents(home, userId, [makeEvent(4000, { name: 'Lost' })]);
    const lost = await push();
    await settled();
    expect((await getSame('/v1/events/4000')).status).toBe(200);
    await record.stop();
    await record.restore();
    await record.start();
    await settled();
    for (const { warnings } of nodes) expect(warnings).toContain('hub_record_forgot');
    expect((await getSame('/v1/events/4000')).status).toBe(404);
    const since = (revision: string | null) => getSame(`/v1/events?since=${revision}`);
    expect((await since(lost.revision)).status).toBe(410);
    expect((await listOf(await since(kept))).events).toEqual([]);
    const refused = await push();
    expect(refused).toMatchObject({ number: null, conflict: 'lost', added: [{ id: 4000 }] });
    // Another push with the same number, which a node that was away in between has never seen.
    const again = await push({ onto: refused.revision });
    expect(again.number).toBe(lost.number);
    expect(again.revision).not.toBe(lost.revision);
    await settled();
    expect((await since(lost.revision)).status).toBe(410);
    expect((await listOf(await since(kept))).events).toMatchObject([{ id: 4000 }]);
  });
});
