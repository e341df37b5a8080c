import { z } from 'zod';
import { prepareEventReads } from '../../../db/events.ts';
import { digestOfKey } from '../../../db/keys.ts';
import {
  addSourceKey,
  deleteSource,
  findSource,
  insertMirror,
  type MirrorSource,
  readEventIds,
  readMirror,
  readSources,
  resumeSource,
  setKeyStore,
  writeMirror,
} from '../../../db/mirror.ts';
import type { Reader, Writer } from '../../../db/open.ts';
import { prepareUserReads } from '../../../db/users.ts';
import { type Problem, problem } from '../../errors.ts';
import type { ProblemCode } from '../../messages/message.ts';
import { withReader, withWriter } from '../../store.ts';
import type { ActionTools } from '../tools.ts';
import { requireUser, UserName } from '../users.ts';
import { parseBaseUrl, parseUpstreamKey } from './address.ts';
import { readIds } from './ids.ts';
import { addUpstreamKey, readUpstreamKeys, removeUpstreamKeys } from './key-store.ts';
import { plan } from './planner.ts';
import { limits, minute, type Rules, standardRules } from './rules.ts';
import type { SyncOutcome } from './runner.ts';
import { estimateSearch, nextIds, type SearchEstimate, searchBatch } from './search.ts';
import {
  lockForPerson,
  type MirrorSession,
  problemOf,
  requireSource,
  withSource,
  withSyncLock,
  withTrial,
} from './session.ts';
import type { Input } from './state.ts';
import { describeMirror, type MirrorStatus, type NamedEvent, type SyncResult } from './status.ts';

const Key = z.string({ error: 'mirror_key_invalid' satisfies ProblemCode });
const Url = z.string({ error: 'mirror_url_invalid' satisfies ProblemCode });
const KeyStore = z.enum(['file', 'system', 'run']).default('file');

function requireSourceOf(user: string, { home }: ActionTools): Promise<MirrorSource> {
  return withReader(home, (db) => requireSource(db, user));
}

function readStatus(db: Reader, source: MirrorSource, tools: ActionTools): MirrorStatus {
  const { keyStore, id } = source;
  const hasStored = keyStore === 'file' && readUpstreamKeys(tools.home, id).length > 0;
  const hasKey = keyStore === 'file' ? hasStored : tools.upstreamKeys?.has(id);
  return describeMirror(source, readMirror(db, id), { now: tools.now(), hasKey });
}

function countChanges(changes: SyncOutcome['changes']) {
  const added = changes.filter(({ before }) => before === null).length;
  const removed = changes.filter(({ after }) => after === null).length;
  return { added, removed, changed: changes.length - added - removed };
}

/** Returns the result of syncs of a source, with its state afterwards. */
async function resultOf(
  source: MirrorSource,
  outcomes: readonly SyncOutcome[],
  tools: ActionTools,
): Promise<SyncResult> {
  const status = await withReader(tools.home, (db) => readStatus(db, source, tools));
  const changes = outcomes.flatMap((outcome) => outcome.changes);
  const requests = outcomes.reduce((sum, outcome) => sum + outcome.requests, 0);
  return { status, ...countChanges(changes), requests };
}

export const TryMirror = z.strictObject({ url: Url, key: Key });

/** The events that a mirror would have, found by a trial that stores nothing. */
type Trial = {
  readonly url: string;
  readonly events: number;
  /** False if the service may have older events, which it does not list. */
  readonly isComplete: boolean;
  readonly upcoming: number;
  /** The next upcoming events, at most five. */
  readonly first: readonly NamedEvent[];
};

/** Runs a first sync in memory. Throws the problem with which it ends. */
async function tryFirstSync(
  { url, key, wanted = [] }: { url: string; key: string; wanted?: readonly number[] },
  tools: ActionTools,
) {
  const baseUrl = parseBaseUrl(url).href;
  const checked = { baseUrl, key: parseUpstreamKey(key), wanted };
  return await withTrial(checked, tools, async (session) => {
    const outcome = await session.sync({ kind: 'sync', round: 'due' });
    const failure = problemOf(outcome.state);
    if (failure !== undefined) throw failure;
    return { outcome, ...checked };
  });
}

export async function tryMirror(
  args: z.output<typeof TryMirror>,
  tools: ActionTools,
): Promise<Trial> {
  const { outcome, baseUrl } = await tryFirstSync(args, tools);
  const { items, source } = outcome.state;
  const now = tools.now().toISOString();
  const upcoming = [...items.values()]
    .map(({ event }) => event)
    .filter(({ date }) => date >= now)
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
  return {
    url: baseUrl,
    events: items.size,
    isComplete: source.coverage.horizon === '',
    upcoming: upcoming.length,
    first: upcoming.slice(0, 5).map(({ id, name, date }) => ({ id, name, date })),
  };
}

export const SetMirror = z.strictObject({
  user: UserName,
  url: Url,
  key: Key,
  keyStore: KeyStore,
});

/**
 * Connects a user with an online service after a first sync. Stores nothing if that fails, or if the
 * user has other events.
 */
export async function setMirror(
  { user, url, key, keyStore }: z.output<typeof SetMirror>,
  tools: ActionTools,
): Promise<SyncResult> {
  const { home } = tools;
  const present = await withReader(home, (db) => {
    const userId = requireUser(db, user);
    const source = findSource(db, userId);
    if (source !== undefined) throw problem('mirror_exists', { user, url: source.baseUrl });
    return readEventIds(db, userId);
  });
  const first = await tryFirstSync({ url, key, wanted: present }, tools);
  const connect = (db: Writer): MirrorSource => {
    const userId = requireUser(db, user);
    const { baseUrl, writes } = first;
    const digest = digestOfKey(first.key);
    const mirror = { userId, baseUrl, keyStore, digest, writes, now: tools.now() };
    const stored = insertMirror(db, mirror);
    switch (stored.kind) {
      case 'stored': {
        const source = requireSource(db, user);
        if (keyStore === 'file') storeKey(db, source, first.key, tools);
        return source;
      }
      case 'mirrored':
        throw problem('mirror_exists', { user, url: stored.baseUrl });
      case 'key taken':
        throw problem('mirror_key_taken');
      case 'other events': {
        const name = prepareEventReads(db).byId(userId, stored.ids[0] ?? 0)?.name ?? '';
        const count = stored.ids.length;
        throw problem('mirror_events_differ', { user, url: baseUrl, count, name });
      }
    }
  };
  const source = await withWriter(home, connect, tools);
  return await resultOf(source, [first.outcome], tools);
}

/** Stores the key of a new mirror, or removes the mirror again. */
function storeKey(db: Writer, source: MirrorSource, key: string, { home }: ActionTools): void {
  try {
    addUpstreamKey(home, source.id, key);
  } catch (error) {
    deleteSource(db, source.id);
    throw error;
  }
}

export const SyncMirrors = z.strictObject({
  user: UserName.optional(),
  confirmRemovals: z.boolean().default(false),
  acceptReset: z.boolean().default(false),
});

/**
 * Syncs the mirror of a user, or all, at once. It is a person's sync: it ends a pause after a
 * restore. Throws the problem of a user's sync; those of several are in their states.
 */
export async function syncMirrors(
  { user, confirmRemovals, acceptReset }: z.output<typeof SyncMirrors>,
  tools: ActionTools,
): Promise<{ results: SyncResult[] }> {
  const { home } = tools;
  const sources = await withReader(home, (db) =>
    user === undefined ? readSources(db) : [requireSource(db, user)],
  );
  const input = {
    kind: 'sync',
    round: 'due',
    confirmsRemovals: confirmRemovals,
    acceptsReset: acceptReset,
  } as const;
  const results: SyncResult[] = [];
  await lockForPerson(tools, async () => {
    for (const source of sources) {
      await resume(source, tools);
      results.push(await syncSource(source, input, tools));
    }
  });
  return { results };
}

async function resume(source: MirrorSource, tools: ActionTools): Promise<void> {
  if (source.paused === null) return;
  await withWriter(tools.home, (db) => resumeSource(db, source.id), tools);
}

/** Runs a person's sync. Throws `sync_waits` while the service asks for a pause. */
async function syncSource(
  source: MirrorSource,
  input: Input,
  tools: ActionTools,
  rules: Rules = standardRules,
): Promise<SyncResult> {
  return await withSource(source, tools, { rules }, async (session) => {
    requireNoPause(session, tools);
    return await resultOf(source, [await session.sync(input)], tools);
  });
}

function requireNoPause(session: MirrorSession, { now }: ActionTools): void {
  const { quietUntil, attemptedAt, baseUrl } = session.state().source;
  const isOver = now().getTime() >= quietUntil || now().getTime() < (attemptedAt ?? 0);
  if (isOver) return;
  throw problem('sync_waits', { url: baseUrl, time: new Date(quietUntil).toISOString() });
}

const MissedIds = z.strictObject({ userId: z.int(), ids: z.array(z.int()) });

export const TickMirrors = z.strictObject({
  isWake: z.boolean(),
  /** Minutes between two syncs. */
  minutes: z.number().min(1),
  /** Ids that local scripts asked for and missed. */
  missed: z.array(MissedIds),
});

/**
 * Syncs the mirrors that are due, unless another program does. Failures are passed to `warn`: the
 * next tick tries again.
 */
export async function tickMirrors(
  { isWake, minutes, missed }: z.output<typeof TickMirrors>,
  tools: ActionTools,
): Promise<{ synced: number }> {
  const { home, now, warn } = tools;
  const rules = { ...standardRules, limits: { ...limits, interval: minutes * minute } };
  const clock = { now: now().getTime(), random: 0 };
  const sources = await withReader(home, (db) =>
    readSources(db)
      .filter(({ paused }) => paused === null)
      .map((source) => {
        const ids = missed.find(({ userId }) => userId === source.userId)?.ids ?? [];
        const state = { ...readMirror(db, source.id), run: null };
        const actions = plan(state, { kind: 'tick', isWake }, clock, rules);
        const isDue = actions.some(({ kind }) => kind === 'run');
        return { source, ids, isDue };
      })
      .filter(({ ids, isDue }) => isDue || ids.length > 0),
  );
  if (sources.length === 0) return { synced: 0 };
  let synced = 0;
  const syncAll = async () => {
    for (const { source, ids } of sources) {
      try {
        await withSource(source, tools, { rules }, async (session) => {
          if (ids.length > 0) await session.sync({ kind: 'want', ids });
          const { state } = await session.sync({ kind: 'tick', isWake });
          const failure = problemOf(state);
          if (failure !== undefined) warn?.(failure);
        });
        synced += 1;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error;
        const failure = error as Problem;
        if (failure.code === 'cancelled') throw error;
        warn?.(failure);
      }
    }
  };
  await withSyncLock(tools, syncAll, { waits: false });
  return { synced };
}

export const SkipEvent = z.strictObject({ user: UserName, id: z.int() });

/** Goes on without an invalid event of the service; it keeps its last valid version. */
export async function skipEvent(
  { user, id }: z.output<typeof SkipEvent>,
  tools: ActionTools,
): Promise<SyncResult> {
  const source = await requireSourceOf(user, tools);
  return await lockForPerson(tools, () =>
    withSource(source, tools, {}, async (session) => {
      await session.sync({ kind: 'skip', id });
      const outcome = await session.sync({ kind: 'sync', round: 'due' });
      return await resultOf(source, [outcome], tools);
    }),
  );
}

export const ReadMirrors = z.strictObject({ user: UserName.optional() });

export function readMirrors(
  { user }: z.output<typeof ReadMirrors>,
  tools: ActionTools,
): Promise<{ mirrors: MirrorStatus[] }> {
  return withReader(tools.home, (db) => {
    const sources = user === undefined ? readSources(db) : [requireSource(db, user)];
    return { mirrors: sources.map((source) => readStatus(db, source, tools)) };
  });
}

export const VerifyMirror = z.strictObject({ user: UserName });

type Verification = SyncResult & {
  /** The number of events that were confirmed one by one. */
  readonly checked: number;
  readonly differences: readonly {
    readonly event: NamedEvent;
    readonly kind: 'added' | 'changed' | 'removed';
  }[];
};

/** Compares every event with the service, one by one. Differences are corrected and reported. */
export async function verifyMirror(
  { user }: z.output<typeof VerifyMirror>,
  tools: ActionTools,
): Promise<Verification> {
  const source = await requireSourceOf(user, tools);
  return await lockForPerson(tools, () =>
    withSource(source, tools, {}, async (session) => {
      requireNoPause(session, tools);
      const outcome = await session.sync({ kind: 'sync', round: 'all' });
      const failure = problemOf(outcome.state);
      if (failure !== undefined) throw failure;
      const differences = outcome.changes.flatMap(({ before, after }) => {
        const event = after ?? before;
        if (event === null) return [];
        const kind = before === null ? 'added' : after === null ? 'removed' : 'changed';
        const { id, name, date } = event;
        return [{ event: { id, name, date }, kind } as const];
      });
      const result = await resultOf(source, [outcome], tools);
      return { ...result, checked: outcome.state.items.size, differences };
    }),
  );
}

export const AddIds = z.strictObject({
  user: UserName,
  /** Ids, ranges of ids such as `100-200`, and files with ids. */
  ids: z.array(z.string()).min(1),
});

type Lookup = SyncResult & { readonly wanted: number; readonly found: number };

/** Looks up ids at the service that a person knows. Only ids are taken from files, no values. */
export async function addIds(
  { user, ids }: z.output<typeof AddIds>,
  tools: ActionTools,
): Promise<Lookup> {
  const source = await requireSourceOf(user, tools);
  const wanted = await readIds(ids);
  return await lockForPerson(tools, () =>
    withSource(source, tools, { rules: lookupRules(limits.batch) }, async (session) => {
      const waiting = new Set(wanted.filter((id) => !session.state().items.has(id)));
      const outcomes = await lookUp(session, tools, () => {
        const portion = [...waiting].slice(0, limits.wanted);
        for (const id of portion) waiting.delete(id);
        return portion;
      });
      const failure = problemOf(session.state());
      if (failure !== undefined) throw failure;
      const found = wanted.filter((id) => session.state().items.has(id)).length;
      return { ...(await resultOf(source, outcomes, tools)), wanted: wanted.length, found };
    }),
  );
}

/** Returns the rules for a sync that looks up many ids, and confirms no other events. */
function lookupRules(batch: number): Rules {
  return {
    ...standardRules,
    limits: { ...limits, batch, others: limits.wanted, upcoming: 0 },
  };
}

/** Looks up ids in portions, until there are none left or a sync fails. */
async function lookUp(
  session: MirrorSession,
  tools: ActionTools,
  nextPortion: () => readonly number[],
): Promise<SyncOutcome[]> {
  const outcomes: SyncOutcome[] = [];
  for (let ids = nextPortion(); ids.length > 0; ids = nextPortion()) {
    requireNoPause(session, tools);
    await session.sync({ kind: 'want', ids });
    const outcome = await session.sync({ kind: 'sync', round: 'due' });
    outcomes.push(outcome);
    if (problemOf(outcome.state) !== undefined) break;
  }
  return outcomes;
}

export const SearchIds = z.strictObject({
  user: UserName,
  /** False for the estimate alone. */
  start: z.boolean().default(false),
  /** Requests in a second. */
  rate: z
    .number({ error: 'mirror_rate_invalid' satisfies ProblemCode })
    .min(0.1)
    .max(50)
    .default(2),
  /** Most ids to ask for. */
  requests: z
    .int({ error: 'mirror_rate_invalid' satisfies ProblemCode })
    .min(1)
    .optional(),
});

type Search = SyncResult & {
  readonly estimate: SearchEstimate;
  /** The number of ids that the service was asked for. */
  readonly asked: number;
};

/**
 * Searches for older events by their ids, after a person saw the estimate. It can be cancelled and
 * goes on where it ended; it ends if the service refuses a request.
 */
export async function searchIds(
  { user, start, rate, requests = Number.POSITIVE_INFINITY }: z.output<typeof SearchIds>,
  tools: ActionTools,
): Promise<Search> {
  const source = await requireSourceOf(user, tools);
  const stored = await withReader(tools.home, (db) => readMirror(db, source.id));
  const estimate = estimateSearch(stored, rate);
  if (!start) return { ...(await resultOf(source, [], tools)), estimate, asked: 0 };
  if (estimate.isTooSparse) {
    throw problem('mirror_search_sparse', { url: source.baseUrl, requests: estimate.requests });
  }
  const options = { rules: lookupRules(searchBatch(rate)), rate };
  return await lockForPerson(tools, () =>
    withSource(source, tools, options, async (session) => {
      let asked = 0;
      const outcomes = await lookUp(session, tools, () => {
        const ids = nextIds(session.state(), Math.min(limits.wanted, requests - asked));
        asked += ids.length;
        return ids;
      });
      const failure = problemOf(session.state());
      if (failure !== undefined) throw failure;
      if (nextIds(session.state(), 1).length === 0) await session.sync({ kind: 'exhausted' });
      return { ...(await resultOf(source, outcomes, tools)), estimate, asked };
    }),
  );
}

export const AddMirrorKey = z.strictObject({ user: UserName, key: Key });

/** Adds another key of the same account, with which scripts read the events here too. */
export async function addMirrorKey(
  { user, key }: z.output<typeof AddMirrorKey>,
  tools: ActionTools,
): Promise<{ user: string; url: string }> {
  const source = await requireSourceOf(user, tools);
  await requireSameAccount(source, key, tools);
  await withWriter(tools.home, (db) => addKeyDigest(db, source, key, tools), tools);
  return { user, url: source.baseUrl };
}

function addKeyDigest(db: Writer, source: MirrorSource, key: string, { now }: ActionTools): void {
  const isOurs = addSourceKey(db, source.id, digestOfKey(parseUpstreamKey(key)), now());
  if (!isOurs) throw problem('mirror_key_taken');
}

/** Throws `mirror_key_other_account` unless a key shows events of the mirror. */
async function requireSameAccount(
  source: MirrorSource,
  key: string,
  tools: ActionTools,
): Promise<void> {
  const { outcome } = await tryFirstSync({ url: source.baseUrl, key }, tools);
  const { items } = await withReader(tools.home, (db) => readMirror(db, source.id));
  const ids = [...outcome.state.items.keys()];
  const isSame = ids.length === 0 ? items.size === 0 : ids.some((id) => items.has(id));
  if (!isSame) throw problem('mirror_key_other_account');
}

export const ChangeMirrorKey = z.strictObject({
  user: UserName,
  key: Key,
  keyStore: KeyStore,
});

/** Replaces the key with which a mirror syncs by another one of the same account. */
export async function changeMirrorKey(
  { user, key, keyStore }: z.output<typeof ChangeMirrorKey>,
  tools: ActionTools,
): Promise<{ user: string; url: string; source: number }> {
  const { home } = tools;
  const source = await requireSourceOf(user, tools);
  await requireSameAccount(source, key, tools);
  const change = (db: Writer) => {
    addKeyDigest(db, source, key, tools);
    setKeyStore(db, source.id, keyStore);
    removeUpstreamKeys(home, source.id);
    if (keyStore === 'file') addUpstreamKey(home, source.id, parseUpstreamKey(key));
    // A refused key must not delay the next sync.
    const nextAt = tools.now().getTime();
    writeMirror(db, source.id, [{ kind: 'source', values: { nextAt } }], tools.now().toISOString());
  };
  await withWriter(home, change, tools);
  return { user, url: source.baseUrl, source: source.id };
}

export const RemoveMirror = z.strictObject({ user: UserName });

/** Disconnects a user. The events stay; the service's key no longer opens them. */
export async function removeMirror(
  { user }: z.output<typeof RemoveMirror>,
  tools: ActionTools,
): Promise<{ user: string; url: string; source: number; events: number }> {
  const { home } = tools;
  const remove = (db: Writer) => {
    const source = requireSource(db, user);
    deleteSource(db, source.id);
    removeUpstreamKeys(home, source.id);
    const events = prepareUserReads(db).countEvents(source.userId);
    return { user, url: source.baseUrl, source: source.id, events };
  };
  return await withWriter(home, remove, tools);
}
