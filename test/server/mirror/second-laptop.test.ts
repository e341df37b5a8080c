import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { type CopyHead, readCopyBytes, writeCopy } from '../../../server/copy/club-copy.ts';
import { requireSource, withSource } from '../../../server/mirror/sync-session.ts';
import { withReader } from '../../../server/store/store.ts';
import { callCommand } from '../../support/command.ts';
import { testCopyFacts } from '../../support/events.ts';
import { makeEvent, makeTestFolder } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { day, minute, openLaptop, openTwoLaptops } from '../../support/second-laptop.ts';
import { startTestService } from '../../support/service.ts';
import { certificatePath, trustTestAuthority } from '../../support/upstream.ts';

/** Events of which some were created at the same time. */
const season = (length: number) =>
  Array.from({ length }, (_, index) =>
    makeEvent(index + 1, {
      createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3) * minute).toISOString(),
      ...(index % 7 === 0 && { status: 'draft' }),
      ...(index % 5 === 0 && { registrationOpen: index % 2 === 0 }),
    }),
  );

describe('a file of another computer', () => {
  it('brings the same events in the same order, and its changes and removals at once', async () => {
    const { first, second, pass, status } = await openTwoLaptops(season(401));
    expect(await second.stored()).toEqual(await first.stored());
    expect(await status()).toMatchObject({
      ...{ kind: 'file', name: 'rovers.json', isKeyMissing: false, problem: null },
      asOf: '2026-11-19T08:00:00.000Z',
      oldestConfirmation: '2026-11-19T08:00:00.000Z',
      coverage: { since: null },
    });
    const lists = await Promise.all(
      [first, second].map(async ({ home, key }) => {
        const { baseUrl, close } = await startTestService(home);
        onTestFinished(() => close());
        const headers = { Authorization: `Bearer ${key}` };
        const answer = await fetch(`${baseUrl}/v1/events`, { headers });
        return { text: await answer.text(), digest: answer.headers.get('events-digest') };
      }),
    );
    expect(lists[1]).toEqual(lists[0]);

    await first.perform('event edit', { id: 7, changes: { name: 'Moved' } });
    await first.perform('event remove', { id: 400 });
    await first.perform('event add', { event: { name: 'New', date: '2026-12-24T19:00' } });
    await pass();
    expect(await second.stored()).toEqual(await first.stored());
    expect(await status()).toMatchObject({ asOf: '2026-11-19T08:05:00.000Z', problem: null });
  });

  it('loses a registration that is no longer given', async () => {
    const { first, second, pass, status } = await openTwoLaptops(season(3));
    const changes = { registrationOpen: true };
    const { batch } = await first.perform('event edit', { id: 2, changes });
    await pass();
    expect((await second.stored()).get(2)).toMatchObject(changes);
    await first.perform('undo', { id: batch });
    await pass();
    expect(await second.stored()).toEqual(await first.stored());
    expect((await status()).problem).toBeNull();
  });

  it('brings the name, the zone, the lengths and the days off of the club, and their changes', async () => {
    const { first, second, pass } = await openTwoLaptops(season(3));
    const days = [{ first: '2026-12-24', last: '2027-01-06', name: 'Christmas' }];
    const calendar = {
      kind: 'file',
      name: 'School',
      source: 'a.ics',
      readAt: '2026-11-19T08:00:00Z',
    };
    await first.perform('days-off put', { calendar: { ...calendar, days } });
    await first.perform('user zone', { name: 'Rovers', zone: 'America/New_York' });
    await first.perform('user length', { name: 'Rovers', value: 90 });
    await first.perform('user season', { name: 'Rovers', value: 8 });
    await first.perform('user rename', { name: 'Rovers', newName: 'Harbour Rovers' });
    await pass();
    const [club] = (await second.perform('user list')).users;
    const {
      id: _,
      createdAt: __,
      keys: ___,
      ...same
    } = (await first.perform('user list')).users[0] ?? {};
    expect(club).toMatchObject(same);
    expect(club).toMatchObject({ name: 'Harbour Rovers', zone: 'America/New_York' });
    const user = 'Harbour Rovers';
    const { calendars } = await second.perform('days-off list', { user });
    expect(calendars).toMatchObject([{ name: 'School', days }]);
    const { proposal } = await second.perform('proposal edit', {
      ...{ user, id: 1, changes: { date: '2026-12-05T15:00' } },
    });
    expect(proposal.changes).toMatchObject([{ after: '2026-12-05T20:00:00.000Z' }]);
    const name = user;
    await expect(second.perform('user zone', { name, zone: 'UTC' })).rejects.toMatchObject({
      code: 'user_mirrored',
    });

    await first.perform('days-off remove', { user, id: 1 });
    await pass();
    expect((await second.perform('days-off list', { user })).calendars).toEqual([]);
  });

  it('gives pages and copies the time of its events, not that of their writing', async () => {
    const { second, file } = await openTwoLaptops(season(3));
    rmSync(file);
    second.clock.now += 21 * day;
    const page = join(makeTestFolder(), 'season.html');
    const live = join(makeTestFolder(), 'live.html');
    await second.perform('export', { format: 'html', output: page });
    await second.perform('publish add', { output: live });
    for (const path of [page, live]) {
      const text = readFileSync(path, 'utf8');
      expect(text).toContain('data-as-of="2026-11-19T08:00:00.000Z"');
      expect(text).toMatch(/id="as-of">As of 19 November 2026/);
    }
  });

  it('says no time of a clock that was ahead', async () => {
    const { first, second, pass, status } = await openTwoLaptops(season(3));
    first.clock.now += 2 * 60 * minute;
    await first.perform('event edit', { id: 2, changes: { name: 'Moved' } });
    await pass();
    const readAt = new Date(second.clock.now).toISOString();
    expect(await status()).toMatchObject({
      ...{ asOf: readAt, oldestConfirmation: readAt, minutesAhead: 120, problem: null },
    });
  });

  it.each(choose([0, 1, 199, 200, 201], [0, 201]))('is whole with %i events', async (length) => {
    const { first, second, pass, status } = await openTwoLaptops(season(length));
    expect((await status()).coverage.since).toBeNull();
    await first.perform('event add', { event: { name: 'New', date: '2026-12-24T19:00' } });
    await pass();
    expect(await second.stored()).toEqual(await first.stored());
    expect(await status()).toMatchObject({ problem: null, coverage: { since: null } });
  });

  it('is not taken in an old version, and goes on with the next one, also after its clock was set back', {
    tags: 'long',
  }, async () => {
    const { first, second, file, pass, status } = await openTwoLaptops(season(3));
    const old = join(makeTestFolder(), 'old.json');
    copyFileSync(file, old);
    await first.perform('event remove', { id: 2 });
    await pass();
    copyFileSync(old, file);
    second.clock.now += 5 * minute;
    const { results } = await second.perform('mirror sync');
    expect(results[0]?.status.problem?.code).toBe('file_older');
    expect([...(await second.stored()).keys()]).toEqual([1, 3]);
    const command = ['--home', second.home.directory, 'mirror', 'sync'];
    const { status: exit, stdout } = await callCommand(command);
    expect(exit).toBe(1);
    expect(stdout).toContain('An old version of');

    first.clock.now -= 40 * day;
    await first.perform('event add', { event: { name: 'New', date: '2026-12-24T19:00' } });
    await first.perform('publish now', { replace: true });
    await pass();
    expect(await status()).toMatchObject({
      problem: null,
      asOf: expect.stringMatching(/^2026-10/),
    });
    expect(await second.stored()).toEqual(await first.stored());
  });

  it('brings no answers to proposals in an old version', async () => {
    const { first, second, file, pass } = await openTwoLaptops(season(3));
    const { proposal } = await second.perform('proposal edit', {
      id: 1,
      changes: { name: 'Final' },
    });
    await second.perform('proposal send', { name: 'Tom' });
    const answers = [{ proposal: proposal.id, accepted: true }];
    const { batch } = await first.perform('proposal answer', { answers });
    await pass();
    const old = readFileSync(file);
    await first.perform('undo', { id: batch });
    await pass();
    const state = async () => (await second.perform('proposal list')).proposals[0]?.state;
    expect(await state()).toBe('refused');
    writeFileSync(file, old);
    second.clock.now += 5 * minute;
    const { results } = await second.perform('mirror sync');
    expect(results[0]?.status.problem?.code).toBe('file_older');
    expect(await state()).toBe('refused');
  });

  it('brings no answers to proposals from a version that replaced the one it read', async () => {
    const { first, second, file, pass } = await openTwoLaptops(season(3));
    const { proposal } = await second.perform('proposal remove', { id: 1 });
    await second.perform('proposal send', { name: 'Tom' });
    await pass();
    await first.perform('proposal answer', {
      answers: [{ proposal: proposal.id, accepted: true }],
    });
    const read = readFileSync(file);
    first.clock.now += 5 * minute;
    await first.perform('publish tick');
    const newer = readFileSync(file);
    writeFileSync(file, read);
    const state = async () => (await second.perform('proposal list')).proposals[0]?.state;
    const source = await withReader(second.home, (db) => requireSource(db, 'Rovers'));
    await withSource(source, second.tools, {}, async ({ sync }) => {
      await sync({ kind: 'sync', round: 'due' });
      writeFileSync(file, newer);
    });
    expect([(await second.stored()).size, await state()]).toEqual([3, 'sent']);
    await pass();
    expect([(await second.stored()).size, await state()]).toEqual([2, 'accepted']);
  });

  it('stays as it was if the file is damaged, filtered, too large or gone', async () => {
    const { first, second, file, pass, status } = await openTwoLaptops(season(3));
    const before = await second.stored();
    const whole = readFileSync(file);
    const writeList = (events: readonly object[], facts: object = {}) =>
      writeFileSync(file, writeCopy(events as StoredEvent[], { ...testCopyFacts, ...facts }));
    const refuse = async (code: string) => {
      second.clock.now += 5 * minute;
      await second.perform('mirror tick', { isWake: false, minutes: 15, missed: [] });
      expect((await status()).problem?.code).toBe(code);
      expect(await second.stored()).toEqual(before);
    };
    writeFileSync(file, whole.subarray(0, -20));
    await refuse('file_damaged');
    writeFileSync(file, whole.toString().replace('"active"', '"draft"'));
    await refuse('file_damaged');
    writeList([{ ...makeEvent(1), status: 'postponed' }]);
    await refuse('file_damaged');
    writeList([], { complete: false });
    await refuse('file_filtered');
    writeList(Array.from({ length: 25_001 }, (_, id) => ({ id })));
    await refuse('file_too_large');
    writeList([]);
    await refuse('file_other_club');
    rmSync(file);
    await refuse('file_missing');
    rmSync(dirname(file), { recursive: true });
    await refuse('file_folder_missing');
    expect((await status()).question?.kind).toBe('reset');

    const other = join(makeTestFolder(), 'u15.json');
    await first.perform('publish add', { output: other, search: 'Event' });
    const third = await openLaptop();
    await expect(third.perform('mirror set', { file: other })).rejects.toMatchObject({
      code: 'sync_file_filtered',
    });
    await expect(third.perform('mirror set', { file: third.home.database })).rejects.toMatchObject({
      code: 'sync_file_damaged',
    });
    await pass();
  });

  it('asks a person about a number that jumps, as in a forged file', async () => {
    const { second, file, pass, status } = await openTwoLaptops(season(3));
    const copy = readCopyBytes(readFileSync(file));
    const head = copy?.head as CopyHead;
    const { format: _, version: __, digest: ___, answers = [], ...facts } = head;
    const [epoch, number] = facts.revision.split('.');
    const forge = (jump: number) => {
      const revision = `${epoch}.${Number(number) + jump}`;
      const events = copy?.events as readonly StoredEvent[];
      writeFileSync(file, writeCopy(events, { ...facts, answers, revision }));
    };
    forge(5_004);
    await second.perform('mirror sync');
    expect((await status()).problem?.code).toBe('file_jumped');
    expect((await status()).question).toEqual({ kind: 'reset', code: 'file_jumped' });
    forge(5_000);
    await second.perform('mirror sync');
    expect((await status()).problem).toBeNull();
    await pass();
  });

  it('asks a person about data from a restored backup', async () => {
    const { first, second, pass, status } = await openTwoLaptops(season(3));
    await first.perform('backup');
    await first.perform('event remove', { id: 2 });
    await pass();
    const [backup] = (await first.perform('backup list')).backups;
    await first.perform('restore', { name: backup?.name });
    await pass();
    expect(await status()).toMatchObject({
      problem: { code: 'file_other_history' },
      question: { kind: 'reset' },
    });
    expect([...(await second.stored()).keys()]).toEqual([1, 3]);
    await second.perform('mirror sync', { acceptReset: true });
    expect(await status()).toMatchObject({ problem: null, question: null });
    expect(await second.stored()).toEqual(await first.stored());
  });

  it('asks a person before many events go', async () => {
    const { first, second, pass, status } = await openTwoLaptops(season(30));
    for (let id = 1; id <= 15; id += 1) await first.perform('event remove', { id });
    await pass();
    expect((await status()).question).toMatchObject({ kind: 'removals', count: 15 });
    expect((await second.stored()).size).toBe(30);
    await second.perform('mirror sync', { confirmRemovals: true });
    expect(await second.stored()).toEqual(await first.stored());
  });

  it('names copies that a sync program made of two versions', async () => {
    const { file, second, pass, status } = await openTwoLaptops(season(3));
    const names = [
      'rovers (conflicted copy 2026-11-19 084112).json',
      'rovers (Marias in Konflikt stehende Kopie 2026-11-19).json',
      'rovers.sync-conflict-20261119-084112-ABCDEFG.json',
    ];
    for (const name of [...names, 'other (conflicted copy).json', 'rovers-2025.json']) {
      copyFileSync(file, join(dirname(file), name));
    }
    await pass();
    expect((await status()).conflictCopies.toSorted()).toEqual(names.toSorted());
    const { stdout } = await callCommand(['--home', second.home.directory, 'mirror', 'status']);
    expect(stdout).toContain('rovers.sync-conflict-20261119');
    for (const name of names) rmSync(join(dirname(file), name));
    await pass();
    expect((await status()).conflictCopies).toEqual([]);
  });

  it('can be a page on a stick, and seeds a third computer with the same confirmations', {
    tags: 'long',
  }, async () => {
    const { first, second, status } = await openTwoLaptops(season(250));
    const page = join(makeTestFolder(), 'season.html');
    second.clock.now += 3 * day;
    await second.perform('export', { format: 'html', output: page });
    const third = await openLaptop();
    await third.perform('mirror set', { file: page });
    expect(await third.stored()).toEqual(await first.stored());
    const [copy] = (await third.perform('mirror status')).mirrors;
    const { asOf, oldestConfirmation } = await status();
    expect(copy).toMatchObject({ asOf, oldestConfirmation, kind: 'file', name: 'season.html' });
    await expect(third.perform('mirror key add', { key: 'abc' })).rejects.toMatchObject({
      code: 'mirror_file_no_key',
    });
    await expect(third.perform('event remove', { id: 1 })).rejects.toMatchObject({
      code: 'user_mirrored',
    });
    const { reports } = await third.perform('mirror ready');
    const failed = reports[0]?.checks.filter(({ isFine }) => !isFine).map(({ name }) => name);
    expect(failed).toEqual(['service']);
    await third.perform('mirror remove');
    await third.perform('event remove', { id: 1 });
  });

  it('can be read from a web address, which gets no key, also through a redirect', {
    tags: 'long',
  }, async () => {
    trustTestAuthority();
    const { first, second, file } = await openTwoLaptops(season(3));
    const requests: (string | undefined)[] = [];
    const options = {
      cert: readFileSync(certificatePath('valid')),
      key: readFileSync(certificatePath('key')),
    };
    const server = https.createServer(options, (request, response) => {
      requests.push(request.headers.authorization);
      if (request.url === '/s/token?dl=1')
        response.writeHead(303, { location: '/rovers.json' }).end();
      else if (request.url === '/insecure') {
        response.writeHead(302, { location: 'http://club.test/rovers.json' }).end();
      } else if (request.url === '/private') response.writeHead(403).end();
      else if (request.url === '/dates.ics') response.end('BEGIN:VCALENDAR\r\n');
      else if (request.url === '/rovers.json') response.end(readFileSync(file));
      else response.writeHead(404).end('<html>');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const base = `https://localhost:${(server.address() as AddressInfo).port}`;
    const third = await openLaptop();
    const set = (path: string) => third.perform('mirror set', { fileUrl: `${base}${path}` });
    await expect(set('/nothing.json')).rejects.toMatchObject({ code: 'sync_file_missing' });
    await expect(set('/insecure')).rejects.toMatchObject({ code: 'sync_file_elsewhere' });
    await expect(set('/private')).rejects.toMatchObject({ code: 'sync_file_password' });
    await expect(set('/dates.ics')).rejects.toMatchObject({ code: 'sync_file_calendar' });
    await expect(
      third.perform('mirror set', { fileUrl: 'http://club.test/rovers.json' }),
    ).rejects.toMatchObject({ code: 'mirror_file_insecure' });
    const command = ['mirror', 'set', '--user', 'Rovers', '--file', `${base}/s/token?dl=1`];
    const { status, stderr, stdout } = await callCommand([
      '--home',
      third.home.directory,
      ...command,
    ]);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain('All 3 events of the file are here.');
    expect(await third.stored()).toEqual(await first.stored());
    expect(new Set(requests)).toEqual(new Set([undefined]));
    expect(await second.stored()).toEqual(await first.stored());
  });
});
