import { useEffect, useState } from 'react';
import type { Event } from '../../contract.ts';
import { useVisibleEvents } from '../events/shown.tsx';
import type { ReadingError } from '../reading/client.ts';

/** Events as they were at a moment: a sheet does not change while it is looked at or printed. */
export type Snapshot = {
  readonly events: readonly Event[];
  /** When they were confirmed. */
  readonly asOf: Date;
};

/** All events that pass the filters, once they have been read. */
export function useSnapshot(): {
  readonly snapshot: Snapshot | undefined;
  readonly error: ReadingError | null;
} {
  const { club, events, source, isSearching, searchError } = useVisibleEvents();
  const [snapshot, setSnapshot] = useState<Snapshot | undefined>();
  const isWhole = source?.pastRead && source.comingRead && !isSearching;
  useEffect(() => {
    if (snapshot !== undefined || !isWhole) return;
    setSnapshot({ events, asOf: new Date(source.asOf ?? club.confirmedAt()) });
  }, [snapshot, isWhole, events, source, club]);
  return { snapshot, error: searchError ?? club.error };
}
