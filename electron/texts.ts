import { type Language, languages, type Texts } from '../server/ui/i18n/text.ts';

/** A sentence with `{{names}}` filled in. */
export function fillIn(text: string, values: Texts = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => values[name] ?? '');
}

/** The language of the shell: as set, else that of the system where there is one, else English. */
export function chooseLanguage(set: Language | null, locale: string): Language {
  if (set !== null) return set;
  const [system = ''] = locale.toLowerCase().split(/[-_]/);
  return Object.hasOwn(languages, system) ? (system as Language) : 'en';
}

/** Something to tell the user, in whatever language holds when it is shown. */
export type Tell = (language: Language) => string;
