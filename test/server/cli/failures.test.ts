import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { applicationId, latestVersion, migrations } from '../../../db/open.ts';
import { applySetting } from '../../../db/settings.ts';
import { homeAt } from '../../../server/base/home.ts';
import { withWriter } from '../../../server/store/store.ts';
import { callCommand, type Finished, runCommand, startServe } from '../../support/command.ts';
import { addMember, makeTestFolder } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { findUnprivileged, mountSmall, requirePlace } from '../../support/place.ts';

/** Commands that would write, and those that only read: each has to refuse a bad database. */
const otherCommands = [
  ['user', 'add', 'Chess'],
  ['user', 'list'],
  ['key', 'list'],
  ['check'],
] as const;

const serve = ['serve', '--port', '0'] as const;
const commands = [serve, ...otherCommands] as const;

/** The commands for each of several cases: `serve`, a process of its own, is for one of them. */
const mostCommands = choose<readonly (readonly string[])[]>(commands, otherCommands);

function expectSentence({ status, stdout, stderr }: Finished, sentence: RegExp): void {
  expect(stderr).toMatch(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
}

function makeHome(): { home: string; database: string } {
  const home = join(makeTestFolder(), 'home');
  mkdirSync(home);
  return { home, database: join(home, 'events.sqlite') };
}

/** A home with a club. */
async function makeClub(): Promise<{ home: string; database: string }> {
  const setUp = makeHome();
  await addMember(homeAt(setUp.home), 'Chess');
  return setUp;
}

/** Runs a command to its end: in a process of its own when it is `serve`, which would not end here. */
function perform(home: string, command: readonly string[]): Promise<Finished> {
  const args = ['--home', home, ...command];
  return command[0] === 'serve' ? runCommand(args) : callCommand(args);
}

it('says of an address in place of a file what to do with its calendar', async () => {
  const { home } = await makeClub();
  for (const address of ['https://x.org/basic.ics', 'webcal://x.org/basic.ics']) {
    const refused = await perform(home, ['import', address, '--user', 'Chess']);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringMatching(/^This is an addr/) });
  }
});

it('says on an older Node.js which one it needs', async () => {
  const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
  const needed = /^>=([\d.]+)$/.exec(manifest.engines.node)?.[1];
  const runOn = (node: string) => {
    const versions = JSON.stringify({ ...process.versions, node });
    const script = `Object.defineProperty(process, 'versions', { value: ${versions} })`;
    const url = `data:text/javascript,${encodeURIComponent(script)}`;
    return runCommand(['--version'], { env: { NODE_OPTIONS: `--import=${url}` } });
  };
  for (const version of ['22.17.9', '20.20.2', '18.0.0']) {
    expect(await runOn(version)).toEqual({
      status: 1,
      stdout: '',
      stderr: `Club Events needs Node.js ${needed} or newer; this is ${version}.\n`,
    });
  }
  expect(await runOn(`${needed}.0`)).toMatchObject({ status: 0, stderr: '' });
});

it('says which file of the program cannot be loaded, also before there is a database', async () => {
  const { home } = makeHome();
  const script = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) {
      if (url.endsWith('/club/user-actions.ts')) throw new Error('user-actions.ts is unreadable');
      return next(url, context);
    } });`;
  const url = `data:text/javascript,${encodeURIComponent(script)}`;
  const env = { NODE_OPTIONS: `--import=${url}` };
  const { status, stderr } = await runCommand(['--home', home, 'user', 'list'], { env });
  expect(stderr).toMatch(/^Club Events failed; .*: Error: user-actions\.ts is unreadable/);
  expect({ status, files: readdirSync(home) }).toEqual({ status: 1, files: [] });
});

describe('a database that cannot be used', () => {
  it.each([
    ['a text', (path: string) => writeFileSync(path, 'Not a database. '.repeat(100))],
    [
      'another program’s',
      (path: string) => {
        const sqlite = new Database(path);
        sqlite.exec('CREATE TABLE recipes (name)');
        sqlite.close();
      },
    ],
  ])(
    'a database that cannot be used is refused by every command and not overwritten: %s',
    async (kind, make) => {
      const { home, database } = makeHome();
      make(database);
      const before = readFileSync(database);
      for (const command of kind === 'a text' ? commands : mostCommands) {
        const result = await perform(home, command);
        expectSentence(result, /events\.sqlite is not a Club Events database; move it away/);
      }
      expect(readFileSync(database).equals(before)).toBe(true);
      expect(readdirSync(home)).toEqual(['events.sqlite']);
    },
  );

  it('refuses a newer database by name and leaves it unchanged', async () => {
    const { home, database } = makeHome();
    const sqlite = new Database(database);
    sqlite.pragma(`application_id = ${applicationId}`);
    sqlite.pragma(`user_version = ${latestVersion + 1}`);
    sqlite.close();
    const before = readFileSync(database);
    for (const command of mostCommands) {
      const result = await perform(home, command);
      expectSentence(result, /events\.sqlite was made by a newer version of Club Events/);
    }
    expect(readFileSync(database).equals(before)).toBe(true);
  });

  it('reports a damaged database in check, with the remedy', async () => {
    const { home, database } = await makeClub();
    const sqlite = new Database(database);
    sqlite.pragma('journal_mode = DELETE');
    sqlite.exec('DROP INDEX events_by_creation');
    sqlite.close();
    const result = await perform(home, ['check']);
    expect(result.status).toBe(1);
    expect(result.stdout).toMatch(
      /^Pages and indexes: in order\n(?:.*\n)*Tables: "events_by_creation" is missing/,
    );
    expect(result.stderr).toMatch(/is damaged: .*"events_by_creation" is missing .*a backup\.\n$/);
    expect(result.stderr.trim().split('\n')).toHaveLength(1);

    const bytes = readFileSync(database);
    writeFileSync(database, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(8192, 0xa5)]));
    const worse = await perform(home, ['check']);
    expect(worse.status).toBe(1);
    expect(worse.stderr.trim().split('\n')).toHaveLength(1);
    expect(worse.stderr).toMatch(/is damaged/);
  });
});

describe('a folder without permission', () => {
  it('names a folder without permission and creates nothing', { tags: 'long' }, async (context) => {
    const user = findUnprivileged(context);
    const folder = makeTestFolder();
    chmodSync(folder, 0o555);
    const home = join(folder, 'home');
    for (const command of choose<readonly (readonly string[])[]>(commands.slice(0, 2), [serve])) {
      const result = await runCommand(['--home', home, ...command], user);
      expectSentence(result, /home may not be used by this account; check its permissions/);
    }
    expect(existsSync(home)).toBe(false);
  });

  it('names a database that may not be read or written', { tags: 'long' }, async (context) => {
    // The owner of a file repairs its permissions.
    requirePlace(context, 'another account');
    const user = findUnprivileged(context);
    const { home, database } = await makeClub();
    chmodSync(join(home, '..'), 0o755);
    chmodSync(home, 0o755);
    chmodSync(database, 0o000);
    const size = statSync(database).size;
    for (const command of choose<readonly (readonly string[])[]>(commands, [['user', 'list']])) {
      const result = await runCommand(['--home', home, ...command], user);
      expectSentence(result, /check (its permissions|the permissions of the file)/);
    }
    expect(statSync(database).size).toBe(size);
  });

  it('names the folder of a database that may not be written', {
    tags: 'long',
  }, async (context) => {
    const user = findUnprivileged(context);
    const { home, database } = await makeClub();
    const { uid } = user;
    for (const path of [join(home, '..'), home]) chmodSync(path, 0o755);
    if (uid !== undefined) chownSync(database, uid, uid);
    if (uid === undefined) chmodSync(home, 0o555);
    const result = await runCommand(['--home', home, 'user', 'add', 'Rowing'], user);
    if (uid === undefined) chmodSync(home, 0o755);
    expectSentence(result, /check (its permissions|the permissions of the file)/);
  });
});

describe('a full disk', () => {
  const json = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, id) => ({
        id,
        name: `Event ${id}`,
        date: '2026-05-01',
        description: 'x'.repeat(500),
      })),
    );

  it('rolls back an import on a full disk', async (context) => {
    const disk = mountSmall(context, 2048);
    const home = join(disk.folder, 'home');
    const call = (...args: string[]) => perform(home, args);
    await call('user', 'add', 'Chess');
    const file = join(makeTestFolder(), 'events.json');
    writeFileSync(file, json(20));
    expect((await call('import', file, '--user', 'Chess')).status).toBe(0);
    writeFileSync(file, json(5_000));
    const result = await call('import', file, '--user', 'Chess');
    expectSentence(result, /The disk that holds .*events\.sqlite is full; free some space/);
    const { users } = JSON.parse((await call('user', 'list', '--json')).stdout);
    expect(users).toMatchObject([{ name: 'Chess', events: 20 }]);
    expect((await call('check')).status).toBe(0);
  });

  it('refuses a new club on a full disk in one sentence', async (context) => {
    const disk = mountSmall(context, 64);
    const home = join(disk.folder, 'home');
    mkdirSync(home);
    writeFileSync(join(disk.folder, 'ballast'), Buffer.alloc(56 * 1024));
    const result = await perform(home, ['user', 'add', 'Chess']);
    expectSentence(result, /is full; free some space/);
  });
});

describe('a data directory that is a file', () => {
  it('refuses a data directory that is a file, in one sentence', async () => {
    const file = join(makeTestFolder(), 'file');
    writeFileSync(file, 'mine');
    for (const home of [file, join(file, 'home')]) {
      const result = await perform(home, ['user', 'add', 'Chess']);
      expectSentence(result, /file/);
    }
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

describe('a file to import or to export', () => {
  it('names a file that this account may not use', { tags: 'long' }, async (context) => {
    const user = findUnprivileged(context);
    const folder = makeTestFolder();
    chmodSync(folder, 0o777);
    const home = join(folder, 'home');
    const run = (...args: string[]) => runCommand(['--home', home, ...args], user);
    await run('user', 'add', 'Chess');
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    const file = join(closed, 'season.csv');
    writeFileSync(file, 'name,date\nRun,2026-05-01\n');
    chmodSync(closed, 0o000);
    onTestFinished(() => chmodSync(closed, 0o700));
    for (const args of [
      ['import', file],
      ['export', '--output', file],
    ]) {
      const result = await run(...args, '--user', 'Chess');
      expectSentence(result, /closed\/season\.csv may not be used by this account; check/);
    }
  });

  it.for([
    ['a name that is too long', `${'x'.repeat(300)}.csv`, /is too long a name; choose a shorter/],
    ['a loop of links', 'loop/season.csv', /season\.csv cannot be used: it is a link that leads/],
    ['a file for a folder', 'file/season.csv', /season\.csv cannot be used: a part of the path/],
  ] as const)('names a file that has %s', async ([, name, sentence], context) => {
    requirePlace(context, 'symbolic links', 'POSIX errors of paths');
    const folder = makeTestFolder();
    writeFileSync(join(folder, 'file'), '');
    symlinkSync('loop', join(folder, 'loop'));
    const home = join(folder, 'home');
    const call = (...args: string[]) => perform(home, args);
    await call('user', 'add', 'Chess');
    const path = join(folder, name);
    expectSentence(await call('import', path, '--user', 'Chess'), sentence);
    expectSentence(await call('export', '--output', path, '--user', 'Chess'), sentence);
    const looped = await perform(join(folder, 'loop'), ['user', 'add', 'Chess']);
    expectSentence(looped, /loop cannot be used: it is a link that leads back to itself/);
  });
});

describe('an interrupted first start', () => {
  /** Leaves the database as a crash in the first migration does, with its rollback journal. */
  function makeInterrupted(): string {
    const { home, database } = makeHome();
    const draft = join(home, 'draft');
    const sqlite = new Database(draft);
    sqlite.pragma('cache_size = 1');
    sqlite.pragma(`application_id = ${applicationId}`);
    sqlite.exec('BEGIN');
    for (const migration of migrations.slice(0, 3)) sqlite.exec(migration);
    copyFileSync(draft, database);
    copyFileSync(`${draft}-journal`, `${database}-journal`);
    sqlite.exec('ROLLBACK');
    sqlite.close();
    rmSync(draft);
    return home;
  }

  it.each(otherCommands.map((command) => ({ command })))(
    'recovers from an interrupted first start with $command',
    { tags: 'long' },
    async ({ command }) => {
      const home = makeInterrupted();
      const before = new Database(join(home, 'events.sqlite'), { readonly: true });
      expect(() => before.pragma('user_version')).toThrow(/readonly/);
      before.close();
      const result = await perform(home, command);
      expect(result).toMatchObject({ status: 0, stderr: '' });
      expect((await perform(home, ['check'])).status).toBe(0);
    },
  );

  it('recovers from an interrupted first start with "serve"', { tags: 'long' }, async () => {
    const home = makeInterrupted();
    const { firstLine } = await startServe(['--home', home, '--port', '0']);
    expect((await fetch(`${firstLine}/health`)).status).toBe(200);
  });
});

describe('a database that is not an ordinary file', () => {
  const kinds: readonly (readonly [string, (path: string) => unknown, RegExp])[] = [
    ['a folder', (path) => mkdirSync(path), /events\.sqlite is a folder, not a file/],
    [
      'a broken link',
      (path) => symlinkSync('elsewhere.sqlite', path),
      /events\.sqlite is a link to a file that does not exist; remove the link/,
    ],
    [
      'a named pipe',
      (path) => execFileSync('mkfifo', [path]),
      /events\.sqlite is not an ordinary file; move it away/,
    ],
  ];

  it.for(kinds)(
    'a database that is not an ordinary file is refused by every command: %s',
    async ([kind, make, sentence], context) => {
      if (kind === 'a named pipe') requirePlace(context, 'named pipes');
      if (kind === 'a broken link') requirePlace(context, 'symbolic links');
      const { home, database } = makeHome();
      make(database);
      for (const command of mostCommands) expectSentence(await perform(home, command), sentence);
      expect(readdirSync(home)).toEqual(['events.sqlite']);
    },
  );

  it('a database that is not an ordinary file is refused if its path is too long', async (context) => {
    requirePlace(context, 'POSIX errors of paths');
    const folder = makeTestFolder();
    const home = join(folder, ...Array.from({ length: 3 }, () => 'y'.repeat(200)));
    for (const command of mostCommands) {
      expectSentence(await perform(home, command), /yyy is too long a name; choose a shorter/);
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the time zone of the system', { tags: 'long' }, () => {
  const local = 'name,date\nRun,2026-07-01T10:00\n';

  /** Imports a local time in the time zone of an environment variable. */
  async function importIn(zone: string, asProcess = false): Promise<Finished> {
    const { home } = await makeClub();
    // As in a home of an earlier version.
    const noZone = { setting: 'zone', before: null, after: '' } as const;
    await withWriter(homeAt(home), (db) => applySetting(db, 1, noZone));
    const file = join(home, '..', 'season.csv');
    writeFileSync(file, local);
    const args = ['--home', home, '--json', 'import', file, '--user', 'Chess'];
    return asProcess ? runCommand(args, { env: { TZ: zone } }) : callCommand(args, '', { zone });
  }

  it.each([
    ['', '2026-07-01T10:00:00.000Z'],
    ['UTC', '2026-07-01T10:00:00.000Z'],
    ['Europe/Berlin', '2026-07-01T08:00:00.000Z'],
    [':Europe/Berlin', '2026-07-01T08:00:00.000Z'],
  ])('the time zone of the system is that of TZ=%j', { tags: 'long' }, async (zone, date) => {
    // In a process of its own once: `TZ` is that of its start.
    const { status, stdout } = await importIn(zone, zone === 'Europe/Berlin');
    expect(status).toBe(0);
    expect(JSON.parse(stdout).files[0].rows).toMatchObject([{ date }]);
  });

  it.each(['Bogus/Zone', 'CET-1CEST,M3.5.0,M10.5.0/3', 'UTC+99'])(
    'the time zone of the system is not assumed to be UTC for TZ=%j',
    { tags: 'long' },
    async (zone) => {
      const { status, stderr } = await importIn(zone);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^The time zone of this system is not known \([^\n]*\n$/);
      expect(stderr).toContain(zone);
    },
  );
});
