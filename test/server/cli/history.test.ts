import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { describeProgress } from '../../../server/cli/output.ts';
import { callCommand, runCommand } from '../../support/command.ts';
import { makeTestFolder } from '../../support/home.ts';

/** A club with two events, imported from a file, and commands on it, also in processes. */
async function setUp() {
  const folder = makeTestFolder();
  const at = ['--home', join(folder, 'home')];
  const call = (...args: readonly string[]) => callCommand([...at, ...args]);
  const run = (...args: readonly string[]) => runCommand([...at, ...args]);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  await call('user', 'add', 'Chess');
  const first = file('first.csv', 'id,name,date,location\n1,Run,2026-05-01,\n2,Swim,2026-05-02,\n');
  expect((await call('import', first, '--user', 'Chess')).status).toBe(0);
  const export_ = async () => (await call('export', '--user', 'Chess', '--format', 'json')).stdout;
  return { folder, call, run, file, exported: export_ };
}

describe('import --dry-run', () => {
  it('reports the result of a dry run row by row and changes nothing', async () => {
    const { call, file, exported } = await setUp();
    const before = await exported();
    const csv = file(
      'b.csv',
      'id,name,date,location\n1,Run,2026-05-01,Hall\n2,Swim,,\n3,Ride,2026-05-03,\n',
    );
    const args = ['import', csv, '--user', 'Chess', '--time-zone', 'UTC', '--dry-run'];
    const refused = await call(...args);
    expect(refused.status).toBe(1);
    expect(await call(...args, '--skip-bad-rows')).toEqual({
      status: 0,
      stderr:
        'b.csv: Name from "name", date from "date", place from "location", id from "id".\nb.csv: All 2 dates are past, the last one is 2026-05-03.\n',
      stdout: [
        'b.csv: 1 event added, 1 changed, 1 skipped.',
        '  row 3, "date": skipped: is missing; every event needs one',
        '  row 2: changed: Run: location "" → "Hall"',
        '  row 4: new: Ride, Sun 3 May 2026',
        'This was a dry run: nothing was changed.',
        '',
      ].join('\n'),
    });
    const { files } = JSON.parse((await call(...args, '--skip-bad-rows', '--json')).stdout);
    expect(files[0].rows.map(({ kind }: { kind: string }) => kind)).toEqual([
      'changed',
      'skipped',
      'added',
    ]);
    expect(await exported()).toBe(before);
  });

  it('prints dates in the time zone of the import, with weekdays', async () => {
    const { call, file } = await setUp();
    const csv = file('b.csv', 'name,date\nFest,1.5.2026 18:00\nWalk,1.9.2026\n');
    const options = ['--user', 'Chess', '--time-zone', 'Europe/Berlin'];
    const { stdout } = await call('import', csv, ...options, '--dry-run');
    expect(stdout).toContain('row 2: new: Fest, Fri 1 May 2026, 18:00\n');
    expect(stdout).toContain('row 3: new: Walk, Tue 1 Sep 2026\n');
    await call('import', csv, ...options);
    const moved = file('c.csv', 'id,name,date\n3,Fest,2.5.2026 9:05\n4,Other,3.9.2026\n');
    const again = await call('import', moved, ...options, '--dry-run', '--skip-bad-rows');
    expect(again.stdout).toContain('date Fri 1 May 2026, 18:00 → Sat 2 May 2026, 09:05');
    expect(again.stdout).toContain(
      'this id belongs to "Walk" (Tue 1 Sep 2026), which got it here;',
    );
    const json = JSON.parse(
      (await call('import', moved, ...options, '--json', '--skip-bad-rows')).stdout,
    );
    expect(json.files[0].rows[0].changes[0].to).toBe('2026-05-02T07:05:00.000Z');
  });

  it('includes the whole last day of --to', async () => {
    const { call, file } = await setUp();
    const event = ['UID:1', 'SUMMARY:Training', 'RRULE:FREQ=DAILY;COUNT=400'];
    const start = 'DTSTART;TZID=Europe/Berlin:20260701T200000';
    const lines = [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      ...event,
      start,
      'END:VEVENT',
      'END:VCALENDAR',
    ];
    const days = ['--from', '2026-12-30', '--to', '2026-12-31', '--time-zone', 'Europe/Berlin'];
    const args = ['import', file('a.ics', lines.join('\n')), '--user', 'Chess', ...days];
    const { stdout, stderr } = await call(...args, '--dry-run');
    expect(stdout).toContain('new: Training, Wed 30 Dec 2026, 20:00');
    expect(stdout).toContain('new: Training, Thu 31 Dec 2026, 20:00');
    expect(stdout).toContain('a.ics: 2 events added.');
    expect(stderr).toContain('the dates from 2026-12-30 to 2026-12-31 were imported.');
  });

  it('reads a file with --encoding', async () => {
    const { call, file } = await setUp();
    const csv = file('b.csv', '');
    writeFileSync(csv, Buffer.from('name,date\n\x9abungsplatz,2026-05-01\n', 'latin1'));
    const args = ['import', csv, '--user', 'Chess', '--dry-run'];
    expect((await call(...args)).status).toBe(1);
    expect((await call(...args, '--encoding', 'dos')).stdout).toContain('new: Übungsplatz,');
    const wrong = await call(...args, '--encoding', 'klingon');
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toMatch(/^"klingon" is not an encoding; usual ones are utf-8, .*\n$/);
  });

  it('lists twenty rows of a kind and the number of the others', async () => {
    const { call, file } = await setUp();
    const rows = Array.from({ length: 30 }, (_, at) => `${at + 10},E,2026-05-01,\n`);
    const csv = file('c.csv', `id,name,date,location\n${rows.join('')}`);
    const { stdout } = await call('import', csv, '--user', 'Chess', '--dry-run');
    expect(stdout.match(/: new: /g)).toHaveLength(20);
    expect(stdout).toContain('… and 10 more added (--json lists all).');
  });
});

describe('history and undo', () => {
  it('lists an import in the history, undoes and redoes it', async () => {
    const { call, file, exported } = await setUp();
    const before = await exported();
    const csv = file('b.csv', 'id,name,date,location\n1,Run,2026-05-01,Hall\n3,Ride,2026-05-03,\n');
    const second = await call('import', csv, '--user', 'Chess', '--time-zone', 'UTC');
    expect(second.stderr).toMatch(/\n"club-events undo 2" undoes this\.\n$/);
    const after = await exported();

    expect((await call('undo', '2')).stdout).toBe(
      'Undid 2: 1 event removed, 1 restored; "club-events undo 3" redoes it.\n',
    );
    expect(await exported()).toBe(before);
    expect((await call('undo', '3')).status).toBe(0);
    expect(await exported()).toBe(after);

    const { stdout } = await call('history', '--user', 'Chess');
    expect(stdout.split('\n').map((line) => line.replace(/ {2,}|\S+Z/g, '|'))).toEqual([
      expect.stringMatching(/^ID\|WHEN\|WHAT\|ADDED\|CHANGED\|REMOVED\|FROM$/),
      expect.stringMatching(/^4\|+undo of 3\|1\|1\|0\|b\.csv$/),
      expect.stringMatching(/^3\|+undo of 2, undone by 4\|0\|1\|1\|b\.csv$/),
      expect.stringMatching(/^2\|+import, undone by 3\|1\|1\|0\|b\.csv$/),
      expect.stringMatching(/^1\|+import\|2\|0\|0\|first\.csv$/),
      '',
    ]);
  });

  it('refuses an undo that would lose a later change, in one sentence', async () => {
    const { call, file, exported } = await setUp();
    const head = 'id,name,date,location\n';
    await call('import', file('b.csv', `${head}1,Run,2026-05-01,Hall\n`), '--user', 'Chess');
    await call('import', file('c.csv', `${head}1,Run,2026-05-01,Pool\n`), '--user', 'Chess');
    const before = await exported();
    const result = await call('undo', '2');
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).toBe(
      'Change 2 cannot be undone, as one event changed later, such as 1 ("Run"): its location was changed later; undo the later changes first (see "club-events history --user NAME").\n',
    );
    expect(await exported()).toBe(before);
    expect((await call('undo', '99')).stderr).toMatch(/^There is no change 99; see/);
    expect((await call('undo', 'x')).status).toBe(2);
    expect((await call('undo', '3')).status).toBe(0);
    expect((await call('undo', '3')).stderr).toMatch(/^Change 3 was undone before, as 4;/);
  });

  it('lists the newest changes up to a limit, and says how many are older', async () => {
    const { call, file } = await setUp();
    for (const place of ['Hall', 'Pool', 'Gym']) {
      const csv = file(`${place}.csv`, `id,name,date,location\n1,Run,2026-05-01,${place}\n`);
      await call('import', csv, '--user', 'Chess', '--time-zone', 'UTC');
    }
    const some = await call('history', '--user', 'Chess', '--limit', '2');
    expect(some.stdout.split('\n').map((line) => line.slice(0, 2).trim())).toEqual([
      'ID',
      '4',
      '3',
      '',
    ]);
    expect(some.stderr).toBe('2 older changes not listed; "--limit 4" lists all.\n');
    const all = await call('history', '--user', 'Chess', '--limit', '4', '--json');
    expect(JSON.parse(all.stdout)).toMatchObject({ older: 0, history: { length: 4 } });
    expect(all.stderr).toBe('');
    expect((await call('history', '--user', 'Chess', '--limit', 'x')).status).toBe(2);
  });

  it('reports an empty history', async () => {
    const { call } = await setUp();
    await call('user', 'add', 'Rowing');
    expect((await call('history', '--user', 'Rowing')).stdout).toBe(
      'Nothing was changed for "Rowing" yet.\n',
    );
  });
});

describe('export', () => {
  it('exports to stdout or to a file', async () => {
    const { call, run, folder } = await setUp();
    const piped = await run('export', '--user', 'Chess', '--format', 'csv');
    expect(piped.stdout).toMatch(/^id,name,date,.*\r\n1,Run,.*\r\n2,Swim,.*\r\n$/);
    expect(piped.stderr).toBe('2 events.\n');
    const output = join(folder, 'out.csv');
    expect(await call('export', '--user', 'Chess', '--output', output)).toEqual({
      status: 0,
      stdout: `${output}: 2 events.\n`,
      stderr: '',
    });
    expect(readFileSync(output, 'utf8')).toBe(piped.stdout);
  });

  it('exports a workbook, by the extension of the file', async () => {
    const { call, folder } = await setUp();
    const output = join(folder, 'out.xlsx');
    expect(await call('export', '--user', 'Chess', '--output', output)).toEqual({
      status: 0,
      stdout: `${output}: 2 events.\n`,
      stderr: '',
    });
    const [header, ...rows] = await readSheet(output);
    expect(header?.slice(0, 3)).toEqual(['Name', 'Date', 'Time']);
    expect(rows.map(([name, date]) => [name, date])).toEqual([
      ['Run', new Date('2026-05-01')],
      ['Swim', new Date('2026-05-02')],
    ]);
  });

  it('exports a page for members, in the given time zone', async () => {
    const { call, file } = await setUp();
    const events = [{ name: 'Late run', date: '2099-05-03T23:30:00Z' }];
    await call('import', file('late.json', JSON.stringify(events)), '--user', 'Chess');
    const html = ['export', '--user', 'Chess', '--format', 'html'];
    const { stdout } = await call(...html, '--time-zone', 'Asia/Tokyo');
    expect(stdout).toMatch(/^<!doctype html>\n<html lang="en-GB">/);
    expect(stdout).toContain(
      '<span>Mon</span> <b>4</b></span> <span class="time"><span>08:30</span>',
    );
    expect(stdout).toContain('Times: Japan ');
    expect(await call(...html, '--time-zone', 'Nowhere')).toMatchObject({ status: 2, stdout: '' });
  });

  it('export names the options for events that do not fit in a workbook', async () => {
    const { call, file, folder } = await setUp();
    const events = [{ name: 'Fair', date: '2026-05-03', description: 'x'.repeat(40_000) }];
    await call('import', file('long.json', JSON.stringify(events)), '--user', 'Chess');
    const output = join(folder, 'out.xlsx');
    expect(await call('export', '--user', 'Chess', '--output', output)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        '"Fair" has a text of 40000 characters, but a cell of a workbook holds at most 32767; use --format csv or json, or shorten the text.\n',
    });
    expect(existsSync(output)).toBe(false);
  });
});

it('draws progress with rate and remaining time', () => {
  const progress = { file: 'season.csv', share: 0.6, rows: 61_000, done: false };
  expect(describeProgress(progress, 2)).toBe(
    'season.csv  ████████████░░░░░░░░  60 %  61000 rows  30500 rows/s  0:02 left',
  );
});
