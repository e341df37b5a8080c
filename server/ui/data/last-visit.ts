import { useDocumentVisibility } from '@mantine/hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePlace } from '../base/navigation.ts';
import { amend, type Memory, MemoryError, recall, remember, rememberLook } from './change-store.ts';
import type { EventSet } from './read-all.ts';
import { type Amendment, amendSnapshot, type Change, compareEvents, takeDown } from './snapshot.ts';

/** Problems of storage: the browser refuses it, or the stored data is not readable. */
type Trouble = 'refused' | 'unreadable';

export type LastLook = {
  /** Changes that have not been seen yet, by id. */
  readonly changes: ReadonlyMap<number, Change>;
  /** Changes marked as seen since the page was opened, by id. */
  readonly seen: ReadonlyMap<number, Change>;
  /** Timestamp of the last look at which everything had been seen, before these changes. */
  readonly since: string | null;
  readonly trouble: Trouble | null;
};

/** Channel on which the pages of a browser announce a look of an account. */
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

const noIds = new Float64Array();

function without<T>(map: ReadonlyMap<number, T>, ids: ReadonlySet<number>): Map<number, T> {
  return new Map([...map].filter(([id]) => !ids.has(id)));
}

const now = () => new Date().toISOString();

/**
 * Tracks which changes an account has seen. Tasks run one after the other, in time slices. If the
 * browser stores nothing, only the marks of earlier visits are lost.
 */
function createLastLook(account: string, publish: (look: LastLook) => void) {
  let look: LastLook = { changes: new Map(), seen: new Map(), since: null, trouble: null };
  let memory: Memory | undefined;
  let latest: EventSet | undefined;
  let isCompared = false;
  let isHidden = document.visibilityState === 'hidden';
  let isClosed = false;
  /** False during a load and after a failed one: data that was not read is not overwritten. */
  let isStored = true;
  let tasks: Promise<unknown> = Promise.resolve();
  /** Ids that are marked as seen but not stored yet. */
  const pending = new Set<number>();
  const channel = openChannel();

  const show = (change: Partial<LastLook>) => {
    look = { ...look, ...change };
    publish(look);
  };

  function enqueue(task: () => Promise<void>): void {
    tasks = tasks.then(task).catch((error: unknown) => {
      if (error instanceof MemoryError) show({ trouble: 'refused' });
      else reportError(error);
    });
  }

  const wasAllSeen = () => isCompared && look.changes.size === 0;

  /** Updates the time of the last look if the page is visible and all changes have been seen. */
  function lookNow(): boolean {
    if (memory === undefined || isHidden || !wasAllSeen()) return false;
    memory = { ...memory, at: now() };
    return true;
  }

  async function storeLook(): Promise<void> {
    if (lookNow() && isStored && memory !== undefined) await rememberLook(account, memory.at);
  }

  async function load(): Promise<void> {
    isStored = false;
    const recalled = await recall(account);
    isStored = true;
    if (recalled === 'unreadable') show({ trouble: 'unreadable' });
    else if (recalled !== 'nothing') memory = recalled;
  }

  async function startWith(set: EventSet): Promise<void> {
    memory = { snapshot: await takeDown(set.byId), at: now() };
    isCompared = true;
    if (isStored) await remember(account, memory);
  }

  async function applyAmendment(amendment: Amendment, before: Memory): Promise<void> {
    // Updated before the storing, which may fail: this page has the change in any case.
    memory = { ...before, snapshot: amendSnapshot(before.snapshot, amendment) };
    if (!isStored) return;
    const snapshot = await amend(account, amendment, before);
    memory = { ...memory, snapshot };
    if (!isClosed) channel?.postMessage(account);
  }

  async function compare(set: EventSet, isFresh: boolean): Promise<void> {
    if (memory === undefined) return startWith(set);
    lookNow();
    const hadSeenAll = !isCompared || wasAllSeen();
    const { changes, quiet } = await compareEvents(memory.snapshot, set);
    isCompared = true;
    const since = hadSeenAll ? memory.at : look.since;
    if (changes.size > 0 || look.changes.size > 0) {
      show({ changes: pending.size === 0 ? changes : without(changes, pending), since });
    }
    // A set that is older than another page's look must not overwrite it.
    if (isFresh && quiet !== undefined) await applyAmendment(quiet, memory);
    if (isFresh) await storeLook();
  }

  async function applySeen(ids: ReadonlySet<number>, set: EventSet): Promise<void> {
    if (memory === undefined) return;
    const seen = await takeDown(new Map([...set.byId].filter(([id]) => ids.has(id))));
    for (const id of ids) pending.delete(id);
    lookNow();
    await applyAmendment({ seen, gone: noIds }, memory);
    // An event may have changed again meanwhile.
    if (latest !== undefined && latest !== set) await compare(latest, true);
  }

  const onMessage = ({ data }: MessageEvent) => {
    if (data !== account) return;
    enqueue(async () => {
      await load();
      if (latest !== undefined && memory !== undefined) await compare(latest, false);
    });
  };

  const onVisibility = () => {
    if (document.visibilityState === 'hidden') enqueue(storeLook);
    // Only after `storeLook`: until now the page was visible.
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
      enqueue(async () => {
        // A newer set is compared instead.
        if (set === latest) await compare(set, true);
      });
    },
    markSeen(ids: Iterable<number>): void {
      const marked = new Set([...ids].filter((id) => look.changes.has(id)));
      const set = latest;
      if (marked.size === 0 || set === undefined) return;
      const changed = [...look.changes].filter(([id]) => marked.has(id));
      show({
        changes: without(look.changes, marked),
        seen: new Map([...look.seen, ...changed]),
      });
      for (const id of marked) pending.add(id);
      enqueue(() => applySeen(marked, set));
    },
    close(): void {
      isClosed = true;
      channel?.close();
      document.removeEventListener('visibilitychange', onVisibility);
    },
  };
}

export type { Change } from './snapshot.ts';

type Changes = {
  readonly changes: ReadonlyMap<number, Change>;
  /** Ids to list under `changedOnly`: the changes, and those marked as seen meanwhile. */
  readonly listed: ReadonlySet<number>;
  readonly lastLook: LastLook;
  readonly markSeen: (ids: Iterable<number>) => void;
};

const noChanges: ReadonlyMap<number, Change> = new Map();
const none: ReadonlySet<number> = new Set();
const beforeAnyLook: LastLook = { changes: noChanges, seen: noChanges, since: null, trouble: null };

/** Time in the panel after which a change counts as seen, in milliseconds. */
const seenAfterMs = 1_500;

function useLastLook(account: string, all: EventSet | undefined) {
  const [look, setLook] = useState(beforeAnyLook);
  const tracker = useRef<ReturnType<typeof createLastLook>>(undefined);
  useEffect(() => {
    const created = createLastLook(account, setLook);
    tracker.current = created;
    return () => created.close();
  }, [account]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tracker belongs to the account
  useEffect(() => {
    if (all?.pastRead && all.comingRead) tracker.current?.see(all);
  }, [account, all]);
  const markSeen = useCallback((ids: Iterable<number>) => tracker.current?.markSeen(ids), []);
  return { look, markSeen };
}

/** Marks an event as seen after `seenAfterMs` in the visible panel. */
function useSeenInPanel({ changes, markSeen }: Pick<Changes, 'changes' | 'markSeen'>): void {
  const { event } = usePlace();
  const visibility = useDocumentVisibility();
  useEffect(() => {
    if (event === null || visibility === 'hidden' || !changes.has(event)) return;
    const timer = setTimeout(() => markSeen([event]), seenAfterMs);
    return () => clearTimeout(timer);
  }, [event, visibility, changes, markSeen]);
}

/** Collects all changes while `changedOnly` is on, so that no event vanishes while it is read. */
function useListed(changes: ReadonlyMap<number, Change>): ReadonlySet<number> {
  const { changedOnly } = usePlace();
  const [listed, setListed] = useState({ of: noChanges, ids: none });
  const of = changedOnly ? changes : noChanges;
  if (listed.of === of) return listed.ids;
  const ids = changedOnly ? listed.ids.union(new Set(of.keys())) : none;
  setListed({ of, ids });
  return ids;
}

/** Tracks the changes since the last look of an account. */
export function useChanges(account: string, all: EventSet | undefined): Changes {
  const { look, markSeen } = useLastLook(account, all);
  const { changes } = look;
  useSeenInPanel({ changes, markSeen });
  return { changes, listed: useListed(changes), lastLook: look, markSeen };
}
