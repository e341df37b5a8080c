import { type Language, languages } from './text.ts';

const isKnown = (language: string): language is Language => Object.hasOwn(languages, language);

/** Returns the first of the browser's languages that the page has. */
export function browserLanguage(): Language {
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isKnown) ?? 'en';
}
