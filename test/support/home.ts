import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Database } from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { connect } from '../../db/connection.ts';
import { beginEventImport } from '../../db/event-import.ts';
import { digestOfKey, insertKey, prepareKeyReads, revokeKey } from '../../db/keys.ts';
import { migrate } from '../../db/migrate.ts';
import type { EventDraft } from '../../db/model.ts';
import { closeStore, connection, openWriter, type Writer } from '../../db/open.ts';
import { insertUser } from '../../db/users.ts';
import { type Home, homeAt, prepareHome } from '../../server/base/home.ts';
import { withWriter } from '../../server/store/store.ts';

/** Creates an empty folder. */
export function makeFolder(): string {
  // In memory under `npm test`: see `vitest.config.ts`.
  return mkdtempSync(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'club-events-test-'));
}

export function removeFolder(path: string): void {
  // Windows keeps files of a process for a moment after its end.
  rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Creates a folder that is removed after the running test. */
export function makeTestFolder(): string {
  const folder = makeFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Returns a data directory for the running test. */
export function makeTestHome(): Home {
  return homeAt(join(makeTestFolder(), 'home'));
}

let migrated: Buffer | undefined;

function migrateInMemory(): Buffer {
  const db = openWriter(':memory:');
  migrate(db);
  const bytes = connection(db).serialize();
  closeStore(db);
  return bytes;
}

/** Opens a database of the latest version in memory: a copy, as the migrations take far longer. */
export function openMemory(): Writer {
  migrated ??= migrateInMemory();
  const sqlite = connect(migrated);
  sqlite.pragma('foreign_keys = ON');
  return sqlite as unknown as Writer;
}

/** Puts an empty database of the latest version where there is none: a copy, for the same reason. */
export function prepareDatabase(home: Home): Home {
  if (existsSync(home.database)) return home;
  prepareHome(home);
  migrated ??= migrateInMemory();
  writeFileSync(home.database, migrated, { mode: 0o600 });
  return home;
}

/** Imports events, and returns the number of the import; 0 when it changed nothing. */
export function importAll(db: Writer, userId: number, events: Iterable<EventDraft>): number {
  const batch = beginEventImport(db, { userId, now: createdAt, source: 'test' });
  for (const event of events) batch.apply(event);
  return batch.commit() ?? 0;
}

export const createdAt = '2026-01-01T00:00:00.000Z';

export function makeEvent(id: number, more: Partial<EventDraft> = {}): EventDraft {
  return {
    id,
    name: `Event ${id}`,
    date: '2026-05-01T18:00:00.000Z',
    location: 'Clubhouse',
    description: null,
    status: 'active',
    eventType: 'club',
    createdAt,
    ...more,
  };
}

export type Member = { readonly name: string; readonly userId: number; readonly key: string };

/** Adds a user with events and one key; the name must be valid in a header. */
export function addMember(
  home: Home,
  name: string,
  events: readonly EventDraft[] = [],
  { zone = 'Europe/Berlin', ...more }: { readonly expiresAt?: string; readonly zone?: string } = {},
): Promise<Member> {
  prepareDatabase(home);
  return withWriter(home, (db) => {
    const userId = insertUser(db, name, createdAt, zone);
    if (userId === undefined) throw new Error(`The user ${name} is there already.`);
    importAll(db, userId, events);
    const key = `key-of-${name}`;
    const expiresAt = more.expiresAt ?? null;
    insertKey(db, { userId, digest: digestOfKey(key), label: null, createdAt, expiresAt });
    return { name, userId, key };
  });
}

/** Adds events of a user, as another process would. */
export function addEvents(
  home: Home,
  userId: number,
  events: readonly EventDraft[],
): Promise<void> {
  return withWriter(home, (db) => {
    importAll(db, userId, events);
  });
}

/** Revokes every key of a user, as another process would. */
export function revokeKeysOf(home: Home, name: string): Promise<void> {
  return withWriter(home, (db) => {
    const keys = prepareKeyReads(db).all();
    for (const { id, user } of keys) if (user === name) revokeKey(db, id, createdAt);
  });
}

/** Opens a read transaction, as a long export does; it keeps the log from being emptied. */
export function holdLog(path: string): Database {
  const sqlite = connect(path, { readonly: true });
  sqlite.exec('BEGIN; SELECT 1 FROM users;');
  return sqlite;
}
