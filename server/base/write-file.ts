import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileError, problem } from './errors.ts';

/** Pauses between attempts to replace a file, in milliseconds; about two seconds in all. */
const renamePauses = [10, 20, 50, 100, 200, 300, 500, 800];

function isHeldByAnotherProgram(error: unknown): boolean {
  return ['EACCES', 'EBUSY', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Renames a file, with retries on Windows, where virus scanners and indexers often keep new files
 * open for a moment.
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

/** Throws `unavailable` for a folder or device: renaming over /dev/null would remove it. */
export function requireReplaceable(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return;
  throw problem(stats.isDirectory() ? 'output_is_folder' : 'output_not_a_file', { path });
}

/** Returns the path of an existing file or folder without links. */
export function resolveLinks(path: string): string {
  // Only the system itself can resolve `\\?\C:\…` of Windows: https://github.com/nodejs/node/issues/62446.
  return path.startsWith('\\\\?\\') ? realpathSync.native(path) : realpathSync(path);
}

/** Returns the path of an existing file without links; any other path unchanged. */
export function followLinks(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? path : resolveLinks(path);
}

/** Returns the mode of an existing file, or that of a new one. */
function modeFor(path: string, umask: number): number {
  const earlier = statSync(path, { throwIfNoEntry: false });
  return earlier === undefined ? 0o666 & ~umask : earlier.mode & 0o777;
}

function writePieces(path: string, pieces: Iterable<string | Uint8Array>, mode: number): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    // Some shares refuse each change of a mode.
    if (mode !== 0o600) fchmodSync(file, mode);
    // `writeFileSync` continues after a short write, which `writeSync` only reports.
    for (const piece of pieces) writeFileSync(file, piece);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Codes of file systems that cannot sync a folder, such as some of networks. */
const unsyncable: readonly unknown[] = ['EBADF', 'EINVAL', 'ENOTSUP'];

/** Makes the names in a folder durable. Windows cannot; its file systems journal them. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } catch (error) {
    if (!unsyncable.includes((error as NodeJS.ErrnoException).code)) throw error;
  } finally {
    closeSync(folder);
  }
}

function isRemoved(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes temporary files, if the disk allows it, which it may do the second time. A failure must not
 * hide an earlier one, which probably has the same cause.
 */
export function removeTemporary(...paths: readonly string[]): void {
  for (const path of paths) if (!isRemoved(path)) isRemoved(path);
}

/** Matches the names of temporary files. */
export const temporaryName = /^\.club-events-[0-9a-f]{16}\.tmp$/;

/** Returns the path of a new temporary file beside a file. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.club-events-${randomBytes(8).toString('hex')}.tmp`);
}

type WriteOptions = {
  readonly umask?: number | undefined;
  /** True to replace a link rather than the file to which it leads. */
  readonly replacesLinks?: boolean;
  /** False if a power failure may bring back the earlier file, or none. */
  readonly isDurable?: boolean;
  /** The path of the temporary file, for a file of which all writers hold one lock. */
  readonly temporary?: string;
};

/**
 * Writes a file atomically: to a temporary file beside it, which then replaces it. Only the owner may
 * read it, it replaces a link, and it stays through a power failure, unless `umask` is given: then it
 * has the mode of the earlier one, or that of new files under this umask. Throws a problem naming the
 * file, or the error of `pieces`.
 */
export function writeWholeFile(
  path: string,
  pieces: Iterable<string | Uint8Array>,
  {
    umask,
    replacesLinks = umask === undefined,
    isDurable = umask === undefined,
    temporary,
  }: WriteOptions = {},
): void {
  let temporaryPath: string | undefined;
  try {
    requireReplaceable(path);
    const target = replacesLinks ? path : followLinks(path);
    temporaryPath = temporary ?? temporaryBeside(target);
    writePieces(temporaryPath, pieces, umask === undefined ? 0o600 : modeFor(target, umask));
    renameFile(temporaryPath, target);
    if (isDurable) syncFolder(dirname(target));
  } catch (error) {
    if (temporaryPath !== undefined) removeTemporary(temporaryPath);
    throw fileError(error, path);
  }
}
