import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { watchCommits } from '../../db/commit-notices.ts';
import {
  parseRevision,
  prepareIsRecorded,
  prepareOrderedChanges,
  type Revision,
} from '../../db/event-changes.ts';
import { prepareEventListReads } from '../../db/event-list.ts';
import { beforeEveryId } from '../../db/event-rows.ts';
import { readHistory } from '../../db/history.ts';
import { acquireLock } from '../../db/lock.ts';
import type { StoredEvent } from '../../db/model.ts';
import { closeStore, inSnapshot, prepareVersionRead, type Reader } from '../../db/open.ts';
import { readSettings } from '../../db/settings.ts';
import { prepareUserReads } from '../../db/users.ts';
import { commandProblem, fileError } from '../base/errors.ts';
import { type Home, identityOf, requireWritable } from '../base/home.ts';
import { renameFile, writeWholeFile } from '../base/write-file.ts';
import { openHomeReader, withReader } from '../store/store.ts';
import { requireUser } from './user-actions.ts';

/** A change of a user's events. After a `reset`, the whole list follows as changes. */
export type Change =
  | { readonly kind: 'changed'; readonly revision: string; readonly event: StoredEvent }
  | { readonly kind: 'removed'; readonly revision: string; readonly id: number }
  | { readonly kind: 'reset'; readonly revision: string };

/** A change, and the position after it, from which all later changes can be read. */
type Step = { readonly change?: Change; readonly position?: string };

/** Numbers of changes and of events that are read at a time. */
const pageLength = 200;

/** A club by the part of UIDs that is unique to it, which stays when it is renamed. */
export type FollowedClub = { readonly uidBase: string; readonly user: string };

/**
 * Yields the changes of a club's events after a position, and waits for more until `signal` is
 * aborted. Without a position, begins with the next change. Throws a problem or a StoreError if the
 * club or the database is gone.
 */
export async function* followChanges(
  home: Home,
  { club: first, position: start }: Pick<StoredPosition, 'club' | 'position'>,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  let position = start;
  let club = first;
  /** Returns the id of the club, or of one that was added again under its last name. */
  const findUser = (db: Reader) => {
    const users = prepareUserReads(db);
    const userId = users.idByUidBase(club.uidBase) ?? requireUser(db, club.user);
    club = { uidBase: users.uidBase(userId), user: readSettings(db, userId).name };
    return userId;
  };
  while (!signal.aborted) {
    const identity = identityOf(home.database);
    const db = openHomeReader(home);
    try {
      // Another file at the path, for example after a restore of a damaged database.
      const isOver = () => signal.aborted || identityOf(home.database) !== identity;
      for await (const step of followIn(db, findUser, position, isOver, signal)) {
        position = step.position ?? position;
        yield step;
      }
    } finally {
      closeStore(db);
    }
  }
}

/** Yields the changes in a database until `isOver` returns true. */
async function* followIn(
  db: Reader,
  findUser: (db: Reader) => number,
  start: string | undefined,
  isOver: () => boolean,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  const lists = prepareEventListReads(db);
  const readChanges = prepareOrderedChanges(db);
  const isRecorded = prepareIsRecorded(db);
  const readVersion = prepareVersionRead(db);
  let position = start;
  let isFirst = start === undefined;

  /** Reads the next changes; undefined if not all of them are known. */
  function readNext() {
    const userId = findUser(db);
    const { revision } = lists.state(userId);
    position ??= revision;
    const after = parseRevision(position);
    const isKnown =
      after !== undefined && isRecorded(userId, after, parseRevision(revision) as Revision);
    const changes = isKnown ? readChanges(userId, after, pageLength) : undefined;
    return { userId, revision, changes };
  }
  /** Yields a reset and all events; changes during that time follow. */
  function* resetTo(userId: number, revision: string): Generator<Step> {
    yield { change: { kind: 'reset', revision } };
    for (let after = beforeEveryId; ; ) {
      const events = lists.slice(userId, after, pageLength);
      for (const event of events) yield { change: { kind: 'changed', revision, event } };
      const last = events.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    yield { position: revision };
  }

  while (!isOver()) {
    const version = readVersion();
    const { userId, revision, changes } = inSnapshot(db, readNext);
    if (changes === undefined) {
      yield* resetTo(userId, revision);
      position = revision;
      continue;
    }
    // The first start has a position from now on, also if no change comes.
    if (isFirst) yield { position: revision };
    isFirst = false;
    for (const { id, event, revision: changedAt, position: next } of changes) {
      position = next;
      const common = { revision: changedAt };
      const change: Change =
        event === undefined
          ? { kind: 'removed', ...common, id }
          : { kind: 'changed', ...common, event };
      yield { change, position };
      if (isOver()) return;
    }
    if (changes.length === 0) {
      await nextCommit(db, () => isOver() || readVersion() !== version, signal);
    }
  }
}

/** Resolves when `isDone` returns true after a commit or a second, or when `signal` is aborted. */
async function nextCommit(db: Reader, isDone: () => boolean, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  const stop = watchCommits(db, () => {
    try {
      if (!isDone()) return false;
      resolve();
    } catch (error) {
      reject(error);
    }
    return true;
  });
  await promise.finally(stop);
}

type StoredPosition = {
  readonly club: FollowedClub;
  /** The position of the last run; undefined at the first one. */
  readonly position: string | undefined;
  save(position: string): void;
  close(): void;
};

/** A program that reads the changes of a club. */
type Consumer = { readonly user: string; readonly name: string };

type Stored = Consumer & { readonly club: string; readonly position: string };

/**
 * Opens the position of a consumer of changes in the data directory. Throws `user_unknown`, or
 * `watch_running` if another program uses it.
 */
export async function openPosition(home: Home, consumer: Consumer): Promise<StoredPosition> {
  const { user, name } = consumer;
  // First: a mistake leaves no files.
  const { uidBase, path, earlier } = await withReader(home, (db) => {
    const userId = requireUser(db, user);
    const club = prepareUserReads(db).uidBase(userId);
    const own = pathOf(home, { club, name });
    const isStored = existsSync(`${own}.json`);
    const other = isStored ? undefined : findEarlier(home, db, userId, consumer);
    return { uidBase: club, path: own, earlier: other };
  });
  requireWritable(home);
  try {
    mkdirSync(home.watches, { recursive: true, mode: 0o700 });
    const release = lockPosition(path, user);
    try {
      if (earlier !== undefined) takeOver(earlier, path, user);
    } catch (error) {
      release();
      throw error;
    }
    const last = readPosition(`${path}.json`);
    // After a power failure, an earlier position repeats some changes, but none would lose them.
    let isDurable = last === undefined;
    return {
      club: { uidBase, user },
      position: last,
      save(position) {
        const stored: Stored = { club: uidBase, user, name, position };
        writeWholeFile(`${path}.json`, [`${JSON.stringify(stored)}\n`], { isDurable });
        isDurable = false;
      },
      close: release,
    };
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Returns the path of a position, without its ending. */
function pathOf({ watches }: Home, key: Consumer | { club: string; name: string }): string {
  return join(watches, hash('sha256', JSON.stringify(key)).slice(0, 16));
}

function lockPosition(path: string, user: string): () => void {
  const release = acquireLock(`${path}.lock`);
  if (release === undefined) throw commandProblem('watch_running', { user });
  return release;
}

/** Gives a position its present name. Throws `watch_running` if a program uses it. */
function takeOver(earlier: string, path: string, user: string): void {
  const release = lockPosition(earlier, user);
  try {
    renameFile(`${earlier}.json`, `${path}.json`);
  } finally {
    release();
  }
  rmSync(`${earlier}.lock`, { force: true });
}

/**
 * Finds the position of a consumer that has none for its club: that of an earlier version of the
 * program, by a name of the club, or that of a removed club of this name, whose position is unknown
 * in the present history, so the whole list follows.
 */
function findEarlier(
  home: Home,
  db: Reader,
  userId: number,
  { user, name }: Consumer,
): string | undefined {
  const users = prepareUserReads(db);
  const renames = readHistory(db, userId).filter(({ setting }) => setting?.setting === 'name');
  const formerNames = renames.map(({ setting }) => setting?.before ?? '');
  // Another club may have a former name now.
  const names = [user, ...formerNames.filter((each) => users.idByName(each) === undefined)];
  const byName = names.map((each) => pathOf(home, { user: each, name }));
  const isOfRemovedClub = (path: string) => {
    const stored = readStored(`${path}.json`);
    if (stored?.club === undefined || stored.user !== user || stored.name !== name) return false;
    return users.idByUidBase(stored.club) === undefined;
  };
  return (
    byName.find((path) => existsSync(`${path}.json`)) ?? listPositions(home).find(isOfRemovedClub)
  );
}

function listPositions({ watches }: Home): readonly string[] {
  const names = existsSync(watches) ? readdirSync(watches) : [];
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(watches, name.slice(0, -5)));
}

function readStored(path: string): Partial<Stored> | undefined {
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // A position that cannot be read is nobody's.
    return undefined;
  }
}

/** Reads a stored position. A damaged one makes the whole list follow, so that nothing is lost. */
function readPosition(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [, position = ''] = /"position":"([^"]*)"/.exec(text) ?? [];
  return position;
}
