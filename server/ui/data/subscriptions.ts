import { useQuery } from '@tanstack/react-query';
import type { ActionResult } from '../../actions/bridge.ts';
import { bridge, perform } from '../base/desktop.ts';

type PublishedFile = ActionResult<'publish list'>['files'][number];

/** A file with an address at which members read it. */
export type Subscription = PublishedFile & { readonly address: string };

/** Returns true for a file to which members can subscribe; a copy for another computer has drafts. */
function isSubscription(file: PublishedFile): file is Subscription {
  return file.address !== null && file.format !== 'json';
}

/** Returns an address as people type it. */
export function shortAddress(address: string): string {
  return address.replace(/^https:\/\//, '').replace(/\/$/, '');
}

const pagesFirst = (one: Subscription, other: Subscription) =>
  Number(other.format === 'html') - Number(one.format === 'html');

/**
 * Returns the files of a club to which members can subscribe, pages first, as a page can offer each
 * phone its own way; undefined until they are read. A browser never gets them.
 */
export function useSubscriptions(club: string | undefined): readonly Subscription[] | undefined {
  const { data, isError } = useQuery({
    queryKey: ['subscriptions', club],
    queryFn: () => perform('publish list', { user: club }),
    enabled: bridge !== undefined && club !== undefined,
    select: ({ files }) => files.filter(isSubscription).toSorted(pagesFirst),
    retry: false,
    networkMode: 'always',
  });
  return bridge === undefined || isError ? [] : data;
}
