import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { useFormats } from '../../base/format.ts';
import { useActionQuery } from './action-hooks.ts';
import { useApplication } from './desktop-provider.tsx';

/** A proposal of another computer. */
export type Received = ActionResult<'proposal review'>['proposals'][number];

/** Interval between two looks for proposals, in milliseconds. */
const lookMs = 30_000;

/** Reads the proposals that lie beside the copies which the open club keeps up to date. */
export function useReceivedProposals() {
  const { t, i18n } = useTranslation('proposals');
  const formats = useFormats();
  const { club } = useApplication();
  const user = club?.name ?? '';
  const published = useActionQuery(
    'publish list',
    { user },
    { enabled: club !== null, isInBackground: true },
  );
  // Each look starts a thread, which a club without copies does not need.
  const hasCopies = published.data?.files.some(
    ({ format, target }) => format === 'json' && target.kind === 'folder',
  );
  const { data } = useActionQuery(
    'proposal review',
    { user },
    { enabled: hasCopies === true, intervalMs: lookMs, isInBackground: true },
  );
  const received: readonly Received[] = data?.proposals ?? [];
  const names = [...new Set(received.map(({ sender }) => sender))];
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(names);
  const count = received.length;
  const title = t('received', { count, shown: formats.number(count), names: list });
  return { received, unreadable: data?.unreadable ?? [], count, names, title };
}
