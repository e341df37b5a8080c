import { dirname } from 'node:path';
import { readNextSyncs } from '../../db/mirror.ts';
import type { Home } from '../base/home.ts';
import { minuteMs } from '../dates/units.ts';
import { pathOfFile } from '../outside/outside-files.ts';
import type { JobSource, JobTools } from '../outside/reconciler.ts';
import { withReader } from '../store/store.ts';

/** Ids that local scripts asked for and missed, by the id of the user. */
export type MissedIds = {
  note(userId: number, id: number): void;
  /** Returns the ids of a user, and forgets them. */
  take(userId: number): readonly number[];
  has(userId: number): boolean;
};

/** Most ids that are remembered for all users. */
const maxMissed = 1_000;

/** Keeps missed ids in memory: the network side writes nothing. */
export function createMissedIds(): MissedIds {
  const users = new Map<number, Set<number>>();
  let count = 0;
  return {
    note(userId, id) {
      const ids = users.get(userId) ?? new Set();
      if (count >= maxMissed || ids.has(id)) return;
      users.set(userId, ids.add(id));
      count += 1;
    },
    take(userId) {
      const ids = [...(users.get(userId) ?? [])];
      users.delete(userId);
      count -= ids.length;
      return ids;
    },
    has: (userId) => users.has(userId),
  };
}

/** Pause in milliseconds before a source that another program held is tried again. */
const pauseAfter = 10_000;

type SyncJobsOptions = {
  readonly home: Home;
  /** Performs `mirror tick` on a thread. */
  readonly tick: (args: object, tools: JobTools) => Promise<{ readonly synced: number }>;
  readonly missed: MissedIds;
  /** Minutes between two syncs of an online service; null for none. */
  readonly minutes: () => number | null;
};

/**
 * Creates the source of syncs: those that are due, after sleep and when the network returns all, and
 * at once after a change of a followed file or when a local script missed an id.
 */
export function createSyncJobs({ home, tick, missed, minutes }: SyncJobsOptions): JobSource {
  /** The stamp of the file of each source at its last sync. */
  const stamps = new Map<number, string>();
  /** Times of this process at which a source may be tried again. */
  const pauses = new Map<number, number>();
  let wasTidied = false;

  async function tidyOnce(): Promise<void> {
    if (wasTidied) return;
    // Before it fails, which must not prevent the syncs.
    wasTidied = true;
    // Loaded late: zod, which checks the keys, would delay the first answer of the service.
    const { tidyUpstreamKeys } = await import('../store/upstream-keys.ts');
    await withReader(home, (db) => tidyUpstreamKeys(home, db));
  }

  return async ({ isWake, stampOf }) => {
    await tidyOnce();
    const interval = minutes();
    if (interval === null) return { jobs: [] };
    const sources = await withReader(home, readNextSyncs);
    const now = Date.now();
    const jobs = sources.flatMap((source) => {
      const { id, userId, baseUrl, nextAt, attemptedAt } = source;
      const path = pathOfFile(baseUrl);
      const stamp = path === undefined ? undefined : stampOf(path);
      const isChanged = stamp !== undefined && stamp !== stamps.get(id);
      const wasSetBack = attemptedAt !== null && now < attemptedAt - minuteMs;
      const isDue = isWake || isChanged || now >= nextAt || wasSetBack || missed.has(userId);
      if (!isDue || performance.now() < (pauses.get(id) ?? 0)) return [];
      const run = async (tools: JobTools) => {
        if (stamp !== undefined) stamps.set(id, stamp);
        const ids = [{ userId, ids: missed.take(userId) }];
        const args = { source: id, isWake, isChanged, minutes: interval, missed: ids };
        const { synced } = await tick(args, tools);
        if (synced === 0) pauses.set(id, performance.now() + pauseAfter);
      };
      // Syncs with services follow each other: all have one lock.
      const resource = path === undefined ? 'sync' : dirname(path);
      return [{ key: `sync ${id}`, resource, run }];
    });
    const paths = sources.flatMap(({ baseUrl }) => pathOfFile(baseUrl) ?? []);
    return { jobs, paths };
  };
}
