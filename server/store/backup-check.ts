import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import { latestVersion, type OnStep, StoreError } from '../../db/open.ts';
import {
  inspectCopy,
  migrateCopy,
  requirePossibleValues,
  type StoreFacts,
} from '../../db/replace-database.ts';
import { combineDigests, firstComparableSchema, readContentDigest } from '../../db/user-digests.ts';
import { hasLog } from '../../db/write-ahead-log.ts';
import { explain, fileError, type Problem, problem } from '../base/errors.ts';
import { startOf } from '../base/file-start.ts';
import type { Home } from '../base/home.ts';
import { removeTemporary } from '../base/write-file.ts';
import type { ProblemCode } from '../messages/message.ts';
import {
  type BackupRecord,
  findFile,
  listNames,
  readRecord,
  recordPath,
  temporaryPath,
} from './backup-records.ts';

/** Checks the pages and tables of a new copy, and reads the contents for its record. */
export function readContents(
  path: string,
  onStep?: OnStep,
): StoreFacts & Required<Pick<BackupRecord, 'digest' | 'digestSchema'>> {
  const facts = inspectCopy(path, onStep);
  return { ...facts, digest: readContentDigest(path, onStep), digestSchema: latestVersion };
}

/** Files that SQLite may make beside a database, by the endings of their names. */
export const suffixes = ['', '-wal', '-shm', '-journal'] as const;

/** Returns true for a file that begins as one of gzip does, whatever its name. */
function isCompressed(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(2);
    readSync(file, start);
    return startOf(start) === 'gzip';
  } finally {
    closeSync(file);
  }
}

/** Writes the content of a backup, compressed or not, to a stream. Throws `backup_damaged`. */
async function pipeContent(
  path: string,
  onStep: OnStep | undefined,
  target: NodeJS.WritableStream,
): Promise<void> {
  const unpacking = isCompressed(path) ? [createGunzip()] : [];
  try {
    await pipeline([createReadStream(path), ...unpacking, withSteps(onStep), target]);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) throw error;
    throw problem('backup_damaged', { path, reason: message }, error);
  }
}

/** Creates a stream that calls `onStep` for each piece. */
export function withSteps(onStep: OnStep | undefined): Transform {
  return new Transform({
    transform(piece, _encoding, done) {
      try {
        onStep?.();
        done(null, piece);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** Returns true if the content of a file has the size and SHA-256 in a record. */
export async function isSameContent(
  path: string,
  { bytes, sha256 }: BackupRecord,
  onStep?: OnStep,
): Promise<boolean> {
  const digest = createHash('sha256');
  let length = 0;
  const counting = new Writable({
    write(piece: Uint8Array, _encoding, done) {
      length += piece.length;
      digest.update(piece);
      done();
    },
  });
  await pipeContent(path, onStep, counting);
  return length === bytes && digest.digest('hex') === sha256;
}

/**
 * Uses a copy of the content of a file that may be a backup, in the folder of the backups, and removes
 * it. Throws if it is not an ordinary file that is whole.
 */
export async function withCopy<T>(
  home: Home,
  path: string,
  use: (copy: string) => Promise<T>,
  onStep?: OnStep,
): Promise<T> {
  const copy = temporaryPath(home);
  try {
    try {
      if (!statSync(path).isFile()) throw problem('backup_foreign', { path });
      if (hasLog(path)) throw problem('backup_not_whole', { path });
      await pipeContent(path, onStep, createWriteStream(copy, { flags: 'wx', mode: 0o600 }));
    } catch (error) {
      const { code = '', path: where } = error as NodeJS.ErrnoException;
      const isOwnDisk = where === copy || ['ENOSPC', 'EDQUOT'].includes(code);
      throw fileError(error, isOwnDisk ? home.backups : path);
    }
    return await use(copy);
  } finally {
    removeTemporary(...suffixes.map((suffix) => copy + suffix));
  }
}

/** Returns true if a database of the latest schema has the users and events in a record. */
function hasRecorded(
  path: string,
  { counts }: Pick<StoreFacts, 'counts'>,
  record: BackupRecord,
  onStep?: OnStep,
): boolean {
  if (!isDeepStrictEqual(counts, record.counts)) return false;
  const { schema, digestSchema = schema, digests } = record;
  const digest = record.digest ?? (digests && combineDigests(digests));
  // For others, the SHA-256 of the file is the proof.
  const isComparable = digest !== undefined && digestSchema >= firstComparableSchema;
  return !isComparable || readContentDigest(path, onStep) === digest;
}

/** Returns true if a database that was restored from a backup has all its users and events. */
export function isRestored(path: string, backup: BackupRecord, onStep?: OnStep): boolean {
  return hasRecorded(path, inspectCopy(path, onStep), backup, onStep);
}

/** A file that may be a backup, for its check. */
type Candidate = {
  /** Missing for a file without a record, of which only the content is checked. */
  readonly record: BackupRecord | undefined;
  /** The path in problems. */
  readonly path: string;
  readonly onStep?: OnStep | undefined;
};

/** Runs a check of a backup. Throws a problem or a StoreError about it. */
async function explainFlaws<T>(path: string, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof StoreError)) throw fileError(error, path);
    if (error.problem === 'damaged') {
      throw problem('backup_damaged', { path, reason: error.reason }, error);
    }
    if (error.problem === 'foreign') throw problem('backup_foreign', { path }, error);
    throw new StoreError(error.problem, path, error);
  }
}

/** Checks the size and SHA-256 of a file by its record, then its pages, tables and values. */
async function requireSoundFile(
  file: string,
  { record, path, onStep }: Candidate,
): Promise<StoreFacts> {
  if (record !== undefined && !(await isSameContent(file, record, onStep))) {
    throw problem('backup_altered', { path });
  }
  const facts = inspectCopy(file, onStep);
  // Before a migration or a digest, which no longer text may reach.
  requirePossibleValues(file, onStep);
  return facts;
}

/** Checks the contents of a file of the latest schema, then its users and events by its record. */
async function requireRecorded(
  file: string,
  facts: StoreFacts,
  { record, path, onStep }: Candidate,
): Promise<void> {
  // Loaded on demand: zod would delay the start of the service.
  const { requireSoundContents } = await import('../../db/check-contents.ts');
  requireSoundContents(file, onStep);
  if (record === undefined) return;
  const isSame = record.schema === facts.schema && hasRecorded(file, facts, record, onStep);
  // The file is the one in the record by its SHA-256.
  if (!isSame) throw problem('backup_record_flawed', { path });
}

/**
 * Verifies a copy of a backup, and migrates it to the latest schema: its size and SHA-256, its pages,
 * tables and values, and that it has the users and events in its record. Throws a problem or a
 * StoreError with the reason why the backup cannot be restored.
 */
export function verifyCopy(copy: string, candidate: Candidate): Promise<StoreFacts> {
  return explainFlaws(candidate.path, async () => {
    const facts = await requireSoundFile(copy, candidate);
    migrateCopy(copy);
    await requireRecorded(copy, facts, candidate);
    return facts;
  });
}

/** Codes of a disk on which no copy can be made. */
const unwritable: ReadonlySet<string> = new Set<ProblemCode>([
  'disk_full',
  'disk_quota_full',
  'database_full',
  'file_read_only',
  'file_forbidden',
]);

/** Verifies a backup as a restore does, and leaves it as it is. */
async function verifyBackup(home: Home, candidate: Candidate): Promise<void> {
  const { path, record } = candidate;
  const isDone = await explainFlaws(path, async () => {
    if (isCompressed(path)) return false;
    const facts = await requireSoundFile(path, candidate);
    if (facts.schema < latestVersion) return false;
    await requireRecorded(path, facts, candidate);
    return true;
  });
  if (isDone) return;
  try {
    await withCopy(home, path, (copy) => verifyCopy(copy, candidate));
  } catch (error) {
    if (record === undefined || !unwritable.has(explain(error)?.code ?? '')) throw error;
    // The SHA-256 is the proof that is left.
    if (!(await isSameContent(path, record))) throw problem('backup_altered', { path });
  }
}

/** Returns the reason why a file in the folder of the backups cannot be restored, if any. */
export async function findFlaw(home: Home, name: string): Promise<Problem | undefined> {
  const path = findFile(home, name);
  try {
    const record = readRecord(path);
    await verifyBackup(home, { path, record });
    if (record !== undefined) return undefined;
    const hasRecord = existsSync(recordPath(path));
    return problem(hasRecord ? 'backup_record_unreadable' : 'backup_unverified', { path });
  } catch (error) {
    // It was compressed meanwhile.
    if (findFile(home, name) !== path) return findFlaw(home, name);
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
export async function verifyBackups(home: Home): Promise<VerifiedBackup[]> {
  const verified: VerifiedBackup[] = [];
  for (const name of listNames(home).toSorted().toReversed()) {
    verified.push({ name, flaw: await findFlaw(home, name) });
  }
  return verified;
}
