import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { SqliteError } from 'better-sqlite3';
import {
  findOrphans,
  findPageProblems,
  findSchemaProblems,
  findWrongValues,
  requireNoDamage,
} from './check.ts';
import { connect } from './connection.ts';
import { migrate } from './migrate.ts';
import {
  closeStore,
  closeWriter,
  connection,
  explainSqlite,
  inTransaction,
  type OnStep,
  type OpenOptions,
  openWriter,
  type Reader,
  readSchemaVersion,
  requireLogOfDatabase,
  StoreError,
  type Writer,
} from './open.ts';
import { indexAgain } from './search.ts';
import { deleteUser, prepareUserReads } from './users.ts';
import { readState, type StoreState } from './write-ahead-log.ts';

export const backupReads = {
  users: 'SELECT count(*) FROM users',
  events: 'SELECT count(*) FROM events',
  batches: 'SELECT count(*) FROM batches',
  revoked: 'SELECT digest, revoked_at AS revokedAt FROM keys WHERE revoked_at IS NOT NULL',
} as const;

export const backupWrites = {
  epoch: 'UPDATE revision_epoch SET epoch = lower(hex(randomblob(8)))',
  // The log of a restore has every page, whatever the file has.
  state: `UPDATE store_state SET store = ifnull(@store, store),
    sequence = max(sequence, ifnull(@sequence, sequence)) + 1, log_base = 0 WHERE id = 1`,
  pause: "UPDATE sources SET paused = 'restored'",
  revoke: `UPDATE keys SET revoked_at = ifnull(revoked_at, @revokedAt) WHERE digest = @digest`,
} as const;

export type StoreCounts = {
  readonly users: number;
  readonly events: number;
  readonly batches: number;
};

/** The contents of a database file. */
export type StoreFacts = {
  /** The version of the schema. */
  readonly schema: number;
  readonly counts: StoreCounts;
  /** A text that differs after every change; null in an older schema. */
  readonly state: string | null;
};

/** The version that added the history. */
const historySchema = 2;

function readFacts(sqlite: Database.Database): StoreFacts {
  const schema = readSchemaVersion(sqlite);
  const count = (name: keyof StoreCounts, since: number) =>
    schema < since ? 0 : (sqlite.prepare<[], number>(backupReads[name]).pluck().get() ?? 0);
  const counts = {
    users: count('users', 1),
    events: count('events', 1),
    batches: count('batches', historySchema),
  };
  const state = readState(sqlite);
  return { schema, counts, state: state === undefined ? null : `${state.store}.${state.sequence}` };
}

/** Converts SQLite's errors to a StoreError. */
function explainFile(error: unknown, path: string): unknown {
  // The statements are right for the version of the schema, unless a table or column is missing.
  const isSchemaWrong = error instanceof SqliteError && error.code === 'SQLITE_ERROR';
  return isSchemaWrong ? new StoreError('damaged', path, error) : explainSqlite(error, path);
}

/** Uses a database of any known schema. Throws a StoreError. */
export function withFile<T>(
  path: string,
  use: (sqlite: Database.Database) => T,
  options: Database.Options = { readonly: true },
): T {
  if (!existsSync(path)) throw new StoreError('missing', path);
  let sqlite: Database.Database | undefined;
  try {
    requireLogOfDatabase(path);
    sqlite = connect(path, options);
    return use(sqlite);
  } catch (error) {
    throw explainFile(error, path);
  } finally {
    sqlite?.close();
  }
}

/** Reads the contents of a live database of any known schema. Throws a StoreError. */
export function readStoreFacts(path: string): StoreFacts {
  return withFile(path, readFacts);
}

/**
 * Writes a copy of the present state of a database to a new file, beside readers and writers. Throws
 * `damaged` for a database whose copy would lack rows.
 */
export function copyStore(path: string, target: string, onStep?: OnStep): void {
  withFile(path, (sqlite) => {
    readSchemaVersion(sqlite);
    requireNoDamage(sqlite as unknown as Reader);
    onStep?.();
    sqlite.prepare('VACUUM INTO ?').run(target);
  });
}

/** Throws `damaged` with the first of the problems of a file. */
export function requireNone(path: string, [problem]: readonly string[]): void {
  if (problem !== undefined) throw new StoreError('damaged', path, new Error(problem));
}

/**
 * Checks the schema, every page, index and reference of a copy. Throws a StoreError: `damaged`,
 * `foreign` (also an empty file), `newer` or `missing`.
 */
export function inspectCopy(path: string, onStep?: OnStep): StoreFacts {
  return withFile(path, (sqlite) => {
    onStep?.();
    if (readSchemaVersion(sqlite) === 0) throw new StoreError('foreign', path);
    // The schema first: in a file from somebody else, a table may be a view that never ends.
    requireNone(path, findSchemaProblems(sqlite));
    requireNone(path, findPageProblems(sqlite, 'integrity_check', 1));
    requireNone(path, findOrphans(sqlite));
    return readFacts(sqlite);
  });
}

/** Throws `damaged` for values that are impossible in any schema. */
export function requirePossibleValues(path: string, onStep?: OnStep): void {
  withFile(path, (sqlite) => {
    onStep?.();
    requireNone(path, findWrongValues(sqlite));
  });
}

/** Changes a copy, as one file without a log. */
function changeCopy(path: string, change: (db: Writer) => void): void {
  const db = openWriter(path);
  try {
    change(db);
    const sqlite = connection(db);
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
    sqlite.pragma('journal_mode = DELETE');
  } catch (error) {
    throw explainFile(error, path);
  } finally {
    closeStore(db);
  }
}

/** Migrates a copy to the latest schema. */
export function migrateCopy(path: string): void {
  changeCopy(path, migrate);
}

/**
 * Removes all users but one from a copy, after migrating it. Freed pages keep their texts until the
 * copy is copied.
 */
export function removeOtherUsers(path: string, userId: number, onStep?: OnStep): void {
  changeCopy(path, (db) => {
    migrate(db);
    for (const { id } of prepareUserReads(db).all()) {
      onStep?.();
      if (id !== userId) deleteUser(db, id);
    }
    inTransaction(db, indexAgain);
  });
}

type RevokedKey = { readonly digest: Buffer; readonly revokedAt: string };

/** The parts of a database that outlive its replacement. */
type Previous = {
  /** Undefined in an older schema. */
  readonly state: StoreState | undefined;
  readonly revoked: readonly RevokedKey[];
};

function readPrevious(path: string): Previous {
  return withFile(path, (sqlite) => ({
    state: readState(sqlite),
    revoked: sqlite.prepare<[], RevokedKey>(backupReads.revoked).all(),
  }));
}

/**
 * Gives a copy a new epoch, a sequence above its own and that of the replaced database, pauses its
 * mirrors, and revokes the keys that were revoked there.
 */
function assignNewEpoch(sqlite: Database.Database, { revoked, state }: Previous): void {
  sqlite.prepare(backupWrites.epoch).run();
  sqlite.prepare(backupWrites.state).run(state ?? { store: null, sequence: null });
  const revoke = sqlite.prepare(backupWrites.revoke);
  for (const key of revoked) revoke.run(key);
  sqlite.prepare(backupWrites.pause).run();
}

/** Gives a copy a new epoch, to be put in the place of a database that cannot be read. */
export function renewCopy(path: string): void {
  withFile(path, (sqlite) => assignNewEpoch(sqlite, { state: undefined, revoked: [] }), {});
}

const retryMs = 100;
const defaultRetries = 50;

/** More pages than a database can have. */
const allPages = 0x7fff_ffff;

/**
 * Copies all pages of `copy`, which must have the latest schema, over a live database in one
 * transaction. Readers of the live database see either all or nothing of it. `beforeReplacing` runs
 * under the write lock; if it throws, the live database stays as it is.
 */
export async function replaceStore(
  copy: string,
  path: string,
  { onWait, beforeReplacing }: OpenOptions & { readonly beforeReplacing: () => void },
): Promise<void> {
  // This also ends the rollback mode of a backup that was put in place: there, the lock of the
  // replacement would shut out the readers of `beforeReplacing`.
  const db = openWriter(path, { onWait });
  const source = connect(copy);
  try {
    for (let retries = 0; ; retries += 1) {
      const progress = () => {
        beforeReplacing();
        assignNewEpoch(source, readPrevious(path));
        return allPages;
      };
      const { totalPages } = await source.backup(path, { progress });
      // No page at all: another program holds the write lock.
      if (totalPages > 0) break;
      if (onWait === undefined && retries >= defaultRetries) throw new StoreError('busy', path);
      if (retries % (1_000 / retryMs) === 0) onWait?.();
      await delay(retryMs);
    }
  } catch (error) {
    throw explainSqlite(error, path);
  } finally {
    source.close();
    closeWriter(db);
  }
}
