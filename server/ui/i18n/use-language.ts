import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '../shell/preferences.ts';
import { browserLanguage } from './i18n.ts';

/** Keeps the page in the language its user wants. */
export function useLanguage(): void {
  const { i18n } = useTranslation();
  const { language } = usePreferences();
  const wanted = language ?? browserLanguage();
  useEffect(() => {
    document.documentElement.lang = wanted;
    void i18n.changeLanguage(wanted);
  }, [wanted, i18n]);
}
