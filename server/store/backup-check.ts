import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type OnStep, StoreError } from '../../db/open.ts';
import { inspectCopy, type StoreFacts } from '../../db/replace-database.ts';
import { combineDigests, readContentDigest } from '../../db/user-digests.ts';
import { explain, fileError, type Problem, problem } from '../base/errors.ts';
import { type Home, isBackup } from '../base/home.ts';
import {
  type Backup,
  type BackupRecord,
  backupPath,
  type Contents,
  listNames,
  readRecord,
} from './backup-records.ts';

/** Computes the SHA-256 of a file, in hexadecimal digits. */
export function digestFile(path: string, onStep?: OnStep): string {
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

export function readContents(path: string, onStep?: OnStep): Contents {
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
