import { useQuery } from '@tanstack/react-query';
import type { Event } from '../../contract.ts';
import { useVisibleEvents } from '../events/shown.tsx';
import { type ReadingError, readEvent } from '../reading/client.ts';

export type Finding =
  | { readonly state: 'found'; readonly event: Event }
  | { readonly state: 'looking' }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly again: () => void };

/** Finds an event among those that have been read; otherwise requests it. */
export function useEvent(id: number): Finding {
  const { accessKey, all } = useVisibleEvents();
  const read = all?.byId.get(id);
  const isWhole = Boolean(all?.pastRead && all.comingRead);
  const query = useQuery<Event, ReadingError>({
    // Once the whole club has been read without the event, an earlier answer is outdated.
    queryKey: ['event', accessKey, id, isWhole],
    queryFn: ({ signal }) => readEvent(accessKey, id, signal),
    enabled: read === undefined,
    retry: false,
    gcTime: 0,
    networkMode: 'always',
  });
  if (read !== undefined) return { state: 'found', event: read };
  if (query.error?.kind === 'absent') return { state: 'absent' };
  if (query.data !== undefined) return { state: 'found', event: query.data };
  if (query.error === null) return { state: 'looking' };
  return { state: 'failed', again: () => void query.refetch() };
}
