import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  findSource,
  type MirrorSource,
  readMirror,
  SourceUnavailable,
  writeMirror,
} from '../../db/mirror.ts';
import { labelOfSource, nameOfSource, type Write } from '../../db/mirror-model.ts';
import type { Reader, Writer } from '../../db/open.ts';
import { prepareUserReads } from '../../db/users.ts';
import { type Problem, problem } from '../base/errors.ts';
import { prepareHome } from '../base/home.ts';
import { withLock } from '../base/lock.ts';
import { backUpBeforeLargeRemoval } from '../club/backup.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUser, zoneOfClub } from '../club/user-actions.ts';
import type { CopyHead } from '../copy/club-copy.ts';
import { takeCopyFacts } from '../copy/facts.ts';
import { pathOfFile } from '../outside/outside-files.ts';
import { takeAnswers } from '../proposals/outbox.ts';
import { withReader, withWriter } from '../store/store.ts';
import { findUpstreamKey, requireAccess, type SourceAccess } from '../store/upstream-keys.ts';
import { createFileTransport, FileFailure, type FollowedFile } from './file-transport.ts';
import { type Rules, rulesOfFile, standardRules } from './planner/rules.ts';
import { createState, type Input, type MirrorState } from './planner/state.ts';
import { runSync, type SyncOutcome, type SyncTools } from './runner.ts';
import { describeMirror, type MirrorStatus, type SyncResult } from './status.ts';
import { createTransport } from './transport.ts';

/**
 * Runs `use` while no other program syncs this data directory. Throws `sync_running` after a minute,
 * or returns undefined at once if the caller does not wait.
 */
export async function withSyncLock<T>(
  { home, onWait }: ActionTools,
  use: () => Promise<T>,
  { waits }: { readonly waits: boolean },
): Promise<T | undefined> {
  prepareHome(home);
  const done = await withLock(home.syncLock, { waits, onWait }, use);
  if (done === undefined && waits) throw problem('sync_running');
  return done?.result;
}

/** Runs `use` under the lock of syncs, after waiting for another program. */
export async function lockForPerson<T>(tools: ActionTools, use: () => Promise<T>): Promise<T> {
  return (await withSyncLock(tools, use, { waits: true })) as T;
}

/** Returns the mirror of a user. Throws `mirror_none` if there is none. */
export function requireSource(db: Reader, user: string): MirrorSource {
  const source = findSource(db, requireUser(db, user));
  if (source !== undefined) return source;
  throw problem('mirror_none', { user });
}

export function requireSourceOf(user: string, { home }: ActionTools): Promise<MirrorSource> {
  return withReader(home, (db) => requireSource(db, user));
}

/** Returns the problem of the last sync, or undefined if it ended well. */
export function problemOf({ source }: MirrorState): Problem | undefined {
  if (source.problem === null) return undefined;
  const { code, id } = source.problem;
  return problem(`sync_${code}`, {
    url: labelOfSource(source.baseUrl),
    ...(id !== undefined && { id }),
  });
}

type SessionOptions = {
  readonly rules?: Rules;
  /** Most requests in a second; as many as the upstream answers by default. */
  readonly rate?: number;
  /** The file of a source, if it was read before. */
  readonly file?: FollowedFile | undefined;
};

/** The syncs of one source, one after the other, with its key and its state. */
type MirrorSession = {
  readonly state: () => MirrorState;
  /** The facts of the file that the syncs read; undefined before, and for a service. */
  readonly head: () => CopyHead | undefined;
  sync(input: Input): Promise<SyncOutcome>;
};

/** Runs `use` with a session, cancelled if `onProgress` of the tools throws. */
async function withSession<T>(
  state: MirrorState,
  { url, key }: SourceAccess,
  store: SyncTools['store'],
  tools: ActionTools,
  { rules = standardRules, rate, file: readBefore }: SessionOptions,
  use: (session: MirrorSession) => Promise<T>,
): Promise<T> {
  const isFile = key === null;
  const path = isFile ? pathOfFile(url) : undefined;
  let file: FollowedFile | undefined;
  const transport = isFile
    ? createFileTransport({
        url,
        file: readBefore,
        onStep: tools.onStep,
        onRead(read) {
          file = read;
        },
      })
    : createTransport({ baseUrl: url, key });
  const cancelling = new AbortController();
  let sent = 0;
  let queued = 0;
  const report = (done: boolean) =>
    tools.onProgress({
      file: nameOfSource(url),
      share: sent / Math.max(1, sent + queued),
      rows: sent,
      done,
    });
  // Also while the upstream does not answer.
  const timer = setInterval(() => {
    try {
      report(false);
    } catch (error) {
      cancelling.abort(error);
    }
  }, 500);
  const send = rate === undefined ? transport.send : throttle(transport.send, rate);
  try {
    return await use({
      state: () => state,
      head: () => (file?.content instanceof FileFailure ? undefined : file?.content.head),
      async sync(input) {
        const before = sent;
        const outcome = await runSync(state, input, {
          store,
          send,
          now: () => tools.now().getTime(),
          random: () => tools.randomInt(1_000_000) / 1_000_000,
          rules: isFile ? rulesOfFile(rules, path !== undefined) : rules,
          signal: cancelling.signal,
          onStep(requests, waiting) {
            sent = before + requests;
            queued = waiting;
          },
        });
        if (file !== undefined) noteConflictCopies(state, file, store);
        return outcome;
      },
    });
  } finally {
    clearInterval(timer);
    await transport.close();
    report(true);
  }
}

/** Stores the names of conflict copies beside a file, if they are others than before. */
function noteConflictCopies(
  state: MirrorState,
  { conflictCopies }: FollowedFile,
  store: SyncTools['store'],
): void {
  if (isDeepStrictEqual(conflictCopies, state.source.conflictCopies)) return;
  state.source = { ...state.source, conflictCopies };
  store([{ kind: 'source', values: { conflictCopies } }]);
}

/** Delays requests, so that at most `rate` of them are sent in a second. */
function throttle(send: SyncTools['send'], rate: number): SyncTools['send'] {
  let next = 0;
  return async (request, signal) => {
    const now = performance.now();
    const at = Math.max(now, next);
    next = at + 1_000 / rate;
    // `send` rejects with the reason of a signal that was aborted meanwhile.
    if (at > now) await delay(at - now, undefined, { signal }).catch(() => undefined);
    return send(request, signal);
  };
}

/** Throws `sync_interrupted` if the source was removed, or a backup restored. */
function writeOrEnd(db: Writer, { id }: MirrorSource, writes: readonly Write[], now: Date): void {
  try {
    writeMirror(db, id, writes, now.toISOString());
  } catch (error) {
    if (error instanceof SourceUnavailable) throw problem('sync_interrupted', {}, error);
    throw error;
  }
}

/** Runs `use` with a session of a stored source. */
export async function withSource<T>(
  source: MirrorSource,
  tools: ActionTools,
  options: SessionOptions,
  use: (session: MirrorSession) => Promise<T>,
): Promise<T> {
  const { home } = tools;
  const access = requireAccess(source, tools);
  const run = (db: Writer) => {
    const store = (writes: readonly Write[]): void => {
      const removed = writes.filter(({ kind }) => kind === 'remove').length;
      if (removed > 0) {
        const total = prepareUserReads(db).countEvents(source.userId);
        backUpBeforeLargeRemoval({ removed, total }, tools);
      }
      writeOrEnd(db, source, writes, tools.now());
    };
    const state = { ...readMirror(db, source.id), run: null };
    return withSession(state, access, store, tools, options, async (session) => {
      const result = await use(session);
      const { club, revision } = session.state().source;
      const head = session.head();
      // A file that is not taken may have answers that were undone later.
      const isTaken = head?.uidBase === club && head?.revision === revision;
      if (head !== undefined && isTaken) {
        takeCopyFacts(db, source.userId, head);
        await takeAnswers(head, db, source, tools);
      }
      return result;
    });
  };
  // Opening a store takes far longer than a confirmation.
  return await withWriter(home, run, tools);
}

/** Runs `use` with a session that stores nothing; returns its writes, too. */
export async function withTrial<T>(
  { baseUrl, key, wanted }: { baseUrl: string; key: string | null; wanted: readonly number[] },
  tools: ActionTools,
  use: (session: MirrorSession) => Promise<T>,
): Promise<T & { readonly writes: readonly Write[] }> {
  const writes: Write[] = [];
  const initial = createState(baseUrl, tools.now().getTime());
  const state = { ...initial, source: { ...initial.source, wanted } };
  const store = (more: readonly Write[]) => void writes.push(...more);
  const { limits } = standardRules;
  const rules = {
    ...standardRules,
    limits: { ...limits, ids: limits.ids + wanted.length },
  };
  const result = await withSession(state, { url: baseUrl, key }, store, tools, { rules }, use);
  return { ...result, writes };
}

/** Throws `sync_waits` while the service asks for a pause. */
export function requireNoPause(
  session: MirrorSession,
  { zone }: MirrorSource,
  { now }: ActionTools,
): void {
  const { quietUntil, attemptedAt, baseUrl } = session.state().source;
  const isOver = now().getTime() >= quietUntil || now().getTime() < (attemptedAt ?? 0);
  if (isOver) return;
  throw problem('sync_waits', { url: labelOfSource(baseUrl), time: quietUntil, timeZone: zone });
}

/** Reads the state of a mirror for people. */
export function readStatus(db: Reader, source: MirrorSource, tools: ActionTools): MirrorStatus {
  const key = source.kind === 'file' ? undefined : findUpstreamKey(source, tools);
  const timeZone = zoneOfClub(db, source.userId, tools);
  return describeMirror(source, readMirror(db, source.id), { now: tools.now(), key, timeZone });
}

function countChanges(changes: SyncOutcome['changes']) {
  const added = changes.filter(({ before }) => before === null).length;
  const removed = changes.filter(({ after }) => after === null).length;
  return { added, removed, changed: changes.length - added - removed };
}

/** Returns the result of syncs of a source, with its state afterwards. */
export async function resultOf(
  source: MirrorSource,
  outcomes: readonly SyncOutcome[],
  tools: ActionTools,
): Promise<SyncResult> {
  // A sync may have given the club another name.
  const read = (db: Reader) => readStatus(db, findSource(db, source.userId) ?? source, tools);
  const status = await withReader(tools.home, read);
  const changes = outcomes.flatMap((outcome) => outcome.changes);
  const requests = outcomes.reduce((sum, outcome) => sum + outcome.requests, 0);
  return { status, ...countChanges(changes), requests };
}
