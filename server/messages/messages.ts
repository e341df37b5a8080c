import { createInstance, type InitOptions, type TFunction } from 'i18next';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };

declare module 'i18next' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be augmented
  interface CustomTypeOptions {
    resources: typeof en;
  }
}

/** Languages of the program, each with its native name. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  nl: 'Nederlands',
} as const;
export type Language = keyof typeof languages;

/** All messages by language, section and key; a key that a language lacks does not compile. */
export const catalogues: Readonly<Record<Language, typeof en>> = { en, de, fr, nl };

/** Options of i18next, which fills in `{{name}}` and chooses `_one` or `_other` by `count`. */
export const messageOptions = {
  fallbackLng: 'en',
  initAsync: false,
  resources: catalogues,
  ns: Object.keys(en),
  interpolation: { escapeValue: false },
} as const satisfies InitOptions;

/** Returns the first language that the program has, such as `de` for `de-AT`; English if none. */
export function supportedLanguage(tags: readonly string[]): Language {
  const codes = tags.map((tag) => tag.toLowerCase().split(/[-_]/)[0] ?? '');
  return codes.find((code): code is Language => Object.hasOwn(languages, code)) ?? 'en';
}

const engine = createInstance();

/** Returns the function that translates keys such as `menu:quit`, outside the page. */
export function translator(language: Language): TFunction<(keyof typeof en)[]> {
  if (!engine.isInitialized) engine.init(messageOptions);
  return engine.getFixedT(language);
}
