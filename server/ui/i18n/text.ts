/** Languages of the page, each with its native name. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  nl: 'Nederlands',
} as const;
export type Language = keyof typeof languages;

/** Texts by key. i18next fills in `{{name}}` and chooses `_one` or `_other` by `count`. */
export type Texts = Readonly<Record<string, string>>;

/** Declares the texts of a feature in all languages; a missing text does not compile. */
export function defineTexts<T extends Texts>(
  texts: { readonly en: T } & Readonly<Record<Language, Readonly<Record<keyof T, string>>>>,
): Readonly<Record<Language, Readonly<Record<keyof T, string>>>> {
  return texts;
}
