import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../actions/bridge.ts';
import { bridge, perform } from '../base/desktop.ts';

/** A file that stays up to date, with its state. */
export type PublishedFile = ActionResult<'publish list'>['files'][number];

/** Returns a function that words the place of a file: its folder and its name, or its host. */
export function usePlaceWords(): (file: Pick<PublishedFile, 'target'>) => string {
  const { t } = useTranslation('published');
  return ({ target }) => {
    if (target.kind === 'web') {
      const { host, pathname } = new URL(target.url);
      return t('webPlace', { host, file: decodeURIComponent(pathname.split('/').at(-1) ?? '') });
    }
    const [file = '', ...folders] = target.path.split(/[\\/]/).toReversed();
    const [folder, above] = folders.filter((name) => name !== '');
    return [above, folder, file].filter((name) => name !== undefined).join(' › ');
  };
}

/** A file with an address at which members read it. */
export type Subscription = PublishedFile & { readonly address: string };

/** Returns true for a file to which members can subscribe; a copy for another computer has drafts. */
function isSubscription(file: PublishedFile): file is Subscription {
  return file.address !== null && file.format !== 'json';
}

/** Returns true if members were seen to get the file at its address. */
export function isReached({ addressCheck }: PublishedFile): boolean {
  return addressCheck !== null && addressCheck.checkedAt !== null && addressCheck.problem === null;
}

/** Returns true if members were seen to get the newest state of the file, or it has no address. */
export function isSeen({ address, addressCheck, writtenAt }: PublishedFile): boolean {
  const seenAt = addressCheck?.seenAt ?? null;
  return address === null || seenAt === null || seenAt >= (writtenAt ?? '');
}

/** Returns an address as people type it. */
export function shortAddress(address: string): string {
  return address.replace(/^https:\/\//, '').replace(/\/$/, '');
}

const pagesFirst = (one: Subscription, other: Subscription) =>
  Number(other.format === 'html') - Number(one.format === 'html');

/**
 * Returns the files of a club to which members can subscribe, pages first, as a page can offer each
 * phone its own way; undefined until they are read. Their addresses are checked meanwhile. A browser
 * never gets them.
 */
export function useSubscriptions(club: string | undefined): readonly Subscription[] | undefined {
  const common = { retry: false, networkMode: 'always', gcTime: 0 } as const;
  const { data: listed, isError } = useQuery({
    ...common,
    queryKey: ['subscriptions', club],
    queryFn: async () => {
      const { files } = await perform('publish list', { user: club });
      return files.filter(isSubscription).toSorted(pagesFirst);
    },
    enabled: bridge !== undefined && club !== undefined,
  });
  // Each time: an address that is broken now must not be printed in silence.
  const { data: checked } = useQuery({
    ...common,
    queryKey: ['subscriptions checked', club],
    queryFn: async () => {
      const { files } = await perform('publish check', { user: club ?? '' });
      return files.filter(isSubscription).toSorted(pagesFirst);
    },
    enabled: listed !== undefined && listed.length > 0,
  });
  return bridge === undefined || isError ? [] : (checked ?? listed);
}
