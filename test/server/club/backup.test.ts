import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { digestOf } from '../../../db/event-hash.ts';
import { eachEvent } from '../../../db/event-list.ts';
import { applicationId, closeStore, connection, migrations } from '../../../db/open.ts';
import {
  type ActionName,
  type ActionResult,
  catalogue,
} from '../../../server/actions/catalogue.ts';
import { createMaintenance } from '../../../server/actions/maintenance.ts';
import { type Problem, problem } from '../../../server/base/errors.ts';
import { type Home, homeAt } from '../../../server/base/home.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { examine } from '../../../server/doctor/doctor.ts';
import { findFlaw, verifyBackups } from '../../../server/store/backup-check.ts';
import { createBackup } from '../../../server/store/backup-files.ts';
import {
  type Backup,
  backupPath,
  listBackups,
  readRecord,
  recordPath,
} from '../../../server/store/backup-records.ts';
import { chooseExpired } from '../../../server/store/backup-rotation.ts';
import { openHomeReader, withReader } from '../../../server/store/store.ts';
import { callCommand, startServe } from '../../support/command.ts';
import {
  addEvents,
  addMember,
  makeEvent,
  makeFolder,
  makeTestFolder,
  makeTestHome,
  removeFolder,
} from '../../support/home.ts';
import { expectMode, mountSmall } from '../../support/place.ts';
import { readRows } from '../../support/rows.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';

/** Runs an action at a time. */
async function act<Name extends ActionName>(
  home: Home,
  name: Name,
  args: object = {},
  {
    at = '2026-11-22T09:15:00.000Z',
    warnings = [] as Problem[],
    onStep = undefined as (() => void) | undefined,
  } = {},
): Promise<ActionResult<Name>> {
  const tools = {
    ...thisMachine,
    now: () => new Date(at),
    home,
    write: async () => undefined,
    onProgress: () => undefined,
    onStep,
    warn: (problem: Problem) => void warnings.push(problem),
  };
  return (await catalogue[name].perform(args, tools)) as ActionResult<Name>;
}

const events = (from: number, to: number, text = 'Event') =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    makeEvent(from + index, { name: `${text} ${from + index}` }),
  );

/** Returns the names of the files of a home, without those that SQLite makes beside its database. */
const filesIn = ({ directory }: Home) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/-(wal|shm)$/.test(name))
    .toSorted();

const names = (home: Home) => listBackups(home).map(({ name }) => name);

async function makeClub(count = 3) {
  const home = makeTestHome();
  const member = await addMember(home, 'Chess', events(1, count));
  // Without the backups of the preparation.
  rmSync(home.backups, { recursive: true, force: true });
  return { home, ...member };
}

describe('a backup', () => {
  it('a backup has every row, is for its owner only, and leaves no other file', async () => {
    const { home } = await makeClub();
    const { name, output, counts } = await act(home, 'backup');
    expect(name).toBe('2026-11-22T091500Z-hand.sqlite');
    expect(counts).toEqual({ users: 1, events: 3, batches: 1 });
    expect(readRows(output)).toEqual(readRows(home.database));
    expect(readdirSync(home.backups).toSorted()).toEqual([name, `${name}.json`]);
    expectMode(home.backups, 0o700);
    for (const file of readdirSync(home.backups)) {
      expectMode(join(home.backups, file), 0o600);
    }
    const [listed] = (await act(home, 'backup list')).backups;
    expect(listed).toMatchObject({ name, reason: 'hand', verifiedAt: '2026-11-22T09:15:00.000Z' });
  });

  it('gets a name of its own in the same second', async () => {
    const { home } = await makeClub();
    await act(home, 'backup');
    await act(home, 'backup');
    expect(names(home)).toEqual([
      '2026-11-22T091500Z-hand-2.sqlite',
      '2026-11-22T091500Z-hand.sqlite',
    ]);
  });

  it('removes the leftovers of a killed one, but not those of a running one', async () => {
    const { home } = await makeClub();
    mkdirSync(home.backups, { mode: 0o700 });
    const endedPid = 2 ** 22 + 1;
    const running = `.${process.pid}-aabbccddeeff.tmp`;
    for (const name of [`.${endedPid}-aabbccddeeff.tmp`, running]) {
      writeFileSync(join(home.backups, name), 'half');
    }
    const { name } = await act(home, 'backup');
    expect(readdirSync(home.backups).toSorted()).toEqual([running, name, `${name}.json`]);
  });

  it('refuses to back up a missing database', async () => {
    await expect(act(makeTestHome(), 'backup')).rejects.toMatchObject({ problem: 'missing' });
  });

  it('refuses a damaged database and leaves nothing behind', async () => {
    const { home } = await makeClub(500);
    damagePages(home.database);
    await expect(act(home, 'backup')).rejects.toMatchObject({ problem: 'damaged' });
    expect(readdirSync(home.backups)).toEqual([]);
  });

  it('a backup goes to a file elsewhere, with its record', async () => {
    const { home } = await makeClub();
    const output = join(makeTestFolder(), 'stick.sqlite');
    expect(await act(home, 'backup', { output })).toMatchObject({ name: null, output });
    expect(readRows(output)).toEqual(readRows(home.database));
    expect(existsSync(`${output}.json`)).toBe(true);
  });

  it('remembers the last one on another disk', async (context) => {
    const stick = mountSmall(context, 4_000);
    const { home } = await makeClub();
    const elsewhere = async () => (await act(home, 'backup list')).elsewhere.at;
    await act(home, 'backup', { output: join(makeTestFolder(), 'here.sqlite') });
    expect(await elsewhere()).toBe(null);
    await act(home, 'backup', { output: join(stick.folder, 'there.sqlite') });
    expect(await elsewhere()).toBe('2026-11-22T09:15:00.000Z');
  });

  it('leaves no file on a full disk, and says that it is full', async (context) => {
    const small = mountSmall(context, 64);
    const { home } = await makeClub(500);
    const output = join(small.folder, 'x.sqlite');
    await expect(act(home, 'backup', { output })).rejects.toThrow(/full/);
    expect(readdirSync(small.folder)).toEqual([]);
  });

  it('replaces an earlier one and its record elsewhere, and no other file', async () => {
    const { home, userId } = await makeClub();
    const folder = makeTestFolder();
    const output = join(folder, 'season');
    await act(home, 'backup', { output });
    await addEvents(home, userId, events(4, 4));
    await act(home, 'backup', { output });
    expect(readRecord(output)?.counts.events).toBe(4);
    for (const name of ['other', 'other.json']) {
      writeFileSync(join(folder, name), '{"events":[]}');
      const backingUp = act(home, 'backup', { output: join(folder, 'other') });
      await expect(backingUp).rejects.toMatchObject({
        code: 'backup_in_the_way',
        values: { path: join(folder, name) },
      });
      expect(readFileSync(join(folder, name), 'utf8')).toBe('{"events":[]}');
      rmSync(join(folder, name));
    }
    expect(readdirSync(folder).toSorted()).toEqual(['season', 'season.json']);
  });

  it('a backup is not written into the data directory by --output', async () => {
    const { home } = await makeClub();
    const output = join(home.directory, 'x.sqlite');
    await expect(act(home, 'backup', { output })).rejects.toMatchObject({ code: 'file_in_home' });
  });
});

/** Overwrites every page of a database but the first ones. */
function damagePages(path: string): void {
  const first = 3 * 4096;
  withFileOpen(path, (write) => write(Buffer.alloc(statSync(path).size - first, 0x5a), first));
}

function withFileOpen(path: string, use: (write: (bytes: Buffer, at: number) => void) => void) {
  const file = openSync(path, 'r+');
  try {
    use((bytes, at) => void writeSync(file, bytes, 0, bytes.length, at));
  } finally {
    closeSync(file);
  }
}

describe('an automatic backup', () => {
  /** Makes a change and then the backup of the day, as the command line does. */
  const add = async (home: Home, name: string, at: string) => {
    await act(home, 'user add', { name }, { at });
    await act(home, 'backup daily', {}, { at });
  };

  it('an automatic backup comes after the first change of a day, and only then', async () => {
    const { home } = await makeClub();
    await add(home, 'Rowing', '2026-11-20T10:00:00.000Z');
    await add(home, 'Judo', '2026-11-20T11:00:00.000Z');
    expect(names(home)).toEqual(['2026-11-20T100000Z-daily.sqlite']);
    expect(listBackups(home)[0]?.counts).toEqual({ users: 2, events: 3, batches: 1 });
    await add(home, 'Golf', '2026-11-22T10:00:00.000Z');
    expect(listBackups(home)[0]?.counts.users).toBe(4);
  });

  it('an automatic backup is not made while there are no events, or when nothing has changed', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    await add(home, 'Rowing', '2026-11-20T10:00:00.000Z');
    expect(names(home)).toEqual([]);
    const club = await makeClub();
    await act(club.home, 'backup', {}, { at: '2026-11-20T10:00:00.000Z' });
    await act(club.home, 'backup daily', {}, { at: '2026-11-21T10:00:00.000Z' });
    expect(names(club.home)).toEqual(['2026-11-20T100000Z-hand.sqlite']);
    await addEvents(club.home, club.userId, events(4, 4));
    rmSync(join(club.home.backups), { recursive: true });
    await act(club.home, 'backup daily', {}, { at: '2026-11-21T10:00:00.000Z' });
    expect(names(club.home)).toEqual(['2026-11-21T100000Z-daily.sqlite']);
  });

  it('an automatic backup is not repeated while the newest one is from the future', async () => {
    const { home } = await makeClub();
    await act(home, 'backup', {}, { at: '2030-01-01T10:00:00.000Z' });
    for (const hour of ['10', '11', '12']) {
      await add(home, `Club ${hour}`, `2026-11-20T${hour}:00:00.000Z`);
    }
    expect(names(home)).toHaveLength(2);
  });

  it('an automatic backup comes after the result of a command that changes something', async () => {
    const { home } = await makeClub();
    const run = (...command: string[]) => callCommand(['--home', home.directory, ...command]);
    expect((await run('user', 'list')).status).toBe(0);
    expect(existsSync(home.backups)).toBe(false);
    expect((await run('event', 'remove', '--user', 'Chess', '1')).status).toBe(0);
    expect(listBackups(home)).toMatchObject([{ reason: 'daily', counts: { events: 2 } }]);
  });

  it('an automatic backup is left to a running service', { tags: 'long' }, async () => {
    const { home } = await makeClub();
    const service = await startServe(['--port', '0', '--home', home.directory]);
    const added = await callCommand(['--home', home.directory, 'user', 'add', 'Rowing']);
    expect(added.status).toBe(0);
    expect(existsSync(home.backups)).toBe(false);
    expect(await service.end('SIGTERM')).toBe(0);
  });

  it('an automatic backup and the check of the whole file never delay the revocation of a key', async () => {
    const { home: club } = await makeClub(300);
    // A copy is another file, which was not checked.
    const home = homeAt(join(makeTestFolder(), 'copy'));
    mkdirSync(home.directory, { mode: 0o700 });
    copyFileSync(club.database, home.database);
    const at = readFileSync(home.database).indexOf('Event 150');
    const page = at - (at % 4_096);
    withFileOpen(home.database, (write) => write(Buffer.alloc(4_096, 0x5a), page));
    expect(await act(home, 'key revoke', { id: 1 })).toEqual({ id: 1, revoked: true });
    const { keys } = await act(home, 'key list');
    expect(keys.map(({ state }) => state)).toEqual(['revoked']);
    await expect(act(home, 'event remove', { user: 'Chess', id: 1 })).rejects.toMatchObject({
      problem: 'damaged',
    });
  });

  it('warns if it fails, and the change is made', async () => {
    const { home } = await makeClub();
    writeFileSync(home.backups, 'a file in the way');
    const added = await callCommand(['--home', home.directory, 'user', 'add', 'Rowing']);
    expect(added).toMatchObject({ status: 0, stderr: expect.stringContaining('backup') });
    expect((await act(home, 'user list')).users).toHaveLength(2);
  });

  it('an automatic backup is needed to remove a club', async () => {
    const { home } = await makeClub();
    await act(home, 'user remove', { name: 'Chess' });
    const [removal] = listBackups(home);
    expect(removal).toMatchObject({ reason: 'removal', counts: { users: 1, events: 3 } });
    rmSync(home.backups, { recursive: true });
    await add(home, 'Rowing', '2026-11-22T10:00:00.000Z');
    writeFileSync(home.backups, 'a file in the way');
    const removing = act(home, 'user remove', { name: 'Rowing' });
    await expect(removing).rejects.toMatchObject({ code: 'backup_needed' });
    expect((await act(home, 'user list')).users).toHaveLength(1);
  });

  it('an automatic backup does not prevent the removal of a club from a full disk', async (context) => {
    const small = mountSmall(context, 2_000);
    const home = homeAt(join(small.folder, 'home'));
    await addMember(home, 'Large', events(1, 2_000));
    await addMember(home, 'Small');
    rmSync(home.backups, { recursive: true, force: true });
    const free = statfsSync(small.folder);
    const filler = Buffer.alloc(free.bavail * free.bsize - 400 * 1_024);
    writeFileSync(join(small.folder, 'filler'), filler);
    const warnings: Problem[] = [];
    await act(home, 'user remove', { name: 'Small' }, { warnings });
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['backup_failed']));
    expect((await act(home, 'user list')).users.map(({ name }) => name)).toEqual(['Large']);
    expect(readdirSync(home.backups)).toEqual([]);
  });

  it.each([
    ['11 of 50', 50, 11, true],
    ['10 of 12', 12, 10, false],
    ['10 of 50', 50, 10, false],
    ['11 of 60', 60, 11, false],
  ])(
    'an automatic backup before %s events are removed by hand: large or not',
    async (_, total, removed, isLarge) => {
      const { home } = await makeClub(total);
      const ids = Array.from({ length: removed }, (_none, index) => index + 1);
      await act(home, 'backup', {}, { at: '2026-11-22T08:00:00.000Z' });
      await act(home, 'events change', { user: 'Chess', ids, change: { kind: 'remove' } });
      expect(listBackups(home).some(({ reason }) => reason === 'removal')).toBe(isLarge);
    },
  );

  it('an automatic backup comes before the undo of a large import, with its events', async () => {
    const { home } = await makeClub(20);
    const { history } = await act(home, 'history', { user: 'Chess' });
    await act(home, 'undo', { id: history[0]?.id });
    const [removal] = listBackups(home);
    expect(removal).toMatchObject({ reason: 'removal', counts: { events: 20 } });
  });

  it('an automatic backup comes before a migration, and keeps the older schema', async () => {
    const home = makeTestHome();
    mkdirSync(home.directory, { mode: 0o700 });
    const older = migrations.length - 1;
    makeOlderDatabase(home.database, older);
    closeStore(openHomeReader(home));
    const [backup] = listBackups(home);
    expect(backup).toMatchObject({ reason: 'migration', schema: older, counts: { users: 1 } });
    expect((await verifyBackups(home)).map(({ flaw }) => flaw)).toEqual([undefined]);
  });

  it('prevents a migration if it fails', () => {
    const home = makeTestHome();
    mkdirSync(home.directory, { mode: 0o700 });
    makeOlderDatabase(home.database, migrations.length - 1);
    writeFileSync(home.backups, 'a file in the way');
    expect(() => openHomeReader(home)).toThrow(/backup_needed/);
    expect(readVersion(home.database)).toBe(migrations.length - 1);
  });
});

function makeOlderDatabase(path: string, version: number): void {
  const sqlite = new Database(path);
  for (const migration of migrations.slice(0, version)) sqlite.exec(migration);
  sqlite.pragma(`application_id = ${applicationId}`);
  sqlite.pragma(`user_version = ${version}`);
  sqlite.exec("INSERT INTO users (name, created_at) VALUES ('Old', '2026-01-01T00:00:00.000Z')");
  sqlite.close();
}

function readVersion(path: string): unknown {
  const sqlite = new Database(path, { readonly: true });
  const version = sqlite.pragma('user_version', { simple: true });
  sqlite.close();
  return version;
}

describe('a restore', () => {
  it('brings every row back, and is itself undone', async () => {
    const { home, userId } = await makeClub();
    const before = readRows(home.database);
    const { name } = await act(home, 'backup');
    await addEvents(home, userId, events(1, 5, 'Changed'));
    const changed = readRows(home.database);
    const report = await act(home, 'restore', { name });
    expect(report).toMatchObject({ restored: name, counts: { events: 3 }, damaged: null });
    expect(readRows(home.database)).toEqual(before);
    await act(home, 'restore', { name: report.replaced });
    expect(readRows(home.database)).toEqual(changed);
    await act(home, 'check');
  });

  it('a restore is served at once with another epoch, never twice the same revision', async () => {
    const { home, userId, key } = await makeClub();
    const service = await serveForTest(home);
    const ask = async () => {
      const answer = await fetchWithKey(service, '/v1/events?q=changed', key);
      const { events: found } = (await answer.json()) as { events: unknown[] };
      return { found: found.length, revision: answer.headers.get('Events-Revision') };
    };
    const { name } = await act(home, 'backup');
    const revisions = [await ask()];
    await addEvents(home, userId, events(1, 2, 'Changed'));
    revisions.push(await ask());
    const { replaced } = await act(home, 'restore', { name });
    revisions.push(await ask());
    await act(home, 'restore', { name: replaced });
    revisions.push(await ask());
    expect(revisions.map(({ found }) => found)).toEqual([0, 2, 0, 2]);
    expect(new Set(revisions.map(({ revision }) => revision)).size).toBe(4);
  });

  it('continues the sequence of the replaced database', async () => {
    const { home, userId } = await makeClub();
    const state = () =>
      withReader(home, (db) =>
        connection(db).prepare('SELECT * FROM store_state').get(),
      ) as Promise<{
        store: string;
        sequence: number;
        log_base: number;
      }>;
    const { name } = await act(home, 'backup');
    for (let id = 1; id < 5; id += 1)
      await addEvents(home, userId, events(id, id, `Changed ${id}`));
    const live = await state();
    await act(home, 'restore', { name });
    const restored = await state();
    expect(restored.store).toBe(live.store);
    expect(restored.sequence).toBe(live.sequence + 1);
    expect(restored.log_base).toBeLessThanOrEqual(live.sequence);
  });

  it('keeps revoked keys revoked', async () => {
    const { home, key } = await makeClub();
    const service = await serveForTest(home);
    const { name } = await act(home, 'backup');
    const { keys } = await act(home, 'key list');
    await act(home, 'key revoke', { id: keys[0]?.id });
    await act(home, 'restore', { name });
    expect((await fetchWithKey(service, '/v1/events', key)).status).toBe(401);
  });

  it('takes a file of an older schema', async () => {
    const { home } = await makeClub();
    const file = join(makeTestFolder(), 'old.sqlite');
    makeOlderDatabase(file, 4);
    expect(await act(home, 'restore', { file })).toMatchObject({ counts: { users: 1, events: 0 } });
    expect((await act(home, 'user list')).users.map(({ name }) => name)).toEqual(['Old']);
    expect(readVersion(file)).toBe(4);
  });

  it('replaces what another restore put in the place of a damaged database', async () => {
    const { home } = await makeClub(500);
    const before = readRows(home.database);
    const { name } = await act(home, 'backup');
    damagePages(home.database);
    expect((await act(home, 'restore', { name })).damaged).not.toBe(null);
    // No change in between.
    const { replaced, damaged } = await act(home, 'restore', { name });
    expect(replaced).toMatch(/-restore\.sqlite$/);
    expect(damaged).toBe(null);
    expect(readRows(home.database)).toEqual(before);
  });

  it.each(['damaged', 'emptied', 'missing', 'no database'] as const)(
    'replaces a %s database and keeps the file',
    async (state) => {
      const { home } = await makeClub(500);
      const before = readRows(home.database);
      const { name } = await act(home, 'backup');
      if (state === 'damaged') damagePages(home.database);
      if (state === 'emptied') writeFileSync(home.database, '');
      if (state === 'missing') rmSync(home.database);
      if (state === 'no database') writeFileSync(home.database, 'text '.repeat(5_000));
      const size = statSync(home.database, { throwIfNoEntry: false })?.size;
      const { damaged, replaced } = await act(home, 'restore', { name });
      expect(replaced).toBe(null);
      expect(readRows(home.database)).toEqual(before);
      if (state === 'missing') expect(damaged).toBe(null);
      else {
        expect(damaged).toBe('events.damaged-2026-11-22T091500Z.sqlite');
        expect(statSync(join(home.directory, damaged ?? '')).size).toBe(size);
      }
      await act(home, 'check');
    },
  );

  it('keeps the log of an emptied database, which SQLite would delete', async () => {
    const { home } = await makeClub();
    const { name } = await act(home, 'backup');
    writeFileSync(home.database, '');
    writeFileSync(`${home.database}-wal`, 'the last copy of changes');
    const { damaged } = await act(home, 'restore', { name });
    expect(existsSync(join(home.directory, `${damaged}-wal`))).toBe(true);
    await act(home, 'check');
  });

  it('changes nothing if the file is no backup, or not whole', async () => {
    const { home } = await makeClub();
    const folder = makeTestFolder();
    const before = readRows(home.database);
    const refuse = async (file: string, code: string) => {
      await expect(act(home, 'restore', { file })).rejects.toMatchObject({ code });
      expect(readRows(home.database)).toEqual(before);
    };
    await refuse(join(folder, 'missing.sqlite'), 'file_missing');
    await refuse(home.database, 'file_is_database');
    for (const [name, content] of [
      ['empty.sqlite', ''],
      ['text.sqlite', 'name,date'],
    ] as const) {
      writeFileSync(join(folder, name), content);
      await refuse(join(folder, name), 'backup_foreign');
    }
    const { output } = await act(home, 'backup');
    const altered = join(folder, 'altered.sqlite');
    copyFileSync(output, altered);
    copyFileSync(`${output}.json`, `${altered}.json`);
    withFileOpen(altered, (write) => write(Buffer.from('!'), statSync(altered).size - 20));
    await refuse(altered, 'backup_altered');
    const halved = join(folder, 'halved.sqlite');
    copyFileSync(output, halved);
    writeFileSync(`${halved}-wal`, 'a log');
    await refuse(halved, 'backup_not_whole');
    await expect(act(home, 'restore', { name: '../events.sqlite' })).rejects.toMatchObject({
      code: 'backup_unknown',
    });
    expect(readdirSync(home.backups).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('changes nothing if the present database cannot be backed up first', async () => {
    const { home } = await makeClub();
    const output = join(makeTestFolder(), 'stick.sqlite');
    await act(home, 'backup', { output });
    writeFileSync(home.backups, 'a file in the way');
    const before = readRows(home.database);
    await expect(act(home, 'restore', { file: output })).rejects.toMatchObject({
      code: 'file_below_file',
    });
    expect(readRows(home.database)).toEqual(before);
  });
});

describe('rotation', () => {
  const day = 24 * 60 * 60 * 1_000;
  const start = new Date('2026-01-01T12:00:00.000Z').getTime();
  const backupOn = (number: number, reason: Backup['reason'] = 'daily') =>
    ({
      name: `${number}`,
      createdAt: new Date(start + number * day).toISOString(),
      reason,
      ...{ bytes: 1_000, storedBytes: 1_000 },
    }) as Backup;

  it('keeps 7 days, 4 weeks and 12 months', () => {
    let backups: Backup[] = [];
    for (let number = 0; number < 800; number += 1) {
      backups = [backupOn(number), ...backups];
      const expired = new Set(chooseExpired(backups, new Date(start + number * day)));
      backups = backups.filter((backup) => !expired.has(backup));
      expect(backups[0]?.name).toBe(`${number}`);
    }
    const ages = backups.map(({ name }) => 799 - Number(name));
    expect(ages.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(ages.length).toBeGreaterThanOrEqual(18);
    expect(ages.length).toBeLessThanOrEqual(23);
    expect(ages.at(-1)).toBeGreaterThan(300);
    expect(ages.at(-1)).toBeLessThan(370);
  });

  it('keeps those before a restore for a week', () => {
    const now = new Date(start + 10 * day);
    const [newest, young, old] = [backupOn(10), backupOn(9.9, 'restore'), backupOn(2, 'restore')];
    const sameDay = backupOn(2.2);
    const expired = chooseExpired([newest, young, sameDay, old], now);
    expect(expired).toEqual([old]);
  });

  it("keeps a person's own beside any number of automatic ones", () => {
    const now = new Date(start + 40 * day);
    const own = [backupOn(30.5, 'hand'), backupOn(1.5, 'hand')];
    const before = Array.from({ length: 30 }, (_, number) =>
      backupOn(40 - number / 100, 'restore'),
    );
    const expired = chooseExpired([...before, ...own], now);
    expect(expired).toHaveLength(before.length - 20);
    expect(expired.filter(({ reason }) => reason === 'hand')).toEqual([]);
  });

  it('deletes the oldest automatic ones when they take too much space, whatever the own ones take', () => {
    const large = (backup: Backup) => ({ ...backup, bytes: 200_000_000, storedBytes: 200_000_000 });
    const own = [0, 1, 2, 3, 4, 5].map((at) => large(backupOn(at, 'hand')));
    const backups = [
      ...[30, 29, 28, 27, 26, 25, 24, 16, 9, 2].map((at) => backupOn(at)).map(large),
      ...own,
    ];
    const at = new Date(start + 30 * day);
    // Nine are kept for their days, weeks and months: less than ten times the newest.
    expect(chooseExpired(backups, at).map(({ name }) => name)).toEqual(['2']);
    const small = backupOn(31);
    const more = chooseExpired([small, ...backups], new Date(start + 31 * day));
    expect(more.map(({ name }) => name)).toEqual(['26', '25', '24', '16', '9', '2']);
    const rest = [small, ...backups].filter((backup) => !more.includes(backup));
    expect(rest).toEqual(expect.arrayContaining([small, ...own]));
  });

  it.each([1, 40, 75, 120, 500])(
    'keeps all promised ones of a home with %i MB, as older ones are compressed',
    (megabytes) => {
      const bytes = megabytes * 1_000_000;
      let backups: Backup[] = [];
      for (let number = 0; number < 380; number += 1) {
        const made = ['daily' as const, ...(number % 30 === 0 ? (['hand'] as const) : [])];
        backups = [
          ...made.map((reason) => ({ ...backupOn(number, reason), bytes, storedBytes: bytes })),
          // Measured: gzip makes a ninth of a club's history.
          ...backups.map((backup) => ({ ...backup, storedBytes: bytes / 8 })),
        ];
        const expired = new Set(chooseExpired(backups, new Date(start + number * day)));
        backups = backups.filter((backup) => !expired.has(backup));
      }
      const ages = backups
        .filter(({ reason }) => reason === 'daily')
        .map(({ name }) => 379 - Number(name));
      expect(ages.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
      expect(ages.length).toBeGreaterThanOrEqual(18);
      expect(ages.at(-1)).toBeGreaterThan(300);
      expect(backups.filter(({ reason }) => reason === 'hand')).toHaveLength(10);
    },
  );

  it('deletes expired ones from the disk, each with its record', async () => {
    const { home } = await makeClub(1);
    const made = [0, 1, 2, 3].map((hour) =>
      createBackup(home, 'daily', new Date(start + hour * 60 * 60 * 1_000)),
    );
    const newest = made.at(-1)?.name ?? '';
    expect(readdirSync(home.backups).toSorted()).toEqual([newest, `${newest}.json`]);
  });

  it('keeps the daily one beside a later one of the same day', () => {
    const now = new Date(start + 2 * day);
    const [later, daily] = [backupOn(1.4, 'restore'), backupOn(1.2)];
    expect(chooseExpired([later, daily], now)).toEqual([]);
  });

  it('keeps the one just made when the clock was set back', async () => {
    const { home } = await makeClub(1);
    createBackup(home, 'daily', new Date('2030-01-01T12:00:00.000Z'));
    const { name } = createBackup(home, 'daily', new Date('2030-01-01T11:00:00.000Z'));
    expect(listBackups(home).map((backup) => backup.name)).toContain(name);
  });

  it('keeps the only one, however old', () => {
    expect(chooseExpired([backupOn(0)], new Date(start + 5_000 * day))).toEqual([]);
  });
});

describe('a proof', () => {
  it('restores the newest backup beside it, once a week, and leaves nothing', async () => {
    const { home } = await makeClub(450);
    const { name } = await act(home, 'backup');
    expect(await act(home, 'backup prove')).toEqual({ name, events: 450 });
    expect(listBackups(home)[0]?.provenAt).toBe('2026-11-22T09:15:00.000Z');
    expect(await verifyBackups(home)).toEqual([{ name, flaw: undefined }]);
    expect(readdirSync(home.backups).toSorted()).toEqual([name, `${name}.json`]);
    expect((await act(home, 'backup prove')).name).toBe(null);
    const at = '2026-11-30T09:15:00.000Z';
    expect((await act(home, 'backup prove', {}, { at })).name).toBe(name);
  });

  it('takes a backup of an older schema', async () => {
    const home = makeTestHome();
    mkdirSync(home.directory, { mode: 0o700 });
    makeOlderDatabase(home.database, migrations.length - 1);
    closeStore(openHomeReader(home));
    expect((await act(home, 'backup prove')).name).toMatch(/-migration\.sqlite$/);
  });

  it('takes a record of an earlier version, which has neither a digest nor a number', async () => {
    const { home } = await makeClub();
    const { name, output } = await act(home, 'backup');
    const { digest: _, number: _number, ...record } = readRecord(output) ?? expect.unreachable();
    writeFileSync(recordPath(output), JSON.stringify(record));
    expect(await act(home, 'backup prove')).toEqual({ name, events: 3 });
    expect((await act(home, 'restore', { name })).restored).toBe(name);
  });

  it('takes a record of an earlier version, which has a digest for each user', async () => {
    const { home, userId } = await makeClub();
    const { name, output } = await act(home, 'backup');
    const { digest: _, ...record } = readRecord(output) ?? expect.unreachable();
    const own = await withReader(home, (db) => digestOf(eachEvent(db, userId)));
    const write = (digests: Readonly<Record<string, string>>) =>
      writeFileSync(recordPath(output), JSON.stringify({ ...record, digests }));
    write({ [userId]: own });
    expect((await act(home, 'backup prove')).name).toBe(name);
    write({ [userId]: own.replace(/^./, (first) => (first === '0' ? '1' : '0')) });
    expect((await findFlaw(home, name ?? ''))?.code).toBe('backup_record_flawed');
  });

  it('leaves its copy in the folder of the backups when it is killed, and the next removes it', {
    tags: 'long',
  }, async () => {
    const { home } = await makeClub(2_000);
    const { name } = await act(home, 'backup');
    const before = new Set(readdirSync(tmpdir()));
    const catalogueUrl = new URL('../../../server/actions/catalogue.ts', import.meta.url);
    const homeUrl = new URL('../../../server/base/home.ts', import.meta.url);
    const script = `
      const { catalogue } = await import(${JSON.stringify(catalogueUrl.href)});
      const { homeAt } = await import(${JSON.stringify(homeUrl.href)});
      const home = homeAt(${JSON.stringify(home.directory)});
      const now = () => {
        // The second reading of the clock comes when the copy is in place.
        if (readings++ === 1) process.kill(process.pid, 'SIGKILL');
        return new Date();
      };
      let readings = 0;
      await catalogue['backup prove'].perform({}, { home, now });
    `;
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
    expect(signal).toBe('SIGKILL');
    const left = readdirSync(home.backups).filter((file) => file.startsWith('.'));
    expect(left).toHaveLength(1);
    expect(readdirSync(tmpdir()).filter((file) => !before.has(file) && /proof/.test(file))).toEqual(
      [],
    );
    await act(home, 'backup prove');
    expect(readdirSync(home.backups).toSorted()).toEqual([name, `${name}.json`]);
  });

  it('a proof names the disk of the backups if that is full, and leaves nothing', async (context) => {
    const small = mountSmall(context, 2_000);
    const home = homeAt(join(small.folder, 'home'));
    await addMember(home, 'Large', events(1, 2_000));
    rmSync(home.backups, { recursive: true, force: true });
    const { name } = await act(home, 'backup');
    const free = statfsSync(small.folder);
    const filler = Buffer.alloc(free.bavail * free.bsize - 100 * 1_024);
    writeFileSync(join(small.folder, 'filler'), filler);
    const proving = act(home, 'backup prove');
    await expect(proving).rejects.toMatchObject({
      code: 'disk_full',
      values: { path: expect.stringContaining(home.backups) },
    });
    expect(readdirSync(home.backups).toSorted()).toEqual([name, `${name}.json`]);
  });

  it('a proof goes on every week after a day on which the clock was in 2099', {
    tags: 'long',
  }, async () => {
    const { home, userId } = await makeClub();
    const future = '2099-06-01T09:00:00.000Z';
    const { name } = await act(home, 'backup', {}, { at: future });
    expect((await act(home, 'backup prove', {}, { at: future })).name).toBe(name);
    const start = Date.parse('2026-11-22T09:00:00.000Z');
    const proven: number[] = [];
    for (let day = 0; day <= 40; day += 1) {
      const at = new Date(start + day * 24 * 60 * 60 * 1_000).toISOString();
      await act(home, 'backup daily', {}, { at });
      await addEvents(home, userId, events(1, 1, `Day ${day}`));
      if ((await act(home, 'backup prove', {}, { at })).name !== null) proven.push(day);
      const [newest] = listBackups(home);
      // Nothing had changed since the backup of 2099.
      expect(newest?.createdAt).toBe(day === 0 ? future : at);
    }
    expect(proven).toEqual([0, 7, 14, 21, 28, 35]);
    const { findings } = await examine({}, home, {
      env: {},
      platform: process.platform,
      now: new Date(start + 40 * 24 * 60 * 60 * 1_000),
    });
    expect(findings.filter(({ probe }) => probe === 'backups')).toMatchObject([
      { code: 'backup_recent', values: { date: '2027-01-01T09:00:00.000Z' } },
      { code: 'backup_proven', values: { date: '2026-12-27T09:00:00.000Z', count: 3 } },
      { code: 'backup_not_elsewhere' },
    ]);
  });
});

/** Changes a backup, and its record so that the size and the SHA-256 fit. */
function forge(home: Home, name: string, change: (path: string) => void): void {
  const path = backupPath(home, name);
  change(path);
  const bytes = readFileSync(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const record = { ...readRecord(path), sha256, bytes: bytes.length };
  writeFileSync(recordPath(path), JSON.stringify(record));
}

const edit = (sql: string) => (path: string) => {
  const sqlite = new Database(path);
  sqlite.exec(sql);
  sqlite.close();
};

describe('a backup that is not the one in its record', () => {
  it.each<readonly [string, (path: string) => void]>([
    ['a file of zeros', (path) => writeFileSync(path, Buffer.alloc(40_960))],
    ['an empty file', (path) => writeFileSync(path, '')],
    ['half of the events', edit('DELETE FROM events WHERE id % 2 = 0')],
    ['another text', edit("UPDATE events SET name = 'Other' WHERE id = 7")],
    ['an event of another user', edit('UPDATE events SET user_id = 2 WHERE id = 7')],
    ['a database of another club', (path) => copyFileSync(otherDatabase, path)],
  ])(
    'a backup that is not the one in its record is refused by restore, proof, check and doctor: %s',
    async (_, change) => {
      const { home } = await makeClub(20);
      await addMember(home, 'Rowing');
      await act(home, 'backup', {}, { at: '2026-11-22T08:00:00.000Z' });
      const { name } = await act(home, 'backup');
      forge(home, name ?? '', change);
      const before = readRows(home.database);
      const code = expect.stringMatching(/^backup_(damaged|foreign|record_flawed)$/);
      await expect(act(home, 'restore', { name })).rejects.toMatchObject({ code });
      await expect(act(home, 'backup prove')).rejects.toMatchObject({ code });
      expect(listBackups(home).map(({ provenAt }) => provenAt)).toEqual([undefined, undefined]);
      const { areas } = await act(home, 'check');
      expect(areas.find(({ area }) => area === 'backups')?.problems).toHaveLength(1);
      const { findings } = await act(home, 'doctor');
      expect(findings).toContainEqual(
        expect.objectContaining({ level: 'problem', code: 'backup_bad' }),
      );
      expect(readRows(home.database)).toEqual(before);
      // The notice of damage names the one before.
      damagePages(home.database);
      await expect(act(home, 'find damage')).rejects.toMatchObject({
        code: 'damage_stops_backup',
        values: { backup: Date.parse('2026-11-22T08:00:00.000Z') },
      });
    },
  );

  let otherDatabase = '';
  beforeAll(async () => {
    const folder = makeFolder();
    const other = homeAt(join(folder, 'home'));
    await addMember(other, 'Golf', events(1, 20, 'Round'));
    await addMember(other, 'Rowing');
    otherDatabase = other.database;
    return () => removeFolder(folder);
  });
});

describe('the schedule', () => {
  it('makes the daily backup and proves it beside a service', async () => {
    const { home } = await makeClub();
    const warnings: Problem[] = [];
    const schedule = createMaintenance({
      home,
      onDamage: () => expect.unreachable(),
      warn: (problem) => void warnings.push(problem),
      firstAfter: 0,
    });
    schedule.run();
    try {
      await expect.poll(() => listBackups(home)[0]?.provenAt).toBeDefined();
    } finally {
      await schedule.stop();
    }
    expect(warnings).toEqual([]);
    expect(listBackups(home).map(({ reason }) => reason)).toEqual(['daily']);
  });

  it('looks more often until the first events have a backup', async () => {
    const home = makeTestHome();
    await addMember(home, 'Empty');
    const schedule = createMaintenance({
      home,
      onDamage: () => expect.unreachable(),
      warn: (problem) => expect.unreachable(problem.message),
      firstAfter: 0,
      untilFirst: 50,
    });
    schedule.run();
    try {
      await delay(200);
      expect(listBackups(home)).toEqual([]);
      await addMember(home, 'Golf', events(1, 20, 'Round'));
      await expect.poll(() => listBackups(home).map(({ reason }) => reason)).toEqual(['daily']);
    } finally {
      await schedule.stop();
    }
  });

  it('begins no more work after a stop, and ends what runs at its next step', async () => {
    const { home } = await makeClub();
    rmSync(home.checkedFile, { force: true });
    // Holds up the work, which waits for five seconds.
    const holder = new Database(home.database);
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE');
    const schedule = createMaintenance({
      home,
      onDamage: () => expect.unreachable(),
      warn: (problem) => expect.unreachable(problem.message),
      checkAfter: 0,
      firstAfter: 0,
    });
    schedule.run();
    await delay(300);
    const stopped = schedule.stop();
    holder.close();
    await stopped;
    expect(existsSync(home.checkedFile)).toBe(false);
    expect(listBackups(home)).toEqual([]);
  });

  it.each(['find damage', 'backup daily', 'backup prove'] as const)(
    'can cancel "%s" at each step, which leaves no file behind',
    async (name) => {
      const { home } = await makeClub();
      if (name === 'backup prove') await act(home, 'backup');
      rmSync(home.checkedFile, { force: true });
      mkdirSync(home.backups, { recursive: true });
      const before = filesIn(home);
      const cancelAfter = (steps: number) => {
        let left = steps;
        const onStep = () => {
          left -= 1;
          if (left < 0) throw problem('cancelled');
        };
        return act(home, name, {}, { onStep }).catch((error) => error);
      };
      let steps = 0;
      for (;;) {
        const result = await cancelAfter(steps);
        if (!(result instanceof Error)) break;
        expect(result).toMatchObject({ code: 'cancelled' });
        expect(filesIn(home)).toEqual(before);
        steps += 1;
      }
      // One for each statement that reads all pages or events.
      expect(steps).toBeGreaterThan(3);
    },
  );

  it('warns once of the same failure', async () => {
    const { home } = await makeClub();
    writeFileSync(home.backups, 'a file in the way');
    const warnings: Problem[] = [];
    const warn = (problem: Problem) => void warnings.push(problem);
    const onDamage = () => expect.unreachable();
    const schedule = createMaintenance({ home, onDamage, warn, firstAfter: 0, every: 20 });
    schedule.run();
    await expect.poll(() => warnings.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await schedule.stop();
    expect(warnings.map(({ code }) => code)).toEqual(['backup_failed']);
  });
});

describe('verifyBackups', () => {
  it('names each bad backup with the reason', async () => {
    const { home } = await makeClub();
    for (const hour of ['10', '11', '12']) {
      await act(home, 'backup', {}, { at: `2026-11-22T${hour}:00:00.000Z` });
    }
    const [, second, third] = names(home).map((name) => join(home.backups, name));
    withFileOpen(second ?? '', (write) => write(Buffer.from('!'), 5_000));
    rmSync(`${third}.json`);
    expect((await verifyBackups(home)).map(({ name, flaw }) => [name, flaw?.code])).toEqual([
      ['2026-11-22T120000Z-hand.sqlite', undefined],
      [basename(second ?? ''), 'backup_altered'],
      [basename(third ?? ''), 'backup_unverified'],
    ]);
  });
});
