import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { browserLanguage } from './browser-language.ts';
import { type Language, languages } from './text.ts';
import { texts } from './texts.ts';

declare module 'i18next' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be augmented
  interface CustomTypeOptions {
    resources: { [Feature in keyof typeof texts]: (typeof texts)[Feature]['en'] };
  }
}

function resourcesOf(language: Language) {
  return Object.fromEntries(Object.entries(texts).map(([name, all]) => [name, all[language]]));
}

/** Loads the texts of all languages synchronously; they are small. */
export function startTexts(): void {
  const codes = Object.keys(languages) as Language[];
  i18next.use(initReactI18next).init({
    lng: browserLanguage(),
    fallbackLng: 'en',
    initAsync: false,
    resources: Object.fromEntries(codes.map((code) => [code, resourcesOf(code)])),
    interpolation: { escapeValue: false },
  });
}
