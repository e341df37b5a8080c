import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ClubEventsError, fileError } from './errors.ts';

/** Pauses between attempts to replace a file, in milliseconds; about two seconds in all. */
const renamePauses = [10, 20, 50, 100, 200, 300, 500, 800];

function isHeldByAnotherProgram(error: unknown): boolean {
  return ['EACCES', 'EBUSY', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Renames a file. On Windows a virus scanner or an indexer often holds a new file for a moment, so
 * the rename is tried again there.
 */
export function renameFile(
  from: string,
  to: string,
  { platform = process.platform, rename = renameSync, pauses = renamePauses } = {},
): void {
  for (const pause of platform === 'win32' ? pauses : []) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (!isHeldByAnotherProgram(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
  rename(from, to);
}

/** Renaming over a device such as /dev/null would remove it from the system. */
function requireReplaceable(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  const what = found.isDirectory() ? 'is a folder, not a file' : 'is not an ordinary file';
  throw new ClubEventsError('unavailable', `${path} ${what}; choose another name.`);
}

function writePieces(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    // `writeFileSync` goes on after a short write, which `writeSync` only reports.
    for (const piece of pieces) writeFileSync(file, piece);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Writes a file whole, or leaves an earlier one as it was: to a temporary file beside it first.
 * Throws `unavailable` naming the file, or the error of `pieces`.
 */
export function writeWholeFile(path: string, pieces: Iterable<string>): void {
  const draft = join(dirname(path), `.club-events-${randomBytes(8).toString('hex')}.tmp`);
  try {
    requireReplaceable(path);
    writePieces(draft, pieces);
    renameFile(draft, path);
  } catch (error) {
    try {
      rmSync(draft, { force: true });
    } catch {
      // A disk that fails here failed before: the first error is the one to report.
    }
    throw fileError(error, path);
  }
}
