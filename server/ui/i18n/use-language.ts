import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { changeSettings, useDesktopState } from '../managing/desktop-state.ts';
import { changePreferences, usePreferences } from '../shell/preferences.ts';
import { browserLanguage } from './browser-language.ts';
import type { Language } from './text.ts';

type Choose = (language: Language | null) => Promise<void>;

/**
 * The language that was chosen, null for that of the browser or the system, and how to choose
 * another: the desktop application keeps it for its window, the browser for any other.
 */
export function useLanguageChoice(): readonly [Language | null, Choose] {
  const { language } = usePreferences();
  const state = useDesktopState();
  if (state !== undefined) {
    return [state.settings.language, (chosen) => changeSettings({ language: chosen })];
  }
  return [language, async (chosen) => changePreferences({ language: chosen })];
}

/** Keeps the page in the language its user wants. */
export function useLanguage(): void {
  const { i18n } = useTranslation();
  const [language] = useLanguageChoice();
  const wanted = language ?? browserLanguage();
  useEffect(() => {
    document.documentElement.lang = wanted;
    void i18n.changeLanguage(wanted);
  }, [wanted, i18n]);
}
