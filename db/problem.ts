import { SqliteError } from 'better-sqlite3';

export type StoreProblem =
  | 'missing'
  | 'foreign'
  | 'newer'
  | 'older'
  | 'busy'
  | 'full'
  | 'forbidden'
  | 'interrupted'
  | 'damaged'
  | 'failed';

/** A failure of the store; `path` is the database file. */
export class StoreError extends Error {
  readonly problem: StoreProblem;
  readonly path: string;

  constructor(problem: StoreProblem, path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreError';
    this.problem = problem;
    this.path = path;
  }
}

/** Result codes of a full disk, met while writing pages or extending the WAL index. */
const fullCodes = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE']);

/** Maps a SQLite result code (https://sqlite.org/rescode.html) to a problem. */
function problemOfCode(code: string): StoreProblem {
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'busy';
  if (fullCodes.has(code)) return 'full';
  if (code === 'SQLITE_NOTADB') return 'foreign';
  // Only a writer can recover a transaction that a crash interrupted.
  if (code === 'SQLITE_READONLY_ROLLBACK' || code === 'SQLITE_READONLY_RECOVERY') {
    return 'interrupted';
  }
  if (code.startsWith('SQLITE_CORRUPT')) return 'damaged';
  if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY')) return 'forbidden';
  if (code === 'SQLITE_PERM' || code === 'SQLITE_IOERR_ACCESS') return 'forbidden';
  return 'failed';
}

const sentences: Readonly<Record<StoreProblem, (path: string, reason: string) => string>> = {
  missing: (path) =>
    `There is no database at ${path} yet; add a user first, or choose another data directory.`,
  foreign: (path) =>
    `${path} is not a Club Events database; move it away or choose another data directory.`,
  newer: (path) =>
    `${path} was made by a newer version of Club Events; install that version to use it.`,
  older: (path) =>
    `${path} was made by an older version of Club Events and must be upgraded first.`,
  busy: (path) =>
    `${path} is locked by another program; wait until that has finished, then try again.`,
  full: (path) => `The disk that holds ${path} is full; free some space, then try again.`,
  forbidden: (path) =>
    `${path} cannot be opened or written; check the permissions of the file and of its folder.`,
  interrupted: (path) =>
    `The last change of ${path} was interrupted and must be rolled back by a command that writes.`,
  damaged: (path) =>
    `${path} is damaged; restore it from a backup and leave it as it is until then.`,
  failed: (path, reason) => `${path} could not be used: ${reason}.`,
};

export function storeError(problem: StoreProblem, path: string, cause?: unknown): StoreError {
  const reason = cause instanceof Error ? cause.message : 'the reason is not known';
  return new StoreError(problem, path, sentences[problem](path, reason), cause);
}

/** Converts SQLite's errors to a StoreError; returns other errors unchanged. */
export function explainSqlite(error: unknown, path: string): unknown {
  if (!(error instanceof SqliteError)) return error;
  return storeError(problemOfCode(error.code), path, error);
}

/** Returns true if an error means that another program holds a lock. */
export function isBusy(error: unknown): boolean {
  if (error instanceof SqliteError) return problemOfCode(error.code) === 'busy';
  return error instanceof StoreError && error.problem === 'busy';
}
