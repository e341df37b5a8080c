import { type Language, supportedLanguage } from '../../messages/messages.ts';

/** Returns the first of the browser's languages that the page has. */
export function browserLanguage(): Language {
  return supportedLanguage(navigator.languages);
}
