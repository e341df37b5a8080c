import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { needsMigration } from '../../db/migrate.ts';
import { explainSqlite, type OnStep, StoreError, type Writer } from '../../db/open.ts';
import { copyStore, readStoreFacts, removeOtherUsers } from '../../db/replace-database.ts';
import { explain, fileError, type Problem, packProblem, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import {
  removeTemporary,
  renameFile,
  requireReplaceable,
  syncFolder,
  writeWholeFile,
} from '../base/write-file.ts';
import { problemMessage } from '../messages/message.ts';
import { readContents, suffixes } from './backup-check.ts';
import {
  type Backup,
  type BackupReason,
  type BackupRecord,
  backupPath,
  ending,
  listBackups,
  prepareBackups,
  readRecord,
  recordPath,
  temporaryPath,
  writeRecord,
} from './backup-records.ts';
import { dayOf, rotate } from './backup-rotation.ts';
import { forgetCheck } from './checked-file.ts';

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Computes the SHA-256 of a file, in hexadecimal digits. */
function digestFile(path: string, onStep?: OnStep): string {
  const digest = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(1024 * 1024);
    for (let read = -1; read !== 0; ) {
      onStep?.();
      read = readSync(file, buffer);
      digest.update(buffer.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  return digest.digest('hex');
}

/** Copies a database to a new file and verifies the copy. */
function writeCopy(
  source: string,
  path: string,
  reason: BackupReason,
  now: Date,
  onStep?: OnStep,
): BackupRecord {
  // With its mode before it has any content.
  closeSync(openSync(path, 'wx', 0o600));
  copyStore(source, path, onStep);
  syncFile(path);
  const time = now.toISOString();
  return {
    createdAt: time,
    reason,
    sha256: digestFile(path, onStep),
    bytes: statSync(path).size,
    ...readContents(path, onStep),
    verifiedAt: time,
  };
}

/** Does the same with one of the users, through a copy in the home that nobody can find on a stick. */
function writeCopyOfUser(home: Home, userId: number, path: string, now: Date): BackupRecord {
  const whole = temporaryPath(home);
  prepareBackups(home);
  try {
    closeSync(openSync(whole, 'wx', 0o600));
    copyStore(home.database, whole);
    removeOtherUsers(whole, userId);
    return writeCopy(whole, path, 'hand', now);
  } finally {
    removeTemporary(...suffixes.map((suffix) => whole + suffix));
  }
}

/** Returns a timestamp in the form that file names have, such as `2026-11-22T091500Z`. */
export function timeInName(timestamp: string): string {
  return timestamp.replace(/\.\d+Z$/, 'Z').replaceAll(':', '');
}

/** Takes a free name for a backup by writing its record. */
function reserveName(home: Home, record: BackupRecord): string {
  const time = timeInName(record.createdAt);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const name = `${time}-${record.reason}${suffix}${ending}`;
    const path = backupPath(home, name);
    try {
      writeFileSync(recordPath(path), `${JSON.stringify(record, undefined, 2)}\n`, {
        flag: 'wx',
        mode: 0o600,
        flush: true,
      });
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Makes a verified backup in the folder of the home, and deletes those that have expired. */
export function createBackup(home: Home, reason: BackupReason, now: Date, onStep?: OnStep): Backup {
  prepareBackups(home);
  const temporary = temporaryPath(home);
  try {
    const [newest] = listBackups(home);
    const number = (newest?.number ?? 0) + 1;
    const record = { number, ...writeCopy(home.database, temporary, reason, now, onStep) };
    const name = reserveName(home, record);
    renameFile(temporary, backupPath(home, name));
    syncFolder(home.backups);
    rotate(home, now);
    return { ...record, name, storedBytes: record.bytes };
  } catch (error) {
    if (error instanceof StoreError && error.problem === 'damaged') forgetCheck(home);
    throw fileError(explainSqlite(error, home.database), home.backups);
  } finally {
    removeTemporary(temporary, `${temporary}-journal`);
  }
}

/** Throws `backup_in_the_way` for a file that is neither a backup nor the record of one. */
function requireOwnFiles(path: string): void {
  requireReplaceable(path);
  if (readRecord(path) !== undefined) return;
  const taken = [path, recordPath(path)].find((file) => existsSync(file));
  if (taken !== undefined) throw problem('backup_in_the_way', { path: taken });
}

/**
 * Writes a verified backup, of all users or of one, to a file outside the home, with its record beside
 * it. Replaces nothing but an earlier backup.
 */
export function writeBackup(home: Home, path: string, now: Date, userId?: number): BackupRecord {
  const folder = dirname(path);
  const temporary = join(folder, `.club-events-${randomBytes(8).toString('hex')}.tmp`);
  try {
    requireOwnFiles(path);
    const record =
      userId === undefined
        ? writeCopy(home.database, temporary, 'hand', now)
        : writeCopyOfUser(home, userId, temporary, now);
    // The record of a file that is replaced would not fit the new one.
    rmSync(recordPath(path), { force: true });
    renameFile(temporary, path);
    writeRecord(path, record);
    syncFolder(folder);
    const isElsewhere = statSync(folder).dev !== statSync(home.directory).dev;
    if (isElsewhere && userId === undefined) rememberElsewhere(home, now);
    return record;
  } catch (error) {
    throw fileError(explainSqlite(error, home.database), path);
  } finally {
    removeTemporary(temporary, `${temporary}-journal`);
  }
}

const elsewherePath = (home: Home) => join(home.backups, 'elsewhere.json');

function rememberElsewhere(home: Home, now: Date): void {
  prepareBackups(home);
  writeWholeFile(elsewherePath(home), [`${JSON.stringify({ at: now.toISOString() })}\n`]);
}

/** Returns the time at which a person last wrote a backup to another disk; null if never. */
export function readWrittenElsewhere(home: Home): string | null {
  try {
    const { at } = JSON.parse(readFileSync(elsewherePath(home), 'utf8')) as { at?: unknown };
    return typeof at === 'string' && Number.isFinite(Date.parse(at)) ? at : null;
  } catch {
    // Without it, the reminder comes once more.
    return null;
  }
}

export type AutomaticBackup = {
  readonly now?: () => Date;
  /** Called with the reason why an automatic backup failed. */
  readonly warn?: ((problem: Problem) => void) | undefined;
};

/** Returns true if no backup was made today, and something has changed since the newest one. */
export function isBackupDue(home: Home, now: Date): boolean {
  const backups = listBackups(home);
  const today = dayOf(now);
  if (backups.some(({ createdAt }) => dayOf(new Date(createdAt)) === today)) return false;
  if (!existsSync(home.database)) return false;
  const { counts, state } = readStoreFacts(home.database);
  if (counts.events === 0 && counts.batches === 0) return false;
  return state === null || backups[0]?.state !== state;
}

/** Composes the problem of a backup that failed or was cancelled. Throws an internal error again. */
export function failureOf(code: 'backup_failed' | 'backup_needed', error: unknown): Problem {
  const reason = explain(error);
  if (reason === undefined) throw error;
  if (reason.code === 'cancelled') return reason;
  return problem(code, { reason: problemMessage(packProblem(reason)) }, error);
}

const fullCodes: ReadonlySet<string> = new Set(['disk_full', 'disk_quota_full', 'database_full']);

/**
 * Makes the backup before a club or many events are removed. A failure is passed to `warn`, or
 * thrown if the backup is needed; a full disk never prevents a removal, which frees space.
 */
export function backUpBeforeRemoval(
  home: Home,
  { now = () => new Date(), warn, isNeeded }: AutomaticBackup & { readonly isNeeded: boolean },
): void {
  try {
    createBackup(home, 'removal', now());
  } catch (error) {
    const isFull = fullCodes.has(explain(error)?.code ?? '');
    if (isNeeded && !isFull) throw failureOf('backup_needed', error);
    warn?.(failureOf('backup_failed', error));
  }
}

/** Makes the backup before a migration, which needs it. Throws `backup_needed`. */
export function backUpBeforeMigration(
  home: Home,
  db: Writer,
  { now = () => new Date() }: AutomaticBackup,
): void {
  if (!needsMigration(db)) return;
  try {
    createBackup(home, 'migration', now());
  } catch (error) {
    throw failureOf('backup_needed', error);
  }
}
