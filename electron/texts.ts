import { type Language, supportedLanguage } from '../server/messages/messages.ts';

/** Returns the configured language, else that of the system if supported, else English. */
export function chooseLanguage(configured: Language | null, locale: string): Language {
  return configured ?? supportedLanguage([locale]);
}

/** A text for the user in the language that is current when it is shown. */
export type LocalizedText = (language: Language) => string;
