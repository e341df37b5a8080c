import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { explainSqlite, isBusy, storeError } from './problem.ts';
import { applicationId, latestVersion } from './schema.ts';
import { registerSearchWords } from './search-words.ts';

declare const canRead: unique symbol;
declare const canWrite: unique symbol;

/** A connection that can only read: SQLite itself refuses a write through it. */
export type Reader = { readonly [canRead]: true };

/** A connection that may also write. */
export type Writer = Reader & { readonly [canWrite]: true };

export type OpenOptions = {
  /**
   * Called once a second while another program holds the lock; throws to give up. Without it, a
   * call fails as `busy` after five seconds.
   */
  readonly onWait?: (() => void) | undefined;
};

const busyTimeoutMs = 5_000;
const waitMs = 1_000;

/** The functions to call while a connection waits for the write lock. */
const waiters = new WeakMap<Database.Database, () => void>();

/** Repeats an attempt until no other program holds the lock. */
function whenFree<T>(onWait: (() => void) | undefined, attempt: () => T): T {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (onWait === undefined || !isBusy(error)) throw error;
      onWait();
    }
  }
}

/** The SQLite connection behind a handle; for the files of db/ alone. */
export function connection(db: Reader): Database.Database {
  return db as unknown as Database.Database;
}

export function closeStore(db: Reader): void {
  connection(db).close();
}

/** Begins a transaction that holds the write lock; waits for that of another program. */
export function beginTransaction(db: Writer): void {
  const sqlite = connection(db);
  whenFree(waiters.get(sqlite), () => sqlite.exec('BEGIN IMMEDIATE'));
}

/** Rolls a transaction back, unless SQLite has done so by itself, as it does on a full disk. */
export function rollBack(db: Writer): void {
  const sqlite = connection(db);
  if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
}

/** Runs synchronous `work` as one transaction that holds the write lock from its first moment. */
export function inTransaction<T>(db: Writer, work: (sqlite: Database.Database) => T): T {
  const sqlite = connection(db);
  beginTransaction(db);
  try {
    const result = work(sqlite);
    sqlite.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** What kind of file this is, by the two numbers in its header. */
type Identity = { readonly application: number; readonly version: number; readonly empty: boolean };

function identify(sqlite: Database.Database): Identity {
  return {
    application: sqlite.pragma('application_id', { simple: true }) as number,
    version: sqlite.pragma('user_version', { simple: true }) as number,
    empty: sqlite.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined,
  };
}

/** Refuses a file that is not ours or is newer than this program. Reads only. */
export function requireOurs(sqlite: Database.Database): Identity {
  const identity = identify(sqlite);
  const fresh = identity.empty && identity.application === 0 && identity.version === 0;
  if (!fresh && identity.application !== applicationId) throw storeError('foreign', sqlite.name);
  if (identity.version > latestVersion) throw storeError('newer', sqlite.name);
  return identity;
}

/** Opens `path` with SQLite, and closes it again when `prepare` fails. */
function openSqlite(
  path: string,
  options: Database.Options,
  prepare: (sqlite: Database.Database) => void,
): Database.Database {
  let sqlite: Database.Database | undefined;
  try {
    sqlite = new Database(path, options);
    prepare(sqlite);
    registerSearchWords(sqlite);
    return sqlite;
  } catch (error) {
    sqlite?.close();
    throw explainSqlite(error, path);
  }
}

/**
 * Opens a database read-only. Throws a StoreError: `missing`, `foreign`, `newer`, `older` (a writer
 * must migrate it first), `interrupted` (a writer must open it first), `busy`, `forbidden` or
 * `damaged`.
 */
export function openReader(path: string): Reader {
  if (!existsSync(path)) throw storeError('missing', path);
  const options = { readonly: true, fileMustExist: true, timeout: busyTimeoutMs };
  const sqlite = openSqlite(path, options, (opened) => {
    if (requireOurs(opened).version < latestVersion) throw storeError('older', path);
  });
  return sqlite as unknown as Reader;
}

/**
 * Opens a database for writing, creating it when there is none; `migrate` brings it up to date.
 * Throws a StoreError: `foreign`, `newer`, `busy`, `full`, `forbidden` or `damaged`; such a file is
 * left as it was.
 */
export function openWriter(path: string, { onWait }: OpenOptions = {}): Writer {
  const timeout = onWait === undefined ? busyTimeoutMs : waitMs;
  const prepare = (opened: Database.Database): void => {
    // Before the first pragma that writes, so that a stranger's file is never changed.
    requireOurs(opened);
    opened.pragma('journal_mode = WAL');
    // Not remembered in the file: a reopened WAL database falls back to NORMAL, which loses
    // acknowledged commits when the power fails.
    opened.pragma('synchronous = FULL');
    opened.pragma('foreign_keys = ON');
  };
  const sqlite = whenFree(onWait, () => openSqlite(path, { timeout }, prepare));
  if (onWait !== undefined) waiters.set(sqlite, onWait);
  return sqlite as unknown as Writer;
}

/** The version of SQLite itself. */
export function readSqliteVersion(): string {
  const sqlite = new Database(':memory:');
  try {
    return sqlite.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '';
  } finally {
    sqlite.close();
  }
}
