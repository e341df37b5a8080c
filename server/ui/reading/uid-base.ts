import { queryOptions, useQuery } from '@tanstack/react-query';
import { readUidBase } from './client.ts';

/** The random part of a club's calendar UIDs, read once: it never changes. */
export const uidBaseOf = (key: string) =>
  queryOptions({
    queryKey: ['uid base', key],
    queryFn: ({ signal }) => readUidBase(key, signal),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  });

/** Returns the random part of a club's calendar UIDs; undefined until the service has sent it. */
export function useUidBase(key: string): string | undefined {
  return useQuery(uidBaseOf(key)).data;
}
