import { hash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchCommits } from '../../db/commit-notices.ts';
import {
  parseRevision,
  prepareIsKept,
  prepareOrderedChanges,
  type Revision,
} from '../../db/event-changes.ts';
import { prepareEventListReads } from '../../db/event-list.ts';
import { beforeEveryId } from '../../db/event-rows.ts';
import { acquireLock } from '../../db/lock.ts';
import type { StoredEvent } from '../../db/model.ts';
import { closeStore, inSnapshot, prepareVersionRead, type Reader } from '../../db/open.ts';
import { commandProblem, fileError } from '../base/errors.ts';
import { type Home, identityOf } from '../base/home.ts';
import { writeWholeFile } from '../base/write-file.ts';
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

/**
 * Yields the changes of a user's events after a position, and waits for more until `signal` is
 * aborted. Without a position, begins with the next change. Throws a problem or a StoreError if the
 * user or the database is gone.
 */
export async function* followChanges(
  { home, user }: { readonly home: Home; readonly user: string },
  start: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  let position = start;
  while (!signal.aborted) {
    const identity = identityOf(home.database);
    const db = openHomeReader(home);
    try {
      // Another file at the path, for example after a restore of a damaged database.
      const isOver = () => signal.aborted || identityOf(home.database) !== identity;
      for await (const step of followIn(db, user, position, isOver, signal)) {
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
  user: string,
  start: string | undefined,
  isOver: () => boolean,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  const lists = prepareEventListReads(db);
  const readChanges = prepareOrderedChanges(db);
  const isKept = prepareIsKept(db);
  const readVersion = prepareVersionRead(db);
  let position = start;
  let isFirst = start === undefined;

  /** Reads the next changes; undefined if not all of them are known. */
  function readNext() {
    const userId = requireUser(db, user);
    const { revision } = lists.state(userId);
    position ??= revision;
    const after = parseRevision(position);
    const isKnown =
      after !== undefined && isKept(userId, after, parseRevision(revision) as Revision);
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

export type KeptPosition = {
  /** The position of the last run; undefined at the first one. */
  readonly position: string | undefined;
  save(position: string): void;
  close(): void;
};

/**
 * Opens the position of a consumer of changes in the data directory. Throws `user_unknown`, or
 * `watch_running` if another program uses it.
 */
export async function openPosition(
  home: Home,
  consumer: { readonly user: string; readonly name: string },
): Promise<KeptPosition> {
  // First: a mistake leaves no files.
  await withReader(home, (db) => requireUser(db, consumer.user));
  const { watches } = home;
  const path = join(watches, hash('sha256', JSON.stringify(consumer)).slice(0, 16));
  try {
    mkdirSync(watches, { recursive: true, mode: 0o700 });
    const release = acquireLock(`${path}.lock`);
    if (release === undefined) throw commandProblem('watch_running', { user: consumer.user });
    return {
      position: readPosition(`${path}.json`),
      save(position) {
        writeWholeFile(`${path}.json`, [`${JSON.stringify({ ...consumer, position })}\n`]);
      },
      close: release,
    };
  } catch (error) {
    throw fileError(error, path);
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
