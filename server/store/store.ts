import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { requireNoDamage } from '../../db/check.ts';
import { readNode } from '../../db/hub.ts';
import { migrate } from '../../db/migrate.ts';
import {
  closeStore,
  closeWriter,
  explainSqlite,
  type OpenOptions,
  openReader,
  openWriter,
  type Reader,
  readSqliteVersion,
  StoreError,
  type StoreProblem,
  type Writer,
} from '../../db/open.ts';
import { openSnapshot } from '../../db/snapshot-file.ts';
import { fillUserZones } from '../../db/users.ts';
import { fileError, Problem, problem } from '../base/errors.ts';
import { type Home, prepareHome, requireDatabaseNotLost, requireWritable } from '../base/home.ts';
import { systemZone } from '../dates/zone.ts';
import type { ProblemCode } from '../messages/message.ts';
import { type AutomaticBackup, backUpBeforeMigration } from './backup-files.ts';
import {
  type FileState,
  forgetCheck,
  isChecked,
  readFileState,
  rememberCheck,
} from './checked-file.ts';
import { findSynchronised } from './synchronised.ts';

export const sqliteVersion = readSqliteVersion;

type ReaderOptions = Pick<AutomaticBackup, 'warn'> & { readonly create?: boolean };

/** Runs `use` with the store open for reading. Throws a StoreError if SQLite fails. */
export async function withReader<T>(home: Home, use: (db: Reader) => T | Promise<T>): Promise<T> {
  return await runWith(home, openHomeReader(home), use, closeStore);
}

type WriterOptions = OpenOptions &
  AutomaticBackup & {
    /** True for a change of keys alone, which waits for no check of the file. */
    readonly isForKeys?: boolean;
    /** True for the node of a hub itself, which alone changes its database. */
    readonly isForNode?: boolean;
    /** Returns the zone for clubs that have none; by default that of this computer. */
    readonly systemTimeZone?: () => string | undefined;
    /** Called after the store is closed: a backup of the day may be due. */
    readonly onWritten?: (() => void) | undefined;
  };

/**
 * Runs `use` with the store open for writing, after a check for damage if the file is not as a program
 * left it that had checked it. Throws a StoreError if SQLite fails.
 */
export async function withWriter<T>(
  home: Home,
  use: (db: Writer) => T | Promise<T>,
  options: WriterOptions = {},
): Promise<T> {
  const { db, checked } = openHomeWriter(home, options);
  const close = () => closeHomeWriter(home, { db, checked });
  const run = (writer: Writer) => {
    if (!options.isForNode) requireNoNode(writer);
    return use(writer);
  };
  const result = await runWith(home, db, run, close);
  options.onWritten?.();
  return result;
}

/** Throws `home_is_node` for the database of a node, whose data comes from the record of a hub. */
export function requireNoNode(db: Reader): void {
  if (readNode(db) !== undefined) throw problem('home_is_node');
}

/** Does the same for the database of a home, if it can be read. */
export function requireNoNodeAt({ database }: Home): void {
  // SQLite would delete the log beside an empty file.
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  let db: Reader;
  try {
    db = openReader(database);
  } catch (error) {
    if (error instanceof StoreError) return;
    throw error;
  }
  try {
    requireNoNode(db);
  } finally {
    closeStore(db);
  }
}

/** Runs `use`, then closes the store. Throws a StoreError if SQLite fails. */
async function runWith<Db extends Reader, T>(
  home: Home,
  db: Db,
  use: (db: Db) => T | Promise<T>,
  close: (db: Db) => void,
): Promise<T> {
  let isDamaged = false;
  try {
    return await use(db);
  } catch (error) {
    const explained = explainSqlite(error, home.database);
    isDamaged = explained instanceof StoreError && explained.problem === 'damaged';
    throw explained;
  } finally {
    close(db);
    if (isDamaged) forgetCheck(home);
  }
}

/**
 * Opens the store of a home read-only; migrates or recovers it first if necessary. With `create`,
 * creates a missing one. On a full or write-protected disk, opens a copy in memory.
 */
export function openHomeReader(home: Home, options: ReaderOptions = {}): Reader {
  requireDatabaseNotLost(home);
  try {
    return openPreparedReader(home, options);
  } catch (error) {
    const snapshot = isUnwritable(error) ? openSnapshot(home.database) : undefined;
    if (snapshot === undefined) throw error;
    return snapshot;
  }
}

const unwritable: ReadonlySet<string> = new Set<ProblemCode | StoreProblem>([
  'forbidden',
  'full',
  'file_forbidden',
  'file_read_only',
  'disk_full',
  'disk_quota_full',
]);

function isUnwritable(error: unknown): boolean {
  if (error instanceof StoreError) return unwritable.has(error.problem);
  return error instanceof Problem && unwritable.has(error.code);
}

function openPreparedReader(home: Home, { create = false, warn }: ReaderOptions): Reader {
  try {
    return openReader(home.database);
  } catch (error) {
    const problem = error instanceof StoreError ? error.problem : undefined;
    const needsWriter = problem === 'older' || problem === 'interrupted';
    if (!needsWriter && !(create && problem === 'missing')) throw error;
    closeHomeWriter(home, openHomeWriter(home, { warn }));
    return openReader(home.database);
  }
}

type HomeWriter = {
  readonly db: Writer;
  /** The file that was checked whole; undefined for a change of keys that waits for no check. */
  readonly checked: FileState | undefined;
};

/** Opens the store of a home for writing; creates and migrates it first if necessary. */
function openHomeWriter(home: Home, options: WriterOptions = {}): HomeWriter {
  prepareHome(home);
  requireWritable(home);
  requireDatabaseNotLost(home);
  const isNew = createDatabase(home.database);
  // Before the check: what changes the file during the check is not checked.
  const state = readFileState(home);
  const wasChecked = isChecked(home);
  if (!wasChecked && !options.isForKeys) requireUndamaged(home, options);
  const db = openWriter(home.database, options);
  try {
    backUpBeforeMigration(home, db, options);
    const { systemTimeZone = () => systemZone(process.env['TZ']) } = options;
    const fillZones = (writer: Writer) => fillUserZones(writer, systemTimeZone);
    // With the migration, so that nobody sees a club without a zone; a restored club may have none.
    migrate(db, fillZones);
    fillZones(db);
    if (isNew) warnIfSynchronised(home, options);
    return { db, checked: wasChecked || !options.isForKeys ? state : undefined };
  } catch (error) {
    closeStore(db);
    throw error;
  }
}

/** Closes a writer. The file that it leaves is sound if it was so before. */
function closeHomeWriter(home: Home, { db, checked }: HomeWriter): void {
  closeWriter(db);
  if (checked !== undefined) rememberCheck(home, checked);
}

/**
 * Throws `damaged` rather than writing into damage. Checks through a reader: when a writer closes,
 * SQLite moves the log into the file, which overwrites damaged pages.
 */
function requireUndamaged({ database }: Home, options: OpenOptions): void {
  const db = openReaderForCheck(database, options);
  try {
    requireNoDamage(db);
  } catch (error) {
    throw explainSqlite(error, database);
  } finally {
    closeStore(db);
  }
}

/** Opens a database of any version for the check, after a writer has recovered it if necessary. */
function openReaderForCheck(database: string, options: OpenOptions): Reader {
  try {
    return openReader(database, { anyVersion: true });
  } catch (error) {
    if (!(error instanceof StoreError && error.problem === 'interrupted')) throw error;
    closeStore(openWriter(database, options));
    return openReader(database, { anyVersion: true });
  }
}

/**
 * Creates an empty database file with mode 0600, which SQLite copies to the files beside it. Returns
 * false if there is one.
 */
function createDatabase(path: string): boolean {
  // Never opens an existing database: closing it would drop SQLite's locks.
  if (existsSync(path)) return false;
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!existsSync(path)) throw fileError(error, path);
    return false;
  }
}

/** Warns of a new data directory that another program synchronises. */
export function warnIfSynchronised(home: Home, { warn }: Pick<AutomaticBackup, 'warn'>): void {
  const found = findSynchronised(home);
  if (found !== undefined) warn?.(found);
}
