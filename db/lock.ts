import { closeSync, existsSync, openSync } from 'node:fs';
import { SqliteError } from 'better-sqlite3';
import { connect } from './connection.ts';

/**
 * Takes a lock that only one program at a time can have. Returns a function that releases it, or
 * undefined if it is taken. The system releases the lock of a program that ends in any way.
 */
export function acquireLock(path: string): (() => void) | undefined {
  // A database, because Node.js has no lock for files. It stays empty.
  createFile(path);
  const sqlite = connect(path, { timeout: 0 });
  try {
    sqlite.exec('BEGIN EXCLUSIVE');
    return () => void sqlite.close();
  } catch (error) {
    sqlite.close();
    if (error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}

/** Creates the file with mode 0600. An existing one is not opened: to close it drops its locks. */
function createFile(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
