import i18next from 'i18next';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { Clock } from '../../dates/clock.ts';
import { type Formats, formatsOf } from '../../dates/formats.ts';
import type { Wording } from '../../event/times.ts';
import type { CsvSeparator } from '../../export/csv.ts';
import { computerZone, useClock, useToday } from './days.ts';

/**
 * Returns a language as it is used in the browser's country: `en-AU` for `en`. English is British
 * where the browser has no English.
 */
export function regionalTag(language: string): string {
  // Without a system language Chromium has `en-US@posix`, which `Intl` refuses.
  const tags = navigator.languages.filter((tag) => /^[a-z\d-]+$/i.test(tag));
  const own = tags.find((tag) => tag.startsWith(`${language}-`));
  return own ?? (language === 'en' ? 'en-GB' : language);
}

/** Returns the formats of a language as it is used in the browser's country. */
export const formatsIn = (clock: Clock, language: string): Formats =>
  formatsOf(clock, regionalTag(language));

/** Returns the wording of a language, which need not be that of the page. */
export const wordingOf = (clock: Clock, language: string): Wording => ({
  clock,
  tag: regionalTag(language),
  here: computerZone(),
});

function subscribeToLanguage(listener: () => void): () => void {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
}

/** Returns the language of the page, in a fraction of the time that `useTranslation` takes. */
export const usePageLanguage = (): string =>
  useSyncExternalStore(subscribeToLanguage, () => i18next.language);

/** Returns the formats of the page's language. */
export function useFormats(): Formats {
  return formatsIn(useClock(), usePageLanguage());
}

/** Returns the separator that spreadsheet programs expect in the language of the page. */
export function chooseSeparator(formats: Formats): CsvSeparator {
  return formats.number(1.5).includes(',') ? ';' : ',';
}

/** Formats moments for use in a sentence: `Friday 1 May 2026, 18:00`, or `today, 18:00`. */
export function useMomentName(): (timestamp: string) => string {
  const clock = useClock();
  const { t } = useTranslation('changes');
  const formats = useFormats();
  const today = useToday();
  return (timestamp) => {
    const time = formats.time(timestamp);
    const day = formats.at('longDay', timestamp);
    if (time === '') return day;
    return clock.dayOf(timestamp) === today ? t('today', { time }) : t('moment', { day, time });
  };
}
