import { useTranslation } from 'react-i18next';
import { useFormats } from '../../time/format.ts';

type Counted = { readonly events: number; readonly keys: number };

/** Returns a function that words the contents of a club: “60 events, 2 keys”. */
export function useCounts(): (club: Counted) => string {
  const { t } = useTranslation(['clubs', 'event']);
  const { number } = useFormats();
  return ({ events, keys }) =>
    [
      t('event:number', { count: events, shown: number(events) }),
      t('keys', { count: keys, shown: number(keys) }),
    ].join(', ');
}
