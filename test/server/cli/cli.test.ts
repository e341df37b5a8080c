import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { prepareUserReads } from '../../../db/users.ts';
import { homeAt } from '../../../server/base/home.ts';
import { defaultPort } from '../../../server/base/settings.ts';
import { isWellFormedKey } from '../../../server/club/key-actions.ts';
import { withReader } from '../../../server/store/store.ts';
import { callCommand, runCommand, startServe } from '../../support/command.ts';
import { addMember, makeEvent, makeTestFolder } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { expectMode, lacking, requirePlace } from '../../support/place.ts';
import { serveForTest } from '../../support/service.ts';

const execute = promisify(execFile);

/** Runs commands on a data directory of the test's own: in processes, or (faster) within this one. */
function setUp() {
  const folder = makeTestFolder();
  const home = join(folder, 'home');
  const run = (...args: readonly string[]) => runCommand(['--home', home, ...args]);
  const call = (...args: readonly string[]) => callCommand(['--home', home, ...args]);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return { home, run, call, file };
}

describe('user and key', () => {
  it('adds and removes users, and creates and revokes keys', async () => {
    const { call } = setUp();
    expect(await call('user', 'add', 'Chess')).toEqual({
      status: 0,
      stdout: 'Added club "Chess".\n',
      stderr: '',
    });
    expect((await call('user', 'add', 'Rowing', '--json')).stdout).toBe(
      '{"id":2,"name":"Rowing","zone":"UTC"}\n',
    );
    const created = await call('key', 'create', '--user', 'Chess', '--label', 'notice board');
    expect(created.status).toBe(0);
    expect(isWellFormedKey(created.stdout.trim())).toBe(true);
    expect(created.stdout).toBe(`${created.stdout.trim()}\n`);
    expect(created.stderr).toMatch(/shown this once/);

    const users = JSON.parse((await call('user', 'list', '--json')).stdout).users;
    expect(users).toMatchObject([
      { id: 1, name: 'Chess', events: 0, keys: 1 },
      { id: 2, name: 'Rowing', events: 0, keys: 0 },
    ]);
    expect((await call('user', 'list')).stdout).toMatch(
      /^NAME +ZONE +EVENTS +KEYS +CREATED\nChess +UTC +0 +1 /,
    );

    const keys = await call('key', 'list');
    expect(keys.stdout).toMatch(
      /^ID +CLUB +STATE .*\n1 +Chess +valid +\w{3} \d+ \w{3} \d{4}, \d\d:\d\d +never +notice board\n$/,
    );
    for (let at = 0; at + 4 <= 36; at += 1) {
      expect(keys.stdout).not.toContain(created.stdout.slice(3 + at, 3 + at + 4));
    }
    expect((await call('key', 'revoke', '1')).stdout).toBe('Revoked key 1.\n');
    expect((await call('key', 'revoke', '1')).stdout).toBe('Key 1 had been revoked before.\n');
    expect((await call('key', 'list')).stdout).toMatch(/1 +Chess +revoked/);
    expect((await call('user', 'remove', 'Chess')).stdout).toBe(
      'Removed club "Chess" with 0 events and 1 key.\n',
    );
    expect(JSON.parse((await call('key', 'list', '--json')).stdout)).toEqual({ keys: [] });
  });

  it('creates keys that expire', async () => {
    const { call } = setUp();
    await call('user', 'add', 'Chess');
    const expiresAt = async (date: string) => {
      const args = ['key', 'create', '--user', 'Chess', '--expires', date, '--json'];
      return JSON.parse((await call(...args)).stdout).expiresAt;
    };
    expect(await expiresAt('2999-12-31')).toBe('2999-12-31T23:59:59.999Z');
    expect(await expiresAt('2999-12-31T18:00+02:00')).toBe('2999-12-31T16:00:00.000Z');
  });

  it.each([
    ['America/Los_Angeles', '2999-03-02T07:59:59.999Z'],
    ['Pacific/Auckland', '2999-03-01T10:59:59.999Z'],
  ])('shows the last day of a key as it was typed in %s', async (zone, end) => {
    const { home } = setUp();
    const call = (...args: readonly string[]) =>
      callCommand(['--home', home, ...args], '', { zone });
    await call('user', 'add', 'Chess');
    const args = ['key', 'create', '--user', 'Chess', '--expires', '2999-03-01'];
    expect((await call(...args)).stderr).toContain(', valid until Fri 1 Mar 2999, 23:59.');
    expect((await call('key', 'list')).stdout).toContain('  Fri 1 Mar 2999, 23:59');
    const { keys } = JSON.parse((await call('key', 'list', '--json')).stdout);
    expect(keys).toMatchObject([{ expiresAt: end }]);
  });

  it.each([
    [['user', 'add', 'Chess'], 1, /There is a club "Chess" already/],
    [['user', 'add', ' '], 2, /Enter a name for the club/],
    [['user', 'add', 'a\nb'], 2, /control characters/],
    [['user', 'add', 'x'.repeat(201)], 2, /at most 200 characters/],
    [['user', 'remove', 'Nobody'], 1, /There is no club "Nobody"; see "club-events user list"/],
    [['key', 'create', '--user', 'Nobody'], 1, /There is no club "Nobody"/],
    [
      ['key', 'create', '--user', 'Chess', '--expires', '2026-02-30'],
      2,
      /"2026-02-30" is not a date/,
    ],
    [
      ['key', 'create', '--user', 'Chess', '--expires', '2020-01-01'],
      2,
      /"2020-01-01" is in the past, so the key would never be valid; no key was made/,
    ],
    [['key', 'revoke', '99'], 1, /There is no key with the id 99; see "club-events key list"/],
    [['key', 'revoke', 'abc'], 2, /The id of a key is the number/],
    [['import', 'x.json', '--user', 'Nobody'], 1, /There is no club "Nobody"/],
  ])('refuse %j with status %i and one clear sentence', async (args, status, sentence) => {
    const { home, call } = setUp();
    await addMember(homeAt(home), 'Chess');
    const result = await call(...args);
    expect(result).toMatchObject({ status, stdout: '' });
    expect(result.stderr).toMatch(sentence);
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
    const users = await withReader(homeAt(home), (db) => prepareUserReads(db).all());
    expect(users).toMatchObject([{ name: 'Chess', keys: 1 }]);
  });
});

describe('import', () => {
  it('reports imported events and unused columns', async () => {
    const { home, file, call } = setUp();
    await addMember(homeAt(home), 'Chess');
    const csv = file(
      'season.csv',
      'Titel,date,Halle 7\nRun,2026-05-01,Hall\nSwim,2026-05-02,Pool\n',
    );
    const args = ['import', csv, '--user', 'Chess', '--map', 'name=Titel'];
    const first = await call(...args, '--time-zone', 'America/New_York');
    expect(first).toEqual({
      status: 0,
      stdout: 'season.csv: 2 events added.\n',
      stderr:
        'season.csv: Name from "Titel", date from "date".\nseason.csv: All 2 dates are past, the last one is 2026-05-02.\nseason.csv: not imported: Halle 7 (see --map).\n"club-events undo 1" undoes this.\n',
    });
    const headings = Array.from({ length: 9 }, (_, at) => `X${at + 1}`).join(',');
    const wide = file('wide.csv', `name,date,${headings}\nRow,2026-05-01,,,,,,,,,\n`);
    expect((await call('import', wide, '--user', 'Chess')).stderr).toContain(
      'wide.csv: not imported: X1, X2, X3, X4, X5 and 4 more (see --map).',
    );
    const again = await call(...args, '--time-zone', 'America/New_York', '--json');
    const none = { added: 0, moved: 0, changed: 0, skipped: 0, kept: 0, missing: 0 };
    const counts = { ...none, unchanged: 2 };
    expect(JSON.parse(again.stdout)).toEqual({
      user: 'Chess',
      dryRun: false,
      timeZone: 'America/New_York',
      ...counts,
      files: [
        {
          file: 'season.csv',
          ...counts,
          ignored: ['Halle 7'],
          taken: [
            {
              fields: [
                { field: 'name', columns: ['Titel'] },
                { field: 'date', columns: ['date'] },
              ],
            },
          ],
          notes: ['All 2 dates are past, the last one is 2026-05-02.'],
          rows: [],
          missingEvents: [],
        },
      ],
    });
    const more = await call(
      ...args,
      '--map',
      'location=Halle 7',
      '--time-zone',
      'America/New_York',
    );
    expect(more.stdout).toBe('season.csv: 0 events added, 2 changed.\n');
  });

  it('accepts a file name after a repeatable option', async () => {
    const { home, file, call } = setUp();
    await addMember(homeAt(home), 'Chess');
    const csv = file('season.csv', 'a,b\nRun,2026-05-01\n');
    const maps = ['--map', 'name=a', '--map', 'date=b'];
    const result = await call('import', '--user', 'Chess', ...maps, csv);
    expect(result.stdout).toBe('season.csv: 1 event added.\n');
  });

  it('takes "-" in the place of a file for standard input, and removes its copy', async () => {
    const { home } = setUp();
    await addMember(homeAt(home), 'Chess');
    const temporary = makeTestFolder();
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const pipe = (input: string, ...args: readonly string[]) =>
      callCommand(['--home', home, ...args], input);
    const chess = ['--user', 'Chess'] as const;
    const csv = 'name,date\nRun,2099-05-01\n';
    const { stdout } = await pipe(csv, 'import', '-', ...chess, '--format', 'csv');
    expect(stdout).toBe('standard input: 1 event added.\n');
    const refusals = [
      [['import', '-', ...chess], /^standard input does not end in .*--format csv/],
      [['restore', '-'], /^standard input is a file of events, not a backup/],
      [['days-off', 'add', '-', ...chess], /^Only "import" and "restore" read standard input/],
      [['mirror', 'set', ...chess, '--file', '-'], /^Only "import" and "restore" read standard/],
    ] as const;
    for (const [args, sentence] of refusals) {
      expect(await pipe(csv, ...args)).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(sentence),
      });
    }
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('takes "-" in the place of a file to export for standard output', async () => {
    const { home } = setUp();
    await addMember(homeAt(home), 'Chess', [makeEvent(7)]);
    const run = (...args: readonly string[]) =>
      callCommand(['--home', home, 'export', '--user', 'Chess', '--format', 'csv', ...args]);
    const printed = await run();
    expect(printed.stdout).toContain('\n7,');
    expect(await run('--output', '-')).toEqual(printed);
  });

  it.each([
    [['import', 'FOLDER', '--user', 'Chess']],
    [['import', 'FOLDER', '--user', 'Chess', '--format', 'csv']],
    [['restore', 'FOLDER']],
  ])('says what to name in the place of a folder: %j', async (args) => {
    const folder = import.meta.dirname;
    const result = await setUp().call(...args.map((arg) => (arg === 'FOLDER' ? folder : arg)));
    const stderr = `"${folder}" is a folder; name a file in it.\n`;
    expect(result).toEqual({ status: 2, stdout: '', stderr });
  });

  it.each(['YES', 'true', ''])('refuses %j for yes or no', async (answer) => {
    const { home, file, call } = setUp();
    await addMember(homeAt(home), 'Chess');
    const to = file('club.html', '');
    const result = await call(
      'publish',
      'add',
      '--user',
      'Chess',
      '--to',
      to,
      '--on-sheets',
      answer,
    );
    expect(result).toEqual({
      status: 2,
      stdout: '',
      stderr: `--on-sheets: "${answer}" is not one of yes, no.\n`,
    });
  });

  it.each([
    [['--map', 'title=x'], /--map: "title=x" is not FIELD=COLUMN; the fields are id, name/],
    [['--map', 'name'], /--map: "name" is not FIELD=COLUMN/],
    [['--map', 'name=a', '--map', 'name=b'], /--map: name is given twice/],
    [['--time-zone', 'Mars/Olympus'], /The time zone is not known here/],
    [['--format', 'pages'], /--format: "pages" is not one of csv, json, ics/],
  ])('refuses %j as wrong usage', async (options, sentence) => {
    const { home, file, call } = setUp();
    await addMember(homeAt(home), 'Chess');
    const csv = file('season.csv', 'name,date\nRun,2026-05-01\n');
    const result = await call('import', csv, '--user', 'Chess', ...options);
    expect(result).toMatchObject({ status: 2, stdout: '' });
    expect(result.stderr).toMatch(sentence);
  });

  it('refuses to import the database itself under any name', async (context) => {
    requirePlace(context, 'symbolic links');
    const { home, call } = setUp();
    await addMember(homeAt(home), 'Chess');
    const alias = join(home, '..', 'alias.json');
    symlinkSync(join(home, 'events.sqlite'), alias);
    const result = await call('import', alias, '--user', 'Chess');
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).toMatch(/alias\.json is the database itself/);
  });

  it.each([
    [
      '[\n{"name": "Run", "date": "2026-05-01"},\n{"name": "Sw',
      'season.json: the data ends too early: it was cut off, or a bracket or quotation mark is not closed (nothing was imported).\n',
    ],
    [
      '[\n{"name": "Run" "date": "2026-05-01"}\n]',
      'season.json, line 2: this is not valid JSON (nothing was imported).\n',
    ],
    [
      '{"name": "Run", "date": "2026-05-01"}\n{"name": "Swim", "da',
      'season.json, line 2: the data ends too early: it was cut off, or a bracket or quotation mark is not closed; to leave out such rows and events, add --skip-bad-rows (nothing was imported).\n',
    ],
    ['[x]', 'season.json: this is not valid JSON (nothing was imported).\n'],
  ])('describes damaged JSON in one plain sentence', async (text, sentence) => {
    const { home, file, call } = setUp();
    await addMember(homeAt(home), 'Chess');
    const result = await call('import', file('season.json', text), '--user', 'Chess');
    expect(result).toEqual({ status: 1, stdout: '', stderr: sentence });
  });

  it('fails an import with status 1 and a sentence naming file, row and field', async () => {
    const { home, file, run, call } = setUp();
    await addMember(homeAt(home), 'Chess');
    const csv = file('season.csv', 'name,date\nRun,2026-05-01\nSwim,soon\n');
    expect(await run('import', csv, '--user', 'Chess')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'season.csv, row 3, "date": "soon" was not understood as a date; write it like 2026-05-01, 2026-05-01T18:00 or 2026-05-01T18:00:00Z; to leave out such rows and events, add --skip-bad-rows (nothing was imported).\n',
    });
    const users = JSON.parse((await call('user', 'list', '--json')).stdout).users;
    expect(users).toMatchObject([{ events: 0 }]);
  });
});

describe('wrong usage', () => {
  it.each([
    [[]],
    [['frob']],
    [['user']],
    [['user', 'frob']],
    [['user', 'add']],
    [['user', 'add', 'a', 'b']],
    [['key', 'create']],
    [['import', '--user', 'Chess']],
    [['import', 'x.json']],
    [['serve', '--frob']],
    [['serve', '--port', '70000']],
    [['serve', '--port', 'http']],
    [['serve', '--port', '']],
    [['serve', '--host', '0.0.0.0']],
    [['serve', '--host', '192.168.1.5']],
    [['serve', '--public-url', 'example.org']],
    [['serve', '--public-url', 'https://example.org/events']],
    [['serve', '--allow-origin', '*']],
    [['serve', '--allow-origin', 'ftp://example.org']],
    [['url', 'x']],
  ])('wrong usage %j ends with status 2 and changes nothing', async (args) => {
    const { home, call } = setUp();
    const { status, stdout, stderr } = await call(...args);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
    expect(existsSync(home)).toBe(false);
  });

  it.each([
    [[], 'command_missing', /Give one of these commands/],
    [['frob'], 'usage_wrong', /unknown command 'frob'/],
    [['user', 'ad'], 'usage_wrong', /unknown command 'ad' \(Did you mean add\?\)/],
    [['user', 'add'], 'usage_wrong', /missing required argument 'name'/],
    [['user', 'add', 'a', 'b'], 'usage_wrong', /too many arguments/],
    [['key', 'create'], 'usage_wrong', /required option '--user <name>' not specified/],
    [['serve', '--frob'], 'usage_wrong', /unknown option '--frob'/],
    [['serve', '--port'], 'usage_wrong', /argument missing/],
    [['serve', '--port', 'abc'], 'port_invalid', /not a port/],
  ])('wrong usage %j prints an error with --json, in any place', async (args, code, detail) => {
    const { call } = setUp();
    for (const all of [
      [...args, '--json'],
      ['--json', ...args],
    ]) {
      const { status, stdout, stderr } = await call(...all);
      const { error } = JSON.parse(stdout);
      expect({ status, error }).toEqual({ status: 2, error: { code, detail: error.detail } });
      expect(error.detail).toMatch(detail);
      expect(stderr.endsWith(`${error.detail}\n`)).toBe(true);
    }
  });

  it('wrong usage ends the process with the exit status', async () => {
    const { run } = setUp();
    expect(await run('user', 'frob')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/unknown command 'frob'/),
    });
  });

  it('exits with status 0 for --help and --version', async () => {
    const { run, call } = setUp();
    for (const args of [['--help'], ['help'], ['user', '--help'], ['help', 'serve']]) {
      expect(await call(...args)).toMatchObject({ status: 0, stderr: '' });
    }
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('describes each group of commands in words, not by its name', async () => {
    const { call } = setUp();
    for (const group of [[], ['mirror'], ['hub']]) {
      const { stdout } = await call(...group, '--help');
      expect(stdout).not.toMatch(/^ {2}(\S+) +(\1|undefined)$/m);
    }
  });
});

describe('the data directory', () => {
  it('the data directory has modes for its owner only, and no part of a key', async () => {
    const { home, run, call } = setUp();
    await run('user', 'add', 'Chess');
    // Checked before another command could repair it.
    expectMode(join(home, 'events.sqlite'), 0o600);
    const key = (await call('key', 'create', '--user', 'Chess')).stdout.trim();
    const serving = await startServe(['--home', home, '--port', '0']);
    expectMode(home, 0o700);
    expect(readdirSync(home).sort()).toEqual([
      'checked.json',
      'events.sqlite',
      'events.sqlite-shm',
      'events.sqlite-wal',
      'logs',
      'service.json',
    ]);
    for (const name of readdirSync(home)) {
      const mode = name === 'logs' ? 0o700 : 0o600;
      expectMode(join(home, name), mode);
    }
    expectMode(join(home, 'logs', 'service.log'), 0o600);
    const headers = { Authorization: `Bearer ${key}` };
    expect((await fetch(`${serving.firstLine}/v1/events`, { headers })).status).toBe(200);
    await fetch(`${serving.firstLine}/v1/events?access_token=${key}`);
    await serving.end('SIGTERM');
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(1);
    for (const { parentPath, name } of files) {
      const content = readFileSync(join(parentPath, name), 'latin1');
      for (let at = 3; at + 8 <= key.length; at += 1) {
        expect(content.includes(key.slice(at, at + 8)), name).toBe(false);
      }
    }
  });

  it('chooses the data directory by option, environment, then platform', async () => {
    const folder = makeTestFolder();
    const [option, variable, share] = ['option', 'variable', 'share'].map((name) =>
      join(folder, name),
    );
    const env = { CLUB_EVENTS_HOME: `${variable}`, XDG_DATA_HOME: `${share}`, HOME: folder };
    await callCommand(['user', 'add', 'Chess', '--home', `${option}`], '', { env });
    expect(readdirSync(folder)).toEqual(['option']);
    await callCommand(['user', 'add', 'Chess'], '', { env });
    expect(readdirSync(folder).sort()).toEqual(['option', 'variable']);
    if (lacking('XDG folders') !== undefined) return;
    await runCommand(['user', 'add', 'Chess'], { env: { ...env, CLUB_EVENTS_HOME: '' } });
    expect(readdirSync(join(`${share}`, 'club-events'))).toContain('events.sqlite');
  });

  it('reports a missing data directory in one sentence and does not create it', async () => {
    const { home, call } = setUp();
    for (const args of [['user', 'list'], ['key', 'list'], ['check']]) {
      const result = await call(...args);
      expect(result).toMatchObject({ status: 1, stdout: '' });
      expect(result.stderr).toContain(
        `There is no database at ${join(home, 'events.sqlite')} yet;`,
      );
    }
    expect(existsSync(home)).toBe(false);
  });
});

describe('serve', () => {
  it('prints the base URL once the service answers, and stops at a signal', async (context) => {
    requirePlace(context, 'signals');
    // The others end services in registration.test.ts.
    for (const signal of choose(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, ['SIGHUP'] as const)) {
      const { home, call } = setUp();
      const serving = await startServe(['--home', home, '--port', '0']);
      expect(serving.firstLine).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await fetch(`${serving.firstLine}/health`)).status).toBe(200);
      const registration = JSON.parse(readFileSync(join(home, 'service.json'), 'utf8'));
      expect(registration).toMatchObject({ baseUrl: serving.firstLine, pid: serving.pid });
      expect((await call('url')).stdout).toBe(`${serving.firstLine}\n`);
      expect(await serving.end(signal)).toBe(0);
      expect(existsSync(join(home, 'service.json'))).toBe(false);
      expect(await call('url')).toMatchObject({ status: 1, stdout: '' });
    }
  });

  it('refuses a port that another program uses', async () => {
    const { run } = setUp();
    const other = createServer((_request, response) => response.end('another program'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const result = await run('serve', '--port', `${port}`);
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).toMatch(new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is taken.*--port`));
  });

  it('serves the demo at the next free port, and says so', { tags: 'long' }, async () => {
    const { home } = setUp();
    const other = createServer().listen(defaultPort, '127.0.0.1');
    // If another program has the port, it is taken as well.
    await Promise.race([once(other, 'listening'), once(other, 'error')]);
    onTestFinished(() => void other.close());
    const serving = await startServe(['--home', home, '--demo']);
    const port = Number(new URL(serving.firstLine).port);
    expect(port).toBeGreaterThan(defaultPort);
    expect(port).toBeLessThan(defaultPort + 10);
    expect((await fetch(`${serving.firstLine}/health`)).status).toBe(200);
    const note = `Port ${defaultPort} is taken; this demo uses port ${port}.`;
    await expect.poll(serving.stderr).toContain(note);
  });

  it('prints the address as JSON with --json, and is not reported after a crash', {
    tags: 'long',
  }, async () => {
    const { home, call } = setUp();
    const serving = await startServe(['--home', home, '--port', '0', '--json']);
    const { baseUrl, pid } = JSON.parse(serving.firstLine);
    expect(pid).toBe(serving.pid);
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    await serving.end('SIGKILL');
    expect(existsSync(join(home, 'service.json'))).toBe(true);
    expect(await call('url')).toMatchObject({ status: 1, stdout: '' });
    writeFileSync(join(home, 'service.json'), '{"baseUrl":');
    expect(await call('url')).toMatchObject({ status: 1, stdout: '' });
    const next = await serveForTest(homeAt(home));
    expect((await call('url')).stdout).toBe(`${next.baseUrl}\n`);
  });

  it('serves a change that was committed while the service runs', async () => {
    const { home, file, call } = setUp();
    const { baseUrl } = await serveForTest(homeAt(home));
    await call('user', 'add', 'Chess');
    const key = (await call('key', 'create', '--user', 'Chess')).stdout.trim();
    const headers = { Authorization: `Bearer ${key}` };
    const list = async () => (await fetch(`${baseUrl}/v1/events`, { headers })).text();
    expect(await list()).toBe('{"events":[]}');
    await call('import', file('a.csv', 'id,name,date\n5,Run,2026-05-01\n'), '--user', 'Chess');
    expect(await list()).toContain('"id":5');
    await call('key', 'revoke', '1');
    expect((await fetch(`${baseUrl}/v1/events`, { headers })).status).toBe(401);
  });
});

it.each([
  ['http://10.0.0.5:28470', true],
  ['https://events.example.org', false],
])('serve at %s mentions unencrypted keys: %s', { tags: 'long' }, async (url, isMentioned) => {
  const { home } = setUp();
  const more = ['--host', '0.0.0.0', '--public-url', url];
  const serving = await startServe(['--home', home, '--port', '0', ...more]);
  await expect.poll(serving.stderr).toMatch(/Serving; Ctrl\+C ends it\./);
  const sentence = `At ${url}, keys and events cross the network unencrypted.\n`;
  expect(serving.stderr().split(sentence)).toHaveLength(isMentioned ? 2 : 1);
});

describe('serve --demo', () => {
  it('serves a demo club with a key and a working curl command', async (context) => {
    requirePlace(context, 'signals', 'a Unix shell');
    const { home, call } = setUp();
    const serving = await startServe(['--home', home, '--port', '0', '--demo']);
    await expect.poll(serving.stdout).toMatch(/curl/);
    const lines = serving.stdout().split('\n');
    const key = /^Key: (\S+)$/.exec(lines[1] ?? '')?.[1] ?? '';
    expect(isWellFormedKey(key)).toBe(true);
    const env = { ...process.env, http_proxy: 'http://127.0.0.1:1' };
    const { stdout } = await execute('sh', ['-c', `${lines.at(-1)} --silent --fail`], { env });
    expect(JSON.parse(stdout).events).toHaveLength(60);
    expect(lines).toContain(`In a browser: ${serving.firstLine}/#key=${key}`);
    expect(serving.stdout()).toContain('Links with a key are for the demo club only');
    expect((await call('url')).stdout).toBe(`${serving.firstLine}\n`);

    expect(existsSync(join(home, 'events.sqlite'))).toBe(false);
    expect(await serving.end('SIGINT')).toBe(0);
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('check', () => {
  it('reports a healthy database', async () => {
    const { home, call } = setUp();
    await call('user', 'add', 'Chess');
    expect(await call('check')).toEqual({
      status: 0,
      stdout: [
        'Pages and indexes: in order',
        'References: in order',
        'Tables: in order',
        'Values: in order',
        'Search index: in order',
        'History: in order',
        'Backups: there is none yet',
        `${join(home, 'events.sqlite')} is in order.`,
        '',
      ].join('\n'),
      stderr: '',
    });
  });
});
