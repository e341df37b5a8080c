import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { needsMigration } from '../../db/migrate.ts';
import { explainSqlite, type OnStep, StoreError, type Writer } from '../../db/open.ts';
import {
  copyStore,
  inspectCopy,
  readStoreFacts,
  type StoreFacts,
} from '../../db/replace-database.ts';
import { combineDigests, readContentDigest, type UserDigests } from '../../db/user-digests.ts';
import { explain, fileError, type Problem, packProblem, problem } from '../base/errors.ts';
import { type Home, isBackup, prepareHome } from '../base/home.ts';
import { isAlive } from '../base/long-running.ts';
import {
  removeTemporary,
  renameFile,
  requireReplaceable,
  syncFolder,
  writeWholeFile,
} from '../base/write-file.ts';
import { problemMessage } from '../messages/message.ts';
import { forgetCheck } from './checked-file.ts';

const backupReasons = ['daily', 'migration', 'restore', 'removal', 'hand'] as const;
type BackupReason = (typeof backupReasons)[number];

/** The contents of a backup. */
type Contents = StoreFacts & {
  /** The digest of all events; missing in an older schema, and in the records of earlier versions. */
  readonly digest?: string | undefined;
};

/** The file beside a backup; times are ISO timestamps. */
type BackupRecord = Contents & {
  /** The position in its folder; earlier versions wrote none, and a file elsewhere needs none. */
  readonly number?: number;
  /** Earlier versions recorded a digest for each user. */
  readonly digests?: UserDigests;
  readonly createdAt: string;
  readonly reason: BackupReason;
  readonly sha256: string;
  readonly bytes: number;
  readonly verifiedAt: string;
  /** The last time that it was restored as a test, and had all its events. */
  readonly provenAt?: string;
};

export type Backup = BackupRecord & { readonly name: string };

const ending = '.sqlite';
const recordEnding = `${ending}.json`;
const temporaryEnding = '.tmp';

export function backupPath(home: Home, name: string): string {
  return join(home.backups, name);
}

export function recordPath(path: string): string {
  return `${path}.json`;
}

function isRecord(value: unknown): value is BackupRecord {
  const {
    number = 0,
    createdAt,
    reason,
    sha256,
    bytes,
    counts,
  } = (value ?? {}) as Partial<BackupRecord>;
  return (
    Number.isSafeInteger(number) &&
    Number.isFinite(Date.parse(createdAt ?? '')) &&
    backupReasons.some((known) => known === reason) &&
    /^[0-9a-f]{64}$/.test(sha256 ?? '') &&
    typeof bytes === 'number' &&
    typeof counts?.events === 'number'
  );
}

/** Reads the record of a backup; undefined if there is none, or none that can be read. */
export function readRecord(path: string): BackupRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(recordPath(path), 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError || code === 'ENOENT') return undefined;
    throw fileError(error, recordPath(path));
  }
}

function writeRecord(path: string, record: BackupRecord): void {
  writeWholeFile(recordPath(path), [`${JSON.stringify(record, undefined, 2)}\n`]);
}

function listNames(home: Home): string[] {
  if (!existsSync(home.backups)) return [];
  try {
    return readdirSync(home.backups);
  } catch (error) {
    throw fileError(error, home.backups);
  }
}

/**
 * Compares two backups by the order in which they were made, newest first. The clock can be wrong, and
 * the restore of an earlier backup can repeat the sequence of its database. The numbers in a folder
 * only grow; those of earlier versions, which wrote none, come last.
 */
function compareBackups(left: Backup, right: Backup): number {
  return (
    (right.number ?? 0) - (left.number ?? 0) ||
    right.createdAt.localeCompare(left.createdAt) ||
    right.name.localeCompare(left.name)
  );
}

/** Lists the backups of a home that have a record, newest first. */
export function listBackups(home: Home): Backup[] {
  return listNames(home)
    .filter(isBackup)
    .flatMap((name) => {
      const record = readRecord(backupPath(home, name));
      return record === undefined ? [] : [{ ...record, name }];
    })
    .toSorted(compareBackups);
}

/** Returns true for a time in the last `ms` milliseconds: one ahead of the clock is not recent. */
export function isRecent(time: string, now: Date, ms: number): boolean {
  const age = now.getTime() - Date.parse(time);
  return age >= 0 && age < ms;
}

/** Returns the calendar day of a time on this computer, such as `2026-11-22`. */
function dayOf(time: Date): string {
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** Returns the Monday of the week of a time. */
function weekOf(time: Date): string {
  const sinceMonday = (time.getDay() + 6) % 7;
  return dayOf(new Date(time.getFullYear(), time.getMonth(), time.getDate() - sinceMonday));
}

const monthOf = (time: Date) => dayOf(time).slice(0, 7);

/** The newest backup of each of the last days, weeks and months that have one is kept. */
const periods = [
  { periodOf: dayOf, count: 7 },
  { periodOf: weekOf, count: 4 },
  { periodOf: monthOf, count: 12 },
] as const;

/** Automatic backups that are not made daily are kept as long as this, and up to this number. */
const protection = { ms: 7 * 24 * 60 * 60 * 1_000, count: 20 };

/** Number of a person's own backups that are kept, however old. */
const ownCount = 10;

/** Size in bytes, and in copies of the newest backup, above which automatic backups are deleted. */
const space = { bytes: 1_000_000_000, copies: 10 };

/** Returns the backups to delete; `backups` has the newest first, which is never one of them. */
export function chooseExpired(backups: readonly Backup[], now: Date): Backup[] {
  const kept = new Set<Backup>();
  const keepNewest = (group: readonly Backup[]) => {
    for (const { periodOf, count } of periods) {
      const seen = new Set<string>();
      for (const backup of group) {
        const period = periodOf(new Date(backup.createdAt));
        if (seen.has(period) || seen.size === count) continue;
        seen.add(period);
        kept.add(backup);
      }
    }
  };
  const isOwn = ({ reason }: Backup) => reason === 'hand';
  const isDaily = ({ reason }: Backup) => reason === 'daily';
  keepNewest(backups);
  // Another backup of the same day, such as that of a restore, does not replace the daily one.
  keepNewest(backups.filter(isDaily));
  const isProtected = (backup: Backup) =>
    !isDaily(backup) && !isOwn(backup) && isRecent(backup.createdAt, now, protection.ms);
  for (const backup of backups.filter(isProtected).slice(0, protection.count)) kept.add(backup);
  for (const backup of backups.filter(isOwn).slice(0, ownCount)) kept.add(backup);
  const [newest, ...older] = backups;
  const limit = Math.max(space.bytes, space.copies * (newest?.bytes ?? 0));
  let total = [...kept].reduce((sum, { bytes }) => sum + bytes, 0);
  for (const backup of older.toReversed()) {
    if (total <= limit) break;
    if (!isOwn(backup) && kept.delete(backup)) total -= backup.bytes;
  }
  return backups.filter((backup) => !kept.has(backup));
}

/** Deletes the backups that have expired. */
function rotate(home: Home, now: Date): void {
  for (const { name } of chooseExpired(listBackups(home), now)) {
    const path = backupPath(home, name);
    // The record last: without one, the file would never be deleted.
    rmSync(path, { force: true });
    rmSync(recordPath(path), { force: true });
  }
}

/** Age in milliseconds from which a temporary file belongs to nobody. */
const abandonedMs = 60 * 60 * 1_000;

/** Returns the path of a temporary file or folder in the folder of the backups. */
export function temporaryPath(home: Home): string {
  const random = randomBytes(6).toString('hex');
  return join(home.backups, `.${process.pid}-${random}${temporaryEnding}`);
}

/** Deletes the files of backups and the folders of proofs whose program was killed. */
function removeLeftovers(home: Home): void {
  const names = new Set(listNames(home));
  for (const name of names) {
    const [, pid] = new RegExp(`^\\.(\\d+)-[0-9a-f]+\\${temporaryEnding}`).exec(name) ?? [];
    const path = backupPath(home, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    const isAbandoned = age > abandonedMs;
    // A record is written before its backup gets its name.
    const isLoneRecord =
      name.endsWith(recordEnding) && !names.has(name.slice(0, -'.json'.length)) && isAbandoned;
    const isTemporary = pid !== undefined && (isAbandoned || !isAlive(Number(pid)));
    if (isTemporary || isLoneRecord) rmSync(path, { recursive: true, force: true });
  }
}

/** Creates the folder of the backups and deletes the leftovers in it. */
export function prepareBackups(home: Home): void {
  prepareHome(home);
  try {
    mkdirSync(home.backups, { recursive: true, mode: 0o700 });
    removeLeftovers(home);
  } catch (error) {
    throw fileError(error, home.backups);
  }
}

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

/** Copies the database to a new file and verifies the copy. */
function writeCopy(
  home: Home,
  path: string,
  reason: BackupReason,
  now: Date,
  onStep?: OnStep,
): BackupRecord {
  // With its mode before it has any content.
  closeSync(openSync(path, 'wx', 0o600));
  copyStore(home.database, path, onStep);
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
    const record = { number, ...writeCopy(home, temporary, reason, now, onStep) };
    const name = reserveName(home, record);
    renameFile(temporary, backupPath(home, name));
    syncFolder(home.backups);
    rotate(home, now);
    return { ...record, name };
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
 * Writes a verified backup to a file outside the home, with its record beside it. Replaces nothing but
 * an earlier backup.
 */
export function writeBackup(home: Home, path: string, now: Date): BackupRecord {
  const folder = dirname(path);
  const temporary = join(folder, `.club-events-${randomBytes(8).toString('hex')}.tmp`);
  try {
    requireOwnFiles(path);
    const record = writeCopy(home, temporary, 'hand', now);
    // The record of a file that is replaced would not fit the new one.
    rmSync(recordPath(path), { force: true });
    renameFile(temporary, path);
    writeRecord(path, record);
    syncFolder(folder);
    if (statSync(folder).dev !== statSync(home.directory).dev) rememberElsewhere(home, now);
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

/** Returns the time at which a backup was last written to another disk; null if never. */
export function readElsewhere(home: Home): string | null {
  try {
    const { at } = JSON.parse(readFileSync(elsewherePath(home), 'utf8')) as { at?: unknown };
    return typeof at === 'string' && Number.isFinite(Date.parse(at)) ? at : null;
  } catch {
    // Without it, the reminder comes once more.
    return null;
  }
}

/** Records that a backup was restored as a test. */
export function rememberProof(home: Home, { name, ...record }: Backup, provenAt: string): void {
  writeRecord(backupPath(home, name), { ...record, provenAt });
}

function readContents(path: string, onStep?: OnStep): Contents {
  const facts = inspectCopy(path, onStep);
  return { ...facts, digest: readContentDigest(path, onStep) };
}

/** Returns true if a database has the users and events in a record, as far as the record has them. */
function hasRecorded({ schema, counts, digest }: Contents, record: BackupRecord): boolean {
  const recorded = record.digest ?? (record.digests && combineDigests(record.digests));
  const isComparable = recorded !== undefined && record.schema === schema;
  return isDeepStrictEqual(counts, record.counts) && (!isComparable || digest === recorded);
}

/**
 * Verifies a file that may be a backup: its size and SHA-256, its pages and schema, and that it has the
 * users and events in its record, if there is one. Throws a problem or a StoreError about `shownPath`
 * with the reason why it cannot be restored.
 */
export function verifyBackup(
  path: string,
  record: BackupRecord | undefined,
  shownPath = path,
  onStep?: OnStep,
): StoreFacts {
  const values = { path: shownPath };
  try {
    const isSame = ({ bytes, sha256 }: BackupRecord) =>
      statSync(path).size === bytes && digestFile(path, onStep) === sha256;
    if (record !== undefined && !isSame(record)) throw problem('backup_altered', values);
    const contents = readContents(path, onStep);
    if (record !== undefined && !hasRecorded(contents, record)) {
      throw problem('backup_altered', values);
    }
    return contents;
  } catch (error) {
    if (!(error instanceof StoreError)) throw fileError(error, shownPath);
    if (error.problem === 'damaged') {
      throw problem('backup_damaged', { ...values, reason: error.reason }, error);
    }
    if (error.problem === 'foreign') throw problem('backup_foreign', values, error);
    throw new StoreError(error.problem, shownPath, error);
  }
}

/** Returns true if a database that was restored from a backup has all its users and events. */
export function isRestored(path: string, backup: Backup, onStep?: OnStep): boolean {
  return hasRecorded(readContents(path, onStep), backup);
}

/** Returns the reason why a file in the folder of the backups cannot be restored, if any. */
export function findFlaw(home: Home, name: string): Problem | undefined {
  const path = backupPath(home, name);
  try {
    const record = readRecord(path);
    if (record === undefined) return problem('backup_unverified', { path });
    verifyBackup(path, record);
    return undefined;
  } catch (error) {
    const flaw = explain(error);
    if (flaw === undefined) throw error;
    return flaw;
  }
}

type VerifiedBackup = {
  readonly name: string;
  /** The reason why a bad backup cannot be restored; undefined for a good one. */
  readonly flaw: Problem | undefined;
};

/** Verifies every file in the folder of the backups that has the name of one, by name. */
export function verifyBackups(home: Home): VerifiedBackup[] {
  const names = listNames(home).filter(isBackup).toSorted().toReversed();
  return names.map((name) => ({ name, flaw: findFlaw(home, name) }));
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
