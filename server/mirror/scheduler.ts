import { networkInterfaces } from 'node:os';
import { readNextSync } from '../../db/mirror.ts';
import { explain, type Problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import type { LongRunning } from '../base/long-running.ts';
import type { ActionTools } from '../club/tools.ts';
import { withReader } from '../store/store.ts';
import type { UpstreamKey } from '../store/upstream-keys.ts';

/** Times in milliseconds: the first syncDue after the start, and the interval of later ones. */
const timing = { firstAfter: 3_000, every: 30_000 };

/** Ids that local scripts asked for and missed, by the id of the user. */
type MissedIds = {
  note(userId: number, id: number): void;
  /** Returns the ids, and forgets them. */
  take(): { readonly userId: number; readonly ids: readonly number[] }[];
};

/** Most ids that are remembered for all users. */
const maxMissed = 1_000;

/** Keeps missed ids in memory: the network side writes nothing. */
export function createMissedIds(): MissedIds {
  let users = new Map<number, Set<number>>();
  let count = 0;
  return {
    note(userId, id) {
      const ids = users.get(userId) ?? new Set();
      if (count >= maxMissed || ids.has(id)) return;
      users.set(userId, ids.add(id));
      count += 1;
    },
    take() {
      const taken = [...users].map(([userId, ids]) => ({ userId, ids: [...ids] }));
      users = new Map();
      count = 0;
      return taken;
    },
  };
}

type SchedulerOptions = Partial<typeof timing> & {
  readonly home: Home;
  /** Performs an action on a thread: `performInBackground`. */
  readonly perform: (
    name: 'mirror tick',
    args: unknown,
    tools: Pick<ActionTools, 'home' | 'onProgress' | 'upstreamKeys' | 'warn'> & {
      readonly signal: AbortSignal;
    },
  ) => Promise<unknown>;
  readonly missed: MissedIds;
  /** Minutes between two syncs of an online service; null for none. */
  readonly minutes: () => number | null;
  /** Keys of online services that are in memory only, by the id of the source. */
  readonly upstreamKeys?: () => ReadonlyMap<number, UpstreamKey>;
  /** Called with the reason why a sync failed; once while it stays the same. */
  readonly warn: (problem: Problem) => void;
};

export type SyncScheduler = LongRunning & {
  /** Looks at once, after the computer woke or the network returned. */
  wake(): void;
};

/** Returns a text that changes when the computer joins or leaves a network. */
function describeNetworks(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
    .sort()
    .join(' ');
}

/**
 * Creates the scheduler of a running service. It syncs online services when they are due: at the
 * start, after sleep, when the network returns, and at intervals; on a thread, with a writer of its
 * own.
 */
export function createSyncScheduler(options: SchedulerOptions): SyncScheduler {
  const { home, perform, missed, minutes, upstreamKeys, warn } = options;
  const { firstAfter, every } = { ...timing, ...options };
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> | undefined;
  let lastLook = Date.now();
  let networks = describeNetworks();
  let isWake = true;
  let wasTidied = false;
  let lastFailure: string | undefined;

  /** Returns true after sleep, which stops timers, and when the network has changed. */
  function hasWoken(): boolean {
    const now = Date.now();
    const hasSlept = Math.abs(now - lastLook) > 3 * every;
    const previous = networks;
    networks = describeNetworks();
    lastLook = now;
    return hasSlept || (networks !== previous && networks !== '');
  }

  async function tidyOnce(): Promise<void> {
    if (wasTidied) return;
    // Before it fails, which must not prevent the syncs.
    wasTidied = true;
    // Loaded late: zod, which checks the keys, would delay the first answer of the service.
    const { tidyUpstreamKeys } = await import('../store/upstream-keys.ts');
    await withReader(home, (db) => tidyUpstreamKeys(home, db));
  }

  async function sync(): Promise<void> {
    const interval = minutes();
    isWake = hasWoken() || isWake;
    try {
      await tidyOnce();
      if (interval === null) return;
      const nextAt = await withReader(home, readNextSync);
      const ids = missed.take();
      const isDue = nextAt !== null && (isWake || ids.length > 0 || Date.now() >= nextAt);
      // A thread for each syncDue would keep the processor busy.
      if (!isDue) return;
      const args = { isWake, minutes: interval, missed: ids };
      isWake = false;
      await perform('mirror tick', args, {
        home,
        upstreamKeys: upstreamKeys?.(),
        onProgress: () => undefined,
        signal: stopping.signal,
        warn(problem) {
          if (problem.code !== lastFailure) warn(problem);
          lastFailure = problem.code;
        },
      });
    } catch (error) {
      const failure = explain(error);
      if (failure === undefined) throw error;
      if (stopping.signal.aborted || failure.code === lastFailure) return;
      lastFailure = failure.code;
      warn(failure);
    }
  }

  function syncDue(): void {
    clearTimeout(timer);
    work ??= sync().finally(() => {
      work = undefined;
      wait(every);
    });
  }

  function wait(ms: number): void {
    if (stopping.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(syncDue, ms);
    // Syncs must not keep the process alive.
    timer.unref();
  }

  return {
    run: () => wait(firstAfter),
    wake() {
      isWake = true;
      wait(0);
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await work;
    },
  };
}
