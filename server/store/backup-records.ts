import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreFacts } from '../../db/replace-database.ts';
import type { UserDigests } from '../../db/user-digests.ts';
import { fileError } from '../base/errors.ts';
import { type Home, isBackup, prepareHome } from '../base/home.ts';
import { isAlive } from '../base/long-running.ts';
import { writeWholeFile } from '../base/write-file.ts';

const backupReasons = ['daily', 'migration', 'restore', 'removal', 'hand'] as const;
export type BackupReason = (typeof backupReasons)[number];

/** The file beside a backup; times are ISO timestamps. */
export type BackupRecord = StoreFacts & {
  /** The position in its folder; earlier versions wrote none, and a file elsewhere needs none. */
  readonly number?: number;
  readonly createdAt: string;
  readonly reason: BackupReason;
  readonly sha256: string;
  readonly bytes: number;
  /** The digest of all events; missing in some records of earlier versions. */
  readonly digest?: string;
  /** The latest schema of the program that computed the digest; by default, that of the file. */
  readonly digestSchema?: number;
  /** Earlier versions recorded a digest for each user. */
  readonly digests?: UserDigests;
  readonly verifiedAt: string;
  /** The last time that it was restored as a test, and had all its events. */
  readonly provenAt?: string;
};

export type Backup = BackupRecord & { readonly name: string };

export const ending = '.sqlite';
const recordEnding = `${ending}.json`;
const temporaryEnding = '.tmp';

export function backupPath(home: Home, name: string): string {
  return join(home.backups, name);
}

export function recordPath(path: string): string {
  return `${path}.json`;
}

/** Returns true for a record. Without zod, whose loading would delay the start of the service. */
function isRecord(value: unknown): value is BackupRecord {
  const { number, createdAt, reason, sha256, bytes, schema, counts } = (value ??
    {}) as Partial<BackupRecord>;
  const numbers = [number ?? 0, bytes, schema, counts?.users, counts?.events, counts?.batches];
  return (
    numbers.every((each) => Number.isSafeInteger(each)) &&
    Number.isFinite(Date.parse(createdAt ?? '')) &&
    backupReasons.some((known) => known === reason) &&
    /^[0-9a-f]{64}$/.test(sha256 ?? '')
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

export function writeRecord(path: string, record: BackupRecord): void {
  writeWholeFile(recordPath(path), [`${JSON.stringify(record, undefined, 2)}\n`]);
}

export function listNames(home: Home): string[] {
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

/** Records that a backup was restored as a test. */
export function rememberProof(home: Home, { name, ...record }: Backup, provenAt: string): void {
  writeRecord(backupPath(home, name), { ...record, provenAt });
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
