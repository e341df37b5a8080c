import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readPushes, savePush } from '../../db/hub.ts';
import { prepareUserReads } from '../../db/users.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
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
  startNode,
  type TestNode,
} from '../support/hub.ts';
import { lacking, requirePlace } from '../support/place.ts';
import { createPostgres, type Postgres } from '../support/postgres.ts';
import { fetchWithKey, serveForTest } from '../support/service.ts';

/** The blocks of code in the page of the hub. */
const page = readFileSync(join(import.meta.dirname, '../../server/hub/README.md'), 'utf8');
const blocksIn = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );
const [roles = '', rights = ''] = blocksIn('sql');

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
  await record.query(roles.replace('DATABASE events', 'DATABASE postgres'));
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
  await performHub(home, 'hub push', { user: 'Chess' });
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
  const [head] = await record.query<{ number: string }>('SELECT number FROM club_events.head');
  const number = Number(head?.number);
  for (const node of nodes) {
    await expect.poll(() => node.number()).toBe(number);
    // They know that they have all.
    const asOf = async () => (await node.get('/v1/events/7', key)).headers.get('Data-As-Of');
    await expect.poll(asOf).toBeNull();
  }
  return number;
}

const push = (args: object = {}) => performHub(home, 'hub push', { user: 'Chess', ...args });

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
    await record.query(`SET ROLE club_events_push; UPDATE club_events.head SET version = 1;
      ALTER TABLE club_events.log ADD CONSTRAINT log_club_fkey
        FOREIGN KEY (club) REFERENCES club_events.clubs`);
    expect(await performHub(home, 'hub init')).toMatchObject({ before: 1, version: 2 });
    const other = makeTestHome();
    await addMember(other, 'Rowing', [makeEvent(1), makeEvent(2)]);
    const first = await performHub(other, 'hub push', { user: 'Rowing' });
    const { key: opens } = await performHub(home, 'hub key create', { user: 'Rowing' });
    await settled();
    expect((await getSame('/v1/events', {}, opens)).status).toBe(200);
    const { stdout } = await callCommand(['hub', 'remove', '--user', 'Rowing']);
    expect(stdout).toBe('Removed club "Rowing" with 2 events and 1 key.\n');
    await settled();
    expect((await getSame('/v1/events', {}, opens)).status).toBe(401);
    expect(await record.query('SELECT name FROM club_events.clubs')).toEqual([{ name: 'Chess' }]);
    for (const node of nodes) {
      const users = await withReader(node.home, (db) => prepareUserReads(db).all());
      expect(users.map(({ name }) => name)).toEqual(['Chess']);
    }
    const refused = await performHub(other, 'hub push', { user: 'Rowing' });
    expect(refused).toMatchObject({ number: null, conflict: 'removed', revision: 'none' });
    const again = await performHub(other, 'hub push', { user: 'Rowing', onto: 'none' });
    expect(again.added).toHaveLength(2);
    expect(again.revision).not.toBe(first.revision);
    await performHub(other, 'hub remove', { user: 'Rowing' });
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
      /^1 club, 450 events\.\n\nSERVER +ROLE +NUMBER\n127\.0\.0\.1:\d+ +primary/,
    );
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

  it('refuses what another home has changed, lists the difference and can replace it', async () => {
    const other = makeTestHome();
    await addMember(other, 'Chess', [makeEvent(1), makeEvent(77_777)]);
    const refused = await performHub(other, 'hub push', { user: 'Chess' });
    expect(refused).toMatchObject({ number: null, conflict: 'foreign', added: [{ id: 77_777 }] });
    expect(refused.removed).toHaveLength(449);
    const command = ['hub', 'push', '--user', 'Chess', '--home', other.directory];
    const { status, stdout } = await callCommand(command);
    expect(status).toBe(1);
    expect(stdout).toContain(`--onto ${refused.revision}`);
    const onto = { user: 'Chess', onto: refused.revision };
    expect(await performHub(other, 'hub push', onto)).toMatchObject({ conflict: null });
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
    const [before, pending] = [...base, ...last];
    await withWriter(home, (db) => savePush(db, userId, before as never));
    await withWriter(home, (db) => savePush(db, userId, pending as never, before));
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
    const { number } = await performHub(home, 'hub push', { user: 'Chess Club' });
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
    };
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
