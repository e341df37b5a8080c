import i18next from 'i18next';
import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
}

/** Returns the language of the page, in a fraction of the time that `useTranslation` takes. */
export const usePageLanguage = (): string =>
  useSyncExternalStore(subscribe, () => i18next.language);
