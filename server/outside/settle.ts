import { type Problem, problem } from '../base/errors.ts';
import { hourMs, minuteMs } from '../dates/units.ts';
import type { MessageValues } from '../messages/message.ts';
import type { Failure, Written } from './live-files.ts';
import { digestOfBytes, type Found, type Target } from './targets.ts';

/** With the interval of looks and the writing, a try follows within ten seconds. */
const soon = 6_000;

/** Times until the next try after each failure in turn; null if a person must act. */
const retries: Readonly<Record<string, readonly number[] | null>> = {
  publish_file_changed: null,
  publish_club_gone: null,
  publish_content_changed: null,
  // A try keeps a process waiting for half a minute.
  place_silent: [minuteMs],
  // Not often: a web space may lock an account after wrong passwords.
  publish_password_refused: [hourMs],
  publish_not_allowed: [hourMs],
  publish_not_trusted: [hourMs],
  publish_elsewhere: [hourMs],
  publish_web_folder_gone: [hourMs],
  publish_no_room: [hourMs],
};
const otherRetries = [soon, minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs];
const longestPause = hourMs;

/** Failures of a folder, in which a try is cheap: gone, without permission, without room. */
const folderFailure = /^publish_folder_gone$|^(place|file|disk)_/;

/** Composes the failure of a target after another one, or after none; `isCostly` if a try takes long. */
export function failureAfter(
  { code, values }: Problem,
  before: Failure | null,
  now: Date,
  { isCostly = false } = {},
): Failure {
  const attempts = before?.code === code ? before.attempts + 1 : 1;
  const isCheap = folderFailure.test(code) && !isCostly;
  const known = retries[code];
  const pauses = known === undefined ? (isCheap ? [soon] : otherRetries) : known;
  const pause = pauses?.[Math.min(attempts, pauses.length) - 1];
  return {
    code: code as Failure['code'],
    values: values as MessageValues,
    since: before?.since ?? now.toISOString(),
    attempts,
    nextAt: pause === undefined ? null : new Date(now.getTime() + pause).toISOString(),
  };
}

/**
 * Returns true if a time of the next try has come. A time that is further away than the longest pause
 * was computed by a clock that was ahead.
 */
export function isDueAt(nextAt: string, now: Date, longest = longestPause): boolean {
  const wait = Date.parse(nextAt) - now.getTime();
  return wait <= 0 || wait > longest;
}

/** Number of earlier contents that are known: a sync program may bring back one of them. */
const maxDigests = 50;

/**
 * Returns true for a file that nobody else has written: one of our contents, the beginning of one, or
 * a file without any content, as power failures and sync programs leave them.
 */
export function isOurs(
  { bytes }: Found,
  digests: readonly string[],
  contents: readonly Uint8Array[],
): boolean {
  if (digests.includes(digestOfBytes(bytes)) || bytes.every((byte) => byte === 0)) return true;
  return contents.some((content) => Buffer.compare(content.subarray(0, bytes.length), bytes) === 0);
}

export type SettleOptions = {
  readonly now: () => Date;
  /** Replaces a file that others changed. */
  readonly replaces?: boolean | undefined;
  /** The last contents that this program wrote to the target. */
  readonly contents?: readonly Uint8Array[];
  /** Called before the writing with the state to store, in case it is cut off. */
  readonly onBegin?: (written: Written) => void;
};

/** Brings a target up to date and returns what it has now. Throws a problem, and changes nothing. */
export async function settleFile(
  target: Target,
  { bytes, ...facts }: Pick<Written, 'revision' | 'asOf' | 'events'> & { bytes: Uint8Array },
  before: Written,
  { now, replaces = false, contents = [], onBegin }: SettleOptions,
): Promise<Written> {
  const digest = digestOfBytes(bytes);
  const found = await target.read();
  const isThere = found !== undefined && digestOfBytes(found.bytes) === digest;
  if (found !== undefined && !isThere && !replaces && !isOurs(found, before.digests, contents)) {
    throw problem('publish_file_changed');
  }
  const digests = [digest, ...before.digests.filter((each) => each !== digest)];
  const begun = { ...before, digests: digests.slice(0, maxDigests) };
  let stamp = found?.tag ?? null;
  if (!isThere) {
    onBegin?.(begun);
    stamp = await target.write(bytes, found);
  }
  const time = now().toISOString();
  const at = isThere && before.at !== null ? before.at : time;
  return { ...begun, ...facts, bytes: bytes.length, at, checkedAt: time, stamp };
}
