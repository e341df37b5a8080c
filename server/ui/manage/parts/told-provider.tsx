import { type ReactNode, useCallback, useEffect, useMemo } from 'react';
import { useNow } from '../../base/days.ts';
import { listUntold, type StoredTold, stateWith, ToldContext } from '../../data/told.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { performChange, useActionQuery, useTask } from './action-hooks.ts';
import { useDesktop } from './desktop-provider.tsx';

/** Provides what the members of the open club were told, and the changes since then. */
export function ToldProvider({ children }: { readonly children: ReactNode }) {
  const { club } = useDesktop();
  const user = club.name;
  const { all } = useVisibleEvents();
  const now = useNow();
  const { data: told, refetch } = useActionQuery(
    'message read',
    { user },
    { isInBackground: true },
  );
  // A part of the events would look as if the others were deleted.
  const events = all?.pastRead && all.comingRead ? all.byId : undefined;
  // Other programs and syncs change events, too.
  useEffect(() => {
    if (events !== undefined) void refetch();
  }, [events, refetch]);
  const changes = useMemo(
    () => (told && events ? listUntold(told, events, now) : []),
    [told, events, now],
  );
  const store = useCallback(
    async (next: StoredTold): Promise<StoredTold> => {
      await performChange('message store', { user, told: next });
      return told?.isStored ? { ...told.told, others: [...told.told.others] } : null;
    },
    [user, told],
  );
  const { run } = useTask(store);
  const markTold = useCallback(
    (ids: readonly number[]) => {
      if (told !== undefined) void run(stateWith(told, ids));
    },
    [told, run],
  );
  const value = useMemo(
    () => ({ told, changes, store, markTold }),
    [told, changes, store, markTold],
  );
  return <ToldContext value={value}>{children}</ToldContext>;
}
