import type { EventSet } from '../reading/walk.ts';
import { type Change, compareEvents, takeDown } from './compare.ts';
import { amend, type Memory, MemoryError, recall, remember, rememberLook } from './memory.ts';
import { type Amendment, amendSnapshot } from './snapshot.ts';

/** What hinders remembering: the browser refuses it, or what was remembered cannot be read. */
export type Trouble = 'refused' | 'unreadable';

export type LastLook = {
  /** What has changed and has not been seen yet, by id. */
  readonly changes: ReadonlyMap<number, Change>;
  /** What has been seen of these since the page was opened, as it was then. */
  readonly seen: ReadonlyMap<number, Change>;
  /** When all had been seen before these changes came: a timestamp. */
  readonly since: string | null;
  readonly trouble: Trouble | null;
};

/** On which the pages of one browser tell each other that an account has looked. */
const channelName = 'club-events-last-look';

/** Opens the channel; undefined where blocked site data forbids it, as in Firefox. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(channelName);
  } catch {
    // Then the other pages have nothing to share either: the memory refuses, too.
    return undefined;
  }
}

const forgetNothing = new Float64Array();

function without<T>(map: ReadonlyMap<number, T>, ids: ReadonlySet<number>): Map<number, T> {
  return new Map([...map].filter(([id]) => !ids.has(id)));
}

const now = () => new Date().toISOString();

/**
 * Follows what an account has seen of its events. What is to be done is done one thing after the
 * other, in slices; a browser that remembers nothing costs the marks of earlier looks alone.
 */
export function createLastLook(account: string, publish: (look: LastLook) => void) {
  let look: LastLook = { changes: new Map(), seen: new Map(), since: null, trouble: null };
  let memory: Memory | undefined;
  let latest: EventSet | undefined;
  let isCompared = false;
  let isHidden = document.visibilityState === 'hidden';
  let isClosed = false;
  /** Nothing is written over what could not be read. */
  let isStored = true;
  let tasks: Promise<unknown> = Promise.resolve();
  /** What was marked as seen and is about to be remembered. */
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

  /** Notes that all has been seen until now, if it has and somebody sees the page. */
  function lookNow(): boolean {
    if (memory === undefined || isHidden || !wasAllSeen()) return false;
    memory = { ...memory, at: now() };
    return true;
  }

  async function keepLook(): Promise<void> {
    if (lookNow() && isStored && memory !== undefined) await rememberLook(account, memory.at);
  }

  async function start(): Promise<void> {
    isStored = false;
    const recalled = await recall(account);
    isStored = true;
    if (recalled === 'unreadable') show({ trouble: 'unreadable' });
    else if (recalled !== 'nothing') memory = recalled;
  }

  async function beginWith(set: EventSet): Promise<void> {
    memory = { snapshot: await takeDown(set.byId), at: now() };
    isCompared = true;
    if (isStored) await remember(account, memory);
  }

  async function keep(amendment: Amendment, before: Memory): Promise<void> {
    // Before it is stored, which may fail: this page knows it in any case.
    memory = { ...before, snapshot: amendSnapshot(before.snapshot, amendment) };
    if (!isStored) return;
    const snapshot = await amend(account, amendment, before);
    memory = { ...memory, snapshot };
    if (!isClosed) channel?.postMessage(account);
  }

  async function compare(set: EventSet, isNews: boolean): Promise<void> {
    if (memory === undefined) return beginWith(set);
    lookNow();
    const hadSeenAll = !isCompared || wasAllSeen();
    const { changes, quiet } = await compareEvents(memory.snapshot, set);
    isCompared = true;
    const since = hadSeenAll ? memory.at : look.since;
    if (changes.size > 0 || look.changes.size > 0) {
      show({ changes: pending.size === 0 ? changes : without(changes, pending), since });
    }
    // A set from before another page's look knows less than that page did.
    if (isNews && quiet !== undefined) await keep(quiet, memory);
    if (isNews) await keepLook();
  }

  async function takeAsSeen(ids: ReadonlySet<number>, set: EventSet): Promise<void> {
    if (memory === undefined) return;
    const seen = await takeDown(new Map([...set.byId].filter(([id]) => ids.has(id))));
    for (const id of ids) pending.delete(id);
    lookNow();
    await keep({ seen, gone: forgetNothing }, memory);
    // It may have changed once more by now.
    if (latest !== undefined && latest !== set) await compare(latest, true);
  }

  const onMessage = ({ data }: MessageEvent) => {
    if (data !== account) return;
    enqueue(async () => {
      await start();
      if (latest !== undefined && memory !== undefined) await compare(latest, false);
    });
  };

  const onVisibility = () => {
    if (document.visibilityState === 'hidden') enqueue(keepLook);
    // Only afterwards: until now somebody saw the page.
    enqueue(async () => {
      isHidden = document.visibilityState === 'hidden';
    });
  };

  enqueue(start);
  channel?.addEventListener('message', onMessage);
  document.addEventListener('visibilitychange', onVisibility);

  return {
    /** All events of the club, wholly read, as they are now. */
    see(set: EventSet): void {
      latest = set;
      enqueue(async () => {
        // What came later is compared instead.
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
      enqueue(() => takeAsSeen(marked, set));
    },
    close(): void {
      isClosed = true;
      channel?.close();
      document.removeEventListener('visibilitychange', onVisibility);
    },
  };
}
