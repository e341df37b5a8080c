import { explainSqlite, StoreError } from '../db/problem.ts';

/** The parameters of the list (INTERFACE section 2, "Extensions"). */
export const listParameterNames = [
  'q',
  'status',
  'eventType',
  'from',
  'to',
  'sort',
  'order',
  'limit',
  'cursor',
] as const;
export type ListParameter = (typeof listParameterNames)[number];

/** Why an HTTP request is refused (INTERFACE section 2, "Edges"). */
export type RequestErrorCode =
  | 'malformed_request'
  | 'malformed_host'
  | 'malformed_id'
  | `malformed_${ListParameter}`
  | 'invalid_request'
  | 'missing_key'
  | 'invalid_key'
  | 'foreign_origin'
  | 'not_found'
  | 'event_not_found'
  | 'method_not_allowed'
  | 'precondition_failed'
  | 'timeout'
  | 'misdirected'
  | 'headers_too_large'
  | 'busy'
  | 'page_not_built'
  | 'internal';

/** Why an action fails: wrong arguments, wrong content, a world not as needed, or the user. */
export type ActionErrorCode = 'wrong_usage' | 'bad_input' | 'unavailable' | 'cancelled';

/** Why a service does not start: its port is taken, reserved or not permitted. */
export type StartErrorCode = 'port_unavailable';

export type ErrorCode = RequestErrorCode | ActionErrorCode | StartErrorCode;

/** Who tells the user of an error: what to do is an option here and a choice on screen there. */
export type Front = 'commandLine' | 'window';

/** A sentence; one that is not the same in every front is a function of the front. */
export type Sentence = string | ((front: Front) => string);

/** A sentence in the words of a front. */
export function wordSentence(sentence: Sentence, front: Front): string {
  return typeof sentence === 'string' ? sentence : sentence(front);
}

/** An error whose message is one clear sentence for the user, with the place and the remedy. */
export class ClubEventsError extends Error {
  readonly code: ErrorCode;
  /** The message as the window words it, where nobody types commands. */
  readonly inWindow: string;

  constructor(code: ErrorCode, sentence: Sentence, cause?: unknown) {
    super(wordSentence(sentence, 'commandLine'), { cause });
    this.name = 'ClubEventsError';
    this.code = code;
    this.inWindow = wordSentence(sentence, 'window');
  }
}

/** The error of an action in values, as it goes from thread to thread. */
export type PackedError = {
  readonly code: ActionErrorCode;
  readonly message: string;
  readonly inWindow: string;
};

export function packError({ code, message, inWindow }: ClubEventsError): PackedError {
  return { code: code as ActionErrorCode, message, inWindow };
}

export function unpackError({ code, message, inWindow }: PackedError): ClubEventsError {
  return new ClubEventsError(code, (front) => (front === 'window' ? inWindow : message));
}

const openElsewhere = (path: string) =>
  `${path} is open in another program, such as Excel; close it there, then try again.`;
const notPermitted = (path: string) =>
  `${path} may not be used by this account; check its permissions.`;

const fileSentences: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `${path} does not exist; check the name and the folder.`,
  EEXIST: (path) => `${path} is there already and is not a folder; choose another name.`,
  EISDIR: (path) => `${path} is a folder, not a file.`,
  ENOTDIR: (path) => `${path} cannot be used: a part of the path is a file, not a folder.`,
  EACCES: notPermitted,
  EPERM: notPermitted,
  EBUSY: openElsewhere,
  EROFS: (path) => `${path} is on a read-only disk.`,
  ENOSPC: (path) => `The disk that holds ${path} is full; free some space, then try again.`,
  EDQUOT: (path) => `Your share of the disk that holds ${path} is full; free some space first.`,
  EFBIG: (path) => `${path} would be larger than this system allows; choose another disk.`,
  ENAMETOOLONG: (path) => `${path} is too long a name; choose a shorter one.`,
  ELOOP: (path) => `${path} cannot be used: it is a link that leads back to itself.`,
  EIO: (path) => `The disk that holds ${path} failed; use another disk and check this one.`,
  EMFILE: (path) => `${path} cannot be opened: too many files are open.`,
};

/** Windows refuses to replace a file that another program has open as a matter of permission. */
function isOpenElsewhere({ code, syscall }: NodeJS.ErrnoException, platform: string): boolean {
  return platform === 'win32' && syscall === 'rename' && (code === 'EPERM' || code === 'EACCES');
}

/**
 * Returns the error of a failed system call on a file as a sentence about that file. Other errors
 * are returned unchanged.
 */
export function fileError(
  error: unknown,
  path: string,
  platform: NodeJS.Platform = process.platform,
): unknown {
  const failure = error as NodeJS.ErrnoException | null;
  if (failure?.syscall === undefined || failure.code === undefined) return error;
  const compose = isOpenElsewhere(failure, platform) ? openElsewhere : fileSentences[failure.code];
  const sentence = compose?.(path) ?? `${path} cannot be used (${failure.code}).`;
  return new ClubEventsError('unavailable', sentence, error);
}

/** The error to tell the user about, when there is a sentence for it. */
export function explain(error: unknown): ClubEventsError | undefined {
  if (error instanceof ClubEventsError) return error;
  const explained = explainSqlite(error, 'the database');
  if (!(explained instanceof StoreError)) return undefined;
  return new ClubEventsError('unavailable', explained.message, error);
}
