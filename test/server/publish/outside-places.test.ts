import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCopyBytes } from '../../../server/copy/club-copy.ts';
import { createPublishJobs } from '../../../server/publish/publish-jobs.ts';
import { makeTestFolder } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';
import { printFigure } from '../../support/print.ts';
import { openTwoLaptops } from '../../support/second-laptop.ts';
import { serveWebSpace } from '../../support/web-space.ts';
import { openClub } from './open-club.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Creates a club with a live file that was written once. */
async function openLiveFile(name: string) {
  const club = await openClub();
  const shared = join(club.folder, 'shared');
  mkdirSync(shared);
  const output = join(shared, name);
  await club.addEvent('Training', '2026-11-24T19:00');
  await club.perform('publish add', { user: club.user, output });
  const change = async () => {
    club.clock.now += minute;
    await club.addEvent(`Match ${club.clock.now}`, '2026-11-28T15:00');
  };
  return { ...club, shared, output, change, failure: async () => (await club.only()).failure };
}

describe('a live file in a folder', () => {
  it.each([
    ['nothing', () => Buffer.alloc(0)],
    ['zero bytes only', (content: Buffer) => Buffer.alloc(content.length)],
    ['its beginning', (content: Buffer) => content.subarray(0, content.length / 2)],
  ])('is written again when a sync program leaves %s of it', async (_, damage) => {
    const { clock, output, tick, only } = await openLiveFile('club.json');
    const content = readFileSync(output);
    writeFileSync(output, damage(content));
    clock.now += 2 * hour;
    await tick();
    expect(readFileSync(output).equals(content)).toBe(true);
    expect((await only()).state).toBe('current');
  });

  it('belongs to others after a failed writing, however short it is', async () => {
    const { shared, output, change, tick, clock, failure } = await openLiveFile('club.html');
    renameSync(shared, `${shared} away`);
    await change();
    await tick();
    expect((await failure())?.problem.code).toBe('publish_folder_gone');
    renameSync(`${shared} away`, shared);
    writeFileSync(output, 'my own page');
    clock.now += minute;
    await tick();
    expect(readFileSync(output, 'utf8')).toBe('my own page');
    expect(await failure()).toMatchObject({
      problem: { code: 'publish_file_changed' },
      nextAt: null,
    });
  });

  it('is never written through a link that somebody put in its place or that of its folder', async (context) => {
    requirePlace(context, 'symbolic links');
    const { shared, output, change, tick, clock, failure } = await openLiveFile('club.html');
    const precious = join(makeTestFolder(), 'private.txt');
    writeFileSync(precious, '');
    rmSync(output);
    symlinkSync(precious, output);
    await change();
    await tick();
    expect((await failure())?.problem.code).toBe('place_not_a_file');
    renameSync(shared, `${shared} away`);
    symlinkSync(dirname(precious), shared);
    clock.now += minute;
    await tick();
    expect((await failure())?.problem.code).toBe('place_folder_moved');
    expect(readFileSync(precious, 'utf8')).toBe('');
    expect(existsSync(join(dirname(precious), 'club.html'))).toBe(false);
    rmSync(shared);
    renameSync(`${shared} away`, shared);
    rmSync(output);
    clock.now += minute;
    await tick();
    expect(readFileSync(output, 'utf8')).toContain('Match');
  });

  it('is a file to which a link leads that a person chose', async (context) => {
    requirePlace(context, 'symbolic links');
    const { perform, user, folder } = await openClub();
    const file = join(makeTestFolder(), 'dates.ics');
    writeFileSync(file, '');
    symlinkSync(file, join(folder, 'dates.ics'));
    await perform('publish add', { user, output: join(folder, 'dates.ics') });
    expect(readFileSync(file, 'utf8')).toContain('BEGIN:VCALENDAR');
  });

  it('is refused before it is read if it is a pipe or is far too large', async (context) => {
    requirePlace(context, 'named pipes');
    const { output, change, tick, clock, failure } = await openLiveFile('club.ics');
    const expectFailure = async (code: string) => {
      await change();
      clock.now += minute;
      await tick();
      expect((await failure())?.problem.code).toBe(code);
      rmSync(output);
    };
    rmSync(output);
    expect(spawnSync('mkfifo', [output]).status).toBe(0);
    await expectFailure('place_not_a_file');
    writeFileSync(output, '');
    truncateSync(output, 3_000_000_000);
    await expectFailure('place_too_large');
    clock.now += minute;
    await tick();
    expect(await failure()).toBeNull();
  });

  it('is tried again when the clock that named the time of the next try was ahead', async () => {
    const { shared, change, tick, clock, only } = await openLiveFile('club.ics');
    const { now } = clock;
    clock.now += 70 * 365 * day;
    renameSync(shared, `${shared} away`);
    await change();
    await tick();
    renameSync(`${shared} away`, shared);
    clock.now = now + minute;
    await tick();
    expect((await only()).state).toBe('current');
  });

  it.each(['state.json', 'changes.json'])('goes on if its %s is damaged', async (part) => {
    const { home, output, tick, change, only } = await openLiveFile('club.ics');
    writeFileSync(join(home.outside, `live-1.${part}`), '{"at":');
    await change();
    await tick();
    expect((await only()).state).toBe('current');
    expect(readFileSync(output, 'utf8')).toContain('SUMMARY:Match');
  });

  it('keeps its state and its list from an earlier version of the program', async () => {
    const { home, output, tick, change, only } = await openLiveFile('club.ics');
    const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
    const state = readJson(join(home.outside, 'live-1.state.json'));
    const changes = readJson(join(home.outside, 'live-1.changes.json'));
    const list = readJson(home.published);
    const { stamp: _, real: __, ...written } = state.written;
    const file = { ...list.files[0], ...state, written: { ...written, begun: null, changes } };
    writeFileSync(home.published, JSON.stringify({ ...list, files: [file] }));
    rmSync(home.outside, { recursive: true });
    const before = readFileSync(output, 'utf8');
    await change();
    await tick();
    expect((await only()).state).toBe('current');
    const numbers = (text: string) => text.match(/SEQUENCE:\d+\r\nSUMMARY:Training/);
    expect(numbers(readFileSync(output, 'utf8'))).toEqual(numbers(before));
    expect(readJson(join(home.outside, 'live-1.changes.json'))).toMatchObject(changes);
  });
});

describe('a live file in a web space', () => {
  it('of somebody else is never replaced after a refused writing', async () => {
    const { perform, user, addEvent, clock, tick, only } = await openClub();
    const space = await serveWebSpace();
    const { url, account, password } = space;
    await perform('publish add', { user, url, account, password });
    await addEvent('Match', '2026-11-28T15:00');
    space.fault = (method) => (method === 'PUT' ? 412 : undefined);
    await tick();
    expect((await only()).failure?.problem.code).toBe('publish_file_in_use');
    space.fault = () => undefined;
    const path = new URL(url).pathname;
    space.files.set(path, Buffer.from('my own calendar'));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      clock.now += hour;
      await perform('publish now', {});
      expect((await only()).failure?.problem.code).toBe('publish_file_changed');
    }
    expect(String(space.files.get(path))).toBe('my own calendar');
  });
});

describe('a copy that its first computer leaves', () => {
  it('names its new place, which the second computer can follow', async () => {
    const { first, second, file, pass, status } = await openTwoLaptops();
    const moved = join(dirname(file), 'season 2027.json');
    await first.perform('publish change', { id: 1, output: moved });
    await pass();
    expect(readCopyBytes(readFileSync(file))?.head.farewell).toEqual({ kind: 'moved', to: moved });
    expect((await status()).problem?.code).toBe('file_moved');
    await first.perform('event add', { event: { name: 'Cup', date: '2026-12-01T10:00' } });
    await pass();
    await second.perform('mirror set', { file: moved });
    expect([...(await second.stored()).values()].map(({ name }) => name)).toEqual(['Cup']);
    expect((await status()).problem).toBeNull();
    // Another club is no new place.
    await first.perform('user add', { name: 'Others', zone: 'Europe/Berlin' });
    const other = join(dirname(file), 'others.json');
    await first.perform('publish add', { user: 'Others', output: other });
    await expect(second.perform('mirror set', { file: other })).rejects.toMatchObject({
      code: 'mirror_exists',
    });
  });

  it('says that its club was removed, and is the copy of the club again after a restore', async () => {
    const { first, second, file, pass, status } = await openTwoLaptops();
    const page = join(dirname(file), 'page.html');
    await first.perform('publish add', { output: page, drafts: true, language: 'de' });
    const { output } = await first.perform('backup');
    await first.perform('user remove', { name: 'Rovers' });
    await pass();
    expect((await status()).problem?.code).toBe('file_gone');
    expect(readFileSync(page, 'utf8')).toContain('Der Verein aktualisiert diese Seite nicht mehr.');
    expect(readCopyBytes(readFileSync(page))?.head.farewell?.kind).toBe('gone');
    const before = readFileSync(file);
    await pass(200);
    expect(readFileSync(file).equals(before)).toBe(true);
    await first.perform('restore', { file: output });
    await pass();
    await second.perform('mirror sync', { acceptReset: true });
    expect((await status()).problem).toBeNull();
    expect(readFileSync(page, 'utf8')).not.toContain('aktualisiert diese Seite nicht');
  });
});

describe('a look at live files', () => {
  it('takes less than 5 ms for three calendars of 20,000 events', { tags: 'long' }, async () => {
    const { home, perform, user, folder } = await openClub();
    const rows = Array.from({ length: 20_000 }, (_, at) => {
      const day = new Date(Date.UTC(2026, 0, 1) + at * hour).toISOString().slice(0, 10);
      return `Training ${at},${day}`;
    });
    const season = join(folder, 'season.csv');
    writeFileSync(season, ['name,date', ...rows].join('\n'));
    await perform('import', { user, files: [season] });
    for (const name of ['a.ics', 'b.ics', 'c.ics']) {
      await perform('publish add', { user, output: join(folder, name) });
    }
    const look = createPublishJobs({ home, tick: async () => undefined });
    const times: number[] = [];
    for (let run = 0; run < 21; run += 1) {
      const before = process.cpuUsage();
      await look({ isWake: false, stampOf: () => undefined });
      const { user: own, system } = process.cpuUsage(before);
      times.push((own + system) / 1_000);
    }
    const median = times.toSorted((a, b) => a - b)[10] ?? Number.NaN;
    printFigure(
      `a look at three calendars of 20,000 events: ${median.toFixed(1)} ms of processor time`,
    );
    expect(median).toBeLessThan(5);
  });
});
