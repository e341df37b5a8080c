import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ActionResult } from '../../../server/actions/bridge.ts';
import { type ActionName, catalogue } from '../../../server/actions/catalogue.ts';
import type { Home } from '../../../server/base/home.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { writeCopy } from '../../../server/copy/club-copy.ts';
import { createFollowJobs } from '../../../server/follow/follow-jobs.ts';
import { callCommand } from '../../support/command.ts';
import { testCopyFacts } from '../../support/events.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';
import { calendarOf, type Entry, serveCalendar } from './calendar-server.ts';

const hour = 60 * 60 * 1_000;
const user = 'Rovers';

const match: Entry = {
  ...{ uid: 'a', name: 'Rovers v City', start: '20361121T140000Z', place: 'Ground' },
};
const training: Entry = { uid: 'b', name: 'Training', start: '20361124T180000Z', place: 'Hall' };
const party: Entry = { uid: 'c', name: 'Summer party', start: '20370701' };

/** A club that follows a calendar, with a clock that tests move. */
async function openClub(entries: readonly Entry[] = [match, training, party]) {
  const home = makeTestHome();
  await addMember(home, user, [makeEvent(1, { name: 'Board', date: '2036-12-01T18:00:00.000Z' })]);
  const clock = { now: Date.parse('2036-10-01T08:00:00.000Z') };
  const served = { entries, reply: undefined as undefined | object };
  const { address, requests } = await serveCalendar(() => ({
    headers: { date: new Date(clock.now).toUTCString() },
    body: calendarOf(served.entries),
    ...served.reply,
  }));
  const perform = performWith(home, clock);
  /** Reads the calendar again after some hours. */
  const later = async (hours: number) => {
    clock.now += hours * hour;
    await perform('follow tick', { id: 1 });
    const { calendars } = await perform('follow list', {});
    return calendars[0] as NonNullable<(typeof calendars)[number]>;
  };
  const events = async () => {
    const { stdout } = await callCommand([
      ...['--home', home.directory, 'export', '--format', 'json', '--user', user],
    ]);
    type Shown = { id: number; name: string; date: string; status: string; location: string };
    return (JSON.parse(stdout).events as Shown[]).toSorted((one, other) => one.id - other.id);
  };
  return { home, clock, served, address, requests, perform, later, events };
}

function performWith(home: Home, clock: { readonly now: number }) {
  return async <Name extends ActionName>(name: Name, args: object): Promise<ActionResult<Name>> => {
    const tools = {
      ...thisMachine,
      home,
      now: () => new Date(clock.now),
      write: () => Promise.reject(new Error('Nothing is written.')),
      onProgress: () => undefined,
    };
    return (await catalogue[name].perform(args, tools)) as ActionResult<Name>;
  };
}

describe('a followed calendar', () => {
  it('shows what it found, stores nothing with --dry-run, and then adds its events', async () => {
    const { home, address, perform, events } = await openClub();
    const found = await perform('follow add', { user, address, dryRun: true });
    expect(found).toMatchObject({
      name: 'Fixtures',
      events: 3,
      everyMinutes: 60,
      first: '2036-11-21',
    });
    expect(await events()).toHaveLength(1);
    expect(existsSync(home.calendarAddresses)).toBe(false);
    const rules = {
      prefix: 'First: ',
      place: 'Clubhouse',
      eventType: 'regional',
      without: 'party',
    };
    expect(await perform('follow add', { user, address, ...rules })).toMatchObject({
      ...{ id: 1, added: 2, leftOut: 1 },
    });
    expect(await events()).toMatchObject([
      { name: 'Board' },
      { name: 'First: Rovers v City', location: 'Ground', eventType: 'regional' },
      { name: 'First: Training', location: 'Hall' },
    ]);
  });

  it('moves, changes and cancels its events, and removes none', async () => {
    const { address, perform, served, later, events } = await openClub();
    await perform('follow add', { user, address });
    served.entries = [
      { ...match, start: '20361122T150000Z' },
      { ...training, lines: ['STATUS:CANCELLED'] },
      party,
      { uid: 'd', name: 'Camp', start: '20370801' },
    ];
    expect(await later(1)).toMatchObject({ state: 'current', events: 4 });
    expect(await events()).toMatchObject([
      { name: 'Board' },
      { id: 2, date: '2036-11-22T15:00:00.000Z', status: 'active' },
      { id: 3, status: 'cancelled' },
      { id: 4, status: 'active' },
      { name: 'Camp' },
    ]);
    const { history } = await perform('history', { user });
    expect(history[0]).toMatchObject({ kind: 'sync', source: 'Fixtures', added: 1, changed: 2 });
    const failure = await perform('undo', { id: history[0]?.id ?? 0 }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'sync_not_undoable' });
    // The memory of the panel, what members were not told, and the next season know it, too.
    const { moves } = await perform('events together', { user, id: 2 });
    expect(moves).toMatchObject([{ kind: 'sync', source: 'Fixtures' }]);
    const { text } = await perform('message changes', { user });
    expect(text).toContain('Rovers v City');
    const { fixtures } = await perform('season fixtures', { user });
    expect(fixtures).toEqual([2, 3, 4, 5]);
  });

  it('asks about an event that is missing for four hours, and cancels it for a person alone', async () => {
    const { address, perform, served, later, events } = await openClub();
    await perform('follow add', { user, address });
    served.entries = [training, party];
    expect(await later(1)).toMatchObject({ state: 'current', missing: [] });
    expect(await later(3)).toMatchObject({ state: 'current' });
    expect(await later(1)).toMatchObject({ state: 'asks', missing: [{ id: 2 }], isMany: false });
    expect((await events())[1]).toMatchObject({ status: 'active' });
    await perform('follow answer', { id: 1, cancel: [2] });
    expect((await events())[1]).toMatchObject({
      status: 'cancelled',
      description: 'No longer in the calendar since 1 October',
    });
    expect(await later(5)).toMatchObject({ state: 'current' });
    // It comes back: a value that was changed here, and that the calendar has otherwise.
    served.entries = [match, training, party];
    await later(1);
    expect(await later(4)).toMatchObject({
      ...{
        state: 'asks',
        values: [{ id: 2, field: 'status', here: 'cancelled', theirs: 'active' }],
      },
    });
    await perform('follow answer', { id: 1, take: [2] });
    expect((await events())[1]).toMatchObject({ status: 'active' });
    expect(await later(1)).toMatchObject({ state: 'current', values: [] });
  });

  it('asks no more about an event that a person kept, until it comes back and goes again', async () => {
    const { address, perform, served, later, events } = await openClub();
    await perform('follow add', { user, address });
    served.entries = [training, party];
    await later(1);
    expect(await later(5)).toMatchObject({ state: 'asks' });
    await perform('follow answer', { id: 1, keep: [2] });
    expect(await later(24)).toMatchObject({ state: 'current' });
    expect((await events())[1]).toMatchObject({ status: 'active' });
    served.entries = [match, training, party];
    await later(1);
    await later(4);
    served.entries = [training, party];
    await later(1);
    await later(4);
    expect(await later(5)).toMatchObject({ state: 'asks', missing: [{ id: 2 }] });
  });

  it('keeps a value that was edited here until the calendar changes it, and then asks once', async () => {
    const { address, perform, served, later, events } = await openClub();
    await perform('follow add', { user, address });
    await perform('event edit', { user, id: 2, changes: { location: 'Town ground' } });
    expect(await later(1)).toMatchObject({ state: 'current' });
    expect((await events())[1]).toMatchObject({ location: 'Town ground' });
    served.entries = [{ ...match, place: 'Field 2' }, training, party];
    expect(await later(1)).toMatchObject({
      ...{ state: 'asks', values: [{ field: 'location', here: 'Town ground', theirs: 'Field 2' }] },
    });
    await perform('follow answer', { id: 1, keep: [2] });
    expect(await later(1)).toMatchObject({ state: 'current', values: [] });
    expect((await events())[1]).toMatchObject({ location: 'Town ground' });
    served.entries = [{ ...match, place: 'Field 3' }, training, party];
    expect(await later(1)).toMatchObject({ state: 'asks' });
    await perform('follow answer', { id: 1, take: [2] });
    expect((await events())[1]).toMatchObject({ location: 'Field 3' });
    expect(await later(1)).toMatchObject({ state: 'current' });
  });

  it.each([
    ['a login page', { body: '<html><input type="password">' }, 'follow_login'],
    ['an empty answer', { body: '' }, 'follow_no_contents'],
    ['a cut calendar', { body: calendarOf([match, training]).slice(0, 200) }, 'follow_cut'],
    ['an error', { status: 500 }, 'web_refused'],
    ['a calendar without events', { body: calendarOf([]) }, 'follow_empty'],
    [
      'another calendar',
      { body: calendarOf([{ uid: 'x', name: 'Yoga', start: '20361101T100000Z' }]) },
      'follow_other_calendar',
    ],
    ['410', { status: 410 }, 'follow_gone'],
    ['404', { status: 404 }, 'follow_absent'],
    ['429', { status: 429, headers: { 'retry-after': '90000' } }, 'follow_pause'],
  ])('changes nothing for %s', async (_, reply, code) => {
    const { address, perform, served, later, events } = await openClub();
    await perform('follow add', { user, address });
    const before = await events();
    served.reply = reply;
    const listed = await later(1);
    expect(listed.failure).toMatchObject({ code });
    expect(JSON.stringify(listed)).not.toContain('secret');
    expect(await events()).toEqual(before);
    served.reply = undefined;
    expect(await later(code === 'follow_pause' ? 26 : 1)).toMatchObject({ failure: null });
    expect(await events()).toEqual(before);
  });

  it('keeps an event that cannot be read, names it, and updates the others', async () => {
    const { address, perform, served, later, events } = await openClub();
    await perform('follow add', { user, address });
    served.entries = [
      { ...match, start: '20361399T140000Z' },
      { ...training, place: 'Hall 2' },
      party,
    ];
    await later(1);
    expect(await later(5)).toMatchObject({
      ...{ state: 'current', unreadable: ['Rovers v City'], missing: [] },
    });
    expect(await events()).toMatchObject([
      { name: 'Board' },
      { date: '2036-11-21T14:00:00.000Z' },
      { location: 'Hall 2' },
      {},
    ]);
  });

  it('takes an older answer of a cache only once it has stayed for four hours', async () => {
    const { address, perform, served, later, events } = await openClub();
    await perform('follow add', { user, address });
    const moved = [{ ...match, start: '20361122T150000Z' }, training, party];
    served.entries = moved;
    await later(1);
    served.entries = [match, training, party];
    await later(1);
    expect((await events())[1]).toMatchObject({ date: '2036-11-22T15:00:00.000Z' });
    served.entries = moved;
    await later(1);
    served.entries = [match, training, party];
    await later(1);
    await later(5);
    expect((await events())[1]).toMatchObject({ date: '2036-11-21T14:00:00.000Z' });
  });

  it('knows its events without identifiers to rely on', async () => {
    const { address, perform, served, later, events } = await openClub();
    await perform('follow add', { user, address });
    const renumbered = (entries: readonly Entry[]) =>
      entries.map((entry) => ({ ...entry, uid: crypto.randomUUID() }));
    served.entries = renumbered([match, training, party]);
    await later(1);
    served.entries = renumbered([{ ...match, start: '20361205T140000Z' }, training, party]);
    expect(await later(1)).toMatchObject({ events: 3, missing: [] });
    expect(await events()).toMatchObject([
      { name: 'Board' },
      { id: 2, date: '2036-12-05T14:00:00.000Z' },
      { id: 3 },
      { id: 4 },
    ]);
  });

  it('asks for the calendar only if it has changed, and sends name and password to its host', async () => {
    const { address, perform, served, requests, later } = await openClub();
    const secret = address.replace('http://', 'http://maria:p%40ss@');
    served.reply = { headers: { etag: '"1"' } };
    await perform('follow add', { user, address: secret });
    served.reply = { status: 304, headers: { etag: '"1"' } };
    expect(await later(1)).toMatchObject({ state: 'current', host: new URL(address).host });
    expect(requests.at(-1)?.headers).toMatchObject({
      'if-none-match': '"1"',
      authorization: `Basic ${Buffer.from('maria:p@ss').toString('base64')}`,
    });
  });

  it.each([
    ['X-WR-CALNAME:Rovers: U15\\, league', 'Rovers: U15, league', 60],
    ['NAME;LANGUAGE=en:Rovers', 'Rovers', 60],
    ['REFRESH-INTERVAL;VALUE=DURATION:PT12H', undefined, 720],
    ['REFRESH-INTERVAL:VALUE=DURATION:PT12H', undefined, 720],
    ['X-PUBLISHED-TTL:PT5M', undefined, 60],
  ])('has the name and the interval of %j', async (line, name, everyMinutes) => {
    const { address, perform, served } = await openClub();
    served.reply = { body: calendarOf([match], [line]) };
    const found = await perform('follow add', { user, address, dryRun: true });
    expect(found).toMatchObject({ name: name ?? new URL(address).host, everyMinutes });
  });

  it('may have a name or a password that is not encoded', async () => {
    const { address, perform, requests } = await openClub();
    await perform('follow add', { user, address: address.replace('http://', 'http://maria:5%@') });
    expect(requests.at(-1)?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('maria:5%').toString('base64')}`,
    });
  });

  it('is refused with one sentence, and nothing is stored', async () => {
    const { home, address, perform, served } = await openClub();
    const refused = async (args: object) => {
      const failure = await perform('follow add', { user, address, ...args }).catch(
        (error) => error,
      );
      return failure.code as string;
    };
    expect(await refused({ address: 'league' })).toBe('follow_address_invalid');
    expect(await refused({ address: 'ftp://league.example/a.ics' })).toBe('follow_address_invalid');
    for (const file of ['calendar.example.com/private/a.ics', 'x'.repeat(3_000)]) {
      expect(await refused({ address: undefined, file })).toBe('follow_address_invalid');
    }
    expect(await refused({ address: undefined, file: './missing.ics' })).toBe('file_missing');
    expect(await refused({ address: '/etc/hosts' })).toBe('follow_address_invalid');
    expect(await refused({ address: undefined, file: '/dev/zero' })).toMatch(/^place_|^file_/);
    served.reply = { body: '<html><a href="/dates.ics">Calendar</a>' };
    expect(await refused({})).toBe('follow_page_links');
    served.reply = { body: '<html>Welcome' };
    expect(await refused({})).toBe('follow_page');
    for (const status of [404, 410]) {
      served.reply = { status };
      expect(await refused({})).toBe('web_refused');
    }
    served.reply = { body: calendarOf([]) };
    expect(await refused({})).toBe('follow_empty');
    const copy = join(makeTestFolder(), 'club.json');
    writeFileSync(copy, writeCopy([], testCopyFacts));
    await perform('user add', { name: 'Second' });
    await perform('mirror set', { user: 'Second', file: copy });
    expect(await refused({ user: 'Second' })).toBe('user_mirrored');
    expect((await perform('follow list', {})).calendars).toEqual([]);
    expect(existsSync(home.calendarAddresses)).toBe(false);
    served.reply = undefined;
    await perform('follow add', { user, address });
    expect(await refused({})).toBe('follow_already');
  });

  it('gets the rules of a person at once, also those of before', async () => {
    const { address, perform, events } = await openClub();
    await perform('follow add', { user, address });
    for (const place of ['Clubhouse', '']) {
      await perform('follow change', { id: 1, place });
      expect((await events())[3]).toMatchObject({ name: 'Summer party', location: place });
    }
  });

  it('keeps its address in one private file, and in no other', async (context) => {
    const { home, address, perform, later } = await openClub();
    await perform('follow add', { user, address });
    await later(1);
    await perform('backup', {});
    const files = readdirSync(home.directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const holders = files.filter((file) => readFileSync(file).includes('secret-4711'));
    expect(holders).toEqual([home.calendarAddresses]);
    requirePlace(context, 'file modes');
    expect(statSync(home.calendarAddresses).mode & 0o777).toBe(0o600);
  });

  it('costs less than a hundredth of a processor with twenty addresses, whose secrets stay in one file', {
    tags: 'long',
  }, async () => {
    const { home, address, clock, perform, served } = await openClub();
    served.entries = Array.from({ length: 100 }, (_, at) => ({
      uid: `m${at}`,
      name: `Match ${at}`,
      start: `2037${String(1 + (at % 12)).padStart(2, '0')}${String(1 + (at % 28)).padStart(2, '0')}T1${at % 10}0000Z`,
    }));
    const ids = Array.from({ length: 20 }, (_, at) => at + 1);
    for (const id of ids) {
      const own = `${address.replace('http://', `http://maria:code-${id}@`)}?key=secret-${id}`;
      await perform('follow add', { user, address: own, onlyLook: id > 10 });
    }
    const start = process.cpuUsage();
    clock.now += hour;
    for (const id of ids) await perform('follow tick', { id });
    const { user: own, system } = process.cpuUsage(start);
    expect((own + system) / 1_000_000).toBeLessThan(36);
    served.reply = { status: 500 };
    clock.now += hour;
    for (const id of ids) await perform('follow tick', { id });
    await perform('backup', {});
    const holders = readdirSync(home.directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => /secret-\d|code-\d/.test(readFileSync(file, 'latin1')));
    expect(holders).toEqual([home.calendarAddresses]);
  });

  it('knows the events of an import, and those of a calendar that is no longer followed, whatever the prefix', async () => {
    const { home, address, perform, served, events } = await openClub();
    const path = join(makeTestFolder(), 'plan.ics');
    writeFileSync(path, calendarOf(served.entries));
    await callCommand(['--home', home.directory, 'import', path, '--user', user]);
    expect(await perform('follow add', { user, address, prefix: 'U15: ' })).toMatchObject({
      added: 0,
    });
    expect(await events()).toHaveLength(4);
    // They were here before.
    expect(await perform('follow remove', { id: 1, events: 'remove' })).toMatchObject({
      ...{ removed: 0, kept: 3 },
    });
    for (const prefix of ['', 'Men: ']) {
      const { id, added } = await perform('follow add', { user, address, prefix });
      expect(added).toBe(0);
      await perform('follow remove', { id, events: 'keep' });
    }
    expect(await events()).toHaveLength(4);
  });

  it('asks about values of an event that was here until a person answers', async () => {
    const { address, perform, later, events } = await openClub([
      { uid: 'x', name: 'Camp', start: '20361202T180000Z', place: 'Hall' },
      match,
    ]);
    const camp = { name: 'Camp', date: '2036-12-02T18:00:00.000Z', location: 'Lake' };
    await perform('event add', { user, event: camp });
    await perform('follow add', { user, address });
    for (const hours of [1, 1]) {
      expect(await later(hours)).toMatchObject({ state: 'asks', values: [{ field: 'location' }] });
    }
    // The value of the calendar is an answer, too, until it is another one again.
    for (const location of ['Hall', 'Lake']) {
      await perform('event edit', { user, id: 2, changes: { location } });
      const { calendars } = await perform('follow list', {});
      expect(calendars).toMatchObject([{ state: location === 'Hall' ? 'current' : 'asks' }]);
    }
    await perform('follow answer', { id: 1, keep: [2] });
    expect(await later(1)).toMatchObject({ state: 'current', values: [] });
    expect(await perform('follow remove', { id: 1, events: 'remove' })).toMatchObject({
      ...{ removed: 1, kept: 1 },
    });
    expect(await events()).toMatchObject([{ name: 'Board' }, { name: 'Camp', location: 'Lake' }]);
  });

  it('does not bring back an event that a person removed, whose removal can be undone', async () => {
    const { address, perform, served, later, events } = await openClub();
    await perform('follow add', { user, address });
    const { batch = 0 } = await perform('event remove', { user, id: 2 });
    served.entries = [{ ...match, place: 'Elsewhere' }, training, party];
    expect(await later(1)).toMatchObject({ state: 'current', events: 2 });
    expect(await events()).toHaveLength(3);
    await perform('undo', { id: batch });
    await later(1);
    expect(await events()).toMatchObject([{}, { id: 2, location: 'Elsewhere' }, {}, {}]);
  });

  it('keeps its events when a file with them is imported', async () => {
    const { home, address, perform, served, later, events } = await openClub();
    await perform('follow add', { user, address });
    const path = join(makeTestFolder(), 'plan.ics');
    writeFileSync(path, calendarOf([{ ...match, lines: ['SEQUENCE:7'] }, training, party]));
    await callCommand(['--home', home.directory, 'import', path, '--user', user]);
    expect(await later(1)).toMatchObject({ state: 'current', events: 3 });
    served.entries = [{ ...match, start: '20361122T150000Z' }, party];
    await later(1);
    expect(await later(5)).toMatchObject({ missing: [{ id: 3 }] });
    expect(await events()).toMatchObject([{}, { id: 2, date: '2036-11-22T15:00:00.000Z' }, {}, {}]);
  });

  it('can be only looked at from now on, and be of the club again', async () => {
    const past = { ...match, uid: 'past', name: 'Rovers v Gone', start: '20360920T120000Z' };
    const { home, address, perform, later, events } = await openClub([match, training, past]);
    await perform('follow add', { user, address });
    const change = (...args: string[]) =>
      callCommand(['--home', home.directory, 'follow', 'change', '1', ...args]);
    const names = async () => (await events()).map(({ name }) => name).toSorted();
    const before = await names();
    expect(await perform('follow change', { id: 1, onlyLook: true })).toMatchObject({
      rules: { use: 'look' },
    });
    const left = ['Board', 'Rovers v Gone'];
    expect(await names()).toEqual(left);
    const looked = async () => (await perform('follow looked', { user })).calendars[0]?.events;
    expect(await looked()).toHaveLength(3);
    await later(6);
    expect(await names()).toEqual(left);
    // A removal by hand before is forgotten, and the calendar is the club's again as a whole.
    expect((await change('--no-only-look', '--type', 'regional')).status).toBe(0);
    expect(await names()).toEqual(before);
    expect(await looked()).toBeUndefined();
    await later(6);
    expect(await names()).toEqual(before);
    const [{ rules } = {}] = (await perform('follow list', {})).calendars;
    expect(rules).toMatchObject({ use: 'events', eventType: 'regional' });
    await change('--type', 'none');
    const [{ rules: other } = {}] = (await perform('follow list', {})).calendars;
    expect(other?.eventType).toBeNull();
  });

  it('keeps a cancelled event whose identifier goes to the next line of the calendar', async () => {
    const lines = [
      { name: 'Board meeting', start: '20361101T180000Z' },
      { name: 'Camp', start: '20361105T180000Z' },
      { name: 'Party', start: '20361108T180000Z' },
      { name: 'Training', start: '20361211T180000Z' },
      { name: 'Training', start: '20361218T180000Z', lines: ['STATUS:CANCELLED'] },
      { name: 'Rovers v City', start: '20361223T163000Z' },
    ];
    const numbered = (list: typeof lines) => list.map((one, at) => ({ ...one, uid: `row-${at}` }));
    const { address, perform, served, later, events } = await openClub(numbered(lines));
    await perform('follow add', { user, address });
    served.entries = numbered(lines.filter((_, at) => at !== 3));
    await later(1);
    expect(await later(5)).toMatchObject({ missing: [{ name: 'Training' }], values: [] });
    const trainings = (await events()).filter(({ name }) => name === 'Training');
    expect(trainings).toMatchObject([
      { date: '2036-12-11T18:00:00.000Z', status: 'active' },
      { date: '2036-12-18T18:00:00.000Z', status: 'cancelled' },
    ]);
  });

  it('asks nothing about events that the words leave out now', async () => {
    const { address, perform, later } = await openClub();
    await perform('follow add', { user, address });
    await perform('follow change', { id: 1, words: 'Rovers' });
    await later(6);
    expect(await later(6)).toMatchObject({ state: 'current', missing: [], events: 3 });
  });

  it('takes one answer for each event, and the reason away with a cancellation', async () => {
    const { address, perform, served, later, events } = await openClub();
    await perform('follow add', { user, address });
    served.entries = [training, party];
    await later(1);
    await later(5);
    const twice = perform('follow answer', { id: 1, cancel: [2], keep: [2] });
    await expect(twice).rejects.toMatchObject({ code: 'follow_answer_twice' });
    await perform('follow answer', { id: 1, cancel: [2] });
    served.entries = [match, training, party];
    // As the calendar was before, it may be the old answer of a cache.
    await later(1);
    expect(await later(5)).toMatchObject({ values: [{ id: 2, field: 'status' }] });
    await perform('follow answer', { id: 1, take: [2] });
    const [, back] = (await events()) as unknown as object[];
    expect(back).toMatchObject({ status: 'active', description: null });
  });

  it('is read again in another zone, although it has not changed', async () => {
    const { home, address, perform, served, later, events } = await openClub([
      { ...match, start: '20361121T140000' },
    ]);
    const etag = '"1"';
    const server = await serveCalendar(({ headers }) =>
      headers['if-none-match'] === etag
        ? { status: 304, headers: { etag } }
        : { headers: { etag }, body: calendarOf(served.entries) },
    );
    expect(address).not.toBe(server.address);
    await perform('follow add', { user, address: server.address });
    const dateOf = async () => (await events()).find(({ name }) => name === match.name)?.date;
    const before = await dateOf();
    await later(2);
    expect(await dateOf()).toBe(before);
    await callCommand([...['--home', home.directory, 'user', 'zone', user, 'America/St_Johns']]);
    await later(2);
    expect(await dateOf()).toBe('2036-11-21T17:30:00.000Z');
  });

  it('does not hold up others while its folder is away', async () => {
    const { address, perform, served, clock } = await openClub();
    const folder = makeTestFolder();
    writeFileSync(join(folder, 'a.ics'), calendarOf([{ ...match, uid: 'f', name: 'Folder' }]));
    await perform('follow add', { user, file: folder });
    await perform('follow add', { user, address });
    rmSync(folder, { recursive: true });
    served.entries = [...served.entries, { uid: 'n', name: 'New', start: '20361201T100000Z' }];
    clock.now += 2 * hour;
    const { calendars } = await perform('follow now', {});
    expect(calendars).toMatchObject([
      { failure: { code: 'file_missing' } },
      { added: 1, failure: null },
    ]);
    expect((await perform('follow list', {})).calendars).toMatchObject([
      { state: 'trouble' },
      { state: 'current' },
    ]);
  });

  it('is not removed while its address file cannot be read, and stores nothing for another club', async () => {
    const { home, address, perform, served } = await openClub();
    await perform('follow add', { user, address });
    writeFileSync(home.calendarAddresses, 'damaged');
    const refused = perform('follow remove', { id: 1, events: 'remove' });
    await expect(refused).rejects.toMatchObject({ code: 'follow_addresses_damaged' });
    rmSync(home.calendarAddresses);
    expect((await perform('follow list', {})).calendars).toMatchObject([{ events: 3 }]);
    // The club goes while the answer is on its way, and another one gets its place.
    const other = await serveCalendar(() => {
      const sqlite = new Database(home.database);
      sqlite.exec(`UPDATE users SET uid_base = 'another'`);
      sqlite.close();
      return { body: calendarOf([{ uid: 'z', name: 'Foreign', start: '20361201T100000Z' }]) };
    });
    const changed = perform('follow add', { user, address: other.address });
    await expect(changed).rejects.toMatchObject({ code: 'follow_changed_meanwhile' });
    expect(served.entries).toHaveLength(3);
    expect((await perform('follow list', {})).calendars).toHaveLength(1);
  });

  it('notes nothing for another club when it has not changed', async () => {
    const { home, perform, clock } = await openClub();
    const etag = '"1"';
    const server = await serveCalendar(({ headers }) => {
      if (headers['if-none-match'] !== etag)
        return { headers: { etag }, body: calendarOf([match]) };
      const sqlite = new Database(home.database);
      sqlite.exec(`UPDATE users SET uid_base = 'another'`);
      sqlite.close();
      return { status: 304, headers: { etag } };
    });
    await perform('follow add', { user, address: server.address });
    clock.now += 2 * hour;
    const { calendars } = await perform('follow now', {});
    expect(calendars).toMatchObject([{ failure: { code: 'follow_changed_meanwhile' } }]);
  });

  it('asks for its address on another computer, and goes on with it', async () => {
    const { home, address, perform, later, events } = await openClub();
    await perform('follow add', { user, address });
    rmSync(home.calendarAddresses);
    rmSync(join(home.directory, 'calendars.json'), { force: true });
    expect(await later(2)).toMatchObject({
      state: 'trouble',
      failure: { code: 'follow_address_lost' },
      events: 3,
    });
    const other = 'https://127.0.0.1:1/other.ics';
    await expect(perform('follow change', { id: 1, address: other })).rejects.toMatchObject({
      code: 'web_not_running',
    });
    const listed = await perform('follow change', { id: 1, address });
    expect(listed).toMatchObject({ state: 'current', events: 3 });
    expect(await events()).toHaveLength(4);
  });

  it('is removed with an answer about its events, and one undo', async () => {
    const { home, address, perform, events } = await openClub();
    await perform('follow add', { user, address });
    const failure = await perform('follow remove', { id: 1 }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'follow_events_choice' });
    const removed = await perform('follow remove', { id: 1, events: 'remove' });
    expect(removed).toMatchObject({ removed: 3, kept: 0 });
    expect(await events()).toHaveLength(1);
    await perform('undo', { id: removed.batch ?? 0 });
    expect(await events()).toHaveLength(4);
    expect(existsSync(home.calendarAddresses)).toBe(false);
    // Followed again, its events are those that are here.
    expect(await perform('follow add', { user, address })).toMatchObject({ added: 0 });
    expect(await perform('follow remove', { id: 2, events: 'keep' })).toMatchObject({ kept: 3 });
    expect(await events()).toHaveLength(4);
  });

  it('that a club only looks at adds no event', async () => {
    const { address, perform, events } = await openClub();
    await perform('follow add', { user, address, onlyLook: true });
    expect((await perform('follow list', {})).calendars).toMatchObject([{ events: 3 }]);
    expect(await events()).toHaveLength(1);
  });

  it('may be a file or a folder', async () => {
    const { perform, clock } = await openClub();
    const folder = makeTestFolder();
    writeFileSync(join(folder, 'a.ics'), calendarOf([match]));
    writeFileSync(join(folder, 'b.ics'), calendarOf([training]));
    expect(await perform('follow add', { user, file: folder })).toMatchObject({ added: 2 });
    writeFileSync(join(folder, 'b.ics'), calendarOf([{ ...training, place: 'Hall 2' }]));
    clock.now += hour;
    expect(await perform('follow now', { id: 1 })).toMatchObject({ calendars: [{ changed: 1 }] });
    const failure = await perform('follow now', { id: 1 }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'follow_too_soon', values: { count: 10 } });
  });

  it('prints its questions and takes answers on the command line', async () => {
    const { home, address, served, perform, later } = await openClub();
    const call = (...args: readonly string[]) =>
      callCommand(['--home', home.directory, 'follow', ...args]);
    expect((await call('add', address, '--user', user, '--dry-run')).stdout).toContain(
      'Nothing was stored.',
    );
    const added = await call('add', address, '--user', user);
    expect(added.stdout).toContain('"Rovers" follows it now, as number 1: 3 events added.');
    served.entries = [match, party];
    await perform('follow tick', { id: 1 });
    await later(1);
    await later(5);
    expect((await call('list')).stdout).toContain('--keep 3');
    expect((await call('answer', '1', '--keep', '3')).stdout).toBe(
      'Cancelled 0, kept 1, taken over 0.\n',
    );
    expect((await call('answer', '1', '--keep', '3')).status).toBeGreaterThan(0);
    expect((await call('change', '1', '--prefix', 'U15: ')).stdout).toContain('Fixtures');
    expect((await call('remove', '1', '--events', 'keep')).stdout).toBe(
      '"Fixtures" is no longer followed. 3 events of it stay.\n',
    );
  });
});

it('a running service reads calendars that are due, and forgets the addresses of clubs that are gone', async () => {
  const { home, clock, address, perform, served, events } = await openClub();
  clock.now = Date.now() - 2 * hour;
  await perform('follow add', { user, address });
  served.entries = [{ ...match, place: 'Field 2' }, training, party];
  clock.now = Date.now();
  const warn = (problem: unknown) => expect(problem).toBeUndefined();
  const tools = { signal: AbortSignal.timeout(60_000), warn };
  const tick = (args: object) => perform('follow tick', args);
  const look = async () => {
    const { jobs } = await createFollowJobs({ home, tick })({
      isWake: false,
      stampOf: () => undefined,
    });
    for (const job of jobs) await job.run(tools);
    return jobs.length;
  };
  expect(await look()).toBe(1);
  expect((await events())[1]).toMatchObject({ location: 'Field 2' });
  expect(await look()).toBe(0);
  await perform('user remove', { name: user });
  expect(existsSync(home.calendarAddresses)).toBe(true);
  expect(await look()).toBe(0);
  expect(existsSync(home.calendarAddresses)).toBe(false);
});
