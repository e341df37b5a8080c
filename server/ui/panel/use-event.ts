import { useQuery } from '@tanstack/react-query';
import type { Event } from '../../contract.ts';
import { useVisibleEvents } from '../events/shown.tsx';
import { type ReadingError, readEvent } from '../reading/client.ts';

/** What is known of an event that someone asks for by its id. */
export type Finding =
  | { readonly state: 'found'; readonly event: Event }
  | { readonly state: 'looking' }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly again: () => void };

/** An event by its id: among those that have been read, or else asked for by itself. */
export function useEvent(id: number): Finding {
  const { accessKey, all } = useVisibleEvents();
  const read = all?.byId.get(id);
  const isWhole = Boolean(all?.pastRead && all.comingRead);
  const query = useQuery<Event, ReadingError>({
    // Once the whole club is there without it, what was told before is asked again.
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
