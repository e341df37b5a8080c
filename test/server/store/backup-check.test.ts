import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ActionName, ActionResult } from '../../../server/actions/catalogue.ts';
import { catalogue } from '../../../server/actions/catalogue.ts';
import { type Home, homeAt } from '../../../server/base/home.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { findFlaw } from '../../../server/store/backup-check.ts';
import { createBackup } from '../../../server/store/backup-files.ts';
import {
  backupPath,
  listBackups,
  readRecord,
  recordPath,
} from '../../../server/store/backup-records.ts';
import { callCommand } from '../../support/command.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { readRows } from '../../support/rows.ts';

async function act<Name extends ActionName>(
  home: Home,
  name: Name,
  args: object = {},
): Promise<ActionResult<Name>> {
  const tools = { ...thisMachine, home, write: async () => undefined, onProgress: () => undefined };
  return (await catalogue[name].perform(args, tools)) as ActionResult<Name>;
}

const run = (home: Home, ...command: string[]) =>
  callCommand(['--home', home.directory, ...command]);

/** Backups that released programs of these schemas made, with their records. */
const schemas = [12, 15, 19, 22] as const;

/** Writes the backup of a program with a schema, with its record, and returns its path. */
function writeOldBackup(schema: number, folder: string): string {
  const kept = join(import.meta.dirname, 'backups', `schema-${schema}.sqlite`);
  const path = join(folder, `old-${schema}.sqlite`);
  writeFileSync(path, gunzipSync(readFileSync(`${kept}.gz`)));
  copyFileSync(`${kept}.json`, recordPath(path));
  return path;
}

/** Makes a home with a newer database and the backup of an older program. */
async function makeUpdatedHome(schema: number) {
  const home = makeTestHome();
  await addMember(home, 'Golf', [makeEvent(1)]);
  mkdirSync(home.backups, { recursive: true, mode: 0o700 });
  const path = writeOldBackup(schema, home.backups);
  return { home, path, name: `old-${schema}.sqlite` };
}

/** Changes a backup, and its record so that the size and the SHA-256 fit. */
function forge(path: string, sql: string): void {
  const sqlite = new Database(path);
  sqlite.exec(sql);
  sqlite.close();
  const bytes = readFileSync(path);
  const record = { ...readRecord(path), sha256: hash('sha256', bytes), bytes: bytes.length };
  writeFileSync(recordPath(path), JSON.stringify(record));
}

const names = ['Spring fair', 'Summer', 'Übung'];

async function namesIn(home: Home): Promise<string[]> {
  const { users } = await act(home, 'user list');
  expect(users.map(({ name }) => name)).toEqual(['Chess', 'Rowing']);
  const sqlite = new Database(home.database, { readonly: true });
  const found = sqlite.prepare<[], string>('SELECT name FROM events ORDER BY name').pluck().all();
  sqlite.close();
  return found;
}

describe.each(schemas)('a backup of schema %i', (schema) => {
  it('is in order for check and doctor, which leave it as it is', async () => {
    const { home, path, name } = await makeUpdatedHome(schema);
    const before = readFileSync(path);
    expect((await act(home, 'check')).isInOrder).toBe(true);
    const { findings } = await act(home, 'doctor');
    expect(findings.filter(({ code }) => code === 'backup_bad')).toEqual([]);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(home.backups).toSorted()).toEqual([name, `${name}.json`]);
  });

  it('is restored from the list, and is proven', async () => {
    const { home, name } = await makeUpdatedHome(schema);
    expect(await act(home, 'backup prove')).toEqual({ name, events: 3 });
    expect((await act(home, 'restore', { name })).counts).toEqual({
      users: 2,
      events: 3,
      batches: 1,
    });
    expect(await namesIn(home)).toEqual(names);
    expect((await act(home, 'check')).isInOrder).toBe(true);
  });

  it('is restored into an empty home from elsewhere', async () => {
    const home = makeTestHome();
    const file = writeOldBackup(schema, makeTestFolder());
    expect(await run(home, 'restore', file)).toMatchObject({ status: 0 });
    expect(await namesIn(home)).toEqual(names);
  });

  it('keeps the proof that no event was changed', async () => {
    const { home, path, name } = await makeUpdatedHome(schema);
    forge(path, "UPDATE events SET location = 'Elsewhere' WHERE id = 1");
    expect((await findFlaw(home, name))?.code).toBe('backup_record_flawed');
    for (const action of ['restore', 'backup prove'] as const) {
      const acting = act(home, action, action === 'restore' ? { name } : {});
      await expect(acting).rejects.toMatchObject({ code: 'backup_record_flawed' });
    }
  });
});

it('records a digest of the events of an older schema before an update', async () => {
  const home = homeAt(join(makeTestFolder(), 'home'));
  mkdirSync(home.directory, { mode: 0o700 });
  const old = writeOldBackup(19, home.directory);
  copyFileSync(old, home.database);
  const { digests = {} } = readRecord(old) ?? {};
  await act(home, 'user list');
  const [migration] = listBackups(home);
  expect(migration).toMatchObject({ reason: 'migration', schema: 19 });
  expect(digests).toMatchObject({ 1: expect.any(String), 2: expect.any(String) });
  expect((await act(home, 'backup prove')).name).toBe(migration?.name);
  forge(backupPath(home, migration?.name ?? ''), "UPDATE events SET name = 'Other' WHERE id = 1");
  // The words of the name are found again by the migration.
  expect((await findFlaw(home, migration?.name ?? ''))?.code).toBe('backup_record_flawed');
});

/** Contents of a record that cannot be read. */
const unreadable: Readonly<Record<string, (record: string) => string>> = {
  'an empty one': () => '',
  'half of one': (record) => record.slice(0, record.length / 2),
  zeros: (record) => '\0'.repeat(record.length),
  null: () => 'null',
  'one without a SHA-256': (record) => record.replace('"sha256"', '"sha1"'),
  'one with a text for the number of events': (record) =>
    record.replace('"events": 3', '"events": "3"'),
};

/** Changes of a record after which it contradicts its file, whose SHA-256 it still has. */
const contradictions: Readonly<Record<string, (record: string) => string>> = {
  'another digest': (record) => record.replace(/"digest": "./, '"digest": "z'),
  'another number of events': (record) => record.replace('"events": 3', '"events": 4'),
  'another schema': (record) => record.replace(/"schema": \d+/, '"schema": 20'),
};

async function makeBackup(change: (record: string) => string) {
  const home = makeTestHome();
  await addMember(
    home,
    'Chess',
    [1, 2, 3].map((id) => makeEvent(id)),
  );
  const { name } = createBackup(home, 'hand', new Date('2026-11-22T09:15:00.000Z'));
  const path = backupPath(home, name);
  const before = readRows(home.database);
  await addMember(home, 'Golf');
  const record = readFileSync(recordPath(path), 'utf8');
  const changed = change(record);
  expect(changed).not.toBe(record);
  writeFileSync(recordPath(path), changed);
  return { home, name, path, before };
}

describe('a good file with a record that cannot be read', () => {
  it.each(Object.entries(unreadable))('is restored by its content: %s', async (_, change) => {
    const { home, name, before } = await makeBackup(change);
    const { status, stderr, stdout } = await run(home, 'check');
    expect(status).toBe(1);
    expect(stdout).toContain(`Backups: ${name} has a record that cannot be read; "restore" checks`);
    expect(stderr).toMatch(/^Not all backups are in order: [^\n]*\n$/);
    expect(await run(home, 'restore', name)).toMatchObject({ status: 0 });
    expect(readRows(home.database)).toEqual(before);
  });
});

describe('a good file with a record that contradicts it', () => {
  it.each(Object.entries(contradictions))(
    'is restored without the record alone: %s',
    async (_, change) => {
      const { home, name, before } = await makeBackup(change);
      expect((await run(home, 'check')).stdout).toContain(
        `${name} is sound, but contradicts its record; a restore without the record takes it`,
      );
      const { findings } = await act(home, 'doctor');
      expect(findings).toContainEqual(
        expect.objectContaining({ level: 'problem', code: 'backup_bad' }),
      );
      const refused = await run(home, 'restore', name);
      expect(refused.status).toBe(1);
      expect(refused.stderr).toMatch(
        /^[^\n]* contradict each other, [^\n]*--without-record[^\n]*\n$/,
      );
      const restored = await run(home, 'restore', name, '--without-record');
      expect(restored).toMatchObject({ status: 0 });
      expect(readRows(home.database)).toEqual(before);
    },
  );

  it('is refused without the record if its content is damaged', async () => {
    const { home, name, path } = await makeBackup((record) => `${record} `);
    forge(path, "UPDATE events SET date = 'soon' || substr(date, 5) WHERE id = 1");
    const refused = await run(home, 'restore', name, '--without-record');
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('is damaged') });
    expect((await run(home, 'check')).stdout).toMatch(
      /-hand\.sqlite is damaged \(rows of "events"/,
    );
  });
});

it('calls a file altered that is not the one in its record, and its content alone is no proof', async () => {
  const { home, name, path } = await makeBackup((record) => `${record} `);
  const record = readFileSync(recordPath(path));
  forge(path, "UPDATE batches SET source = 'other'");
  writeFileSync(recordPath(path), record);
  expect((await findFlaw(home, name))?.code).toBe('backup_altered');
  expect((await run(home, 'restore', name)).stderr).toMatch(
    /is not as it was when .* choose another/,
  );
  rmSync(recordPath(path));
  expect((await findFlaw(home, name))?.code).toBe('backup_unverified');
});
