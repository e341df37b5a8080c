import { type Language, languages, type Texts } from '../server/ui/i18n/text.ts';

/** Replaces placeholders such as `{{name}}`; unknown ones become empty. */
export function fillIn(text: string, values: Texts = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => values[name] ?? '');
}

/** Returns the configured language, else that of the system if supported, else English. */
export function chooseLanguage(configured: Language | null, locale: string): Language {
  if (configured !== null) return configured;
  const [system = ''] = locale.toLowerCase().split(/[-_]/);
  return Object.hasOwn(languages, system) ? (system as Language) : 'en';
}

/** A text for the user in the language that is current when it is shown. */
export type LocalizedText = (language: Language) => string;
