import { explain, type Problem, problem } from '../base/errors.ts';
import type { ActionTools } from '../club/tools.ts';
import type { MessageValues } from '../messages/message.ts';
import { withReader } from '../store/store.ts';
import { type Content, composeContent, readClub } from './content.ts';
import {
  type Failure,
  type PublishedFile,
  readPublishedFiles,
  requirePassword,
  storePublishedFile,
  type Written,
} from '../outside/live-files.ts';
import {
  createFolderTarget,
  createWebTarget,
  digestOf,
  type Found,
  type Target,
} from './targets.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** With the interval of the publisher and the writing, a try follows within ten seconds. */
const soon = 6 * second;

/** Times until the next try in a web space after each failure in turn; null if a person must act. */
const retries: Readonly<Record<string, readonly number[] | null>> = {
  publish_file_changed: null,
  // Not often: a web space may lock an account after wrong passwords.
  publish_password_refused: [hour],
  publish_not_allowed: [hour],
  publish_not_trusted: [hour],
  publish_web_folder_gone: [hour],
  publish_no_room: [hour],
};
const otherRetries = [soon, minute, 5 * minute, 15 * minute, hour];

/** Failures of a folder, in which a try is cheap: gone, without permission, without room. */
const folderFailure = /^publish_folder_gone$|^(file|disk)_/;

function failureOf({ code, values }: Problem, before: Failure | null, now: Date): Failure {
  const attempts = before?.code === code ? before.attempts + 1 : 1;
  const known = folderFailure.test(code) ? [soon] : retries[code];
  const pauses = known === undefined ? otherRetries : known;
  const pause = pauses?.[Math.min(attempts, pauses.length) - 1];
  return {
    code: code as Failure['code'],
    values: values as MessageValues,
    since: before?.since ?? now.toISOString(),
    attempts,
    nextAt: pause === undefined ? null : new Date(now.getTime() + pause).toISOString(),
  };
}

/** Number of earlier contents that are known: a sync program may bring back one of them. */
const maxDigests = 50;

/** Returns true for a file that the program wrote itself, also if its writing was cut off. */
function isOwn({ digest, length }: Found, { digests, begun }: Written): boolean {
  return digests.includes(digest) || (begun !== null && length < begun);
}

export type WriteOptions = {
  /** Replaces a file that others changed. */
  readonly replaces?: boolean;
  /** Called before the writing with the state to store, in case it is cut off. */
  readonly onBegin?: (written: Written) => void;
};

/** Brings a place up to date and returns what it has now. Throws a problem, and changes nothing. */
export async function writeTo(
  target: Target,
  content: Content,
  before: Written,
  { tools, replaces = false, onBegin }: WriteOptions & { readonly tools: ActionTools },
): Promise<Written> {
  const { bytes, ...known } = content;
  const digest = digestOf(bytes);
  const found = await target.read();
  const isThere = found?.digest === digest;
  if (found !== undefined && !isThere && !replaces && !isOwn(found, before)) {
    throw problem('publish_file_changed');
  }
  const digests = [digest, ...before.digests.filter((each) => each !== digest)];
  const begun = { ...before, digests: digests.slice(0, maxDigests), begun: bytes.length };
  if (!isThere) {
    onBegin?.(begun);
    await target.write(bytes, found);
  }
  const now = tools.now().toISOString();
  const at = isThere && before.at !== null ? before.at : now;
  return { ...begun, ...known, begun: null, at, checkedAt: now };
}

/** Opens the place of a file with its stored password, or with a new one. */
export function openTarget(
  file: Pick<PublishedFile, 'id' | 'target' | 'keyStore'>,
  tools: ActionTools,
  password?: string,
): Target {
  const { target } = file;
  if (target.kind === 'folder') return createFolderTarget(target.path, tools.umask);
  const { url, account } = target;
  return createWebTarget({ url, account, password: password ?? requirePassword(file, url, tools) });
}

/** Writes a file if it is not up to date, and stores the outcome. Call it under the lock. */
export async function publishFile(
  file: PublishedFile,
  tools: ActionTools,
  options: WriteOptions & { readonly password?: string | undefined } = {},
): Promise<PublishedFile> {
  const { home, now } = tools;
  let { written } = file;
  const onBegin = (begun: Written) => {
    written = begun;
    storePublishedFile(home, { ...file, written });
  };
  let outcome: PublishedFile;
  try {
    const target = openTarget(file, tools, options.password);
    const content = await composeContent(file, tools);
    written = await writeTo(target, content, file.written, { ...options, tools, onBegin });
    outcome = { ...file, written, failure: null };
  } catch (error) {
    const failed = explain(error);
    if (failed === undefined) throw error;
    outcome = { ...file, written, failure: failureOf(failed, file.failure, now()) };
  }
  storePublishedFile(home, outcome);
  return outcome;
}

/** Returns true for a file that the club has changed since it was written. */
export function isBehind(file: PublishedFile, revision: string | undefined): boolean {
  return revision !== file.written.revision;
}

/** Returns the revision of the club of each file, by its id; none for a club that is gone. */
export function readRevisions(
  files: readonly PublishedFile[],
  tools: ActionTools,
): Promise<ReadonlyMap<number, string>> {
  return withReader(tools.home, (db) => {
    const revisions = new Map<number, string>();
    for (const { id, club } of files) {
      try {
        revisions.set(id, readClub(db, club, tools).revision);
      } catch (error) {
        if (explain(error)?.code !== 'publish_club_gone') throw error;
      }
    }
    return revisions;
  });
}

/** Time after which a file is compared with its place, which others may have changed. */
const checkAfter = hour;

/** Failures that a wake may have ended: of the computer, or of the key store of the window. */
const endedByWake: ReadonlySet<string> = new Set<Failure['code']>([
  'publish_unreachable',
  'publish_password_missing',
  'publish_password_elsewhere',
]);

/** Returns the files to write now; after a wake, also those that it may have helped. */
export async function findDueFiles(
  tools: ActionTools,
  { isWake = false } = {},
): Promise<readonly PublishedFile[]> {
  const files = readPublishedFiles(tools.home);
  if (files.length === 0) return [];
  const revisions = await readRevisions(files, tools);
  const now = tools.now().getTime();
  return files.filter((file) => {
    const { failure, written, id } = file;
    if (failure !== null) {
      if (isWake && endedByWake.has(failure.code)) return true;
      return failure.nextAt !== null && now >= Date.parse(failure.nextAt);
    }
    const age = Math.abs(now - Date.parse(written.checkedAt ?? ''));
    return isBehind(file, revisions.get(id)) || !(age < checkAfter);
  });
}
