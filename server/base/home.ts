import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileError, problem } from './errors.ts';
import { followLinks, resolveLinks } from './write-file.ts';

/** The data directory and the files in it (INTERFACE section 5). */
export type Home = {
  readonly directory: string;
  readonly database: string;
  /** The state of the database file that was last checked whole. */
  readonly checkedFile: string;
  readonly backups: string;
  readonly registration: string;
  /** Locked by the program that syncs online services. */
  readonly syncLock: string;
  readonly logs: string;
  /** The positions of `watch`. */
  readonly watches: string;
  /** The keys of online services. */
  readonly upstreamKeys: string;
  /** The files that are kept up to date, and their passwords. */
  readonly published: string;
  readonly publishPasswords: string;
  /** Locked by the program that changes the list of these files. */
  readonly publishLock: string;
  /** The addresses of followed calendars. */
  readonly calendarAddresses: string;
  /** Locked by the program that reads calendars. */
  readonly calendarLock: string;
  /** The folders that get each new backup. */
  readonly backupFolders: string;
  /** The long changes that are being made. */
  readonly unfinished: string;
  /** Knowledge of this computer about files outside, which no backup contains. */
  readonly outside: string;
  /** The proposals of assistants, a file for each call. */
  readonly proposals: string;
};

export function homeAt(directory: string): Home {
  const absolute = resolve(directory);
  return {
    directory: absolute,
    database: join(absolute, 'events.sqlite'),
    checkedFile: join(absolute, 'checked.json'),
    backups: join(absolute, 'backups'),
    registration: join(absolute, 'service.json'),
    syncLock: join(absolute, 'sync.lock'),
    logs: join(absolute, 'logs'),
    watches: join(absolute, 'watches'),
    upstreamKeys: join(absolute, 'upstream-keys.json'),
    published: join(absolute, 'published.json'),
    publishPasswords: join(absolute, 'publish-passwords.json'),
    publishLock: join(absolute, 'publish.lock'),
    calendarAddresses: join(absolute, 'calendar-addresses.json'),
    calendarLock: join(absolute, 'calendars.lock'),
    backupFolders: join(absolute, 'backup-folders.json'),
    unfinished: join(absolute, 'unfinished.json'),
    outside: join(absolute, 'outside'),
    proposals: join(absolute, 'proposals'),
  };
}

/**
 * Creates the data directory with mode 0700. The mode of an existing folder changes only if it is
 * empty: a used folder belongs to the user, and the program's files are 0600 in any case. Throws
 * `unavailable` naming the folder.
 */
export function prepareHome(home: Home): void {
  const { directory } = home;
  // First: the mode of a device would change for the whole machine.
  requireDatabaseFile(home);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (readdirSync(directory).length === 0) chmodSync(directory, 0o700);
    // By path: opening and closing a live database with `fs` would drop SQLite's locks.
    const mode = statSync(home.database, { throwIfNoEntry: false })?.mode;
    if (mode !== undefined && (mode & 0o777) !== 0o600) chmodSync(home.database, 0o600);
  } catch (error) {
    throw fileError(error, directory);
  }
}

/** Throws `unavailable` with the reason if nothing can be written to the data directory. */
export function requireWritable({ directory }: Home): void {
  try {
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw fileError(error, directory);
  }
}

/** Returns the number of a file, after resolving links; undefined if there is none. */
export function identityOf(path: string): string | undefined {
  // As bigint: a double would round the file numbers of NTFS.
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Bytes in the path of a database, for the files beside it: SQLite's limit is 512. */
const maxDatabasePath = 504;

/**
 * Throws `unavailable` if the database is, or would be, something other than an ordinary file:
 * opening a FIFO waits forever, and through a broken link a database would appear elsewhere.
 */
export function requireDatabaseFile({ directory, database }: Home): void {
  if (process.platform !== 'win32' && Buffer.byteLength(database) > maxDatabasePath) {
    throw problem('file_name_too_long', { path: directory });
  }
  // A directory that cannot be used is reported by its first use.
  if (!statOf(directory)?.isDirectory()) return;
  const stats = statOf(database);
  if (stats === undefined) {
    const link = lstatSync(database, { throwIfNoEntry: false });
    if (link !== undefined) throw problem('file_link_broken', { path: database });
  } else if (!stats.isFile()) {
    const code = stats.isDirectory() ? 'file_is_folder' : 'file_is_special';
    throw problem(code, { path: database });
  }
}

function sizeOf(path: string): number {
  return statOf(path)?.size ?? 0;
}

/**
 * Throws `database_lost` if the database is missing or empty and there is a log or a backup of it:
 * the next command would take it for a new club, and would delete the log.
 */
export function requireDatabaseNotLost({ database, backups }: Home): void {
  if (sizeOf(database) > 0) return;
  const hasBackup = statOf(backups)?.isDirectory() && readdirSync(backups).some(isBackup);
  if (hasBackup || sizeOf(`${database}-wal`) > 0)
    throw problem('database_lost', { path: database });
}

/** Returns true for the name of a backup, compressed or not; temporary files begin with a dot. */
export function isBackup(name: string): boolean {
  return /^[^.].*\.sqlite(\.gz)?$/.test(name);
}

/** Returns true if a path or its link target is the database or one of SQLite's files beside it. */
function isDatabaseFile(path: string, { database }: Home): boolean {
  const identity = identityOf(path);
  if (identity === undefined) return false;
  return ['', '-wal', '-shm', '-journal'].some(
    (suffix) => identityOf(database + suffix) === identity,
  );
}

/**
 * Throws `bad_input` if a file to import belongs to the database: opening and closing it outside
 * SQLite would drop its locks.
 */
export function requireOtherFile(path: string, home: Home): void {
  try {
    if (!isDatabaseFile(path, home)) return;
  } catch (error) {
    throw fileError(error, path);
  }
  throw problem('file_is_database', { path });
}

/** Returns true if the folder of a path is the data directory or below it, after resolving links. */
function isInside(path: string, { directory }: Home): boolean {
  const home = identityOf(directory);
  if (home === undefined) return false;
  for (let folder = resolveLinks(dirname(followLinks(path))); ; folder = dirname(folder)) {
    if (identityOf(folder) === home) return true;
    if (folder === dirname(folder)) return false;
  }
}

/**
 * Throws `bad_input` if a file to write is in the data directory: replacing one of the program's
 * files would lose data.
 */
export function requireOutsideHome(path: string, home: Home): void {
  requireOtherFile(path, home);
  try {
    if (!isInside(path, home)) return;
  } catch (error) {
    throw fileError(error, path);
  }
  throw problem('file_in_home', { path });
}
