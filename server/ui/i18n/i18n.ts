import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { messageOptions } from '../../messages/messages.ts';
import { browserLanguage } from './browser-language.ts';

/** Loads the messages of all languages synchronously; they are small. */
export function startTexts(): void {
  i18next.use(initReactI18next).init({ ...messageOptions, lng: browserLanguage() });
}
