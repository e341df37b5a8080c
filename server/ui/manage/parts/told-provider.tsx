import { type ReactNode, useCallback, useMemo } from 'react';
import { useNow } from '../../base/days.ts';
import { listUntold, stateAfter, type Told, ToldContext, toldEventOf } from '../../data/told.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { performChange, useActionQuery, useTask } from './action-hooks.ts';
import { useDesktop } from './desktop-provider.tsx';

/** Provides what the members of the open club were told, and the changes since then. */
export function ToldProvider({ children }: { readonly children: ReactNode }) {
  const { club } = useDesktop();
  const user = club.name;
  const { all } = useVisibleEvents();
  const now = useNow();
  const { data } = useActionQuery('message read', { user }, { isInBackground: true });
  const told = data?.told;
  // A part of the events would look as if the others were deleted.
  const events = all?.pastRead && all.comingRead ? all.events : undefined;
  const changes = useMemo(
    () => (told && events ? listUntold(told, events, now) : []),
    [told, events, now],
  );
  const store = useCallback(
    async (next: Told): Promise<Told> => {
      await performChange('message store', {
        user,
        told: next && { ...next, events: [...next.events] },
      });
      return told ?? null;
    },
    [user, told],
  );
  const { run } = useTask(store);
  const markTold = useCallback(
    (ids: readonly number[]) => {
      if (told === undefined || events === undefined) return;
      // The first message that is copied begins the count.
      if (told === null) {
        void run(stateAfter(null, events, { now: new Date(), language: null, untold: new Set() }));
        return;
      }
      const marked = new Set(ids);
      const current = events.filter(({ id }) => marked.has(id)).map(toldEventOf);
      const others = told.events.filter(({ id }) => !marked.has(id));
      void run({ ...told, events: [...others, ...current] });
    },
    [told, events, run],
  );
  const value = useMemo(
    () => ({ told, changes, store, markTold }),
    [told, changes, store, markTold],
  );
  return <ToldContext value={value}>{children}</ToldContext>;
}
