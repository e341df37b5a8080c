import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { readSources } from '../../../db/mirror.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { withReader } from '../../../server/store/store.ts';
import { callCommand, type Finished, runCommand, startServe } from '../../support/command.ts';
import { generateConferences } from '../../support/conferences.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { passTime } from '../../support/mirror.ts';
import { expectMode } from '../../support/place.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';
import { faults, serveUpstream, type UpstreamOptions } from '../../support/upstream.ts';

const conferences = generateConferences().slice(-60);

/** Events with these ids, the highest the newest. */
function eventsWith(ids: readonly number[]): StoredEvent[] {
  return ids.map((id) => {
    const createdAt = new Date(Date.UTC(2026, 0, 1) + id * 60_000).toISOString();
    return makeEvent(id, { createdAt }) as StoredEvent;
  });
}

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Creates an empty club and an online service. */
async function openClub(options: UpstreamOptions = {}) {
  const upstream = await serveUpstream({ events: conferences, hasLink: true, ...options });
  const home = makeTestHome();
  await addMember(home, 'Chess');
  const call = (args: readonly string[], input?: string): Promise<Finished> =>
    callCommand(['--home', home.directory, ...args], input);
  const run = (args: readonly string[], more: Parameters<typeof runCommand>[1] = {}) =>
    runCommand(['--home', home.directory, ...args], more);
  const events = async () => {
    const { stdout } = await call(['export', '--user', 'Chess', '--format', 'json']);
    return JSON.parse(stdout).events as StoredEvent[];
  };
  return { upstream, home, call, run, events };
}

type Club = Awaited<ReturnType<typeof openClub>>;

const user = ['--user', 'Chess'];

/** Creates a club that copies an online service. */
async function openMirror(options: UpstreamOptions = {}) {
  const club = await openClub(options);
  const { call, upstream } = club;
  const set = await call(['mirror', 'set', ...user, '--url', upstream.baseUrl], upstream.key);
  expect(set).toMatchObject({ status: 0, stderr: '' });
  return club;
}

/** Expects a command to succeed; returns its JSON. */
async function readJson({ call }: Club, args: readonly string[], input?: string) {
  const { stdout, stderr, status } = await call(['--json', ...args], input);
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return JSON.parse(stdout);
}

/** Expects a command to fail with one sentence on stderr; returns it. */
async function refusalOf(
  { call }: Club,
  args: readonly string[],
  input?: string,
  expected = 1,
): Promise<string> {
  const { stdout, stderr, status } = await call(args, input);
  expect({ stdout, status }).toEqual({ stdout: '', status: expected });
  expect(stderr).toMatch(/^[^\n]+\.\n$/);
  return stderr;
}

it('shows the times of a mirror in the zone of its club on every computer', async () => {
  const { home } = await openMirror();
  await callCommand(['--home', home.directory, 'user', 'zone', 'Chess', 'America/New_York']);
  const statusIn = async (zone: string) =>
    (await callCommand(['--home', home.directory, 'mirror', 'status'], '', { zone })).stdout;
  const abroad = await statusIn('Europe/Berlin');
  expect(abroad).toMatch(/^As of .*, \d\d:\d\d \(America\/New_York\)\.$/m);
  const there = await statusIn('America/New_York');
  expect(there).not.toContain('(America');
  expect(abroad.replaceAll(' (America/New_York)', '')).toBe(there);
});

describe('mirror set', () => {
  it('refuses a wrong address with one sentence, and stores nothing', async () => {
    const club = await openClub();
    const { home, call, events } = club;
    for (const [url, code] of [
      ['nonsense', 'mirror_url_invalid'],
      ['', 'mirror_url_invalid'],
      ['ftp://club.example', 'mirror_url_invalid'],
      ['http://club.example', 'mirror_url_insecure'],
      ['https://me:secret@club.example', 'mirror_url_credentials'],
      ['https://club.example/?token=secret', 'mirror_url_query'],
      ['https://club.example/#secret', 'mirror_url_query'],
    ] as const) {
      const args = ['mirror', 'set', ...user, '--url', url];
      const sentence = await refusalOf(club, args, 'key-on-stdin', 2);
      expect(sentence, url).not.toMatch(/secret|key-on-stdin/);
      const { stdout } = await call(['--json', ...args], 'key-on-stdin');
      expect(JSON.parse(stdout).error.code, url).toBe(code);
      expect(await withReader(home, readSources), url).toEqual([]);
      expect(existsSync(home.upstreamKeys), url).toBe(false);
    }
    expect(await events()).toEqual([]);
  });

  it('refuses a key that the service refuses, or that is none, and stores nothing', async () => {
    const club = await openClub();
    const { upstream, home, call, events } = club;
    const args = ['mirror', 'set', ...user, '--url', upstream.baseUrl];
    const { status, stderr, stdout } = await call(args, 'wrong-key\n');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^http:\S+ does not accept the key; [^\n]+\.\n$/);
    const asked = upstream.requests.length;
    for (const key of ['', 'two words', 'clé', `${'k'.repeat(1_001)}`]) {
      expect(await refusalOf(club, args, key)).toMatch(/^This cannot be a key/);
    }
    expect(upstream.requests).toHaveLength(asked);
    expect(await withReader(home, readSources)).toEqual([]);
    expect(existsSync(home.upstreamKeys)).toBe(false);
    expect(await events()).toEqual([]);
  });

  it('copies the events, and keeps the key in a file for this account only', async () => {
    const { upstream, home, run, events, call } = await openClub();
    const args = ['mirror', 'set', ...user, '--url', upstream.baseUrl];
    const set = await run(args, { input: `${upstream.key}\n` });
    expect(set).toEqual({
      status: 0,
      stderr: '',
      stdout: `"Chess" is a copy of ${upstream.baseUrl}: 60 events added.\nAll 60 events of the service are here.\n`,
    });
    expect(new Set(await events())).toEqual(new Set(conferences));
    expectMode(home.upstreamKeys, 0o600);
    expect(readFileSync(home.upstreamKeys, 'utf8')).toContain(upstream.key);
    const again = await call(args, upstream.key);
    expect(again.stderr).toMatch(/follows .* already/);
  });

  it('refuses a club with other events', async () => {
    const { upstream, home, call } = await openClub();
    await addMember(home, 'Rowing', [makeEvent(1)]);
    const args = ['mirror', 'set', '--user', 'Rowing', '--url', upstream.baseUrl];
    const { stderr, status } = await call(args, upstream.key);
    expect(stderr).toMatch(/"Rowing" has an event that .* does not have: "Event 1"/);
    expect(status).toBe(1);
    expect(existsSync(home.upstreamKeys)).toBe(false);
  });
});

describe('a mirror on the command line', () => {
  it('a mirror on the command line is described by status, sync and verify, as text and as JSON', async () => {
    const club = await openMirror();
    const { upstream, call } = club;
    const { stdout } = await call(['mirror', 'status']);
    expect(stdout).toContain(`Chess: ${upstream.baseUrl}\nAs of `);
    expect(stdout).toContain('All 60 events of the service are here.');
    const { mirrors } = await readJson(club, ['mirror', 'status', ...user]);
    expect(mirrors).toMatchObject([{ user: 'Chess', events: 60, problem: null, question: null }]);
    const [event] = conferences as [StoredEvent];
    upstream.events.set(event.id, { ...event, name: 'Renamed' });
    const verified = await call(['mirror', 'verify', ...user]);
    expect(verified.stdout).toMatch(/^60 events compared: 1 difference, corrected here\.\n/);
    expect(verified.stdout).toMatch(/ Renamed, .*: changed\n$/);
    expect(verified.status).toBe(1);
    expect(await readJson(club, ['mirror', 'verify', ...user])).toMatchObject({
      checked: 60,
      differences: [],
    });
    const synced = await call(['mirror', 'sync', ...user]);
    expect(synced).toEqual({ status: 0, stdout: 'Chess: nothing new.\n', stderr: '' });
    expect((await readJson(club, ['mirror', 'sync'])).results).toMatchObject([{ requests: 1 }]);
  });

  it('explains commands for a user who copies no service', async () => {
    const club = await openClub();
    expect((await club.call(['mirror', 'status'])).stdout).toMatch(/^No club is a copy/);
    for (const args of [['sync'], ['verify'], ['add-ids', '1'], ['search-ids'], ['remove']]) {
      expect(await refusalOf(club, ['mirror', ...args, ...user])).toMatch(/is not connected/);
    }
  });

  it('removes many events only after the consent of a person', async () => {
    const club = await openMirror({ events: eventsWith(range(1, 50)) });
    const { upstream, call, events } = club;
    for (const id of range(10, 40)) upstream.events.delete(id);
    const asked = await call(['mirror', 'sync', ...user]);
    expect(asked.stdout).toContain('31 events are gone at the service and wait for you:');
    expect(asked.stdout).toContain('mirror sync --user Chess --confirm-removals');
    expect(await events()).toHaveLength(50);
    const { mirrors } = await readJson(club, ['mirror', 'status']);
    expect(mirrors[0].question).toMatchObject({ kind: 'removals', reason: 'guard', count: 31 });
    const confirmed = await call(['mirror', 'sync', ...user, '--confirm-removals']);
    expect(confirmed).toMatchObject({ status: 0, stdout: 'Chess: 31 events removed.\n' });
    expect(await events()).toHaveLength(19);
    // The removals were in one batch of the history, after a backup.
    expect((await call(['history', ...user])).stdout).toMatch(/ sync +0 +0 +31 /);
    expect((await call(['backup', 'list'])).stdout).toMatch(/ 50 /);
  });

  it('a mirror on the command line asks for one removal in the singular', async () => {
    const { upstream, call } = await openMirror({ events: eventsWith(range(1, 50)) });
    for (const id of range(1, 10)) upstream.events.delete(id);
    expect((await call(['mirror', 'sync'])).stdout).toBe('Chess: 10 events removed.\n');
    upstream.events.delete(11);
    const { stdout } = await call(['mirror', 'sync']);
    expect(stdout).toContain('An event is gone at the service and waits for you:\n  11 Event 11, ');
    expect(stdout).toContain('To remove it, run ');
  });

  it('looks up ids, ranges and files with ids', { tags: 'long' }, async () => {
    // The list has 101 to 300.
    const club = await openMirror({ events: eventsWith(range(1, 300)), hasLink: false });
    const { call, events } = club;
    expect(await events()).toHaveLength(200);
    const looked = await call(['mirror', 'add-ids', '7', '10-19', '400', ...user]);
    expect(looked).toMatchObject({
      status: 0,
      stdout: '12 ids looked up: 11 events of this account.\n',
    });
    const file = join(makeTestFolder(), 'ids.csv');
    writeFileSync(file, 'id;name\n21;A\nhttps://club.example/v1/events/22\n"23",B\nhello\n');
    const result = await readJson(club, ['mirror', 'add-ids', file, ...user]);
    expect(result).toMatchObject({ wanted: 3, found: 3, added: 3 });
    expect(await events()).toHaveLength(214);
    expect(await refusalOf(club, ['mirror', 'add-ids', '9-1', ...user])).toMatch(/9-1/);
    expect(await refusalOf(club, ['mirror', 'add-ids', 'no-such-file', ...user])).toMatch(
      /no-such-file/,
    );
  });

  it('adds and changes keys of the same account only', async () => {
    const club = await openMirror({ keys: ['upstream-key', 'second-key'] });
    const { upstream, home, call } = club;
    const other = new Map(eventsWith([7]).map((event) => [event.id, event]));
    upstream.accounts.set('other-key', other);
    const add = ['mirror', 'key', 'add', ...user];
    const change = ['mirror', 'key', 'change', ...user];
    for (const args of [add, change]) {
      expect(await refusalOf(club, args, 'other-key')).toMatch(/shows other events/);
      expect(await refusalOf(club, args, 'wrong-key')).toMatch(/does not accept the key/);
      expect(await refusalOf(club, args, 'two words')).toMatch(/cannot be a key/);
    }
    const service = await serveForTest(home);
    const statusOf = async (key: string) => (await fetchWithKey(service, '/v1/events', key)).status;
    expect(await statusOf('second-key')).toBe(401);
    expect(await readJson(club, add, 'second-key\n')).toMatchObject({ url: upstream.baseUrl });
    expect(await statusOf('second-key')).toBe(200);
    expect(readFileSync(home.upstreamKeys, 'utf8')).not.toContain('second-key');
    upstream.accounts.delete('upstream-key');
    const refused = await call(['mirror', 'sync', ...user]);
    const now =
      /Last synced \w{3} \d+ \w{3} \d{4}, \d\d:\d\d \(Europe\/Berlin\) \(0 minutes ago\)\. Now: http/;
    expect(refused.stdout).toMatch(now);
    expect(refused.stdout).toMatch(/does not accept the key/);
    expect(refused.status).toBe(1);
    // Three weeks without a connection, before the key was refused.
    const db = new Database(home.database);
    const moved = "json_set(state, '$.succeededAt', json_extract(state, '$.succeededAt') - ?)";
    db.prepare(`UPDATE sources SET state = ${moved}`).run(21 * 86_400_000);
    db.close();
    expect((await call(['mirror', 'status'])).stdout).toContain(' (21 days ago). Now: http');
    expect(await statusOf('upstream-key')).toBe(200);
    expect((await call(change, 'second-key')).stdout).toMatch(
      /was changed\. .* refuses the old key/,
    );
    expect(await statusOf('upstream-key')).toBe(401);
    expect(await statusOf('second-key')).toBe(200);
    expect(readFileSync(home.upstreamKeys, 'utf8')).not.toContain('upstream-key');
    expect((await call(['mirror', 'sync', ...user])).status).toBe(0);
  });

  it('keeps both keys open after a change if the service accepts both', async () => {
    const { upstream, home, call } = await openMirror({ keys: ['upstream-key', 'second-key'] });
    const service = await serveForTest(home);
    const statusOf = async (key: string) => (await fetchWithKey(service, '/v1/events', key)).status;
    const change = await call(['mirror', 'key', 'change', ...user], 'second-key');
    expect(change.stdout).toBe(`The key of ${upstream.baseUrl} was changed.\n`);
    expect([await statusOf('upstream-key'), await statusOf('second-key')]).toEqual([200, 200]);
    // The list of keys has those of the service too, and closes them.
    const { keys } = JSON.parse((await call(['--json', 'key', 'list'])).stdout);
    const [old] = keys.filter(({ baseUrl }: { baseUrl: string }) => baseUrl === upstream.baseUrl);
    expect((await call(['key', 'revoke', String(old.id)])).status).toBe(0);
    expect([await statusOf('upstream-key'), await statusOf('second-key')]).toEqual([401, 200]);
  });

  it('keeps the events but no key when it is removed', async () => {
    const club = await openMirror();
    const { upstream, home, call, events } = club;
    const service = await serveForTest(home);
    const statusOf = async () => (await fetchWithKey(service, '/v1/events', upstream.key)).status;
    expect(await statusOf()).toBe(200);
    expect(await readJson(club, ['mirror', 'remove', ...user])).toMatchObject({ events: 60 });
    expect(await statusOf()).toBe(401);
    expect(existsSync(home.upstreamKeys)).toBe(false);
    expect(await events()).toHaveLength(60);
    expect((await call(['event', 'edit', '48812', '--name', 'Mine', ...user])).status).toBe(0);
  });

  it('leaves no key when its user is removed', async () => {
    const { home, call } = await openMirror();
    expect(existsSync(home.upstreamKeys)).toBe(true);
    expect((await call(['user', 'remove', 'Chess'])).status).toBe(0);
    expect(existsSync(home.upstreamKeys)).toBe(false);
  });

  it('a mirror on the command line is paused by a restore until a person syncs', async () => {
    const club = await openMirror();
    const { upstream, call, events } = club;
    await call(['backup']);
    const [backup] = JSON.parse((await call(['backup', 'list', '--json'])).stdout).backups;
    const event = conferences.at(-1) as StoredEvent;
    upstream.events.set(event.id, { ...event, name: 'Renamed' });
    await call(['mirror', 'sync', ...user]);
    expect((await call(['restore', backup.name])).status).toBe(0);
    const status = await call(['mirror', 'status']);
    expect(status.stdout).toContain('Paused, as a backup was restored');
    const asked = upstream.requests.length;
    // As the service does.
    const { catalogue } = await import('../../../server/actions/catalogue.ts');
    const { thisMachine } = await import('../../../server/club/tools.ts');
    const tools = {
      ...thisMachine,
      home: club.home,
      write: async () => undefined,
      onProgress: () => undefined,
    };
    const tick = { isWake: true, minutes: 15, missed: [] };
    await catalogue['mirror tick'].perform(tick, tools);
    expect(upstream.requests).toHaveLength(asked);
    expect((await events()).find(({ id }) => id === event.id)?.name).toBe(event.name);
    const synced = await call(['mirror', 'sync', ...user]);
    expect(synced.stdout).toBe('Chess: 1 event changed.\n');
    expect((await readJson(club, ['mirror', 'status'])).mirrors[0].isPaused).toBe(false);
  });

  it('a mirror on the command line never sends a key to another service, whatever was restored between', {
    tags: 'long',
  }, async () => {
    const { upstream: first, call, home } = await openClub();
    const second = await serveUpstream({ events: conferences, keys: ['second-key'] });
    await call(['backup']);
    const newest = async () =>
      JSON.parse((await call(['backup', 'list', '--json'])).stdout).backups[0].name as string;
    const empty = await newest();
    await call(['mirror', 'set', ...user, '--url', first.baseUrl], first.key);
    await call(['restore', empty]);
    await call(['mirror', 'set', ...user, '--url', second.baseUrl], second.key);
    await call(['mirror', 'sync', ...user]);
    const keysOf = ({ requests }: typeof second) =>
      new Set(requests.map(({ headers }) => headers.authorization));
    expect(keysOf(second)).toEqual(new Set(['Bearer second-key']));
    expect(await withReader(home, readSources)).toHaveLength(1);
  });

  it('a mirror on the command line never sends its key to the address in a restored backup', {
    tags: 'long',
  }, async () => {
    const club = await openMirror();
    const { upstream, call, home } = club;
    const other = await serveUpstream({ events: conferences });
    const backup = join(makeTestFolder(), 'club.sqlite');
    expect((await call(['backup', '--output', backup])).status).toBe(0);
    const changed = join(makeTestFolder(), 'changed.sqlite');
    copyFileSync(backup, changed);
    const db = new Database(changed);
    db.prepare('UPDATE sources SET base_url = ?').run(other.baseUrl);
    db.close();
    expect((await call(['restore', changed])).status).toBe(0);
    const asked = upstream.requests.length;
    for (const args of [
      ['sync'],
      ['verify', ...user],
      ['ready'],
      ['search-ids', ...user, '--start'],
      ['key', 'add', ...user],
    ]) {
      const refused = await call(['mirror', ...args], 'another-key');
      expect(refused.stderr, args[0]).toContain(
        `${other.baseUrl}, but the key here was not stored`,
      );
      expect(refused.status).toBe(1);
    }
    const status = await call(['mirror', 'status']);
    expect(status.stdout).toContain('the key here was not stored for this address');
    expect(status.stdout).toContain('Paused, as a backup was restored');
    expect(other.requests).toEqual([]);
    // The right backup brings the sync back.
    expect((await call(['restore', backup])).status).toBe(0);
    expect((await call(['mirror', 'sync'])).status).toBe(0);
    expect(upstream.requests.length).toBeGreaterThan(asked);
    expect(other.requests).toEqual([]);
    // A person confirms the other address by giving its key.
    await call(['restore', changed]);
    expect((await call(['mirror', 'key', 'change', ...user], other.key)).status).toBe(0);
    expect((await call(['mirror', 'sync'])).status).toBe(0);
    expect(readFileSync(home.upstreamKeys, 'utf8')).toContain(other.baseUrl);
  });

  it('syncs with a key that an earlier version stored, until a backup is restored', {
    tags: 'long',
  }, async () => {
    const { call, home } = await openMirror();
    const [[id, { key, url }]] = Object.entries(
      JSON.parse(readFileSync(home.upstreamKeys, 'utf8')),
    ) as [[string, { key: string; url: string }]];
    const forgetAddress = () => writeFileSync(home.upstreamKeys, JSON.stringify({ [id]: key }));
    forgetAddress();
    expect((await call(['mirror', 'sync'])).status).toBe(0);
    const backup = join(makeTestFolder(), 'club.sqlite');
    await call(['backup', '--output', backup]);
    await call(['restore', backup]);
    for (const _ of [1, 2]) {
      expect((await call(['mirror', 'sync'])).stderr).toContain(`${url}, but the key here was not`);
    }
    expect((await call(['mirror', 'key', 'change', ...user], key)).status).toBe(0);
    expect((await call(['mirror', 'sync'])).status).toBe(0);
    // A service gives it the address of its source when it starts, and removes keys without one.
    writeFileSync(home.upstreamKeys, JSON.stringify({ [id]: key, 77: 'left' }));
    await startServe(['--home', home.directory, '--port', '0']);
    await expect
      .poll(() => JSON.parse(readFileSync(home.upstreamKeys, 'utf8')))
      .toEqual({ [id]: { url, key } });
  });

  it('syncs in one of two processes at a time', { tags: 'long' }, async () => {
    const { upstream, run } = await openMirror();
    upstream.latency = 1_000;
    const before = upstream.requests.length;
    const [first, second] = await Promise.all([0, 1].map(() => run(['mirror', 'sync', ...user])));
    expect(first).toMatchObject({ status: 0, stdout: 'Chess: nothing new.\n' });
    expect(second).toMatchObject({ status: 0, stdout: 'Chess: nothing new.\n' });
    const [one, other] = upstream.requests.slice(before).map(({ at }) => at);
    expect((other ?? 0) - (one ?? 0)).toBeGreaterThanOrEqual(1_000);
  });
});

describe('mirror ready', () => {
  it('fails without a mirror, and makes no backup', async () => {
    const club = await openClub();
    expect(await refusalOf(club, ['mirror', 'ready'])).toMatch(/^No club is a copy/);
    expect((await readJson(club, ['backup', 'list'])).backups).toEqual([]);
  });

  it('names what may be missing and offers to look for it, and is no failure', {
    tags: 'long',
  }, async () => {
    const date = '2099-01-01T18:00:00.000Z';
    const events = eventsWith(range(1, 300)).map((event) => ({ ...event, date }));
    const { call, home } = await openMirror({ events, hasLink: false });
    await serveForTest(home);
    const { stdout, status } = await call(['mirror', 'ready']);
    expect(stdout).toMatch(/^Chess: ready for the field; events added before .* may be missing\n/);
    expect(stdout).toContain('\n200 events until ');
    expect(stdout).toMatch(/search-ids --user Chess --upcoming --start": about\n102 requests/);
    expect(status).toBe(0);
    const search = ['mirror', 'search-ids', ...user, '--upcoming'];
    passTime(20);
    expect((await call(search)).stdout).toMatch(/^A search needs about 102 requests/);
    const found = await call([...search, '--start', '--rate', '50']);
    expect(found.stdout).toMatch(/^100 ids asked for: 100 events found\. /);
    const again = await call(['mirror', 'ready']);
    expect(again.stdout).toContain('\n300 events until ');
    expect(again.stdout).not.toContain('search-ids');
    expect(again.status).toBe(0);
  });
});

describe('mirror search-ids', () => {
  const search = ['mirror', 'search-ids', ...user];
  /** The list has 301 to 500; of those below, every third exists. */
  const ids = range(1, 500).filter((id) => id > 300 || id % 3 === 0);
  const options = { events: eventsWith(ids), hasLink: false };

  it('shows its cost first, and sends no request', async () => {
    const club = await openMirror(options);
    const before = club.upstream.requests.length;
    const { stdout, status } = await club.call(search);
    expect(stdout).toMatch(/^A search needs about 32\d requests, 3 min\.\n/);
    expect(status).toBe(0);
    const { estimate } = await readJson(club, [...search, '--rate', '10']);
    expect(estimate).toMatchObject({ requests: 324, seconds: 33, isTooSparse: false });
    expect(club.upstream.requests).toHaveLength(before);
    expect((await club.call([...search, '--rate', '0'])).status).toBe(2);
  });

  it.each(['403', '429'] as const)(
    'mirror search-ids ends with a %s',
    { tags: 'long' },
    async (name) => {
      const club = await openMirror(options);
      const { upstream, events } = club;
      const known = await events();
      const before = upstream.count('byId');
      upstream.fault = ({ operation }) =>
        operation === 'byId' && upstream.count('byId') - before > 60 ? faults[name] : undefined;
      const start = [...search, '--start', '--rate', '50'];
      passTime(20);
      const message = await refusalOf(club, start);
      expect(message).toMatch(name === '403' ? /does not give this key access/ : /fewer requests/);
      // Only the four that were on their way.
      expect(upstream.count('byId') - before).toBeLessThanOrEqual(64);
      expect((await events()).length).toBeGreaterThan(known.length);
      expect(upstream.requests.filter(({ operation }) => operation === 'list')).toHaveLength(2);
      if (name !== '429') return;
      const time = /until [A-Z][a-z]{2} \d+ [A-Z][a-z]{2} \d{4}, \d\d:\d\d; try again after that/;
      expect(await refusalOf(club, start)).toMatch(time);
    },
  );

  it('mirror search-ids goes on where Ctrl+C ended it, and finds all', {
    tags: 'long',
  }, async () => {
    const club = await openMirror(options);
    const { upstream, call, run, events } = club;
    const before = upstream.count('byId');
    const start = [...search, '--start', '--rate', '50'];
    const until = expect.poll(() => upstream.count('byId') - before).toBeGreaterThan(230);
    await run(start, { until });
    const found = (await events()).length;
    expect(found).toBeGreaterThan(250);
    expect(found).toBeLessThan(300);
    passTime(20);
    const { stdout, status } = await call(start);
    expect({ status, stdout }).toEqual({
      status: 0,
      // Not those of the whole batch before.
      stdout: expect.stringMatching(/^1\d\d ids asked for: \d+ events found\. No id is left\.\n$/),
    });
    expect(new Set(await events())).toEqual(new Set(upstream.events.values()));
    const { mirrors } = await readJson(club, ['mirror', 'status']);
    expect(mirrors[0].coverage.since).toBeNull();
  });

  it('mirror search-ids ends if the service answers some ids with a page of a proxy', {
    tags: 'long',
  }, async () => {
    const club = await openMirror({ ...options, events: eventsWith(range(100, 320)) });
    const { upstream, events } = club;
    const page = { status: 404, headers: { 'content-type': 'text/html' }, body: 'Not found' };
    upstream.fault = ({ id }) => (id !== undefined && id < 50 ? () => page : undefined);
    passTime(20);
    await readJson(club, [...search, '--start', '--rate', '50']);
    expect(await events()).toHaveLength(upstream.events.size);
    expect((await readJson(club, ['mirror', 'status'])).mirrors[0].coverage.since).not.toBeNull();
  });
});
