import { useDocumentVisibility } from '@mantine/hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePlace } from '../place/use-place.ts';
import type { EventSet } from '../reading/walk.ts';
import type { Change } from './compare.ts';
import { createLastLook, type LastLook } from './last-look.ts';

export type { Change } from './compare.ts';

export type Changes = {
  readonly changes: ReadonlyMap<number, Change>;
  /** What to list when only changes are wanted: these, and those that were seen meanwhile. */
  readonly listed: ReadonlySet<number>;
  readonly lastLook: LastLook;
  readonly markSeen: (ids: Iterable<number>) => void;
};

const noChanges: ReadonlyMap<number, Change> = new Map();
const none: ReadonlySet<number> = new Set();
const beforeAnyLook: LastLook = { changes: noChanges, seen: noChanges, since: null, trouble: null };

/** How long an event has to be in the panel to count as seen, in milliseconds. */
const momentMs = 1_500;

function useLastLook(account: string, all: EventSet | undefined) {
  const [look, setLook] = useState(beforeAnyLook);
  const following = useRef<ReturnType<typeof createLastLook>>(undefined);
  useEffect(() => {
    const started = createLastLook(account, setLook);
    following.current = started;
    return () => started.close();
  }, [account]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each account anew
  useEffect(() => {
    if (all?.pastRead && all.comingRead) following.current?.see(all);
  }, [account, all]);
  const markSeen = useCallback((ids: Iterable<number>) => following.current?.markSeen(ids), []);
  return { look, markSeen };
}

/** What is in the panel for a moment, before somebody's eyes, is seen. */
function useSeenInPanel({ changes, markSeen }: Pick<Changes, 'changes' | 'markSeen'>): void {
  const { event } = usePlace();
  const visibility = useDocumentVisibility();
  useEffect(() => {
    if (event === null || visibility === 'hidden' || !changes.has(event)) return;
    const timer = setTimeout(() => markSeen([event]), momentMs);
    return () => clearTimeout(timer);
  }, [event, visibility, changes, markSeen]);
}

/** All that was marked since only changes are shown, so that nothing vanishes under its reader. */
function useListed(changes: ReadonlyMap<number, Change>): ReadonlySet<number> {
  const { changedOnly } = usePlace();
  const [listed, setListed] = useState({ of: noChanges, ids: none });
  const of = changedOnly ? changes : noChanges;
  if (listed.of === of) return listed.ids;
  const ids = changedOnly ? listed.ids.union(new Set(of.keys())) : none;
  setListed({ of, ids });
  return ids;
}

/** What has changed since the account last looked, followed as long as the page is open. */
export function useChanges(account: string, all: EventSet | undefined): Changes {
  const { look, markSeen } = useLastLook(account, all);
  const { changes } = look;
  useSeenInPanel({ changes, markSeen });
  return { changes, listed: useListed(changes), lastLook: look, markSeen };
}
