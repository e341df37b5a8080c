import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Home } from '../base/home.ts';

/**
 * The state of a database file that was checked whole. Every change by another program gives it
 * another state: a replaced file has another number, a changed one other times. The time of the last
 * change of the inode (`ctime`) cannot be set, so a program that restores the times of a file is
 * noticed too. The file itself is not read: closing it would drop SQLite's locks.
 */
export type FileState = {
  /** The numbers of the device and the file. */
  readonly identity: string;
  readonly size: string;
  readonly times: string;
};

/** Returns undefined if there is no file. */
export function readFileState({ database }: Home): FileState | undefined {
  // As bigint: times in nanoseconds, and the whole file numbers of NTFS.
  const stats = statSync(database, { bigint: true, throwIfNoEntry: false });
  return (
    stats && {
      identity: `${stats.dev}:${stats.ino}`,
      size: `${stats.size}`,
      times: `${stats.mtimeNs}:${stats.ctimeNs}`,
    }
  );
}

function isSame(one: Partial<FileState>, other: FileState): boolean {
  return one.identity === other.identity && one.size === other.size && one.times === other.times;
}

type Check = FileState & {
  /** The time of the system's start, in milliseconds since 1970. */
  readonly startedAt: number;
};

const startOfSystem = () => Math.round(Date.now() - uptime() * 1_000);

/** Difference in milliseconds up to which two times of a start are the same. A set clock differs. */
const tolerance = 60_000;

/**
 * Returns true if a database file is as a program left it that had checked it whole, since the start
 * of the system: a power failure can tear pages, and leaves the times as they were.
 */
export function isChecked(home: Home): boolean {
  const state = readFileState(home);
  const check = readCheck(home.checkedFile);
  if (state === undefined || check === undefined) return false;
  const isSameStart = Math.abs((check.startedAt ?? 0) - startOfSystem()) < tolerance;
  return isSameStart && isSame(check, state);
}

function readCheck(path: string): Partial<Check> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // Without it, the file is checked once more.
    return undefined;
  }
}

/**
 * Records that the present file is sound, unless another file has taken the place of the one that
 * was checked. With `isUnchanged`, also not if its contents have changed since.
 */
export function rememberCheck(home: Home, checked: FileState, { isUnchanged = false } = {}): void {
  const state = readFileState(home);
  if (state?.identity !== checked.identity) return;
  if (isUnchanged && !isSame(checked, state)) return;
  const check: Check = { ...state, startedAt: startOfSystem() };
  try {
    writeFileSync(home.checkedFile, `${JSON.stringify(check)}\n`, { mode: 0o600 });
  } catch {
    // On a full or write-protected disk, the next program checks the file once more.
  }
}

/** Makes the next program check the whole file before it changes anything. */
export function forgetCheck({ checkedFile }: Home): void {
  try {
    rmSync(checkedFile, { force: true });
  } catch {
    // Where nothing can be removed, nothing can be changed either.
  }
}
