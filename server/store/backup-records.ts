import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreFacts } from '../../db/replace-database.ts';
import type { UserDigests } from '../../db/user-digests.ts';
import { fileError } from '../base/errors.ts';
import { type Home, isBackup, prepareHome } from '../base/home.ts';
import { isAlive } from '../base/long-running.ts';
import { writeWholeFile } from '../base/write-file.ts';
import { hourMs } from '../dates/units.ts';

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

export type Backup = BackupRecord & {
  /** The name of its file; that of a compressed file has one more ending. */
  readonly name: string;
  /** Bytes on the disk. */
  readonly storedBytes: number;
};

export const ending = '.sqlite';
const compressedEnding = '.gz';

export function backupPath(home: Home, name: string): string {
  return join(home.backups, name);
}

/** Returns the path of a backup once it is compressed. */
export function compressedPath(path: string): string {
  return `${path}${compressedEnding}`;
}

/** Returns the name of the backup in a file, compressed or not. */
export function nameOf(file: string): string {
  return file.endsWith(compressedEnding) ? file.slice(0, -compressedEnding.length) : file;
}

/** Returns the path of the record of a file. */
export function recordPath(path: string): string {
  return `${path}.json`;
}

/** Returns the file of a backup: the compressed one if there is no other. */
export function findFile(home: Home, name: string): string {
  const path = backupPath(home, name);
  return existsSync(path) ? path : compressedPath(path);
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

/** Parses the text of a record; undefined for any other text. */
export function parseRecord(text: string): BackupRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the record of a backup; undefined if there is none, or none that can be read. */
export function readRecord(path: string): BackupRecord | undefined {
  try {
    return parseRecord(readFileSync(recordPath(path), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(error, recordPath(path));
  }
}

export function writeRecord(path: string, record: BackupRecord): void {
  writeWholeFile(recordPath(path), [`${JSON.stringify(record, undefined, 2)}\n`]);
}

function listFiles(home: Home): string[] {
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
export function compareBackups(left: Backup, right: Backup): number {
  return (
    (right.number ?? 0) - (left.number ?? 0) ||
    right.createdAt.localeCompare(left.createdAt) ||
    right.name.localeCompare(left.name)
  );
}

/** Lists the names of all backups of a home, also of those without a record. */
export function listNames(home: Home): string[] {
  // While one is compressed, and after a kill, there are two files.
  return [...new Set(listFiles(home).filter(isBackup).map(nameOf))];
}

/** Lists the backups of a home that have a record, newest first. */
export function listBackups(home: Home): Backup[] {
  return listNames(home)
    .flatMap((name) => {
      const file = findFile(home, name);
      const record = readRecord(file);
      if (record === undefined) return [];
      const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      return [{ ...record, name, storedBytes: size }];
    })
    .toSorted(compareBackups);
}

/** Records that a backup was restored as a test. */
export function rememberProof(
  home: Home,
  { name, storedBytes: _, ...record }: Backup,
  provenAt: string,
): void {
  writeRecord(findFile(home, name), { ...record, provenAt });
}

/** Age in milliseconds from which a temporary file belongs to nobody. */
const abandonedMs = hourMs;

/** Returns the path of a temporary file or folder in the folder of the backups. */
export function temporaryPath(home: Home): string {
  const random = randomBytes(6).toString('hex');
  return join(home.backups, `.${process.pid}-${random}.tmp`);
}

/** Matches the names of temporary files: with the id of their process, and of a file written whole. */
const temporaryName = /^\.(?:(\d+)-|club-events-)[0-9a-f]+\.tmp/;

/** Deletes the files of backups and the folders of proofs whose program was killed. */
function removeLeftovers(home: Home): void {
  const names = new Set(listFiles(home));
  for (const name of names) {
    const path = backupPath(home, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    const isAbandoned = age > abandonedMs;
    // A record is written before its backup gets its name.
    const [, recorded = ''] = /^(.*)\.json$/.exec(name) ?? [];
    const isLoneRecord = isBackup(recorded) && !names.has(recorded) && isAbandoned;
    const [temporary, pid] = temporaryName.exec(name) ?? [];
    const isEnded = pid !== undefined && !isAlive(Number(pid));
    const isLeft = temporary !== undefined && (isAbandoned || isEnded);
    if (isLeft || isLoneRecord) rmSync(path, { recursive: true, force: true });
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
