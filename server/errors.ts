import { explainSqlite, StoreError } from '../db/open.ts';

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

/** Reasons for refusing an HTTP request (INTERFACE section 2, "Edges"). */
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

/** Reasons for a failed action: its arguments, the content, the environment or the user. */
export type ActionErrorCode = 'wrong_usage' | 'bad_input' | 'unavailable' | 'cancelled';

/** Reasons for a failed start of the service: its port is taken, reserved or not permitted. */
type StartErrorCode = 'port_unavailable';

type ErrorCode = RequestErrorCode | ActionErrorCode | StartErrorCode;

/** The front end that shows an error. Remedies differ: an option, or a choice on screen. */
export type Front = 'commandLine' | 'window';

/** A message, or a function of the front end if its wording depends on it. */
export type Sentence = string | ((front: Front) => string);

export function wordSentence(sentence: Sentence, front: Front): string {
  return typeof sentence === 'string' ? sentence : sentence(front);
}

/** An error whose message is one sentence for the user, with the place and the remedy. */
export class ClubEventsError extends Error {
  readonly code: ErrorCode;
  /** The message for the desktop window, where nobody types commands. */
  readonly inWindow: string;

  constructor(code: ErrorCode, sentence: Sentence, cause?: unknown) {
    super(wordSentence(sentence, 'commandLine'), { cause });
    this.name = 'ClubEventsError';
    this.code = code;
    this.inWindow = wordSentence(sentence, 'window');
  }
}

/** The error of an action as plain values, for passing between threads. */
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

/** Returns true if Windows refused, with a permission error, to replace a file that is open. */
function isOpenElsewhere({ code, syscall }: NodeJS.ErrnoException, platform: string): boolean {
  return platform === 'win32' && syscall === 'rename' && (code === 'EPERM' || code === 'EACCES');
}

/**
 * Converts the error of a failed system call to a `ClubEventsError` about the file. Returns other
 * errors unchanged.
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

/** Returns the error to show to the user, or undefined if there is no message for it. */
export function explain(error: unknown): ClubEventsError | undefined {
  if (error instanceof ClubEventsError) return error;
  const explained = explainSqlite(error, 'the database');
  if (!(explained instanceof StoreError)) return undefined;
  return new ClubEventsError('unavailable', explained.message, error);
}
