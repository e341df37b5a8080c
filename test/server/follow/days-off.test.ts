import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { catalogue } from '../../../server/actions/catalogue.ts';
import type { Home } from '../../../server/base/home.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { createDaysOff } from '../../../server/ui/base/days-off.ts';
import { callCommand } from '../../support/command.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { performHere } from '../../support/perform.ts';
import { serveProxy } from '../../support/proxy.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';
import { trustTestAuthority } from '../../support/upstream.ts';
import { serveWebSpace } from '../../support/web-space.ts';
import { writeTestFile } from '../import/files.ts';

const event = (...lines: readonly string[]) =>
  ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');

const calendar = (...events: readonly string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...events, 'END:VCALENDAR', ''].join('\r\n');

const christmas = event(
  'UID:1',
  'DTSTART;VALUE=DATE:20311222',
  'DTEND;VALUE=DATE:20320103',
  'SUMMARY:Christmas holidays',
);
const labourDay = event(
  'UID:2',
  'DTSTART;VALUE=DATE:20300501',
  'RRULE:FREQ=YEARLY;COUNT=3',
  'SUMMARY:Labour Day',
);
const training = event('UID:3', 'DTSTART:20311222T190000Z', 'SUMMARY:Training');

async function openClub() {
  const home = makeTestHome();
  const { key } = await addMember(home, 'Chess', [makeEvent(1)]);
  const call = (...args: readonly string[]) => callCommand(['--home', home.directory, ...args]);
  const list = async () => {
    const { stdout } = await call('--json', 'days-off', 'list', '--user', 'Chess');
    return JSON.parse(stdout).calendars as {
      id: number;
      name: string;
      source: string;
      readAt: string;
      days: object[];
    }[];
  };
  return { home, key, call, list };
}

const user = ['--user', 'Chess'];

describe('days off', () => {
  it('are the whole days of a calendar, also of those that repeat', async () => {
    const { call, list } = await openClub();
    const file = writeTestFile('terms.ics', calendar(training, christmas, labourDay));
    const added = await call('days-off', 'add', file, ...user);
    expect(added.stdout).toBe('Added 4 holidays until 2032-05-01 as "terms", number 1.\n');
    expect(added.stderr).toContain('Left out: 1 event with a time of day.');
    const [{ days } = { days: [] }] = await list();
    expect(days).toEqual([
      { first: '2030-05-01', last: '2030-05-01', name: 'Labour Day' },
      { first: '2031-05-01', last: '2031-05-01', name: 'Labour Day' },
      { first: '2031-12-22', last: '2032-01-02', name: 'Christmas holidays' },
      { first: '2032-05-01', last: '2032-05-01', name: 'Labour Day' },
    ]);
    expect((await call('days-off', 'list', ...user)).stdout).toContain(
      'terms     2031-12-22  2032-01-02  Christmas holidays',
    );
    // The same file again is the same calendar.
    await call('days-off', 'add', file, ...user, '--name', 'School');
    expect(await list()).toHaveLength(1);
    expect((await call('days-off', 'remove', '2', ...user)).stdout).toBe(
      'Removed "School" with 4 holidays.\n',
    );
    expect(await list()).toEqual([]);
  });

  it('are refused with what a file has instead, and nothing is stored', async () => {
    const { call, list } = await openClub();
    const timed = writeTestFile('fixtures.ics', calendar(training));
    const sheet = writeTestFile('season.csv', 'name,date\nConcert,2031-05-01\n');
    const refusals = [
      [[timed], /^fixtures.ics has no whole days, .* it has 1 events with a time/],
      [[sheet], /season\.csv/],
      [['missing.ics'], /missing\.ics.*(?:not exist|no file|missing)/i],
      [[dirname(timed)], /is a folder/],
      [[], /^Name a file, or an address with "--url", and not both/],
      [['--url', 'holidays.ics'], /^--url: This is not the address of a calendar/],
      [['--url', 'http://127.0.0.1:1/x.ics'], /^Nothing answers at 127\.0\.0\.1:1/],
    ] as const;
    for (const [args, words] of refusals) {
      const refused = await call('days-off', 'add', ...args, ...user);
      expect(refused).toMatchObject({ stdout: '' });
      expect(refused.status, refused.stderr).toBeGreaterThan(0);
      expect(refused.stderr).toMatch(words);
    }
    expect(await list()).toEqual([]);
    expect((await call('days-off', 'remove', '7', ...user)).stderr).toContain('number 7');
  });

  it('are never events: not in an export and not for scripts', async () => {
    const { home, key, call } = await openClub();
    const before = (await call('export', ...user, '--format', 'json')).stdout;
    const service = await serveForTest(home);
    const read = async () => {
      const answer = await fetchWithKey(service, '/v1/events', key);
      return { body: await answer.json(), revision: answer.headers.get('Events-Revision') };
    };
    const asked = await read();
    await call('days-off', 'add', writeTestFile('terms.ics', calendar(christmas)), ...user);
    expect((await call('export', ...user, '--format', 'json')).stdout).toBe(before);
    expect((await call('export', ...user, '--format', 'ics')).stdout).not.toContain('Christmas');
    expect(await read()).toEqual(asked);
  });

  it('are in the history, and each change of them can be undone', async () => {
    const { call, list } = await openClub();
    await call('days-off', 'add', writeTestFile('terms.ics', calendar(christmas)), ...user);
    await call('days-off', 'add', writeTestFile('terms.ics', calendar(labourDay)), ...user);
    const names = async () =>
      (await list()).flatMap(({ days }) => days.map((day) => (day as { name: string }).name));
    expect(new Set(await names())).toEqual(new Set(['Labour Day']));
    // The same days again are no change.
    await call('days-off', 'add', writeTestFile('terms.ics', calendar(labourDay)), ...user);
    const [{ id } = { id: 0 }] = await list();
    await call('days-off', 'remove', `${id}`, ...user);
    expect(await names()).toEqual([]);
    const { stdout } = await call('history', ...user);
    expect(stdout.match(/Days off: .*/g)).toEqual([
      'Days off: terms → none',
      'Days off: terms → terms',
      'Days off: none → terms',
    ]);
    const numbers = [...stdout.matchAll(/^(\d+) .*Days off/gm)].map(([, number]) => number ?? '');
    // The earlier change has a later one, which is undone first.
    expect((await call('undo', numbers[1] ?? '')).stderr).toContain('changed later');
    await call('undo', numbers[0] ?? '');
    expect(new Set(await names())).toEqual(new Set(['Labour Day']));
    await call('undo', numbers[1] ?? '');
    expect(await names()).toEqual(['Christmas holidays']);
    await call('undo', numbers[2] ?? '');
    expect(await names()).toEqual([]);
    expect((await call('check')).status).toBe(0);
  });

  it('are in a backup, and go with their club', async () => {
    const { call, list } = await openClub();
    await call('days-off', 'add', writeTestFile('terms.ics', calendar(christmas)), ...user);
    await call('backup');
    const [{ name } = { name: '' }] = JSON.parse((await call('--json', 'backup', 'list')).stdout)
      .backups as { name: string }[];
    await call('user', 'remove', 'Chess');
    await call('user', 'add', 'Chess');
    expect(await list()).toEqual([]);
    await call('restore', name);
    expect(await list()).toMatchObject([{ days: [{ name: 'Christmas holidays' }] }]);
    expect((await call('check')).status).toBe(0);
  });
});

it('the public holidays of a region take the place of those of another', async () => {
  const { home, list } = await openClub();
  const days = [{ first: '2030-05-01', last: '2030-05-01', name: 'Labour Day' }];
  for (const source of ['DE-BY', 'DE-HE']) {
    const readAt = '2026-11-28T12:00:00.000Z';
    const onProgress = () => undefined;
    const calendar = { kind: 'public', name: source, source, readAt, days } as const;
    await performHere('days-off put', { user: 'Chess', calendar }, { home, onProgress });
  }
  expect(await list()).toMatchObject([{ source: 'DE-HE' }]);
});

/** Serves a calendar, which a test changes. */
async function serveCalendar(first: string) {
  const answer = { body: first, status: 200 };
  const server = createServer((_, response) => {
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { answer, url: `http://127.0.0.1:${port}/terms.ics` };
}

/** Has the service look whether a calendar is due, at a time. */
function tick(home: Home, id: number, now: Date) {
  return catalogue['follow tick'].perform(
    { id, isWake: false },
    {
      ...thisMachine,
      home,
      now: () => now,
      write: () => Promise.reject(new Error('Nothing is written.')),
      onProgress: () => undefined,
    },
  );
}

it('days off of an address are followed: read once a day, and they stay when that fails', async () => {
  const { home, call, list } = await openClub();
  const { answer, url } = await serveCalendar(calendar(christmas, training));
  const added = await call('days-off', 'add', '--url', url, ...user, '--name', 'School holidays');
  expect(added.stdout).toBe(
    'Added 1 holiday until 2032-01-02 as "School holidays", followed calendar 1.\n',
  );
  expect(added.stderr).toContain('Left out: 1 event with a time of day.');
  const again = await call('days-off', 'add', '--url', url, ...user);
  expect(again.stderr).toContain('School holidays');
  const [first] = await list();
  expect(first).toMatchObject({ kind: 'address', source: new URL(url).host });
  expect((await call('days-off', 'list', ...user)).stdout).toMatch(/^follow 1 +School holidays/m);
  expect((await call('follow', 'list')).stdout).toMatch(/School holidays .* days off/);
  const start = Date.now();
  const readAt = async (hours: number) => {
    const state = await tick(home, 1, new Date(start + hours * 3_600_000));
    return [state.read, (await list())[0]?.days.length];
  };
  answer.body = calendar(christmas, labourDay);
  expect(await readAt(23)).toEqual([0, 1]);
  answer.status = 503;
  expect(await readAt(25)).toEqual([1, 1]);
  answer.status = 200;
  answer.body = '<!doctype html><title>Log in</title>';
  expect(await readAt(50)).toEqual([1, 1]);
  answer.body = calendar(training);
  expect(await readAt(75)).toEqual([1, 1]);
  answer.body = calendar(christmas, labourDay);
  expect(await readAt(100)).toEqual([1, 4]);
  expect((await call('check')).stdout).not.toContain('damage');
  // The number is that of the followed calendar.
  expect((await call('days-off', 'remove', '1', ...user)).status).not.toBe(0);
  expect((await call('follow', 'remove', '1')).stdout).toContain('no longer followed');
  expect(await list()).toEqual([]);
});

it('days off of an address go through a proxy, and are named by their calendar', async () => {
  trustTestAuthority();
  const named = calendar(christmas).replace('VERSION', 'X-WR-CALNAME:Schools of Bern\r\nVERSION');
  const space = await serveWebSpace({ certificate: 'valid' });
  space.isPublic = true;
  const proxy = await serveProxy(Number(new URL(space.url).port));
  vi.stubEnv('HTTPS_PROXY', proxy.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { home, call, list } = await openClub();
  const add = async (body: string, path: string) => {
    space.files.set(path, Buffer.from(body));
    await call('days-off', 'add', '--url', `webcal://club.test${path}`, ...user);
  };
  await add(named, '/s/token/a.ics');
  await add(calendar(christmas), '/s/token/b.ics');
  await add(calendar(labourDay), '/s/token?export');
  expect(proxy.requests.map(({ target }) => target)).toEqual(Array(3).fill('club.test:443'));
  const names = (await list()).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['Schools of Bern', 'club.test', 'club.test (2)']);
  const refused = await call('days-off', 'add', '--url', 'https://club.test/s/token/no', ...user);
  expect(refused.stderr).toMatch(/^club\.test /);
  expect((await readFile(home.database)).includes('s/token')).toBe(false);
});

it('names a day by its public holiday, even inside school holidays', () => {
  const holiday = (first: string, last: string, name: string) => ({ first, last, name });
  const daysOff = createDaysOff([
    { kind: 'file', days: [holiday('2026-12-21', '2027-01-01', 'Christmas holidays')] },
    { kind: 'public', days: [holiday('2026-12-25', '2026-12-25', 'Christmas Day')] },
  ]);
  expect(daysOff.namesOn('2026-12-25')).toEqual(['Christmas Day', 'Christmas holidays']);
  expect(daysOff.isPublic('2026-12-25')).toBe(true);
  expect(daysOff.isPublic('2026-12-24')).toBe(false);
  expect(daysOff.namesOn('2026-12-20')).toEqual([]);
  const fridays = ['2026-12-18', '2026-12-25', '2027-01-01', '2027-01-08'];
  expect(daysOff.among(fridays)).toEqual([
    { name: 'Christmas Day', isPublic: true, days: ['2026-12-25'] },
    { name: 'Christmas holidays', isPublic: false, days: ['2027-01-01'] },
  ]);
  expect(daysOff.between('2027-01-01', '2027-02-01').map(({ name }) => name)).toEqual([
    'Christmas holidays',
  ]);
});

it('moves the address that an earlier version had in the database into the file of addresses', async () => {
  const { home, call, list } = await openClub();
  const { answer, url } = await serveCalendar(calendar(christmas));
  await call('days-off', 'add', '--url', url, ...user);
  rmSync(home.calendarAddresses);
  const sqlite = new Database(home.database);
  sqlite.exec(`UPDATE calendars SET memory = json_set(memory, '$.address', '${url}')`);
  sqlite.close();
  expect((await call('follow', 'list')).stdout).not.toContain('address');
  answer.body = calendar(christmas, labourDay);
  expect(await tick(home, 1, new Date(Date.now() + 25 * 3_600_000))).toEqual({ read: 1 });
  expect((await list())[0]?.days).toHaveLength(4);
  expect(await readFile(home.calendarAddresses, 'utf8')).toContain(url);
  expect((await readFile(home.database)).includes(url)).toBe(false);
  expect((await call('check')).status).toBe(0);
});
