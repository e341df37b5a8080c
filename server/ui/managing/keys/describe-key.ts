import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../bridge.ts';
import { type Formats, useFormats } from '../../time/format.ts';

export type ListedKey = ActionResult<'key list'>['keys'][number];

/** How a key is called: by what it is for or, where nobody said, by its number. */
export function useKeyName(): (key: ListedKey) => string {
  const { t } = useTranslation('scriptKeys');
  return ({ id, label }) => label ?? t('unnamed', { id });
}

/** The end of a key: its last day, where it is valid until that is over. */
function formatEnd(formats: Formats, expiresAt: string): string {
  const end = new Date(expiresAt);
  const isEndOfDay = end.getHours() === 23 && end.getMinutes() === 59;
  return formats.at(isEndOfDay ? 'shortDay' : 'moment', end);
}

/** Until when a key is valid, or since when it no longer is. */
export function useKeyValidity(): (key: ListedKey) => string {
  const { t } = useTranslation('scriptKeys');
  const formats = useFormats();
  return ({ state, revokedAt, expiresAt }) => {
    if (revokedAt !== null) return t('ended', { when: formats.at('shortDay', revokedAt) });
    if (expiresAt === null) return t('forever');
    return t(state === 'expired' ? 'over' : 'until', { when: formatEnd(formats, expiresAt) });
  };
}
