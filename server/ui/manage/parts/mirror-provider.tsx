import { type ReactNode, useEffect, useRef } from 'react';
import { queries } from '../../base/client.ts';
import { MirrorContext } from '../../data/mirror-context.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { useActionQuery } from './action-hooks.ts';
import { useDesktop } from './desktop-provider.tsx';

/** Interval at which the state is read, in milliseconds: a failed sync changes no events. */
const pollingMs = 60_000;

/** Provides the state of the open club's mirror, and reads it after each sync of the service. */
export function MirrorProvider({ children }: { readonly children: ReactNode }) {
  const { club, showClub } = useDesktop();
  const { all } = useVisibleEvents();
  const asOf = all?.asOf ?? null;
  // Each query starts a thread, which a club with events of its own does not need.
  const polling = asOf === null ? {} : { intervalMs: pollingMs };
  const { data } = useActionQuery('mirror status', {}, { ...polling, isInBackground: true });
  const isRead = all !== undefined;
  const lastAsOf = useRef<string | null>(undefined);
  useEffect(() => {
    const isSynced = lastAsOf.current !== undefined && lastAsOf.current !== asOf;
    if (isRead) lastAsOf.current = asOf;
    if (!isSynced) return;
    // A file gives its club the name and the zone.
    void showClub(club.id);
    void queries.invalidateQueries({ queryKey: ['action'] });
  }, [asOf, isRead, club.id, showClub]);
  const mirror = data && (data.mirrors.find(({ userId }) => userId === club.id) ?? null);
  return <MirrorContext value={mirror}>{children}</MirrorContext>;
}
