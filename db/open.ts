import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { SqliteError } from 'better-sqlite3';
import { connect } from './connection.ts';
import { createUsersKeysEvents } from './migrations/001-users-keys-events.ts';
import { createHistory } from './migrations/002-history.ts';
import { createSearch } from './migrations/003-search.ts';
import { createCounts } from './migrations/004-counts.ts';
import { createNewest } from './migrations/005-newest.ts';
import { createUidBase } from './migrations/006-uid-base.ts';
import { createSingleSearch } from './migrations/007-single-search.ts';
import { createRevisions } from './migrations/008-revisions.ts';
import { createEdits } from './migrations/009-edits.ts';
import { createStoreState } from './migrations/010-store-state.ts';
import { createMirrors } from './migrations/011-mirrors.ts';
import { createEventChanges } from './migrations/012-event-changes.ts';
import { createEventTotals } from './migrations/013-event-totals.ts';
import { createListProofs } from './migrations/014-list-proofs.ts';
import { createSourceStamp } from './migrations/015-source-stamp.ts';
import { createZones } from './migrations/016-zones.ts';
import { createDaysOff } from './migrations/017-days-off.ts';
import { createToldStates } from './migrations/018-told-states.ts';
import { createHub } from './migrations/019-hub.ts';
import { createLeftOut } from './migrations/020-left-out.ts';
import { createClubSettings } from './migrations/021-club-settings.ts';
import { createFileSources } from './migrations/022-file-sources.ts';
import { createProposals } from './migrations/023-proposals.ts';
import { createAnswerBatches } from './migrations/024-answer-batches.ts';
import { createProposalStates } from './migrations/025-proposal-states.ts';
import { createToldRevisions } from './migrations/026-told-revisions.ts';
import { createAnswerSenders } from './migrations/027-answer-senders.ts';
import { createTeams } from './migrations/028-teams.ts';
import { createCalendars } from './migrations/029-calendars.ts';
import { followDaysOff } from './migrations/030-followed-days-off.ts';
import { allowAssistants } from './migrations/031-assistants.ts';
import { guardHub } from './migrations/032-hub-guards.ts';
import { beginCounted, hasLog, isLogOfFile, truncateLog } from './write-ahead-log.ts';

/** `PRAGMA application_id` of Club Events databases: "ClEv" in ASCII. */
export const applicationId = 0x436c4576;

/** All migrations, oldest first; the n-th, counted from 1, migrates from version n-1 to n. */
export const migrations: readonly string[] = [
  createUsersKeysEvents,
  createHistory,
  createSearch,
  createCounts,
  createNewest,
  createUidBase,
  createSingleSearch,
  createRevisions,
  createEdits,
  createStoreState,
  createMirrors,
  createEventChanges,
  createEventTotals,
  createListProofs,
  createSourceStamp,
  createZones,
  createDaysOff,
  createToldStates,
  createHub,
  createLeftOut,
  createClubSettings,
  createFileSources,
  createProposals,
  createAnswerBatches,
  createProposalStates,
  createToldRevisions,
  createAnswerSenders,
  createTeams,
  createCalendars,
  followDaysOff,
  allowAssistants,
  guardHub,
];

/** `PRAGMA user_version` of a fully migrated database. */
export const latestVersion = migrations.length;

export type StoreProblem =
  | 'missing'
  | 'foreign'
  | 'newer'
  | 'older'
  | 'busy'
  | 'full'
  | 'forbidden'
  | 'interrupted'
  | 'damaged'
  | 'stale_log'
  | 'disk_failed'
  | 'failed';

function reasonOf(cause: unknown): string {
  if (cause instanceof StoreError) return cause.reason;
  return cause instanceof Error ? cause.message : '';
}

/** A failure of the store; `path` is the database file. */
export class StoreError extends Error {
  readonly problem: StoreProblem;
  readonly path: string;
  /** The reason in the words of SQLite. */
  readonly reason: string;

  constructor(problem: StoreProblem, path: string, cause?: unknown) {
    const reason = reasonOf(cause);
    super(`${problem}: ${path}: ${reason}`, { cause });
    this.name = 'StoreError';
    this.problem = problem;
    this.path = path;
    this.reason = reason;
  }
}

/** Result codes of a full disk, met while writing pages or extending the WAL index. */
const fullCodes = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']);

/** Maps a SQLite result code (https://sqlite.org/rescode.html) to a problem. */
function problemOfCode(code: string): StoreProblem {
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'busy';
  if (fullCodes.has(code)) return 'full';
  if (code === 'SQLITE_NOTADB') return 'foreign';
  // Only a writer can recover a transaction that a crash interrupted.
  if (code === 'SQLITE_READONLY_ROLLBACK' || code === 'SQLITE_READONLY_RECOVERY') {
    return 'interrupted';
  }
  if (code.startsWith('SQLITE_CORRUPT')) return 'damaged';
  if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY')) return 'forbidden';
  if (code === 'SQLITE_PERM' || code === 'SQLITE_IOERR_ACCESS') return 'forbidden';
  return code.startsWith('SQLITE_IOERR') ? 'disk_failed' : 'failed';
}

/** Converts SQLite's errors to a StoreError; returns other errors unchanged. */
export function explainSqlite(error: unknown, path: string): unknown {
  if (!(error instanceof SqliteError)) return error;
  return new StoreError(problemOfCode(error.code), path, error);
}

/** Returns true if an error means that another program holds a lock. */
function isBusy(error: unknown): boolean {
  if (error instanceof SqliteError) return problemOfCode(error.code) === 'busy';
  return error instanceof StoreError && error.problem === 'busy';
}

declare const canRead: unique symbol;
declare const canWrite: unique symbol;

/** A connection that can only read: SQLite itself refuses a write through it. */
export type Reader = { readonly [canRead]: true };

export type Writer = Reader & { readonly [canWrite]: true };

/** Called between the statements of a long read, none of which can be interrupted; throws to end it. */
export type OnStep = () => void;

export type OpenOptions = {
  /**
   * Called once a second while another program holds the lock; throws to give up. Without it, a
   * call fails as `busy` after five seconds.
   */
  readonly onWait?: (() => void) | undefined;
};

const busyTimeoutMs = 5_000;
const waitMs = 1_000;

const waitCallbacks = new WeakMap<Database.Database, () => void>();

/** Retries `attempt` while another program holds the lock. Without `onWait`, does not retry. */
function retryWhileBusy<T>(onWait: (() => void) | undefined, attempt: () => T): T {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (onWait === undefined || !isBusy(error)) throw error;
      onWait();
    }
  }
}

/** Returns the SQLite connection of a handle. Only files in db/ may use it. */
export function connection(db: Reader): Database.Database {
  return db as unknown as Database.Database;
}

/** Numbers of open connections of this thread, by path. */
const connections = new Map<string, number>();

function countConnections(path: string, change: 1 | -1): void {
  connections.set(path, (connections.get(path) ?? 0) + change);
}

/** The number of other threads that may have a database open. */
let workingThreads = 0;

export function countThreads(change: 1 | -1): void {
  workingThreads += change;
}

export function closeStore(db: Reader): void {
  const sqlite = connection(db);
  if (!sqlite.open) return;
  sqlite.close();
  countConnections(sqlite.name, -1);
}

/** Closes a writer after emptying the log, so that a copy of the database file alone is complete. */
export function closeWriter(db: Writer): void {
  try {
    truncateLog(connection(db));
  } catch (error) {
    // The changes are stored in the log; the next writer tries again.
    if (!(error instanceof SqliteError)) throw error;
  } finally {
    closeStore(db);
  }
}

/** Begins a transaction with the write lock, after waiting for other programs. */
export function beginTransaction(db: Writer): void {
  const sqlite = connection(db);
  const begin = () => sqlite.exec('BEGIN IMMEDIATE');
  beginCounted(sqlite, () => retryWhileBusy(waitCallbacks.get(sqlite), begin));
}

/** Rolls a transaction back, unless SQLite has done so itself, for example on a full disk. */
export function rollBack(db: Writer): void {
  const sqlite = connection(db);
  if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
}

/**
 * Prepares the read of a number that differs after every commit of another connection
 * (https://sqlite.org/pragma.html#pragma_data_version).
 */
export function prepareVersionRead(db: Reader): () => number {
  const statement = connection(db).prepare<[], number>('PRAGMA data_version').pluck();
  return () => statement.get() as number;
}

/** Runs synchronous reads in one snapshot of the database. */
export function inSnapshot<T>(db: Reader, read: () => T): T {
  return connection(db).transaction(read)();
}

/** Runs synchronous `work` in one transaction that holds the write lock from the start. */
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

/**
 * Reads the schema version; an empty file has version 0. Throws a StoreError for a database of
 * another program (`foreign`) or of a newer version (`newer`).
 */
export function readSchemaVersion(sqlite: Database.Database): number {
  const application = sqlite.pragma('application_id', { simple: true });
  const version = sqlite.pragma('user_version', { simple: true }) as number;
  const isEmpty = sqlite.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  const isFresh = isEmpty && application === 0 && version === 0;
  if (!isFresh && application !== applicationId) throw new StoreError('foreign', sqlite.name);
  if (version > latestVersion) throw new StoreError('newer', sqlite.name);
  return version;
}

/** Throws `stale_log` if the log beside a database belongs to another state of it. */
export function requireLogOfDatabase(path: string): void {
  // The check drops the locks of all threads of this process. One that has the database open has
  // checked the log before.
  const isOpen = !isMainThread || workingThreads > 0 || (connections.get(path) ?? 0) > 0;
  if (isOpen || !hasLog(path)) return;
  if (!isLogOfFile(path)) throw new StoreError('stale_log', path);
}

/** Opens a database and closes it again if `prepare` fails. */
function openSqlite(
  path: string,
  options: Database.Options,
  prepare: (sqlite: Database.Database) => void,
): Database.Database {
  let sqlite: Database.Database | undefined;
  try {
    requireLogOfDatabase(path);
    sqlite = connect(path, options);
    prepare(sqlite);
    countConnections(path, 1);
    return sqlite;
  } catch (error) {
    sqlite?.close();
    throw explainSqlite(error, path);
  }
}

/**
 * Opens a database read-only. Throws a StoreError: `missing`, `foreign`, `newer`, `older` (a writer
 * must migrate it first; not with `anyVersion`), `interrupted` (a writer must open it first), `busy`,
 * `forbidden` or `damaged`.
 */
export function openReader(path: string, { anyVersion = false } = {}): Reader {
  if (!existsSync(path)) throw new StoreError('missing', path);
  const options = { readonly: true, fileMustExist: true, timeout: busyTimeoutMs };
  const sqlite = openSqlite(path, options, (opened) => {
    const version = readSchemaVersion(opened);
    if (version < latestVersion && !anyVersion) throw new StoreError('older', path);
  });
  return sqlite as unknown as Reader;
}

/**
 * Opens a database for writing and creates it if necessary. Does not migrate it. Throws a
 * StoreError: `foreign`, `newer`, `busy`, `full`, `forbidden` or `damaged`. Foreign and newer files
 * are not changed.
 */
export function openWriter(path: string, { onWait }: OpenOptions = {}): Writer {
  const timeout = onWait === undefined ? busyTimeoutMs : waitMs;
  const prepare = (opened: Database.Database): void => {
    // Before the first pragma that writes: another program's database must not change.
    readSchemaVersion(opened);
    opened.pragma('journal_mode = WAL');
    // The file does not store this setting: a reopened WAL database would use NORMAL, which can
    // lose acknowledged commits in a power failure.
    opened.pragma('synchronous = FULL');
    // Otherwise each row of an import, whose triggers may fail, would write to a temporary file.
    opened.pragma('temp_store = MEMORY');
    opened.pragma('foreign_keys = ON');
    // Checks each page that a change touches, as the check of the whole file does.
    opened.pragma('cell_size_check = ON');
  };
  const sqlite = retryWhileBusy(onWait, () => openSqlite(path, { timeout }, prepare));
  if (onWait !== undefined) waitCallbacks.set(sqlite, onWait);
  return sqlite as unknown as Writer;
}

export function readSqliteVersion(): string {
  const sqlite = connect(':memory:');
  try {
    return sqlite.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '';
  } finally {
    sqlite.close();
  }
}
