import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callCommand, runCommand } from '../../support/command.ts';
import { makeTestFolder } from '../../support/home.ts';

/** A club and commands on it; times are in UTC. */
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
  const event = (command: string, ...args: readonly string[]) =>
    call('event', command, ...args, '--user', 'Chess');
  const history = async () => {
    const { stdout } = await call('history', '--user', 'Chess');
    return stdout.split('\n').map((line) => line.replace(/ {2,}|\S+Z/g, '|'));
  };
  return { call, run, file, event, history };
}

const match = ['--name', 'Rovers v City', '--date', '2026-05-02T14:00'] as const;

describe('event', () => {
  it('adds, edits, cancels and removes an event, prints it and lists the edits', async () => {
    const { call, run, event, history } = await setUp();
    const more = ['--location', 'Hall', '--type', 'club', '--registration', 'open'];
    const added = await run('event', 'add', '--user', 'Chess', ...match, ...more);
    expect(added).toMatchObject({
      status: 0,
      stderr: 'Added event 1; "club-events undo 1" undoes this.\n',
    });
    expect(added.stdout.split('\n')).toEqual([
      'id            1',
      'name          Rovers v City',
      'date          Sat 2 May 2026, 14:00',
      'location      Hall',
      'status        active',
      'eventType     club',
      'registration  open',
      expect.stringMatching(/^createdAt {5}\w{3} \d+ \w{3} \d{4}, \d\d:\d\d$/),
      '',
    ]);
    const edited = await event('edit', '1', '--date', '2 May 2026 3 pm');
    expect(edited.stdout).toContain('\ndate          Sat 2 May 2026, 15:00\n');
    expect(edited.stderr).toBe('Changed event 1; "club-events undo 2" undoes this.\n');
    const away = ['--date', '9 May 2026 15:00', '--location', '', '--type', 'none'];
    const moved = await event('edit', '1', ...away, '--registration', 'closed');
    expect(moved.stdout).not.toMatch(/location|eventType/);
    expect((await event('cancel', '1')).stdout).toContain('\nstatus        cancelled\n');
    expect(await event('cancel', '1')).toMatchObject({
      status: 0,
      stderr: 'Event 1 has these values already; nothing changed.\n',
    });
    await call('undo', '4');
    expect((await event('remove', '1')).stderr).toBe(
      'Removed event 1; "club-events undo 6" undoes this.\n',
    );
    expect(await history()).toEqual([
      expect.stringMatching(/^ID\|WHEN\|WHAT\|ADDED\|CHANGED\|REMOVED\|FROM$/),
      expect.stringMatching(/^6\|+edit\|0\|0\|1\|Rovers v City: removed$/),
      expect.stringMatching(
        /^5\|+undo of 4\|0\|1\|0\|Rovers v City: status "cancelled" → "active"$/,
      ),
      expect.stringMatching(/^4\|+edit, undone by 5\|0\|1\|0\|Rovers v City: cancelled$/),
      expect.stringMatching(
        /^3\|+edit\|0\|1\|0\|Rovers v City: Sat 2 May 2026, 15:00 → Sat 9 May 2026, 15:00; location "Hall" → ""; eventType "club" → \(not given\); registrationOpen true → false$/,
      ),
      expect.stringMatching(/^2\|+edit\|0\|1\|0\|Rovers v City: 14:00 → 15:00$/),
      expect.stringMatching(/^1\|+edit\|1\|0\|0\|Rovers v City: added$/),
      '',
    ]);
  });

  it('returns JSON with the event, the values before and the number of the edit', async () => {
    const { event, call } = await setUp();
    const added = JSON.parse((await event('add', ...match, '--json')).stdout);
    expect(added).toMatchObject({
      user: 'Chess',
      event: { id: 1, name: 'Rovers v City', date: '2026-05-02T14:00:00.000Z', location: '' },
      batch: 1,
      timeZone: 'UTC',
    });
    const edited = await event('edit', '1', '--description', 'x', '--time-zone', 'UTC', '--json');
    expect(JSON.parse(edited.stdout)).toMatchObject({ before: added.event, batch: 2 });
    const { history } = JSON.parse((await call('history', '--user', 'Chess', '--json')).stdout);
    expect(history[0]).toMatchObject({
      kind: 'edit',
      change: { id: 1, fields: [{ field: 'description', before: null, after: 'x' }] },
    });
  });

  it('reads times in --time-zone and prints them in it', async () => {
    const { event } = await setUp();
    const { stdout } = await event('add', ...match, '--time-zone', 'Europe/Berlin');
    expect(stdout).toContain('Sat 2 May 2026, 14:00');
    expect(JSON.parse((await event('cancel', '1', '--json')).stdout).event.date).toBe(
      '2026-05-02T12:00:00.000Z',
    );
  });

  it.each([
    [['add', ...match, '--date', 'soon'], 2, /^--date: "soon" was not understood as a date; .*\.$/],
    [['add', ...match, '--date', '5/4/2026'], 2, /^--date: "5\/4\/2026" could begin with the day/],
    [['add', ...match, '--name', ''], 2, /^--name "": The name of an event may not be empty\.$/],
    [
      ['add', ...match, '--status', 'on'],
      2,
      /^--status: "on" is not one of draft, active, completed, /,
    ],
    [['add', ...match, '--type', 'fun'], 2, /^--type: "fun" is not one of national, .*, none\.$/],
    [
      ['add', ...match, '--registration', 'yes'],
      2,
      /^--registration: "yes" is not one of open, closed\.$/,
    ],
    [
      ['add', ...match, '--time-zone', 'CET+1'],
      2,
      /^--time-zone "CET\+1": The time zone is not known here; .*\.$/,
    ],
    [['add', ...match, '--end', 'late'], 2, /^--end: "late" is not understood; write a time or/],
    [['add', ...match, '--end', '1 Jan 2026'], 2, /^--end: 2026-01-01 is before the start, 2/],
    [['add', '--name', 'Run'], 2, /^Wrong usage: required option '--date <when>' not specified\. /],
    [['edit', '1'], 2, /^Give at least one value to change, such as --date or --location\.$/],
    [['edit', 'x', '--name', 'Run'], 2, /^"x": The id of an event is a number that .* lists\.$/],
    [['edit', '9', '--name', 'Run'], 1, /^There is no event 9; .*lists the ids\.$/],
    [['cancel', '1-2'], 2, /^"1-2": The id of an event is a number that .* lists\.$/],
    [['cancel', '9'], 1, /^There is no event 9;/],
    [['remove', '9'], 1, /^There is no event 9;/],
  ])('refuses %j in one sentence', async ([command = '', ...args], status, sentence) => {
    const { event, history } = await setUp();
    const refused = await event(command, ...args);
    expect(refused).toMatchObject({ status, stdout: '' });
    expect(refused.stderr).toMatch(/^[^\n]+\n$/);
    expect(refused.stderr.trim()).toMatch(sentence);
    expect(await history()).toEqual(['Nothing was changed for "Chess" yet.', '']);
  });

  it('finds an event with a negative id', async () => {
    const { call, file, event } = await setUp();
    const csv = file('a.csv', 'id,name,date\n-5,Run,2026-05-01\n');
    await call('import', csv, '--user', 'Chess');
    expect((await call('event', 'cancel', '--user', 'Chess', '--', '-5')).status).toBe(0);
    expect((await event('remove', '5')).status).toBe(1);
  });
});

describe('import after an edit', () => {
  it('keeps the edit and lists it, unless --overwrite-edits is given', async () => {
    const { call, file, event } = await setUp();
    const rows = (place: string) => `id,name,date,location\n1,Run,2026-05-01T14:00,${place}\n`;
    const season = file('season.csv', rows('Hall'));
    const importFile = (...args: readonly string[]) =>
      call('import', season, '--user', 'Chess', ...args);
    const taken =
      'season.csv: Name from "name", date from "date", place from "location", id from "id".\n';
    await importFile();
    await event('edit', '1', '--location', 'Pool');
    expect(await importFile()).toEqual({
      status: 0,
      stdout: 'season.csv: nothing changed; 1 event already there.\n',
      stderr: taken,
    });
    file('season.csv', rows('Lake'));
    const kept = [
      'season.csv: nothing changed; 1 event already there. 1 event kept as edited by hand.',
      '  row 2: kept as edited by hand: Run: location "Pool" (not "Lake")',
    ];
    expect(await importFile('--dry-run')).toEqual({
      status: 0,
      stdout: [...kept, 'This was a dry run: nothing was changed.', ''].join('\n'),
      stderr: `${taken}--overwrite-edits takes the values of the file instead of the edits.\n`,
    });
    expect((await importFile()).stdout).toBe(`${kept.join('\n')}\n`);
    const json = JSON.parse((await importFile('--json')).stdout);
    expect(json).toMatchObject({
      kept: 1,
      files: [
        {
          kept: 1,
          rows: [
            {
              ...{ place: 'row 2', kind: 'kept', id: 1 },
              edits: [{ field: 'location', edited: 'Pool', fromFile: 'Lake' }],
            },
          ],
        },
      ],
    });
    expect(await importFile('--overwrite-edits')).toMatchObject({
      stdout: 'season.csv: 0 events added, 1 changed.\n',
      stderr: `${taken}"club-events undo 3" undoes this.\n`,
    });
  });
});

describe('a repetition', () => {
  const training = ['--name', 'Training', '--time-zone', 'Europe/Berlin'] as const;

  it('adds ordinary events at the same local time, as one change with one undo', async () => {
    const { call, event, history } = await setUp();
    const repeat = ['--repeat', 'every Thu until 8 April 2027', '--except', '1 Apr 2027'];
    const added = await event('add', ...training, '--date', '16 Mar 2027 19:00', ...repeat);
    expect(added).toEqual({
      status: 0,
      stdout: [
        'id  date                    name',
        '1   Thu 18 Mar 2027, 19:00  Training',
        '2   Thu 25 Mar 2027, 19:00  Training',
        '3   Thu 8 Apr 2027, 19:00   Training',
        '',
      ].join('\n'),
      stderr: 'Added 3 events; "club-events undo 1" undoes this.\n',
    });
    const { stdout } = await call('export', '--user', 'Chess', '--format', 'json');
    const dates = JSON.parse(stdout).events.map(({ date }: { date: string }) => date);
    // Summer time begins on 28 March.
    expect(dates.toSorted()).toEqual([
      '2027-03-18T18:00:00.000Z',
      '2027-03-25T18:00:00.000Z',
      '2027-04-08T17:00:00.000Z',
    ]);
    await event('edit', '2', '--location', 'Hall');
    expect(await call('undo', '1')).toMatchObject({ status: 1 });
    await call('undo', '2');
    expect(await call('undo', '1')).toMatchObject({ status: 0 });
    const after = await call('export', '--user', 'Chess', '--format', 'json');
    expect(JSON.parse(after.stdout).events).toEqual([]);
    expect((await history()).join('\n')).toContain('|3 events added');
  });

  it('leaves out the days off of the club, and names them', async () => {
    const { call, event, file } = await setUp();
    const repeat = ['--repeat', 'every Tue, 3 times, except holidays'];
    const add = () => event('add', ...training, '--date', '16 Mar 2027 19:00', ...repeat);
    const refused = await add();
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain('The club has no days off');
    expect(refused.stderr).toContain('club-events days-off add');
    const easter = [
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\nBEGIN:VEVENT\r\nUID:1@test',
      'DTSTAMP:20260101T000000Z\r\nDTSTART;VALUE=DATE:20270322\r\nDTEND;VALUE=DATE:20270403',
      'SUMMARY:Easter holidays\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    ].join('\r\n');
    await call('days-off', 'add', '--user', 'Chess', file('easter.ics', easter));
    const { stdout, stderr } = await add();
    expect(stdout.match(/Tue \d+ \w+/g)).toEqual(['Tue 16 Mar', 'Tue 6 Apr', 'Tue 13 Apr']);
    expect(stderr).toContain(
      'Left out 2 days off: 2027-03-23 (Easter holidays), 2027-03-30 (Easter holidays).',
    );
  });

  it.each([
    ['every weekday until 15 Jan 2027', 34],
    ['each Tuesday for 10 weeks', 10],
    ['every Tue except 22 Dec until 30 Jan 2027', 8],
    ['jeden Di außer am 22. und 29.12. bis Ostern', 15],
    ['tous les mardis jusqu’à fin mars sauf en février', 14],
    ['jede ungerade Woche dienstags bis Mai 2027', 14],
    ['elke werkdag t/m 15 januari 2027', 34],
  ])('repeats an event %s', async (repeat, count) => {
    const { event } = await setUp();
    const added = await event('add', ...training, '--date', '1 Dec 2026 19:00', '--repeat', repeat);
    expect(added.stderr).toContain(`Added ${count} events`);
  });

  it('lasts at most two years, and says so', async () => {
    const { event } = await setUp();
    const repeat = ['--repeat', 'every month until 2040-01-01'];
    const { stdout, stderr } = await event('add', ...training, '--date', '2027-01-31', ...repeat);
    // A shorter month has no 31st.
    expect(stdout.trimEnd().split('\n')).toHaveLength(1 + 15);
    expect(stderr).toContain('A repetition lasts at most two years; later dates were left out.\n');
  });

  it.each([
    [['--repeat', 'every blue moon'], /"every blue moon" does not say clearly/],
    [['--repeat', 'every 2nd Tuesday, 10 times'], /does not say clearly/],
    [['--repeat', 'every Tue'], /"every Tue" has no end/],
    [['--repeat', 'every Tue until 4 Jan 2027'], /means no date/],
    [
      ['--repeat', 'every Tue 3 times', '--except', '6 Jan 2027'],
      /"6 Jan 2027" is none of the dates/,
    ],
    [['--except', '6 Jan 2027'], /--except leaves out a date of --repeat/],
  ] as const)('is refused for %j, and nothing is added', async (options, sentence) => {
    const { call, event } = await setUp();
    const added = await event('add', ...training, '--date', '1 Jan 2027 19:00', ...options);
    expect(added).toMatchObject({ status: 2, stdout: '' });
    expect(added.stderr).toMatch(sentence);
    const { stdout } = await call('export', '--user', 'Chess', '--format', 'json');
    expect(JSON.parse(stdout).events).toEqual([]);
  });
});
