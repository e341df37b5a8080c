import i18next, { type TFunction } from 'i18next';
import { useEffect } from 'react';
import { initReactI18next, useTranslation } from 'react-i18next';
import { type Catalogue, type Message, problemMessage } from '../../messages/message.ts';
import {
  type Language,
  messageOptions,
  supportedLanguage,
  type Translate,
  wordMessage,
} from '../../messages/messages.ts';
import { BridgeError, changeSettings, useDesktopState } from './desktop.ts';
import { usePageLanguage } from './format.ts';
import { changePreferences, usePreferences } from './preferences.ts';

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
  const effective = language ?? supportedLanguage(navigator.languages);
  useEffect(() => {
    document.documentElement.lang = effective;
    void i18n.changeLanguage(effective);
  }, [effective, i18n]);
}

/** Loads the messages of all languages synchronously; they are small. */
export function startTexts(): void {
  i18next
    .use(initReactI18next)
    .init({ ...messageOptions, lng: supportedLanguage(navigator.languages) });
}

type Names = keyof Catalogue | readonly (keyof Catalogue)[];

/** The functions that translate, by language and namespaces. */
const texts = new Map<string, unknown>();

/**
 * Returns what `useTranslation` does of it, in a fraction of the time: for what a list or a calendar
 * has many of.
 */
export function useTexts<const Of extends Names>(names: Of): { readonly t: TFunction<Of> } {
  const language = usePageLanguage();
  const key = `${language} ${names}`;
  const known = texts.get(key) ?? { t: i18next.getFixedT(language, names) };
  texts.set(key, known);
  return known as { readonly t: TFunction<Of> };
}

/** Returns a function that words messages in the language of the page. */
export function useWords(): (message: Message) => string {
  const { t } = useTranslation();
  return (message) => wordMessage(message, t as Translate);
}

/** Returns the message for the user; undefined without an error or after a cancellation. */
export function useErrorMessage(error: Error | null | undefined): string | undefined {
  const { t } = useTranslation('manage');
  const words = useWords();
  if (!error) return undefined;
  if (!(error instanceof BridgeError)) return t('fault');
  const { code, values } = error;
  if (code === 'internal' || code === 'refused') return t('fault');
  // The user knows about their own cancellation.
  return code === 'cancelled' ? undefined : words(problemMessage({ code, values }));
}

/** Capitalises a message that stands alone; elsewhere it follows the name of a file. */
export function capitalize(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
