import { useTranslation } from 'react-i18next';
import type { Kind } from './counts.ts';

/** Returns a function that names a kind of events. */
export function useKindName(): (kind: Kind) => string {
  const { t } = useTranslation(['season', 'event']);
  return (kind) =>
    kind === 'coming' || kind === 'past' ? t(`season:${kind}`) : t(`event:${kind}`);
}
