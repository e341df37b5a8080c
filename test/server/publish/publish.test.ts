import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import ICAL from 'ical.js';
import { describe, expect, it, vi } from 'vitest';
import { catalogue } from '../../../server/actions/catalogue.ts';
import type { Home } from '../../../server/base/home.ts';
import { readCopyBytes } from '../../../server/copy/club-copy.ts';
import { callCommand, spawnCommand, startServe } from '../../support/command.ts';
import { makeTestFolder, makeTestHome } from '../../support/home.ts';
import { readText } from '../../support/ics.ts';
import { choose } from '../../support/long.ts';
import { patience } from '../../support/patience.ts';
import { expectMode, requirePlace } from '../../support/place.ts';
import { printFigure } from '../../support/print.ts';
import { createRandom } from '../../support/random.ts';
import { trustTestAuthority } from '../../support/upstream.ts';
import { serveWebSpace, type WebFault, type WebSpace } from '../../support/web-space.ts';
import { editAtRandom, openClub } from './open-club.ts';

const sequencesOf = (text: string) =>
  new Map(
    [...text.matchAll(/^SEQUENCE:(\d+)[\s\S]*?^SUMMARY:(.*)\r$/gm)].map(([, number, name]) => [
      name,
      Number(number),
    ]),
  );

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('a calendar that stays up to date', () => {
  it('has the same bytes while the club is unchanged, and new numbers for changed events only', async () => {
    const { clock, perform, user, addEvent, folder, tick, only } = await openClub();
    await addEvent('Training', '2026-11-24T19:00');
    const id = await addEvent('Match', '2026-11-28T15:00');
    const output = join(folder, 'dates.ics');
    await perform('publish add', { user, output });
    const first = readFileSync(output, 'utf8');
    clock.now += 2 * day;
    await tick();
    expect(readFileSync(output, 'utf8')).toBe(first);
    expect((await only()).checkedAt).toBe(new Date(clock.now).toISOString());
    await perform('event edit', { user, id, changes: { date: '2026-11-28T16:00' } });
    expect((await only()).state).toBe('behind');
    await tick();
    const second = readFileSync(output, 'utf8');
    const [before, after] = [sequencesOf(first), sequencesOf(second)];
    expect(after.get('Training')).toBe(before.get('Training'));
    expect(after.get('Match')).toBe((before.get('Match') ?? 0) + (2 * day) / 1_000);
    expect((await only()).state).toBe('current');
  });

  it('never lowers the number of an event, also after a restore and a clock that went back', async () => {
    const { clock, perform, user, addEvent, folder, tick } = await openClub();
    const id = await addEvent('Match', '2026-11-28T15:00');
    const output = join(folder, 'dates.ics');
    await perform('publish add', { user, output });
    const { output: backup } = await perform('backup', {});
    clock.now += day;
    await perform('event edit', { user, id, changes: { date: '2026-11-28T16:00' } });
    await tick();
    const changed = sequencesOf(readFileSync(output, 'utf8')).get('Match') ?? 0;
    await perform('restore', { file: backup });
    clock.now -= 5 * day;
    await tick();
    const text = readFileSync(output, 'utf8');
    expect(text).toContain('DTSTART;TZID=Europe/Berlin:20261128T150000');
    expect(sequencesOf(text).get('Match')).toBe(changed + 1);
  });

  it('says in a name that an event is off until it would be over, and leaves drafts out', async () => {
    const { clock, perform, user, addEvent, folder, tick } = await openClub();
    const id = await addEvent('Match', '2026-12-28T15:00');
    const old = await addEvent('Old match', '2026-11-01T15:00');
    await addEvent('Secret', '2026-12-01', { status: 'draft' });
    const output = join(folder, 'dates.ics');
    await perform('publish add', { user, output, language: 'de' });
    const before = sequencesOf(readFileSync(output, 'utf8')).get('Match') ?? 0;
    clock.now += minute;
    await perform('event cancel', { user, id, reason: 'Hall closed' });
    await perform('event cancel', { user, id: old });
    const read = async () => {
      await tick();
      return readFileSync(output, 'utf8');
    };
    const off = await read();
    expect(off).toContain('SUMMARY:Abgesagt: Match');
    expect(off).toContain('TRANSP:TRANSPARENT');
    expect(off).toContain('DESCRIPTION:Hall closed');
    expect(off).not.toMatch(/STATUS:CANCELLED|Secret|Old match/);
    expect(sequencesOf(off).get('Abgesagt: Match')).toBeGreaterThan(before);
    // Every program of the club reads the event as it is.
    const { records } = await readText(off);
    expect(records.map(({ values: { name, status } }) => [name, status])).toEqual([
      ['Match', 'cancelled'],
    ]);
    await perform('event edit', { user, id, changes: { name: 'ABGESAGT: Match' } });
    expect(await read()).toContain('SUMMARY:ABGESAGT: Match');
    clock.now = Date.UTC(2026, 11, 28, 15, 30);
    expect(await read()).toContain('Match');
    clock.now += 2 * hour;
    expect(await read()).not.toContain('Match');
  });

  it('says for a week where an event was before, and gives its own note to an import', async () => {
    const { clock, perform, user, addEvent, folder, tick } = await openClub();
    const ids = [
      await addEvent('Match', '2026-12-05T15:00', { location: 'Home' }),
      await addEvent('Party', '2026-12-12T20:00', { description: 'Bring a cake.' }),
    ];
    const output = join(folder, 'dates.ics');
    await perform('publish add', { user, output });
    clock.now += 8 * day;
    const [match = 0, party = 0] = ids;
    await perform('event edit', {
      ...{ user, id: match },
      changes: { date: '2026-12-06T16:00', location: 'Away' },
    });
    await perform('event edit', { user, id: party, changes: { date: '2026-12-12T21:00' } });
    await tick();
    const text = readFileSync(output, 'utf8');
    expect(text).toContain('DESCRIPTION:was Sat 5 Dec\\, 15:00\\, Home');
    expect(text).toContain('DESCRIPTION:was 20:00\\nBring a cake.');
    const { records } = await readText(text);
    expect(records.map(({ values }) => values.description)).toEqual([null, 'Bring a cake.']);
    const during = sequencesOf(text);
    clock.now += 7 * day;
    await tick();
    const later = readFileSync(output, 'utf8');
    expect(later).not.toContain('was ');
    expect(sequencesOf(later).get('Party')).toBeGreaterThan(during.get('Party') ?? 0);
  });

  it('begins with the season before the present one, and moves on with the seasons', async () => {
    const { clock, perform, user, addEvent, folder, tick, only } = await openClub();
    // The present season began in July 2026.
    for (const date of ['2025-06-30', '2025-07-01', '2026-06-30', '2026-12-01']) {
      await addEvent(`On ${date}`, date);
    }
    const output = join(folder, 'dates.ics');
    await perform('publish add', { user, output });
    const days = async () => {
      await tick();
      return [...readFileSync(output, 'utf8').matchAll(/^SUMMARY:On (.*)\r$/gm)].map(
        ([, day]) => day,
      );
    };
    expect(await days()).toEqual(['2025-07-01', '2026-06-30', '2026-12-01']);
    const { id } = await only();
    await perform('publish change', { id, since: 'all' });
    expect(await days()).toHaveLength(4);
    await perform('publish change', { id, since: '2026-06-30' });
    expect(await days()).toEqual(['2026-06-30', '2026-12-01']);
    await perform('publish change', { id, since: 'season' });
    clock.now = Date.UTC(2027, 6, 1, 12);
    expect(await days()).toEqual(['2026-12-01']);
    expect(await only()).toMatchObject({ since: 'season', events: 1, isLarge: false });
  });

  it('is called large above a thousand events, and a copy never is', { tags: 'long' }, async () => {
    const { home, perform, user, folder } = await openClub();
    const lines = Array.from({ length: 1_001 }, (_, at) => `Training ${at},2026-12-01,Hall`);
    const file = join(folder, 'plan.csv');
    writeFileSync(file, `name,date,place\n${lines.join('\n')}\n`);
    const call = (...args: string[]) => callCommand(['--home', home.directory, ...args]);
    expect(await call('import', '--user', user, file)).toMatchObject({ status: 0 });
    await perform('publish add', { user, output: join(folder, 'dates.ics'), since: '2026-12-01' });
    await perform('publish add', { user, output: join(folder, 'copy.json') });
    const { files } = await perform('publish list', {});
    expect(files.map(({ isLarge }) => isLarge)).toEqual([true, false]);
    const { stdout } = await call('publish', 'list');
    expect(stdout).toContain('1,001 events, from 2026-12-01 on');
    expect(stdout).toMatch(/It has \d{3} KB. .* "club-events publish change 1 --since DAY"/);
    await perform('publish change', { id: 1, since: 'all' });
    expect((await call('publish', 'list')).stdout).toContain('publish change 1 --since season"');
    const refused = await call('publish', 'change', '2', '--since', 'season');
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toBe(
      'A copy for another computer has all days. Leave out --since, or choose a calendar or a page.\n',
    );
    const wrong = await call('publish', 'change', '1', '--since', '2026-13-01');
    expect(wrong).toEqual({
      status: 2,
      stdout: '',
      stderr:
        '--since "2026-13-01": The first day is a day such as 2026-07-01, or season, or all; give it with --since.\n',
    });
  });

  it('is measured for each first day before it is added, as it is written then', async () => {
    const { perform, user, addEvent, folder, only } = await openClub();
    for (const [name, date] of [
      ['Long ago', '2014-05-01T18:00'],
      ['Last season', '2025-09-01T18:00'],
      ['This season', '2026-09-01T18:00'],
      ['To come', '2026-12-01T18:00'],
    ] as const)
      await addEvent(name, date);
    const all = ['2026-11-19', '2026-07-01', 'season', 'all'] as const;
    for (const [format, periods] of [['ics', all] as const, ['html', all.slice(3)] as const]) {
      const choice = { user, format, language: 'en-GB' };
      const { periods: measured } = await perform('publish measure', {
        ...choice,
        periods: [...periods],
      });
      expect(measured.map(({ events }) => events)).toEqual([1, 2, 3, 4].slice(-periods.length));
      for (const [index, since] of periods.entries()) {
        // Each writing starts a process.
        if (since !== 'all' && since !== 'season') continue;
        const output = join(folder, `${index}.${format}`);
        await perform('publish add', { ...choice, output, since });
        expect(readFileSync(output)).toHaveLength(measured[index]?.bytes ?? 0);
        await perform('publish remove', { id: (await only()).id });
      }
    }
    await perform('team add', { user, name: 'Seniors', words: 'season' });
    const { periods: ofTeam } = await perform('publish measure', {
      ...{ user, format: 'ics', language: 'en-GB', team: 'Seniors', periods: ['all'] },
    });
    expect(ofTeam).toMatchObject([{ since: 'all', events: 2, isLarge: false }]);
  });

  it('has only the events with the words and of the types of its filter', async () => {
    const { perform, user, addEvent, folder } = await openClub();
    await addEvent('U15 Training', '2026-11-24T19:00', { eventType: 'club' });
    await addEvent('U15 Cup', '2026-11-25T19:00', { eventType: 'regional' });
    await addEvent('Seniors', '2026-11-26T19:00', { eventType: 'club' });
    const add = (name: string, more: object) =>
      perform('publish add', { user, output: join(folder, name), ...more });
    await add('u15.ics', { search: 'u15' });
    await add('club.json', { types: ['club'] });
    await add('both.html', { search: 'U15', types: ['club'] });
    const namesIn = (name: string) =>
      ['U15 Training', 'U15 Cup', 'Seniors'].filter((each) =>
        readFileSync(join(folder, name), 'utf8').includes(each),
      );
    expect(namesIn('u15.ics')).toEqual(['U15 Training', 'U15 Cup']);
    expect(namesIn('club.json')).toEqual(['U15 Training', 'Seniors']);
    expect(namesIn('both.html')).toEqual(['U15 Training']);
  });

  it.each(
    choose(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'], ['Australia/Lord_Howe']),
  )('gives ical.js the events of the club after each of many edits, in %s', async (zone) => {
    for await (const { calendar, expected } of editAtRandom(zone, choose(200, 12))) {
      const root = new ICAL.Component(ICAL.parse(calendar));
      const seen = root.getAllSubcomponents('vevent').map((component) => {
        const start = component.getFirstPropertyValue('dtstart') as ICAL.Time;
        const definition = root.getFirstSubcomponent('vtimezone');
        // A day without a time begins where the zone says.
        start.zone =
          start.isDate || start.zone.tzid === 'UTC' ? start.zone : new ICAL.Timezone(definition);
        const text = start.isDate ? start.toString() : start.toJSDate().toISOString();
        return [String(component.getFirstPropertyValue('summary')), text];
      });
      expect(seen.toSorted()).toEqual(expected.toSorted());
    }
  });
});

describe('a page for members that stays up to date', () => {
  /** Returns the words of each event with news, by its name. */
  const newsIn = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<li id=[\s\S]*?<\/li>/g)].flatMap(([item]) => {
        const text = (name: string) =>
          new RegExp(`<p class="(?:badge )?${name}".*?>(.*?)</p>`).exec(item)?.[1] ?? '';
        const plain = (text: string) => text.replace(/<[^>]*>/g, '');
        const news = [text('news'), plain(text('moved'))].filter((part) => part !== '');
        return news.length === 0 ? [] : [[plain(text('name')), news.join(': ')]];
      }),
    );

  it('shows what moved or is new for a week, and never what a draft was', async () => {
    const { clock, perform, user, addEvent, folder, tick } = await openClub();
    const edit = (id: number, changes: object) => perform('event edit', { user, id, changes });
    const output = join(folder, 'page.html');
    const read = async () => {
      await tick();
      return readFileSync(output, 'utf8');
    };
    for (const week of [10, 11, 12, 13])
      await addEvent(`Training ${week}`, `2026-12-${week}T19:00`);
    const match = await addEvent('Match', '2026-12-05T15:00', { location: 'Home' });
    const party = await addEvent('Party', '2026-12-12T20:00', { location: 'Hall' });
    const secret = await addEvent('Secret', '2026-12-20T10:00', { status: 'draft' });
    await perform('publish add', { user, output });
    // All events of a club that has just begun would be new.
    expect(newsIn(await read())).toEqual({});

    clock.now += 8 * day;
    await edit(match, { date: '2026-12-05T16:00' });
    await edit(party, { date: '2026-12-13', location: 'Town hall' });
    await edit(secret, { date: '2026-12-21T10:00' });
    await edit(secret, { status: 'active', date: '2026-12-22T11:00' });
    const added = await addEvent('Quiz', '2026-12-15T19:00');
    clock.now += minute;
    // A correction of what was just typed.
    await edit(added, { date: '2026-12-15T20:00' });
    const page = await read();
    expect(newsIn(page)).toEqual({
      Match: 'Moved: Saturday, 15:00 → 16:00, changed on Friday',
      Party: 'Moved: Sat 12 Dec, 20:00 → Sun 13 Dec, Hall → Town hall, changed on Friday',
      Quiz: 'New',
      Secret: 'New',
    });
    expect(page).not.toMatch(/20 Dec|21 Dec/);
    clock.now += 2 * hour;
    expect(await read()).toBe(page);

    // Back again, and a place that was named.
    await edit(match, { date: '2026-12-05T15:00' });
    await edit(added, { location: 'Clubhouse' });
    expect(Object.keys(newsIn(await read()))).toEqual(['Party', 'Quiz', 'Secret']);
    // Only the earlier changes are older than a week now, and make no news.
    clock.now += 7 * day - hour;
    expect(newsIn(await read())).toEqual({});
  });
});

describe('the teams of a page that stays up to date', () => {
  it('have the calendars that are kept up to date for them, and tell the moves of their events', async () => {
    const { clock, perform, user, addEvent, folder } = await openClub();
    for (const name of ['U15', 'Board']) await perform('team add', { user, name, words: name });
    const id = await addEvent('U15 match', '2026-12-05T15:00', { status: 'draft' });
    await addEvent('Board meeting', '2026-12-06T19:00');
    const at = (name: string) => `https://rovers.example/${name}`;
    const add = (name: string, more: object = {}) =>
      perform('publish add', { user, output: join(folder, name), address: at(name), ...more });
    await add('all.ics');
    await add('u15.ics', { team: 'u15' });
    // Not all events of its team.
    await add('board.ics', { team: 'Board', types: ['club'] });
    await add('page.html');
    await add('u15.html', { team: 'U15' });
    const read = async (name = 'page.html') => {
      clock.now += day;
      await perform('publish now', {});
      return readFileSync(join(folder, name), 'utf8');
    };
    const linksIn = (html: string) =>
      [...html.matchAll(/href="(webcal:[^"]*)"/g)].map(([, to]) => to);
    const page = await read();
    expect(linksIn(page)).toEqual(
      ['all.ics', 'u15.ics'].map((name) => at(name).replace('https', 'webcal')),
    );
    expect(page).toContain('id="only-1"');
    const chosen = await read('u15.html');
    expect(chosen).not.toContain('id="only-');
    expect(linksIn(chosen)).toEqual([at('u15.ics').replace('https', 'webcal')]);

    const move = (date: string, more: object = {}) =>
      perform('event edit', { user, id, changes: { date, ...more } });
    const memoryIn = async () =>
      /· moved [^\n]*/.exec((await read()).replaceAll(/<[^>]*>/g, ' '))?.[0];
    // What a draft was is never shown.
    await move('2026-12-07T15:00');
    await move('2026-12-08T15:00', { status: 'active' });
    clock.now += day;
    await move('2026-12-09T15:00');
    expect(await memoryIn()).toBeUndefined();
    await move('2026-12-10T15:00');
    const { batch } = await move('2026-12-11T15:00');
    await perform('undo', { id: batch as number });
    expect((await memoryIn())?.trim()).toBe('· moved 2 times, first planned for 8 December');
  });
});

describe('a file in a folder', () => {
  it('is written by a running service within ten seconds after a change', {
    tags: 'long',
  }, async () => {
    const home = makeTestHome();
    const folder = makeTestFolder();
    const call = (...args: readonly string[]) => callCommand(['--home', home.directory, ...args]);
    await call('user', 'add', 'Rovers');
    const output = join(folder, 'dates.ics');
    const added = await call('publish', 'add', '--user', 'Rovers', '--to', output);
    expect(added).toMatchObject({ status: 0, stderr: '' });
    await startServe(['--home', home.directory, '--port', '0']);
    await call('event', 'add', '--user', 'Rovers', '--name', 'Match', '--date', '2026-11-28T15:00');
    await vi.waitFor(() => expect(readFileSync(output, 'utf8')).toContain('SUMMARY:Match'), {
      timeout: patience,
      interval: 100,
    });
    const { stdout } = await call('publish', 'list');
    expect(stdout).toContain('Up to date');
  });

  it('is not replaced if others changed it, until a person says so', async () => {
    const { clock, perform, user, addEvent, folder, tick, only } = await openClub();
    const output = join(folder, 'dates.ics');
    await perform('publish add', { user, output });
    const first = readFileSync(output);
    writeFileSync(output, 'my own notes');
    await addEvent('Match', '2026-11-28T15:00');
    await tick();
    expect(readFileSync(output, 'utf8')).toBe('my own notes');
    expect(await only()).toMatchObject({
      state: 'failed',
      failure: { problem: { code: 'publish_file_changed' }, nextAt: null },
    });
    clock.now += day;
    await tick();
    expect(readFileSync(output, 'utf8')).toBe('my own notes');
    const { files } = await perform('publish now', { id: 1, replace: true });
    expect(files).toMatchObject([{ state: 'current', failure: null }]);
    expect(readFileSync(output, 'utf8')).toContain('Match');
    // A sync program brings back an old version.
    writeFileSync(output, first);
    clock.now += 2 * hour;
    await tick();
    expect(readFileSync(output, 'utf8')).toContain('Match');
  });

  it('is tried again within ten seconds, each time, until its folder is there and lets it in', async () => {
    const { clock, perform, user, addEvent, folder, tick, only } = await openClub();
    const shared = join(folder, 'Nextcloud');
    mkdirSync(shared);
    const output = join(shared, 'dates.ics');
    await perform('publish add', { user, output });
    const first = new Date(clock.now).toISOString();
    renameSync(shared, `${shared} away`);
    await addEvent('Match', '2026-11-28T15:00');
    /** Expects that a look of the service tries again and fails. */
    const expectFailure = async (code: string) => {
      clock.now += 6_000;
      await tick();
      const { failure, writtenAt } = await only();
      expect(failure?.problem.code).toBe(code);
      expect(failure?.nextAt).toBe(new Date(clock.now + 6_000).toISOString());
      expect(writtenAt).toBe(first);
    };
    for (let attempt = 1; attempt <= 5; attempt += 1) await expectFailure('publish_folder_gone');
    // Something else in its place: as root, a test cannot be without permission.
    mkdirSync(output, { recursive: true });
    for (let attempt = 1; attempt <= 5; attempt += 1) await expectFailure('file_is_folder');
    rmSync(shared, { recursive: true });
    renameSync(`${shared} away`, shared);
    await tick();
    expect((await only()).state).toBe('failed');
    clock.now += 6_000;
    await tick();
    expect((await only()).state).toBe('current');
    expect(readdirSync(shared)).toEqual(['dates.ics']);
  });

  it('is refused without a change if it exists, is in the data directory or stays up to date already', async () => {
    const { home, perform, user, folder, list } = await openClub();
    const output = join(folder, 'dates.ics');
    writeFileSync(output, 'notes');
    const add = (more: object) => perform('publish add', { user, ...more });
    await expect(add({ output })).rejects.toMatchObject({ code: 'publish_file_exists' });
    expect(readFileSync(output, 'utf8')).toBe('notes');
    await expect(add({ output: join(home.directory, 'x.ics') })).rejects.toMatchObject({
      code: 'file_in_home',
    });
    await expect(add({ output: join(folder, 'x.txt') })).rejects.toMatchObject({
      code: 'publish_format_unknown',
    });
    await expect(add({})).rejects.toMatchObject({ code: 'publish_where' });
    await expect(add({ output, address: 'http://rovers.example' })).rejects.toMatchObject({
      code: 'publish_address_invalid',
    });
    expect(await list()).toEqual([]);
    await add({ output, replace: true });
    await expect(add({ output, format: 'html' })).rejects.toMatchObject({
      code: 'publish_place_taken',
    });
  });

  it('stays when it is removed from the list', async () => {
    const { perform, user, addEvent, folder, tick, list } = await openClub();
    const output = join(folder, 'page.html');
    await perform('publish add', { user, output, language: 'de' });
    const first = readFileSync(output, 'utf8');
    expect(first).toContain('lang="de"');
    await perform('publish remove', { id: 1 });
    await addEvent('Match', '2026-11-28T15:00');
    await tick();
    expect(readFileSync(output, 'utf8')).toBe(first);
    expect(await list()).toEqual([]);
    await expect(perform('publish remove', { id: 1 })).rejects.toMatchObject({
      code: 'publish_unknown',
    });
    // An id is not given again.
    await perform('publish add', { user, output, replace: true });
    expect((await list()).map(({ id }) => id)).toEqual([2]);
  });

  it('says so if its club is gone, and does not take another club for it', async () => {
    const { perform, user, folder, tick, only } = await openClub();
    const output = join(folder, 'dates.ics');
    await perform('publish add', { user, output });
    const first = readFileSync(output, 'utf8');
    await perform('user remove', { name: user });
    await perform('user add', { name: user });
    await tick();
    expect(await only()).toMatchObject({
      user: null,
      failure: { problem: { code: 'publish_club_gone' } },
    });
    expect(readFileSync(output, 'utf8')).toBe(first);
  });
});

/** Returns all texts in the data directory, apart from the file of passwords. */
function textsIn(home: Home): string {
  const names = readdirSync(home.directory, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile() && entry.name !== 'publish-passwords.json')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('');
}

/** Writes the files by a process of its own, which is killed in the middle of a request. */
async function killWriting(home: Home, space: WebSpace): Promise<void> {
  const process = spawnCommand(['--home', home.directory, 'publish', 'now']);
  const ended = once(process, 'exit');
  space.onCut = () => process.kill('SIGKILL');
  await ended;
  space.onCut = () => undefined;
}

/** Creates a club with a calendar in a web space. */
async function openWebClub() {
  const club = await openClub();
  const space = await serveWebSpace();
  const { url, account, password } = space;
  await club.perform('publish add', { user: club.user, url, account, password });
  const text = () => String(space.files.get('/club/dates.ics'));
  return { ...club, space, text };
}

describe('a file that is changed', () => {
  it('is written at once, and stays as it was if that fails', async () => {
    const { perform, user, addEvent, folder, list, only } = await openClub();
    await addEvent('U15 Cup', '2026-11-25T19:00');
    await addEvent('Seniors', '2026-11-26T19:00');
    const output = join(folder, 'dates.ics');
    await perform('publish add', { user, output });
    const before = sequencesOf(readFileSync(output, 'utf8')).get('U15 Cup') ?? 0;
    await perform('publish change', {
      id: 1,
      search: 'u15',
      address: 'https://rovers.example/u15',
    });
    expect(readFileSync(output, 'utf8')).not.toContain('Seniors');
    expect(await only()).toMatchObject({ search: 'u15', address: 'https://rovers.example/u15' });
    const other = join(folder, 'u15.ics');
    writeFileSync(other, 'notes');
    const moving = perform('publish change', { id: 1, output: other, search: '' });
    await expect(moving).rejects.toMatchObject({ code: 'publish_file_exists' });
    expect(await only()).toMatchObject({ search: 'u15', target: { path: output } });
    await perform('publish change', { id: 1, output: other, replace: true });
    expect(sequencesOf(readFileSync(other, 'utf8')).get('U15 Cup')).toBe(before);
    expect(existsSync(output)).toBe(true);
    await perform('publish add', { user, output, replace: true });
    await expect(perform('publish change', { id: 2, output: other })).rejects.toMatchObject({
      code: 'publish_place_taken',
    });
    expect((await list()).map(({ target }) => target)).toEqual([
      { kind: 'folder', path: other },
      { kind: 'folder', path: output },
    ]);
  });

  it('gets another web space only with a password for it', { tags: 'long' }, async () => {
    const { home, perform, space, only } = await openWebClub();
    const other = await serveWebSpace();
    const moving = perform('publish change', { id: 1, url: other.url });
    await expect(moving).rejects.toMatchObject({ code: 'publish_password_missing' });
    expect(other.requests).toEqual([]);
    const trying = (more: object) => perform('publish try', { url: space.url, ...more });
    const account = { account: space.account };
    expect(await trying({ id: 1, ...account })).toEqual({ host: new URL(space.url).host });
    await expect(trying({ ...account, password: 'wrong' })).rejects.toMatchObject({
      code: 'publish_password_refused',
    });
    expect(space.files.size).toBe(1);
    await perform('publish change', { id: 1, url: other.url, password: other.password });
    expect(await only()).toMatchObject({ target: { url: other.url }, state: 'current' });
    await perform('publish change', { id: 1, output: join(makeTestFolder(), 'dates.ics') });
    expect(existsSync(home.publishPasswords)).toBe(false);
  });
});

describe('a file in a web space', () => {
  it('is written under conditions, and its password is in one private file only', async () => {
    const { home, addEvent, tick, space, text, list } = await openWebClub();
    await addEvent('Match', '2026-11-28T15:00');
    await tick();
    expect(text()).toContain('SUMMARY:Match');
    const puts = space.requests.filter(({ method }) => method === 'PUT');
    expect(puts.map(({ condition }) => condition)).toEqual(['*', expect.stringMatching(/^"/)]);
    expect(JSON.stringify(await list())).not.toContain(space.password);
    expect(textsIn(home)).not.toContain(space.password);
    expect(readFileSync(home.publishPasswords, 'utf8')).toContain(space.password);
    expectMode(home.publishPasswords, 0o600);
  });

  it.each<[WebFault, string, number | null]>([
    [401, 'publish_password_refused', 60],
    [403, 'publish_not_allowed', 60],
    [507, 'publish_no_room', 60],
    [423, 'publish_file_in_use', 0.1],
    [412, 'publish_file_in_use', 0.1],
    [500, 'publish_server_failed', 0.1],
    [308, 'publish_elsewhere', 60],
    ['early', 'publish_unreachable', 0.1],
  ])('fails with %s as %s and is tried again', async (fault, code, minutes) => {
    const { clock, addEvent, tick, only, space, text } = await openWebClub();
    const first = text();
    space.fault = (method) => (method === 'PUT' ? fault : undefined);
    await addEvent('Match', '2026-11-28T15:00');
    await tick();
    const { failure } = await only();
    expect(failure?.problem.code).toBe(code);
    expect(Date.parse(failure?.nextAt ?? '') - clock.now).toBe((minutes ?? 0) * minute);
    expect(text()).toBe(first);
    space.fault = () => undefined;
    // Not before its time: a web space may lock an account.
    const before = space.requests.length;
    clock.now += (minutes ?? 0) * minute - 1_000;
    await tick();
    expect(space.requests.length).toBe(before);
    clock.now += 1_000;
    await tick();
    expect(text()).toContain('SUMMARY:Match');
    expect(await only()).toMatchObject({ state: 'current', failure: null });
  });

  it('is written to a server that compresses, whose tags no condition matches', async () => {
    const { addEvent, tick, only, space, text } = await openWebClub();
    space.headers = { 'content-encoding': 'gzip' };
    space.alter = (file) => gzipSync(file);
    space.tagEnd = '-gzip';
    await addEvent('Match', '2026-11-28T15:00');
    await tick();
    expect(text()).toContain('SUMMARY:Match');
    expect(await only()).toMatchObject({ state: 'current', failure: null });
  });

  it('waits for a person if its content is changed there', async () => {
    const { addEvent, tick, only, space } = await openWebClub();
    const { length } = space.requests;
    // The first request looks, and the third one proves what was written.
    space.alter = (file) =>
      space.requests.length > length + 1 ? Buffer.from(`${file}<script>`) : file;
    await addEvent('Match', '2026-11-28T15:00');
    await tick();
    const problem = { code: 'publish_content_changed' };
    expect((await only()).failure).toMatchObject({ problem, nextAt: null });
  });

  it('waits longer after each failure of the connection, at most an hour', {
    tags: 'long',
  }, async () => {
    const { clock, addEvent, tick, only, space } = await openWebClub();
    space.fault = () => 'early';
    await addEvent('Match', '2026-11-28T15:00');
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await tick();
      const next = Date.parse((await only()).failure?.nextAt ?? '');
      pauses.push((next - clock.now) / 1_000);
      clock.now = next;
    }
    expect(pauses).toEqual([6, 60, 300, 900, 3_600, 3_600]);
  });

  it('takes a new password, and stores only one that the web space accepts', async () => {
    const { home, perform, addEvent, tick, only, space, text } = await openWebClub();
    rmSync(home.publishPasswords);
    await addEvent('Match', '2026-11-28T15:00');
    await tick();
    expect((await only()).failure?.problem.code).toBe('publish_password_missing');
    await perform('publish password', { id: 1, password: 'wrong' });
    expect((await only()).failure?.problem.code).toBe('publish_password_refused');
    expect(existsSync(home.publishPasswords)).toBe(false);
    await perform('publish password', { id: 1, password: space.password });
    expect(await only()).toMatchObject({ state: 'current' });
    expect(text()).toContain('SUMMARY:Match');
  });

  it.each([
    ['printf', '', false],
    ['an editor', '\n', false],
    ['an editor of Windows', '\r\n', false],
    ['a terminal', '\n', true],
  ])('takes a password as %s gives it, with its spaces', async (_, end, isTyped) => {
    const { home, user } = await openClub();
    const { url, account, password } = await serveWebSpace();
    const add = ['publish', 'add', '--user', user, '--dav', url, '--account', account];
    for (const command of [add, ['publish', 'password', '1']]) {
      const args = ['--home', home.directory, ...command];
      const done = await callCommand(args, `${password}${end}`, { isTyped });
      expect(done.status, done.stderr).toBe(0);
      expect(done.stderr).toMatch(isTyped ? /^Paste the password, then press / : /^(?!Paste)/);
    }
    const change = ['--home', home.directory, 'publish', 'password', '1'];
    for (const other of [` ${password}`, `${password} `, `${password}\n`]) {
      const refused = await callCommand(change, `${other}${end === '' ? '\n' : end}`);
      expect(refused.status).toBe(1);
      expect(refused.stdout + refused.stderr).toContain('does not accept the password');
    }
  });

  it('is changed on a terminal without a question for its password', async () => {
    const { home } = await openWebClub();
    const change = ['--home', home.directory, 'publish', 'change', '1', '--filter', 'Match'];
    const { status, stderr } = await callCommand(change, '', { isTyped: true });
    expect(stderr).not.toMatch(/Paste/);
    expect(status, stderr).toBe(0);
  });

  it('has its password in the key store of the window, which alone can write it then', async () => {
    const { home, clock, tools, perform, user, addEvent, tick, only } = await openClub();
    const { url, account, password, files } = await serveWebSpace();
    await perform('publish add', { user, url, account, password, keyStore: 'system' });
    expect(existsSync(home.publishPasswords)).toBe(false);
    expect(textsIn(home)).not.toContain(password);
    await addEvent('Match', '2026-11-28T15:00');
    await tick();
    expect((await only()).failure?.problem.code).toBe('publish_password_elsewhere');
    // As the window performs it: with the passwords that its key store holds.
    const windowTools = { ...tools, upstreamKeys: new Map([[-1, { url, key: password }]]) };
    await catalogue['publish tick'].perform({ isWake: true }, windowTools);
    expect(await only()).toMatchObject({ state: 'current', keyStore: 'system' });
    expect(String(files.get('/club/dates.ics'))).toContain('SUMMARY:Match');
    clock.now += minute;
    await perform('publish password', { id: 1, password });
    expect(await only()).toMatchObject({ keyStore: 'file' });
    expectMode(home.publishPasswords, 0o600);
  });

  it('is refused without https, and no password is sent to a server without a proof', async () => {
    trustTestAuthority();
    const { perform, user, list } = await openClub();
    const add = (url: string) =>
      perform('publish add', { user, url, account: 'maria', password: 'pass-that-nobody-shows' });
    await expect(add('http://cloud.example/dates.ics')).rejects.toMatchObject({
      code: 'publish_url_insecure',
    });
    await expect(add('https://maria:pw@cloud.example/dates.ics')).rejects.toMatchObject({
      code: 'publish_url_credentials',
    });
    await expect(add('https://cloud.example/folder/')).rejects.toMatchObject({
      code: 'publish_url_invalid',
    });
    const unproven = await serveWebSpace({ certificate: 'self-signed' });
    await expect(add(unproven.url)).rejects.toMatchObject({ code: 'publish_not_trusted' });
    expect(unproven.requests).toEqual([]);
    expect(await list()).toEqual([]);
    const proven = await serveWebSpace({ certificate: 'valid' });
    await add(proven.url);
    expect(proven.files.size).toBe(1);
  });

  it('is refused with a wrong password, and nothing is stored', async () => {
    const { home, perform, user, list } = await openClub();
    const { url, account } = await serveWebSpace();
    const adding = perform('publish add', { user, url, account, password: 'wrong' });
    await expect(adding).rejects.toMatchObject({ code: 'publish_password_refused' });
    expect(await list()).toEqual([]);
    expect(existsSync(home.publishPasswords)).toBe(false);
  });

  it('is replaced neither if others changed it, nor under a tag that no condition matches', async () => {
    const { clock, addEvent, tick, only, space, text } = await openWebClub();
    space.hasWeakTags = true;
    await addEvent('Match', '2026-11-28T15:00');
    await tick();
    expect(text()).toContain('SUMMARY:Match');
    space.files.set('/club/dates.ics', Buffer.from(`${text()}x`));
    await addEvent('Cup', '2026-11-29T15:00');
    await tick();
    expect((await only()).failure?.problem.code).toBe('publish_file_changed');
    clock.now += day;
    await tick();
    expect(text()).not.toContain('Cup');
  });

  it.each([
    ['replaces a file at once', false],
    ['writes a file in place', true],
  ])(
    'that %s has one whole state after each of many changes with faults and kills',
    { tags: 'long' },
    async (kind, writesInPlace) => {
      const { home, clock, perform, user, addEvent, tick, only, space, text } = await openWebClub();
      space.writesInPlace = writesInPlace;
      const id = await addEvent('Match', '2026-11-28T15:00');
      await tick();
      const pick = createRandom(34);
      const faults: readonly WebFault[] = [401, 423, 412, 500, 507, 'early', 'middle', 'late'];
      const cuts: readonly WebFault[] = ['early', 'middle', 'late'];
      const whole = (): boolean => /^BEGIN:VCALENDAR[\s\S]*END:VCALENDAR\r\n$/.test(text());
      const places = () => [...text().matchAll(/LOCATION:Place (\d+)/g)].map(([, step]) => step);
      const figures = { changes: choose(200, 40, 1_000), faults: 0, kills: 0, parts: 0 };
      const every = choose(20, 25);
      for (let step = 1; step <= figures.changes; step += 1) {
        const isKilled = step % every === 0;
        const fault = (isKilled ? cuts[pick(3)] : faults[pick(faults.length)]) as WebFault;
        const spoils: Record<string, boolean> = {
          PUT: isKilled || pick(10) < 4,
          GET: !isKilled && pick(10) < 1,
        };
        space.fault = (method) => (spoils[method] ? fault : undefined);
        await perform('event edit', { user, id, changes: { location: `Place ${step}` } });
        // A service looks every three seconds.
        clock.now += 3_000;
        if (isKilled) {
          await killWriting(home, space);
          figures.kills += 1;
        } else await tick();
        const isSpoilt = spoils['PUT'] || spoils['GET'];
        if (isSpoilt) {
          figures.faults += 1;
          const { state, failure } = await only();
          // A kill leaves no time to tell, but the next look writes the file.
          if (isKilled) expect(state).toBe('behind');
          // What was stored before a cut is found by the next look.
          else expect(failure).not.toBeNull();
        } else {
          // At most ten seconds old when the service can write.
          expect(await only()).toMatchObject({ state: 'current', failure: null });
          expect(places()).toEqual([String(step)]);
        }
        const isPart = writesInPlace && fault === 'middle' && spoils['PUT'] === true;
        if (!whole()) {
          figures.parts += 1;
          expect(isPart).toBe(true);
        }
        space.fault = () => undefined;
        const next = (await only()).failure?.nextAt;
        // Nothing but a person's answer stops it, and there are no other writers here.
        expect(next).not.toBeNull();
        if (next) clock.now = Date.parse(next);
        await tick();
        expect(await only()).toMatchObject({ state: 'current', failure: null });
        expect(whole()).toBe(true);
        expect(places()).toEqual([String(step)]);
      }
      printFigure(`A web space that ${kind}: ${JSON.stringify(figures)}`);
    },
  );
});

describe('the address for members', () => {
  it('is checked after the first writing and each day, and says what members get', async () => {
    trustTestAuthority();
    const { clock, perform, user, addEvent, folder, tick, only } = await openClub();
    await addEvent('Match', '2026-11-28T15:00');
    const space = await serveWebSpace({ certificate: 'valid' });
    space.isPublic = true;
    const output = join(folder, 'dates.ics');
    const share = (bytes = readFileSync(output)) => space.files.set('/club/dates.ics', bytes);
    await perform('publish add', { user, output, address: space.url });
    const first = readFileSync(output);
    share();
    await tick();
    expect((await only()).addressCheck).toBeNull();
    clock.now += minute;
    await tick();
    const checkedAt = new Date(clock.now).toISOString();
    const seen = { checkedAt, problem: null, seenAt: checkedAt };
    expect((await only()).addressCheck).toEqual(seen);
    expect(space.requests).toEqual([{ method: 'GET', condition: undefined }]);

    // Members get the same, so the answer counts.
    await perform('publish change', { id: 1, onSheets: false });
    expect(await only()).toMatchObject({ onSheets: false, addressCheck: { problem: null } });

    /** Lets a day pass, and returns the code of the outcome. */
    const check = async (pause = day) => {
      clock.now += pause;
      await tick();
      return (await only()).addressCheck?.problem?.code;
    };
    await addEvent('Cup', '2026-11-29T15:00');
    await tick();
    // It is read again a minute after each writing, and then until the new state is there.
    expect(await check(minute)).toBeUndefined();
    expect((await only()).addressCheck).toMatchObject({ problem: null, seenAt: checkedAt });
    expect(space.requests).toHaveLength(2);
    expect(await check(minute)).toBeUndefined();
    expect(space.requests).toHaveLength(2);
    share();
    expect(await check(5 * minute)).toBeUndefined();
    const seenAt = new Date(clock.now).toISOString();
    expect((await only()).addressCheck).toMatchObject({ problem: null, seenAt });
    share(first);
    await addEvent('Final', '2026-11-30T15:00');
    await tick();
    // A sync program may need some time, but not a day.
    expect(await check(hour / 2)).toBeUndefined();
    expect(await check()).toBe('publish_address_old');
    // One that is older than the last contents, or from before a restore, is still this club's.
    share(Buffer.from(String(first).replace('SUMMARY:Match', 'SUMMARY:Race')));
    expect(await check()).toBe('publish_address_old');
    share(Buffer.from('<!doctype html><title>Sign in</title>'));
    expect(await check(hour)).toBe('publish_address_foreign');
    share(readFileSync(output).subarray(0, 300));
    expect(await check(hour)).toBe('publish_address_foreign');
    space.files.clear();
    expect(await check(hour)).toBe('publish_address_missing');
    space.isPublic = false;
    expect(await check(hour)).toBe('publish_address_password');
    space.fault = () => 500;
    expect(await check(hour)).toBe('publish_address_failed');
    space.fault = () => undefined;
    space.isPublic = true;
    share();
    space.moved.set('/club/dates.ics', '/club/real.ics');
    space.files.set('/club/real.ics', readFileSync(output));
    expect(await check(hour)).toBeUndefined();
    expect((await only()).addressCheck?.problem).toBeNull();
    // Without a connection, the last answer counts.
    space.fault = () => 'early';
    expect(await check()).toBeUndefined();
    expect((await only()).addressCheck?.problem).toBeNull();
    // What an address with http answers could be from anybody.
    space.fault = () => undefined;
    space.moved.set('/club/dates.ics', 'http://localhost/dates.ics');
    expect(await check()).toBe('publish_address_foreign');
    const { files } = await perform('publish check', { user });
    expect(files).toMatchObject([
      { addressCheck: { problem: { code: 'publish_address_foreign' } } },
    ]);
  });
});

describe('the address of a page for members', () => {
  const html = { 'content-type': 'text/html' };

  it.each([
    ['text/html', html, undefined],
    ['no type', {}, undefined],
    [
      'no type that a browser may guess',
      { 'x-content-type-options': 'nosniff' },
      'publish_address_saved',
    ],
    ['a type in capitals', { 'content-type': 'Text/HTML;charset=utf-8' }, undefined],
    ['text/plain', { 'content-type': 'text/plain' }, 'publish_address_saved'],
    [
      'an attachment',
      { ...html, 'content-disposition': 'attachment; filename=a.html' },
      'publish_address_saved',
    ],
    [
      'a sandbox',
      { ...html, 'content-security-policy': "default-src 'none'; sandbox" },
      'publish_address_saved',
    ],
    [
      'a policy that forbids its styles',
      { ...html, 'content-security-policy': "default-src 'self'; img-src *" },
      'publish_address_bare',
    ],
    [
      'a policy that allows its styles',
      { ...html, 'content-security-policy': "default-src 'self'; style-src 'unsafe-inline'" },
      undefined,
    ],
  ])('with %s', async (_, headers, code) => {
    const { space, check } = await openPage();
    space.headers = headers;
    expect(await check()).toBe(code);
  });

  it('says that the place changes the newest page, rather than that it is old', async () => {
    const { space, check } = await openPage();
    space.alter = (file) =>
      Buffer.from(String(file).replace('</body>', '<script></script></body>'));
    expect(await check()).toBe('publish_content_changed');
  });

  it('speaks of no password if the certificate is not trusted', async () => {
    const { check } = await openPage('self-signed');
    expect(await check()).toBe('web_not_trusted');
  });

  /** Creates a club with a page that is shared from a folder. */
  async function openPage(certificate: 'valid' | 'self-signed' = 'valid') {
    trustTestAuthority();
    const { clock, perform, user, addEvent, folder, tick, only } = await openClub();
    await addEvent('Match', '2026-11-28T15:00');
    const space = await serveWebSpace({ certificate });
    space.isPublic = true;
    const output = join(folder, 'dates.html');
    await perform('publish add', { user, output, address: space.url });
    space.files.set('/club/dates.ics', readFileSync(output));
    const check = async () => {
      clock.now += minute;
      await tick();
      return (await only()).addressCheck?.problem?.code;
    };
    return { space, check };
  }
});

it('a list of files that other accounts may read keeps its passwords to itself', async (context) => {
  requirePlace(context, 'file modes');
  const { home, addEvent, tick, only } = await openWebClub();
  chmodSync(home.publishPasswords, 0o644);
  await addEvent('Match', '2026-11-28T15:00');
  await tick();
  expect((await only()).failure?.problem.code).toBe('publish_passwords_open');
});

describe('a copy of the club', () => {
  it('has drafts and facts, names a new time each day, and is not taken if one byte differs', async () => {
    const { clock, perform, user, addEvent, folder, tick, only, home } = await openClub();
    await addEvent('Training', '2026-11-24T19:00');
    await addEvent('Plan', '2026-12-24T19:00', { status: 'draft' });
    const output = join(folder, 'rovers.json');
    await perform('publish add', { user, output });
    expect((await only()).drafts).toBe(true);
    const copyOf = () => readCopyBytes(readFileSync(output));
    const first = copyOf();
    expect(first?.events).toHaveLength(2);
    expect(first?.head).toMatchObject({
      ...{ club: user, timeZone: 'Europe/Berlin', complete: true },
      asOf: new Date(clock.now).toISOString(),
    });
    clock.now += 2 * hour;
    await tick();
    expect(copyOf()).toEqual(first);
    clock.now += day;
    await tick();
    expect(copyOf()?.head).toEqual({ ...first?.head, asOf: new Date(clock.now).toISOString() });
    const other = join(folder, 'only-training.json');
    await perform('publish add', { user, output: other, search: 'Training' });
    expect(readCopyBytes(readFileSync(other))?.head.complete).toBe(false);

    await perform('user add', { name: 'Copy' });
    const importing = ['--home', home.directory, 'import', output, '--user', 'Copy'];
    const read = () => callCommand([...importing, '--format', 'json']);
    expect((await callCommand(importing)).stderr).toContain('mirror set --user Copy --file FILE');
    expect((await read()).stdout).toContain('2 events');
    writeFileSync(output, readFileSync(output, 'utf8').replace('Training', 'Drinking'));
    const { status, stderr } = await read();
    expect(status).toBe(1);
    expect(stderr).toContain('this copy of a club is damaged or cut off');
  });
});
