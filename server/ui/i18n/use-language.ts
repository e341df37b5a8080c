import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../messages/messages.ts';
import { changeSettings, useDesktopState } from '../managing/desktop-state.ts';
import { changePreferences, usePreferences } from '../shell/preferences.ts';
import { browserLanguage } from './browser-language.ts';

type Choose = (language: Language | null) => Promise<void>;

/**
 * Returns the chosen language, null for that of the browser or system, and a function to choose.
 * The desktop settings store the choice of a desktop window; otherwise the browser stores it.
 */
export function useLanguageChoice(): readonly [Language | null, Choose] {
  const { language } = usePreferences();
  const state = useDesktopState();
  if (state !== undefined) {
    return [state.settings.language, (chosen) => changeSettings({ language: chosen })];
  }
  return [language, async (chosen) => changePreferences({ language: chosen })];
}

/** Shows the page in the chosen language. */
export function useLanguage(): void {
  const { i18n } = useTranslation();
  const [language] = useLanguageChoice();
  const effective = language ?? browserLanguage();
  useEffect(() => {
    document.documentElement.lang = effective;
    void i18n.changeLanguage(effective);
  }, [effective, i18n]);
}
