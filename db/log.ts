import { readFileSync, statSync } from 'node:fs';
import Database, { SqliteError } from 'better-sqlite3';

/** The state of a database, with or without the transactions of its write-ahead log. */
export type StoreState = {
  readonly store: string;
  readonly sequence: number;
  readonly log_base: number;
};

/** Returns undefined for a database of an older schema. */
export function readState(sqlite: Database.Database): StoreState | undefined {
  const table = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'store_state'").get();
  if (table === undefined) return undefined;
  return sqlite.prepare<[], StoreState>('SELECT * FROM store_state').get();
}

type Checkpoint = { readonly log: number; readonly checkpointed: number };

/**
 * Counts the transaction that `begin` begins. `log_base` is set whenever the log may begin again
 * with this transaction: when the database file already holds the whole log.
 */
export function beginCounted(sqlite: Database.Database, begin: () => void): void {
  const [{ log, checkpointed }] = sqlite.pragma('wal_checkpoint(PASSIVE)') as [Checkpoint];
  const before = readState(sqlite);
  begin();
  const state = readState(sqlite);
  if (state === undefined) return;
  const { sequence } = state;
  // Another program may have committed in between; it has set the base then.
  const isWhole = log === checkpointed && before?.sequence === sequence;
  sqlite
    .prepare('UPDATE store_state SET sequence = ?, log_base = ?')
    .run(sequence + 1, isWhole ? sequence : state.log_base);
}

/** Time in milliseconds to wait for readers before the log is left to the next writer. */
const truncateWaitMs = 250;

/**
 * Moves the committed transactions from the log into the database file and empties the log, so
 * that a copy of the file alone is complete. Readers and writers of other programs can prevent it.
 */
export function truncateLog(sqlite: Database.Database): void {
  sqlite.pragma(`busy_timeout = ${truncateWaitMs}`);
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
}

type Reading = { readonly state: StoreState | undefined } | 'damaged';

function tryReadState(sqlite: Database.Database): Reading {
  try {
    return { state: readState(sqlite) };
  } catch (error) {
    const isDamaged = error instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
    if (isDamaged) return 'damaged';
    throw error;
  }
}

/** Reads the state in the database file alone, as if there were no log. */
function readStateOfFile(path: string): Reading {
  const sqlite = openInMemory(path);
  try {
    return tryReadState(sqlite);
  } finally {
    sqlite.close();
  }
}

/**
 * Opens a copy in memory of a database file without its log. Reading the file drops all locks that
 * this process holds on it.
 */
export function openInMemory(path: string): Database.Database {
  const bytes = readFileSync(path);
  // The format of a database without a log (https://sqlite.org/fileformat2.html, section 1.3.3).
  if (bytes.length >= 20) bytes.fill(1, 18, 20);
  return new Database(bytes);
}

/** Returns true if there is a log with transactions beside a database file. */
export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Returns false if the log beside a database file belongs to another state of it, for example
 * because the file was replaced by a copy. SQLite would apply such a log and damage the data. Drops
 * all locks that this process holds on the file.
 */
export function isLogOfFile(path: string): boolean {
  const sqlite = new Database(path, { readonly: true, fileMustExist: true });
  try {
    // The transaction keeps other programs from starting the log again before the file is read.
    sqlite.exec('BEGIN');
    const whole = tryReadState(sqlite);
    const file = readStateOfFile(path);
    // A crash while the log was moved into the file; SQLite moves it again.
    if (file === 'damaged') return true;
    if (whole === 'damaged') return file.state === undefined;
    return isContinued(file.state, whole.state);
  } finally {
    sqlite.close();
  }
}

/** Returns true if a log that leads to `whole` can follow the state of a file. */
function isContinued(file: StoreState | undefined, whole: StoreState | undefined): boolean {
  // The log of an older schema, or of the migration to this one.
  if (file === undefined) return whole === undefined || whole.log_base === 0;
  return (
    whole !== undefined &&
    whole.store === file.store &&
    whole.log_base <= file.sequence &&
    file.sequence <= whole.sequence
  );
}
