import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../bridge.ts';
import { type Formats, useFormats } from '../../time/format.ts';

export type ListedKey = ActionResult<'key list'>['keys'][number];

/** Returns a function that names a key: its label, or its number if it has none. */
export function useKeyName(): (key: ListedKey) => string {
  const { t } = useTranslation('keys');
  return ({ id, label }) => label ?? t('unnamed', { id });
}

/** Formats the expiry of a key: as a day if it is the end of that day, otherwise with the time. */
function formatEnd(formats: Formats, expiresAt: string): string {
  const end = new Date(expiresAt);
  const isEndOfDay = end.getHours() === 23 && end.getMinutes() === 59;
  return formats.at(isEndOfDay ? 'shortDay' : 'moment', end);
}

/** Returns a function that words the validity of a key, such as its expiry or revocation. */
export function useKeyValidity(): (key: ListedKey) => string {
  const { t } = useTranslation('keys');
  const formats = useFormats();
  return ({ state, revokedAt, expiresAt }) => {
    if (revokedAt !== null) return t('ended', { when: formats.at('shortDay', revokedAt) });
    if (expiresAt === null) return t('forever');
    return t(state === 'expired' ? 'over' : 'until', { when: formatEnd(formats, expiresAt) });
  };
}
