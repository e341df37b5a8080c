import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import {
  applicationId,
  closeStore,
  connection,
  latestVersion,
  migrations,
  openReader,
  openWriter,
  StoreError,
} from '../../db/open.ts';
import { insertUser, prepareUserReads } from '../../db/users.ts';
import { findDamage } from '../support/damage.ts';
import { addMember, createdAt, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';

function makeDatabase(): string {
  const path = join(makeTestFolder(), 'events.sqlite');
  const db = openWriter(path);
  migrate(db);
  closeStore(db);
  return path;
}

/** Reads the kind of a database and the number of its tables. */
function inspect(path: string): { application: unknown; version: unknown; tables: number } {
  const sqlite = new Database(path, { readonly: true });
  const application = sqlite.pragma('application_id', { simple: true });
  const version = sqlite.pragma('user_version', { simple: true });
  const tables = sqlite.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table'").pluck();
  const found = { application, version, tables: tables.get() as number };
  sqlite.close();
  return found;
}

function problemOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    if (error instanceof StoreError) return error.problem;
    throw error;
  }
  return 'none';
}

describe('a writer', () => {
  it('opens a writer with WAL and synchronous FULL, also when reopened', () => {
    const path = makeDatabase();
    for (const opening of ['first', 'second']) {
      const db = openWriter(path);
      const sqlite = connection(db);
      expect(sqlite.pragma('journal_mode', { simple: true }), opening).toBe('wal');
      expect(sqlite.pragma('synchronous', { simple: true }), opening).toBe(2);
      expect(sqlite.pragma('foreign_keys', { simple: true }), opening).toBe(1);
      expect(sqlite.pragma('busy_timeout', { simple: true }), opening).toBe(5_000);
      closeStore(db);
    }
  });

  it('a writer waits for another writer and reports it every second', () => {
    const path = makeDatabase();
    const holder = openWriter(path);
    connection(holder).exec('BEGIN IMMEDIATE');
    let waits = 0;
    const onWait = () => {
      waits += 1;
      if (waits === 2) connection(holder).exec('ROLLBACK');
    };
    const waiting = openWriter(path, { onWait });
    expect(insertUser(waiting, 'Chess', createdAt)).toBe(1);
    expect(waits).toBe(2);
    closeStore(waiting);
    closeStore(holder);
  });

  it('stops waiting for another writer when the callback throws', () => {
    const path = makeDatabase();
    const holder = openWriter(path);
    connection(holder).exec('BEGIN IMMEDIATE');
    const onWait = () => {
      throw new Error('cancelled');
    };
    const waiting = openWriter(path, { onWait });
    expect(() => insertUser(waiting, 'Chess', createdAt)).toThrow('cancelled');
    closeStore(waiting);
    connection(holder).exec('ROLLBACK');
    closeStore(holder);
  });
});

describe('a reader', () => {
  it('refuses every write through a reader', () => {
    const path = makeDatabase();
    const db = openReader(path);
    const sqlite = connection(db);
    for (const sql of [
      "INSERT INTO users (name, created_at) VALUES ('x', 'x')",
      'DELETE FROM events',
      'CREATE TABLE x (y)',
      'DROP TABLE events',
      'PRAGMA user_version = 99',
    ]) {
      expect(() => sqlite.exec(sql), sql).toThrow(/readonly/);
    }
    closeStore(db);
  });

  it('a reader does not compile a write through a reader', () => {
    const path = makeDatabase();
    const db = openReader(path);
    // @ts-expect-error A Reader is no Writer.
    expect(() => insertUser(db, 'Chess', createdAt)).toThrow(/readonly/);
    closeStore(db);
  });

  it('a reader does not create a database for a reader', () => {
    const path = join(makeTestFolder(), 'events.sqlite');
    expect(problemOf(() => openReader(path))).toBe('missing');
    expect(existsSync(path)).toBe(false);
  });
});

describe('migration', () => {
  it('migrates an empty file to the latest version, once', () => {
    const path = makeDatabase();
    expect(inspect(path)).toMatchObject({ application: applicationId, version: latestVersion });
    const before = statSync(path).mtimeMs;
    const db = openWriter(path);
    migrate(db);
    closeStore(db);
    expect(statSync(path).mtimeMs).toBe(before);
  });

  it('gives each club of an earlier database its own random UID base', () => {
    const path = join(makeTestFolder(), 'events.sqlite');
    const sqlite = new Database(path);
    for (const migration of migrations.slice(0, 5)) sqlite.exec(migration);
    sqlite.pragma(`application_id = ${applicationId}`);
    sqlite.pragma('user_version = 5');
    sqlite.exec("INSERT INTO users (name, created_at) VALUES ('Chess', ''), ('Rowing', '')");
    sqlite.close();
    const db = openWriter(path);
    migrate(db);
    connection(db).exec("INSERT INTO users (name, created_at) VALUES ('Swimming', '')");
    const { uidBase } = prepareUserReads(db);
    const bases = [1, 2, 3].map((id) => uidBase(id));
    closeStore(db);
    for (const base of bases) expect(base).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(bases).size).toBe(3);
  });

  it('rolls back a failed migration', () => {
    const path = join(makeTestFolder(), 'events.sqlite');
    const db = openWriter(path);
    // The migration makes this table as its last one, after users and keys.
    connection(db).exec('CREATE TABLE events (x)');
    connection(db).pragma(`application_id = ${applicationId}`);
    expect(problemOf(() => migrate(db))).toBe('failed');
    closeStore(db);
    expect(inspect(path)).toEqual({ application: applicationId, version: 0, tables: 1 });
  });

  it('refuses to read an older database before its migration', () => {
    const path = join(makeTestFolder(), 'events.sqlite');
    closeStore(openWriter(path));
    expect(problemOf(() => openReader(path))).toBe('older');
  });
});

describe('a database that cannot be used', () => {
  function expectUntouched(path: string, problem: string): void {
    const folder = join(path, '..');
    const before = [statSync(path).size, statSync(path).mtimeMs, readdirSync(folder)];
    expect(problemOf(() => openWriter(path))).toBe(problem);
    expect(problemOf(() => openReader(path))).toBe(problem);
    expect([statSync(path).size, statSync(path).mtimeMs, readdirSync(folder)]).toEqual(before);
  }

  it('refuses a newer database and leaves it unchanged', () => {
    const path = join(makeTestFolder(), 'events.sqlite');
    const sqlite = new Database(path);
    sqlite.exec('CREATE TABLE users (x)');
    sqlite.pragma(`application_id = ${applicationId}`);
    sqlite.pragma(`user_version = ${latestVersion + 1}`);
    sqlite.close();
    expectUntouched(path, 'newer');
  });

  it('refuses another program’s database and leaves it unchanged', () => {
    const path = join(makeTestFolder(), 'events.sqlite');
    const sqlite = new Database(path);
    sqlite.exec('CREATE TABLE users (x)');
    sqlite.close();
    expectUntouched(path, 'foreign');
  });

  it('refuses a file that is not a database and leaves it unchanged', () => {
    const path = join(makeTestFolder(), 'events.sqlite');
    writeFileSync(path, 'This is a text, and longer than the header of a database.'.repeat(20));
    expectUntouched(path, 'foreign');
  });
});

describe('findDamage', () => {
  it('finds no damage in a healthy database', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]);
    const db = openReader(home.database);
    expect(findDamage(db)).toEqual([]);
    closeStore(db);
  });

  it('finds a missing index row, an orphan and a changed schema', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]);
    const sqlite = new Database(home.database);
    sqlite.pragma('foreign_keys = OFF');
    sqlite.exec('DROP INDEX events_by_creation; CREATE TABLE extra (x); DELETE FROM users;');
    sqlite.unsafeMode().exec('PRAGMA writable_schema = ON');
    sqlite.exec("DELETE FROM sqlite_schema WHERE name = 'keys_by_user'");
    sqlite.close();
    const db = openReader(home.database);
    const damage = findDamage(db).join('\n');
    expect(damage).toMatch(/"events_by_creation" is missing/);
    expect(damage).toMatch(/"keys_by_user" is missing/);
    expect(damage).toMatch(/"extra" does not belong/);
    expect(damage).toMatch(/a row of "events" has no row in "users"/);
    closeStore(db);
  });
});
