/** The languages of the page, each by its own name. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  nl: 'Nederlands',
} as const;
export type Language = keyof typeof languages;

/** Texts by name. `{{name}}` is filled in; `_one` and `_other` are chosen by `count`. */
export type Texts = Readonly<Record<string, string>>;

/** The texts of a feature in every language: one that is missing does not compile. */
export function defineTexts<T extends Texts>(
  texts: { readonly en: T } & Readonly<Record<Language, Readonly<Record<keyof T, string>>>>,
): Readonly<Record<Language, Readonly<Record<keyof T, string>>>> {
  return texts;
}
