import { readFileSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { connect } from './connection.ts';
import { migrate } from './migrate.ts';
import { connection, explainSqlite, type Reader, readSchemaVersion, type Writer } from './open.ts';
import { hasLog } from './write-ahead-log.ts';

const snapshots = new WeakSet<Reader>();

/** Returns true for a copy in memory, which does not follow changes of the file. */
export function isSnapshot(db: Reader): boolean {
  return snapshots.has(db);
}

/** Returns a value that differs after every change of a database file or of the log beside it. */
export function fingerprintOf(path: string): string {
  const prints = [path, `${path}-wal`].map((each) => {
    const stats = statSync(each, { bigint: true, throwIfNoEntry: false });
    return stats && stats.size > 0 && `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  });
  return prints.join();
}

/**
 * Opens a copy in memory of a database on a disk that cannot be written, where SQLite cannot create
 * its log. Returns undefined if the file alone is not the whole database, because it is empty or
 * changing or because there is a log or a journal. Must not be used while this process has the file open.
 * Throws a StoreError as `openReader` does.
 */
export function openSnapshot(path: string): Reader | undefined {
  let sqlite: Database.Database | undefined;
  try {
    const before = fingerprintOf(path);
    if (!isWhole(path)) return undefined;
    const bytes = readFileSync(path);
    // The format of a database without a log (https://sqlite.org/fileformat2.html, section 1.3.3).
    if (bytes.length >= 20) bytes.fill(1, 18, 20);
    sqlite = connect(bytes);
    const isUnchanged = isWhole(path) && fingerprintOf(path) === before;
    // Without a schema, there is nothing to read.
    if (!isUnchanged || readSchemaVersion(sqlite) === 0) {
      sqlite.close();
      return undefined;
    }
    const db = sqlite as unknown as Writer;
    migrate(db);
    connection(db).pragma('query_only = ON');
    snapshots.add(db);
    return db;
  } catch (error) {
    sqlite?.close();
    if (isFileError(error)) return undefined;
    throw explainSqlite(error, path);
  }
}

/** Returns true if the file cannot be read at all; the failure to open it says why. */
function isFileError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}

function isWhole(path: string): boolean {
  const journal = statSync(`${path}-journal`, { throwIfNoEntry: false });
  const hasJournal = journal !== undefined && journal.size > 0;
  return statSync(path).size > 0 && !hasLog(path) && !hasJournal;
}
