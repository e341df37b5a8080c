import { dirname } from 'node:path';
import { explain } from '../base/errors.ts';
import { withLock } from '../base/lock.ts';
import type { ActionTools } from '../club/tools.ts';
import { dayMs, hourMs } from '../dates/units.ts';
import {
  addressOf,
  type Failure,
  keepContent,
  type PublishedFile,
  partName,
  readContents,
  requirePassword,
  storeChanges,
  storeState,
} from '../outside/live-files.ts';
import { failureAfter, isDueAt, settleFile } from '../outside/settle.ts';
import { outsidePath } from '../outside/state-file.ts';
import { createFolderTarget, createWebTarget, type Target } from '../outside/targets.ts';
import { withReader } from '../store/store.ts';
import { checkAfterWriting } from './address-check.ts';
import { composeContent, readClub } from './content.ts';

/** Time after which a file is read and compared with what it should be. */
const checkAfter = hourMs;

export type WriteOptions = {
  /** Replaces a file that others changed. */
  readonly replaces?: boolean;
  /** A new password instead of the stored one. */
  readonly password?: string | undefined;
};

function openTarget(file: PublishedFile, tools: ActionTools, password?: string): Target {
  const { target, written } = file;
  if (target.kind === 'folder') return createFolderTarget(target.path, written.real, tools);
  const { url, account } = target;
  const { onStep } = tools;
  const stored = password ?? requirePassword(file, url, tools);
  return createWebTarget({ url, account, password: stored, onStep });
}

/**
 * Brings a file up to date and returns it with its new state, of which `store` gets the first part
 * before the writing. Throws a problem, and changes nothing.
 */
export async function writeFile(
  file: PublishedFile,
  tools: ActionTools,
  { replaces, password }: WriteOptions,
  store: (file: PublishedFile) => void,
): Promise<PublishedFile> {
  const { home, now } = tools;
  const target = openTarget(file, tools, password);
  const { bytes, changes, ...facts } = await composeContent(file, tools);
  const content = { ...facts, bytes };
  const written = await settleFile(target, content, file.written, {
    ...{ now, replaces },
    contents: readContents(home, file.id),
    onBegin(begun) {
      keepContent(home, file.id, bytes);
      store({ ...file, written: begun });
    },
  });
  keepContent(home, file.id, bytes);
  if (file.format === 'ics') storeChanges(home, file.id, changes);
  const { at } = written;
  const isWritten = at !== null && at !== file.written.at;
  const addressCheck = isWritten ? checkAfterWriting(file.addressCheck, at) : file.addressCheck;
  return { ...file, written, addressCheck, failure: null };
}

/** Runs `use` while no other program writes a file; undefined if another one does. */
export async function withFileLock<T>(
  { id }: Pick<PublishedFile, 'id'>,
  { home, onWait }: ActionTools,
  { waits }: { readonly waits: boolean },
  use: () => Promise<T>,
): Promise<T | undefined> {
  const lock = outsidePath(home, partName(id, 'lock'));
  return (await withLock(lock, { waits, onWait }, use))?.result;
}

/** Writes a file if it is not up to date, and stores the outcome. Call it under its lock. */
export async function publishFile(
  file: PublishedFile,
  tools: ActionTools,
  options: WriteOptions = {},
): Promise<PublishedFile> {
  const { home, now } = tools;
  let begun = file;
  let outcome: PublishedFile;
  try {
    outcome = await writeFile(file, tools, options, (next) => {
      begun = next;
      storeState(home, next);
    });
  } catch (error) {
    const failed = explain(error);
    if (failed === undefined || failed.code === 'cancelled') throw error;
    const failure = failureAfter(failed, file.failure, now());
    // A target that was left is often gone for good.
    const isPatient = file.farewell !== null && failure.nextAt !== null;
    const later = new Date(now().getTime() + checkAfter).toISOString();
    outcome = { ...begun, failure: isPatient ? { ...failure, nextAt: later } : failure };
  }
  storeState(home, outcome);
  return outcome;
}

/** Returns true for a file that the club has changed since it was written. */
export function isBehind(file: PublishedFile, revision: string | undefined): boolean {
  return revision !== file.written.revision;
}

/** Returns the revision of the club of each file, by its id; `gone` for a club that was removed. */
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
        revisions.set(id, 'gone');
      }
    }
    return revisions;
  });
}

/** Failures that a wake may have ended: of the computer, or of the key store of the window. */
const endedByWake: ReadonlySet<string> = new Set<Failure['code']>([
  'publish_unreachable',
  'publish_password_missing',
  'publish_password_elsewhere',
]);

/** Returns the resource with which one file at a time is written: a folder or a host. */
export function resourceOf({ target }: PublishedFile): string {
  return target.kind === 'web' ? new URL(target.url).host : dirname(target.path);
}

/** Time for which proposals beside the former path of a file are read, in milliseconds. */
const farewellTime = 90 * dayMs;

/** Returns true for a file that has said its farewell long ago. */
export function isOver({ farewell }: PublishedFile, now: Date): boolean {
  return farewell !== null && now.getTime() - Date.parse(farewell.since) > farewellTime;
}

type Look = {
  /** True after the computer woke. */
  readonly isWake?: boolean;
  /** Returns the stamp of a path as it is now, if it is known. */
  readonly stampOf?: (path: string) => string | undefined;
};

/** Returns those of the files to write now; after a wake, also those that it may have helped. */
export function findDueFiles(
  files: readonly PublishedFile[],
  revisions: ReadonlyMap<number, string>,
  now: Date,
  { isWake = false, stampOf = () => undefined }: Look = {},
): readonly PublishedFile[] {
  return files.filter((file) => {
    const { failure, written, id, farewell } = file;
    if (failure !== null) {
      if (isWake && endedByWake.has(failure.code)) return true;
      if (failure.code === 'publish_club_gone') return revisions.get(id) !== 'gone';
      return failure.nextAt !== null && isDueAt(failure.nextAt, now);
    }
    if (farewell !== null) return written.revision !== farewell.kind || isOver(file, now);
    const age = Math.abs(now.getTime() - Date.parse(written.checkedAt ?? ''));
    if (isBehind(file, revisions.get(id)) || !(age < checkAfter)) return true;
    const stamp = stampOf(addressOf(file.target));
    return stamp !== undefined && stamp !== written.stamp;
  });
}
