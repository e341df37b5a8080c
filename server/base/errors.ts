import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { explainSqlite, StoreError } from '../../db/open.ts';
import type {
  CommandCode,
  MessageValues,
  PackedProblem,
  ProblemCode,
} from '../messages/message.ts';

/**
 * A failure with a code and its values, which the front end puts into words. `message` is for logs
 * only.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode | CommandCode;
  readonly values: MessageValues;
  /** True if the arguments are wrong, rather than the content, the environment or the data. */
  isUsage = false;

  constructor(code: ProblemCode | CommandCode, values: MessageValues = {}, cause?: unknown) {
    super(`${code} ${JSON.stringify(values)}`, { cause });
    this.code = code;
    this.values = values;
  }
}

export function problem(code: ProblemCode, values?: MessageValues, cause?: unknown): Problem {
  return new Problem(code, values, cause);
}

/** Creates a problem that only a command line can have, such as an option with a wrong value. */
export function commandProblem(
  code: CommandCode,
  values?: MessageValues,
  cause?: unknown,
): Problem {
  return new Problem(code, values, cause);
}

/** Marks a problem as one of the arguments, for which the exit status of the command line is 2. */
export function asUsage(failure: Problem): Problem {
  failure.isUsage = true;
  return failure;
}

export function packProblem({ code, values, isUsage }: Problem): PackedProblem {
  return { code, values, ...(isUsage && { isUsage }) };
}

export function unpackProblem({ code, values, isUsage }: PackedProblem): Problem {
  const failure = new Problem(code, values);
  return isUsage ? asUsage(failure) : failure;
}

/** Problem codes of failed system calls, by the code of Node.js. */
const fileProblems: Readonly<Record<string, ProblemCode>> = {
  ENOENT: 'file_missing',
  EEXIST: 'file_in_the_way',
  EISDIR: 'file_is_folder',
  ENOTDIR: 'file_below_file',
  EACCES: 'file_forbidden',
  EPERM: 'file_forbidden',
  EBUSY: 'file_open_elsewhere',
  EROFS: 'file_read_only',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_quota_full',
  EFBIG: 'file_too_large',
  ENAMETOOLONG: 'file_name_too_long',
  ELOOP: 'file_link_circle',
  EIO: 'disk_failed',
  EMFILE: 'too_many_files',
};

/** Returns true if Windows refused, with a permission error, to replace a file that is open. */
function isOpenElsewhere({ code, syscall }: NodeJS.ErrnoException, platform: string): boolean {
  return platform === 'win32' && syscall === 'rename' && (code === 'EPERM' || code === 'EACCES');
}

/**
 * Converts the error of a failed system call to a `Problem` about the file. Returns other errors
 * unchanged.
 */
export function fileError(
  error: unknown,
  path: string,
  platform: NodeJS.Platform = process.platform,
): unknown {
  const failure = error as NodeJS.ErrnoException | null;
  if (failure?.syscall === undefined || failure.code === undefined) return error;
  const code = isOpenElsewhere(failure, platform)
    ? 'file_open_elsewhere'
    : failure.code === 'ENOENT' && !existsSync(dirname(path))
      ? 'file_folder_missing'
      : (fileProblems[failure.code] ?? 'file_failed');
  return problem(code, { path, reason: failure.code }, error);
}

/** Returns the problem to show to the user, or undefined for an internal error. */
export function explain(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  const explained = explainSqlite(error, 'the database');
  if (!(explained instanceof StoreError)) return undefined;
  const { path, reason } = explained;
  const name = basename(path);
  return problem(`database_${explained.problem}`, { path, name, reason }, error);
}
