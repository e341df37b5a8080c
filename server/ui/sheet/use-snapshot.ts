import { useEffect, useState } from 'react';
import type { Event } from '../../contract.ts';
import { useVisibleEvents } from '../events/shown.tsx';
import type { ReadingError } from '../reading/client.ts';

/** Events at one moment: a sheet must not change while it is previewed or printed. */
export type Snapshot = {
  readonly events: readonly Event[];
  /** Time at which the events were confirmed. */
  readonly asOf: Date;
};

/** Takes a snapshot of the events that pass the filters, once all of them have been read. */
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
