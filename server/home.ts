import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ClubEventsError, fileError } from './errors.ts';

/** The data directory and the files in it (INTERFACE section 5). */
export type Home = {
  readonly directory: string;
  readonly database: string;
  readonly registration: string;
  readonly logs: string;
};

export function homeAt(directory: string): Home {
  const absolute = resolve(directory);
  return {
    directory: absolute,
    database: join(absolute, 'events.sqlite'),
    registration: join(absolute, 'service.json'),
    logs: join(absolute, 'logs'),
  };
}

/**
 * Makes the data directory, readable by its owner alone. An existing folder is closed to others
 * only while it is empty: one with other things in it belongs to the user, and our files are 0600
 * in any case. Throws `unavailable` naming the folder.
 */
export function prepareHome(home: Home): void {
  const { directory } = home;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (readdirSync(directory).length === 0) chmodSync(directory, 0o700);
    // By name, never by opening it: `fs` on a live database would drop SQLite's locks.
    if (existsSync(home.database)) chmodSync(home.database, 0o600);
  } catch (error) {
    throw fileError(error, directory);
  }
}

function identityOf(path: string): string | undefined {
  // As big integers: NTFS has file numbers that a double rounds.
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** Returns whether a path leads to one of SQLite's own files, under any name. */
function isDatabaseFile(path: string, { database }: Home): boolean {
  const identity = identityOf(path);
  if (identity === undefined) return false;
  return ['', '-wal', '-shm', '-journal'].some((end) => identityOf(database + end) === identity);
}

/**
 * Refuses the database as a file to import: opening and closing it beside SQLite would drop the
 * locks that protect it.
 */
export function requireOtherFile(path: string, home: Home): void {
  try {
    if (!isDatabaseFile(path, home)) return;
  } catch (error) {
    throw fileError(error, path);
  }
  throw new ClubEventsError('bad_input', `${path} is the database itself; choose another file.`);
}

/** Returns whether the folder of a path is the data directory or below it, whatever links say. */
function isInside(path: string, { directory }: Home): boolean {
  const home = identityOf(directory);
  if (home === undefined) return false;
  for (let folder = realpathSync(dirname(path)); ; folder = dirname(folder)) {
    if (identityOf(folder) === home) return true;
    if (folder === dirname(folder)) return false;
  }
}

/**
 * Refuses a path in the data directory as a file to write: replacing one of the program's files
 * would lose data.
 */
export function requireOutsideHome(path: string, home: Home): void {
  requireOtherFile(path, home);
  try {
    if (!isInside(path, home)) return;
  } catch (error) {
    throw fileError(error, path);
  }
  const where = `${path} is in the data directory of Club Events`;
  throw new ClubEventsError('bad_input', `${where}; choose another folder.`);
}
