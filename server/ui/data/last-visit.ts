import { useDocumentVisibility } from '@mantine/hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useRoute } from '../base/navigation.ts';
import { isOwnChange } from './own-changes.ts';
import type { EventSet } from './read-all.ts';
import {
  type Amendment,
  amendSnapshot,
  type Change,
  compareEvents,
  createSnapshot,
} from './seen-events.ts';
import {
  loadVisit,
  StorageError,
  storeAmendment,
  storeVisit,
  storeVisitTime,
  type Visit,
} from './visit-store.ts';

export type LastVisit = {
  /** Changes that have not been seen yet, by id. */
  readonly changes: ReadonlyMap<number, Change>;
  /** Changes marked as seen since the page was opened, by id. */
  readonly seen: ReadonlyMap<number, Change>;
  /** Timestamp of the last visit at which everything had been seen, before these changes. */
  readonly since: string | null;
  /** Problem of storage: the browser refuses it, or the stored data is not readable. */
  readonly problem: 'refused' | 'unreadable' | null;
};

/** Channel on which the pages of a browser announce what an account has seen. */
const channelName = 'club-events-last-look';

/** Opens the channel; undefined where blocked site data forbids it, as in Firefox. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(channelName);
  } catch {
    // Then storage is refused, too, and there is nothing to share.
    return undefined;
  }
}

function without<T>(map: ReadonlyMap<number, T>, ids: ReadonlySet<number>): Map<number, T> {
  return new Map([...map].filter(([id]) => !ids.has(id)));
}

const now = () => new Date().toISOString();

const noChanges: ReadonlyMap<number, Change> = new Map();
const initial: LastVisit = { changes: noChanges, seen: noChanges, since: null, problem: null };

/**
 * Tracks which changes an account has seen. Tasks run one after the other. If the browser stores
 * nothing, only the marks of earlier visits are lost.
 */
function createTracker(account: string, publish: (state: LastVisit) => void) {
  let state = initial;
  let visit: Visit | undefined;
  let latest: EventSet | undefined;
  let isCompared = false;
  /** True until the events with a change by this window have been compared. */
  let hasOwnChange = false;
  let isHidden = document.visibilityState === 'hidden';
  let isClosed = false;
  /** False during a load and after a failed one: data that was not read is not overwritten. */
  let isStored = true;
  let tasks: Promise<unknown> = Promise.resolve();
  /** Ids that are marked as seen but not stored yet. */
  const pending = new Set<number>();
  const channel = openChannel();

  const show = (change: Partial<LastVisit>) => {
    state = { ...state, ...change };
    publish(state);
  };

  function enqueue(task: () => Promise<void>): void {
    tasks = tasks.then(task).catch((error: unknown) => {
      if (error instanceof StorageError) show({ problem: 'refused' });
      else reportError(error);
    });
  }

  const wasAllSeen = () => isCompared && state.changes.size === 0;

  /** Updates the time of the visit if the page is visible and all changes have been seen. */
  function updateTime(): boolean {
    if (visit === undefined || isHidden || !wasAllSeen()) return false;
    visit = { ...visit, at: now() };
    return true;
  }

  async function storeTime(): Promise<void> {
    if (updateTime() && isStored && visit !== undefined) await storeVisitTime(account, visit.at);
  }

  async function load(): Promise<void> {
    isStored = false;
    const loaded = await loadVisit(account);
    isStored = true;
    if (loaded === 'unreadable') show({ problem: 'unreadable' });
    else if (loaded !== 'none') visit = loaded;
  }

  async function startWith({ events }: EventSet): Promise<void> {
    visit = { snapshot: createSnapshot(events), at: now() };
    isCompared = true;
    if (isStored) await storeVisit(account, visit);
  }

  async function amend(amendment: Amendment, before: Visit): Promise<void> {
    // Updated before the storing, which may fail: this page has the change in any case.
    visit = { ...before, snapshot: amendSnapshot(before.snapshot, amendment) };
    if (!isStored) return;
    const snapshot = await storeAmendment(account, amendment, before);
    visit = { ...visit, snapshot };
    if (!isClosed) channel?.postMessage(account);
  }

  /** Stores the changes that were not announced before as seen, and returns the others. */
  async function acceptChanges(
    { byId }: EventSet,
    changes: ReadonlyMap<number, Change>,
    before: Visit,
  ): Promise<ReadonlyMap<number, Change>> {
    const own = [...changes.keys()].flatMap((id) =>
      state.changes.has(id) ? [] : (byId.get(id) ?? []),
    );
    if (own.length === 0) return changes;
    await amend({ seen: createSnapshot(own), gone: [] }, before);
    return without(changes, new Set(own.map(({ id }) => id)));
  }

  async function compare(set: EventSet, isFresh: boolean): Promise<void> {
    if (visit === undefined) return startWith(set);
    updateTime();
    const found = compareEvents(visit.snapshot, set);
    const { quiet } = found;
    const changes =
      hasOwnChange && isCompared ? await acceptChanges(set, found.changes, visit) : found.changes;
    hasOwnChange = false;
    const hadSeenAll = !isCompared || wasAllSeen();
    isCompared = true;
    const since = hadSeenAll ? visit.at : state.since;
    if (changes.size > 0 || state.changes.size > 0) {
      show({ changes: without(changes, pending), since });
    }
    // A set that is older than what another page has seen must not overwrite it.
    if (isFresh && quiet !== undefined) await amend(quiet, visit);
    if (isFresh) await storeTime();
  }

  async function storeSeen(ids: ReadonlySet<number>, set: EventSet): Promise<void> {
    if (visit === undefined) return;
    const seen = createSnapshot(set.events.filter(({ id }) => ids.has(id)));
    for (const id of ids) pending.delete(id);
    updateTime();
    await amend({ seen, gone: [] }, visit);
    // An event may have changed again meanwhile.
    if (latest !== undefined && latest !== set) await compare(latest, true);
  }

  const onMessage = ({ data }: MessageEvent) => {
    if (data !== account) return;
    enqueue(async () => {
      await load();
      if (latest !== undefined && visit !== undefined) await compare(latest, false);
    });
  };

  const onVisibility = () => {
    if (document.visibilityState === 'hidden') enqueue(storeTime);
    // Only after `storeTime`: until now the page was visible.
    enqueue(async () => {
      isHidden = document.visibilityState === 'hidden';
    });
  };

  enqueue(load);
  channel?.addEventListener('message', onMessage);
  document.addEventListener('visibilitychange', onVisibility);

  return {
    /** Compares the events of the club, which must have been read completely. */
    see(set: EventSet): void {
      latest = set;
      hasOwnChange ||= isOwnChange();
      enqueue(async () => {
        // A newer set is compared instead.
        if (set === latest) await compare(set, true);
      });
    },
    markSeen(ids: Iterable<number>): void {
      const marked = new Set([...ids].filter((id) => state.changes.has(id)));
      const set = latest;
      if (marked.size === 0 || set === undefined) return;
      const changed = [...state.changes].filter(([id]) => marked.has(id));
      show({
        changes: without(state.changes, marked),
        seen: new Map([...state.seen, ...changed]),
      });
      for (const id of marked) pending.add(id);
      enqueue(() => storeSeen(marked, set));
    },
    close(): void {
      isClosed = true;
      channel?.close();
      document.removeEventListener('visibilitychange', onVisibility);
    },
  };
}

type Changes = {
  readonly changes: ReadonlyMap<number, Change>;
  /** Ids to list under `changedOnly`: the changes, and those marked as seen meanwhile. */
  readonly listed: ReadonlySet<number>;
  readonly lastVisit: LastVisit;
  readonly markSeen: (ids: Iterable<number>) => void;
};

const noIds: ReadonlySet<number> = new Set();

/** Time in the panel after which a change counts as seen, in milliseconds. */
const seenAfterMs = 1_500;

function useTracker(account: string, all: EventSet | undefined) {
  const [lastVisit, setLastVisit] = useState(initial);
  const tracker = useRef<ReturnType<typeof createTracker>>(undefined);
  useEffect(() => {
    const created = createTracker(account, setLastVisit);
    tracker.current = created;
    return () => created.close();
  }, [account]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tracker belongs to the account
  useEffect(() => {
    if (all?.pastRead && all.comingRead) tracker.current?.see(all);
  }, [account, all]);
  const markSeen = useCallback((ids: Iterable<number>) => tracker.current?.markSeen(ids), []);
  return { lastVisit, markSeen };
}

/** Marks an event as seen after `seenAfterMs` in the visible panel. */
function useSeenInPanel({ changes, markSeen }: Pick<Changes, 'changes' | 'markSeen'>): void {
  const { event } = useRoute();
  const visibility = useDocumentVisibility();
  useEffect(() => {
    if (event === null || visibility === 'hidden' || !changes.has(event)) return;
    const timer = setTimeout(() => markSeen([event]), seenAfterMs);
    return () => clearTimeout(timer);
  }, [event, visibility, changes, markSeen]);
}

/** Collects all changes while `changedOnly` is on, so that no event vanishes while it is read. */
function useListed(changes: ReadonlyMap<number, Change>): ReadonlySet<number> {
  const { changedOnly } = useRoute();
  const [listed, setListed] = useState({ of: noChanges, ids: noIds });
  const of = changedOnly ? changes : noChanges;
  if (listed.of === of) return listed.ids;
  const ids = changedOnly ? listed.ids.union(new Set(of.keys())) : noIds;
  setListed({ of, ids });
  return ids;
}

/** Tracks the changes since the last visit of an account. */
export function useChanges(account: string, all: EventSet | undefined): Changes {
  const { lastVisit, markSeen } = useTracker(account, all);
  const { changes } = lastVisit;
  useSeenInPanel({ changes, markSeen });
  return { changes, listed: useListed(changes), lastVisit, markSeen };
}
