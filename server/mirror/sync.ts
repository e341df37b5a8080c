import { z } from 'zod';
import { type MirrorSource, readMirror, readSources, resumeSource } from '../../db/mirror.ts';
import { type Receipt, readReceipts } from '../../db/receipts.ts';
import { explain } from '../base/errors.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUser, UserName } from '../club/user-actions.ts';
import { minuteMs } from '../dates/units.ts';
import { withReader, withWriter } from '../store/store.ts';
import { requireAccess } from '../store/upstream-keys.ts';
import { type FollowedFile, readFollowedFile } from './file-transport.ts';
import { plan } from './planner/planner.ts';
import { limits, standardRules } from './planner/rules.ts';
import type { Input } from './planner/state.ts';
import type { MirrorStatus, NamedEvent, SyncResult } from './status.ts';
import {
  lockForPerson,
  problemOf,
  readStatus,
  requireNoPause,
  requireSource,
  requireSourceOf,
  resultOf,
  withSource,
  withSyncLock,
} from './sync-session.ts';

export const SyncMirrors = z.strictObject({
  user: UserName.optional(),
  confirmRemovals: z.boolean().default(false),
  acceptReset: z.boolean().default(false),
});

/**
 * Syncs the mirror of a user, or all, for a person: ends a pause after a restore. The reason for
 * which a sync failed is in its state.
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
  for (const source of sources) {
    try {
      const file = await readBefore(source, tools);
      const sync = async () => {
        await resume(source, tools);
        return await syncSource(source, input, file, tools);
      };
      results.push(await lockForPerson(tools, sync));
    } catch (error) {
      const failure = explain(error);
      const isOnlyOne = user !== undefined || sources.length === 1;
      if (failure === undefined || failure.code === 'cancelled' || isOnlyOne) throw error;
      // The others may have their keys.
      tools.warn?.(failure);
    }
  }
  return { results };
}

/**
 * Reads the file of a source; undefined for a service. It comes before the lock, for which others
 * would have to wait while a folder does not answer.
 */
async function readBefore(
  { kind, baseUrl }: MirrorSource,
  tools: ActionTools,
): Promise<FollowedFile | undefined> {
  return kind === 'file' ? await readFollowedFile(baseUrl, tools) : undefined;
}

async function resume(source: MirrorSource, tools: ActionTools): Promise<void> {
  if (source.paused === null) return;
  // A key without a known address stays refused as long as the pause.
  requireAccess(source, tools);
  await withWriter(tools.home, (db) => resumeSource(db, source.id), tools);
}

/** Runs a person's sync. */
async function syncSource(
  source: MirrorSource,
  input: Input,
  file: FollowedFile | undefined,
  tools: ActionTools,
): Promise<SyncResult> {
  return await withSource(source, tools, { file }, async (session) => {
    requireNoPause(session, source, tools);
    return await resultOf(source, [await session.sync(input)], tools);
  });
}

const MissedIds = z.strictObject({ userId: z.int(), ids: z.array(z.int()) });

export const TickMirrors = z.strictObject({
  /** The only source; by default, all. */
  source: z.int().optional(),
  isWake: z.boolean(),
  /** True if the file of the source has changed. */
  isChanged: z.boolean().default(false),
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
  { source: only, minutes, missed, ...look }: z.output<typeof TickMirrors>,
  tools: ActionTools,
): Promise<{ synced: number }> {
  const { home, now, warn } = tools;
  const rules = { ...standardRules, limits: { ...limits, interval: minutes * minuteMs } };
  const clock = { now: now().getTime(), random: 0 };
  const tick = { kind: 'tick', ...look } as const;
  const sources = await withReader(home, (db) =>
    readSources(db)
      .filter(({ id, paused }) => paused === null && (only === undefined || id === only))
      .map((source) => {
        const ids = missed.find(({ userId }) => userId === source.userId)?.ids ?? [];
        const state = { ...readMirror(db, source.id), run: null };
        const actions = plan(state, tick, clock, rules);
        const isDue = actions.some(({ kind }) => kind === 'request');
        return { source, ids, isDue };
      })
      .filter(({ ids, isDue }) => isDue || ids.length > 0),
  );
  let synced = 0;
  for (const { source, ids } of sources) {
    // Before the lock, which others would have to wait for while a folder does not answer.
    const file = source.kind === 'file' ? await readFollowedFile(source.baseUrl, tools) : undefined;
    const sync = () =>
      withSource(source, tools, { rules, file }, async (session) => {
        if (ids.length > 0) await session.sync({ kind: 'want', ids });
        const { state } = await session.sync(tick);
        const failure = problemOf(state);
        if (failure !== undefined) warn?.(failure);
        synced += 1;
      });
    try {
      await withSyncLock(tools, sync, { waits: false });
    } catch (error) {
      const failure = explain(error);
      if (failure === undefined || failure.code === 'cancelled') throw error;
      warn?.(failure);
    }
  }
  return { synced };
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

export const ListReceipts = z.strictObject({ user: UserName });

/** Limits of a list that a person reads; the history counts every change. */
const receiptLimits = { receipts: 5, changes: 6 };

/** Lists the changes of the last syncs, newest first. */
export function listReceipts(
  { user }: z.output<typeof ListReceipts>,
  { home }: ActionTools,
): Promise<{ receipts: readonly Receipt[] }> {
  return withReader(home, (db) => ({
    receipts: readReceipts(db, requireUser(db, user), receiptLimits),
  }));
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
      requireNoPause(session, source, tools);
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
      return { ...result, checked: outcome.state.entries.size, differences };
    }),
  );
}
