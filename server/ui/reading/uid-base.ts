import { queryOptions, useQuery } from '@tanstack/react-query';
import { readUidBase } from './client.ts';

/** Query for the random part of a club's calendar UIDs, which never changes. */
export const uidBaseOf = (key: string) =>
  queryOptions({
    queryKey: ['uid base', key],
    queryFn: ({ signal }) => readUidBase(key, signal),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  });

/** Returns the random part of a club's calendar UIDs; undefined until it is read. */
export function useUidBase(key: string): string | undefined {
  return useQuery(uidBaseOf(key)).data;
}
