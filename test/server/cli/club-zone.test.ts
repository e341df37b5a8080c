import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fillUserZones, insertUser, prepareUserReads } from '../../../db/users.ts';
import { type Home, homeAt } from '../../../server/base/home.ts';
import { withReader, withWriter } from '../../../server/store/store.ts';
import { openPage, testBrowser } from '../../support/browser.ts';
import { callCommand, runCommand } from '../../support/command.ts';
import { createdAt, makeTestFolder } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { readOnce } from '../../support/patience.ts';
import { startTestService } from '../../support/service.ts';
import { print, ready } from '../ui/sheets.ts';

const browser = testBrowser();

const zones = choose(
  ['Europe/Berlin', 'Europe/London', 'America/New_York'],
  ['Europe/Berlin', 'America/New_York'],
);

/** Events of a summer, one on each kind of day: without a time, late, early, in the repeated hour. */
const season = `name,date
Summer fair,2031-07-05
Late party,2031-07-05 23:30
Early start,2031-07-06 00:15
Night of clocks,2031-10-26 02:30
New Year,2032-01-01
`;

/** Runs a command on a computer in a zone: in a process of its own in the long form. */
const runIn = choose(
  (zone: string, args: readonly string[]) => runCommand(args, { env: { TZ: zone } }),
  (zone: string, args: readonly string[]) => callCommand(args, '', { zone }),
);

const zoneOf = (home: Home, name: string) =>
  withReader(
    home,
    (db) =>
      prepareUserReads(db)
        .all()
        .find((user) => user.name === name)?.zone,
  );

/** Removes what differs between two runs of an export: the times at which it was made. */
const withoutStamps = (text: string) =>
  text.replace(/DTSTAMP:\w+/g, '').replace(/"created":"[^"]*"/g, '');

it('one home has the same days and times on computers in other zones', {
  tags: 'long',
}, async () => {
  const home = homeAt(makeTestFolder());
  const at = ['--home', home.directory];
  const run = async (zone: string, ...args: readonly string[]) => {
    const { status, stdout, stderr } = await runIn(zone, [...at, ...args]);
    expect(status, stderr).toBe(0);
    return { stdout, stderr };
  };
  const folder = makeTestFolder();
  const file = join(folder, 'season.csv');
  writeFileSync(file, season);
  await run('Europe/Berlin', 'user', 'add', 'Chess');
  // The computer abroad reads the file as the one at home would.
  const elsewhere = zones.at(-1) ?? '';
  const imported = await run(elsewhere, 'import', file, '--user', 'Chess');
  expect(imported.stderr).toContain('Times are those of the time zone Europe/Berlin.');
  await run(elsewhere, 'event', 'edit', '3', '--user', 'Chess', '--date', '2031-07-07');
  const created = await run(
    elsewhere,
    'key',
    'create',
    '--user',
    'Chess',
    '--expires',
    '2040-06-30',
  );
  const key = created.stdout.trim();
  expect((await run(elsewhere, 'key', 'list', '--json')).stdout).toContain(
    '"expiresAt":"2040-06-30T21:59:59.999Z"',
  );
  const { stdout: list } = await run(elsewhere, 'export', '--user', 'Chess', '--format', 'json');
  const dates = (JSON.parse(list) as { events: { name: string; date: string }[] }).events;
  expect(Object.fromEntries(dates.map(({ name, date }) => [name, date]))).toEqual({
    'Summer fair': '2031-07-04T22:00:00.000Z',
    'Late party': '2031-07-05T21:30:00.000Z',
    'Early start': '2031-07-06T22:00:00.000Z',
    'Night of clocks': '2031-10-26T00:30:00.000Z',
    'New Year': '2031-12-31T23:00:00.000Z',
  });

  // Soon enough for a warning of the doctor.
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  await run(elsewhere, 'key', 'create', '--user', 'Chess', '--expires', soon);

  const service = await startTestService(home);
  onTestFinished(() => service.close());
  const seen = [];
  for (const zone of zones) {
    const html = (await run(zone, 'export', '--user', 'Chess', '--format', 'html')).stdout;
    const ics = (await run(zone, 'export', '--user', 'Chess', '--format', 'ics')).stdout;
    const workbook = join(folder, `${zone.replace('/', '-')}.xlsx`);
    await run(zone, 'export', '--user', 'Chess', '--output', workbook);
    const history = (await run(zone, 'history', '--user', 'Chess')).stdout;
    const keys = (await run(zone, 'key', 'list')).stdout;
    const doctor = (await runIn(zone, [...at, 'doctor'])).stdout;
    const page = await openPage(browser.current, service, { key, timezoneId: zone });
    const agenda = page.locator('#events');
    await agenda.getByText('New Year').waitFor();
    const rows = await readOnce(agenda.innerText());
    const head = page.locator('.page-club-state');
    await expect
      .poll(async () => (await head.innerText()).includes('Times in Europe/Berlin'))
      .toBe(zone !== 'Europe/Berlin');
    await page.evaluate(() => location.assign('#view=calendar&day=2031-07-05'));
    const day = page.locator('[data-date="2031-07-05"]');
    await day.getByText('Late party').waitFor();
    const month = await readOnce(day.innerText());
    await page.evaluate(() => location.assign('#print=list'));
    await ready(page);
    const paper = (await print(page)).pages.join('\n');
    const written = [...html.matchAll(/<li id="event-[^"]*"|<time .*?<\/time>/g)].map(
      ([part]) => part,
    );
    const cells = readFileSync(workbook).length;
    seen.push({
      written,
      ics: withoutStamps(ics),
      history: history.replace(/^.*import.*$/m, ''),
      keys,
      expiry: /Key \d+ of .* expires on ([^(]*:\d\d)/.exec(doctor)?.[1],
      rows,
      month,
      paper,
      cells,
    });
  }
  const [first, ...others] = seen;
  for (const other of others) expect(other).toEqual(first);
  expect(first?.written.slice(0, 2)).toEqual([
    expect.stringMatching(/^<li id="event-\d+"$/),
    '<time datetime="2031-07-04T22:00:00.000Z"><span class="day"><span>Sat</span> <b>5</b></span> </time>',
  ]);
  expect(first?.month).toContain('23:30');
  expect(first?.expiry).toMatch(/, 23:59$/);
});

describe('the zone of a club', () => {
  it('is that of the computer at the first writer after the migration, and then stays', async () => {
    const home = homeAt(makeTestFolder());
    await withWriter(home, (db) => insertUser(db, 'Chess', createdAt));
    expect(await zoneOf(home, 'Chess')).toBe('');
    await withWriter(home, () => undefined, { systemTimeZone: () => 'Europe/London' });
    expect(await zoneOf(home, 'Chess')).toBe('Europe/London');
    await withWriter(home, () => undefined, { systemTimeZone: () => 'America/New_York' });
    expect(await zoneOf(home, 'Chess')).toBe('Europe/London');
  });

  it('is not guessed on a computer without a known zone', async () => {
    const home = homeAt(makeTestFolder());
    await withWriter(home, (db) => {
      insertUser(db, 'Chess', createdAt);
      fillUserZones(db, () => undefined);
    });
    expect(await zoneOf(home, 'Chess')).toBe('');
  });

  it('keeps moments or times when it changes, and moves the events in one undo', async () => {
    const home = homeAt(makeTestFolder());
    const call = async (...args: readonly string[]) =>
      await callCommand(['--home', home.directory, ...args], '', { zone: 'Europe/Berlin' });
    const datesOf = async () => {
      const { stdout } = await call('export', '--user', 'Chess', '--format', 'json');
      const { events } = JSON.parse(stdout) as { events: { name: string; date: string }[] };
      return Object.fromEntries(events.map(({ name, date }) => [name, date]));
    };
    await call('user', 'add', 'Chess');
    const [timed, untimed] = ['2031-12-02T18:00:00.000Z', '2031-12-02T23:00:00.000Z'];
    for (const [name, date] of [
      ['Training', '2031-12-02 19:00'],
      ['Fair', '2031-12-03'],
    ] as const) {
      await call('event', 'add', '--user', 'Chess', '--name', name, '--date', date);
    }
    const converted = await call('user', 'zone', 'Chess', 'Europe/London');
    expect(converted.stdout).toContain(
      'to Europe/London; 1 event moved.\n"Training", at 2031-12-02 19:00 before, is at 2031-12-02 18:00 now.',
    );
    // No time is no time in the other zone, too.
    expect(await datesOf()).toEqual({ Training: timed, Fair: '2031-12-03T00:00:00.000Z' });
    await call('user', 'zone', 'Chess', 'Europe/Berlin', '--times', 'convert');
    expect(await datesOf()).toEqual({ Training: timed, Fair: untimed });
    const args = ['user', 'zone', 'Chess', 'Europe/London', '--times', 'keep'];
    const { batch } = JSON.parse((await call('--json', ...args)).stdout) as { batch: number };
    expect(await datesOf()).toEqual({
      Training: '2031-12-02T19:00:00.000Z',
      Fair: '2031-12-03T00:00:00.000Z',
    });
    await call('undo', String(batch));
    expect(await datesOf()).toEqual({ Training: timed, Fair: untimed });
  });

  it('is learnt by an open tab of a browser without a reload', { tags: 'long' }, async () => {
    const home = homeAt(makeTestFolder());
    const call = (...args: readonly string[]) =>
      callCommand(['--home', home.directory, ...args], '', { zone: 'Europe/Berlin' });
    await call('user', 'add', 'Chess');
    await call('event', 'add', '--user', 'Chess', '--name', 'Drill', '--date', '2031-12-02 19:00');
    const key = (await call('key', 'create', '--user', 'Chess')).stdout.trim();
    const service = await startTestService(home);
    onTestFinished(() => service.close());
    const page = await openPage(browser.current, service, { key, timezoneId: 'Europe/Berlin' });
    await page.locator('.agenda-time', { hasText: '19:00' }).waitFor();
    await call('user', 'zone', 'Chess', 'Europe/London', '--times', 'convert');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.locator('.agenda-time', { hasText: '18:00' }).waitFor();
    await page.getByText('Times in Europe/London').waitFor();
  });

  it('is chosen and changed by its IANA or Windows name', async () => {
    const home = homeAt(makeTestFolder());
    const call = (...args: readonly string[]) => callCommand(['--home', home.directory, ...args]);
    await call('user', 'add', 'Chess', '--zone', 'europe/berlin');
    expect(await zoneOf(home, 'Chess')).toBe('Europe/Berlin');
    expect((await call('user', 'zone', 'Chess', 'Eastern Standard Time')).stdout).toBe(
      'Changed the time zone of club "Chess" from Europe/Berlin to America/New_York.\n',
    );
    expect((await call('user', 'list')).stdout).toMatch(/Chess +America\/New_York +0 +0/);
    for (const wrong of ['Mars/Olympus', 'PST', '+01:00', '']) {
      const refused = await call('user', 'zone', 'Chess', wrong);
      expect(refused).toMatchObject({ status: 2, stdout: '' });
      expect(refused.stderr).toContain('The time zone is not known here');
    }
    expect(await zoneOf(home, 'Chess')).toBe('America/New_York');
  });
});
