import { useDocumentVisibility } from '@mantine/hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePlace } from '../place/use-place.ts';
import type { EventSet } from '../reading/walk.ts';
import type { Change } from './compare.ts';
import { createLastLook, type LastLook } from './last-look.ts';

export type { Change } from './compare.ts';

export type Changes = {
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
