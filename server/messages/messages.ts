import { createInstance, type InitOptions, type TFunction } from 'i18next';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };

declare module 'i18next' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be augmented
  interface CustomTypeOptions {
    resources: Catalogue;
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

/** Messages by section and key. The section for the command line is in English only. */
export type Catalogue = Omit<typeof en, 'commandLine'>;

/** All messages by language; a key that a language lacks does not compile. */
export const catalogues: Readonly<Record<Language, Catalogue>> = { en, de, fr, nl };

/** A key without the suffixes that choose a plural form. */
type BaseKey<Key> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key & string;

/** The code of a problem, a key in the section `problem`. */
export type ProblemCode = BaseKey<keyof Catalogue['problem']>;

/** The code of a problem that only a command line can have. */
export type CommandCode = Exclude<BaseKey<keyof (typeof en)['commandLine']>, ProblemCode>;

/** A problem as plain values, for passing between threads, processes and the page. */
export type PackedProblem = {
  readonly code: ProblemCode | CommandCode;
  readonly values: MessageValues;
};

/** A section and a key in it, such as `problem:file_missing`. */
export type MessageKey = {
  [Section in keyof Catalogue]: `${Section}:${BaseKey<keyof Catalogue[Section]>}`;
}[keyof Catalogue];

export type MessageValue = string | number | Message | readonly MessageValue[];
export type MessageValues = Readonly<Record<string, MessageValue>>;

/** A message as data, to be worded in a language when it is shown. */
export type Message = { readonly key: MessageKey; readonly values?: MessageValues };

export function message(key: MessageKey, values: MessageValues = {}): Message {
  return { key, values };
}

/** Returns the message of a problem. A `CommandCode` has one on the command line only. */
export function problemMessage({ code, values }: PackedProblem): Message {
  return { key: `problem:${code as ProblemCode}`, values };
}

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
export function translator(language: Language): TFunction<(keyof Catalogue)[]> {
  if (!engine.isInitialized) engine.init(messageOptions);
  return engine.getFixedT(language);
}

/** Translates the first known key of a list; both i18next and react-i18next provide it. */
export type Translate = (keys: string | string[], values: Record<string, unknown>) => string;

function wordValue(value: MessageValue, translate: Translate): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if ('key' in value) return wordMessage(value, translate);
  return value.map((part) => wordValue(part, translate)).join(', ');
}

/** Returns a message in words, with the messages among its values. */
export function wordMessage({ key, values = {} }: Message, translate: Translate): string {
  const entries = Object.entries(values);
  const worded = entries.map(([name, value]) => [name, wordValue(value, translate)]);
  return translate(key, Object.fromEntries(worded));
}

/** Returns a problem in words, outside the page. */
export function wordProblem(problem: PackedProblem, language: Language): string {
  return wordMessage(problemMessage(problem), translator(language) as Translate);
}

/** Typographic quotes, which some consoles cannot show. */
const quotes: Readonly<Record<string, string>> = { '“': '"', '”': '"', '‘': "'", '’': "'" };

/** Returns a message as the command line words it, which names options instead of buttons. */
export function wordForCommandLine(message: Message): string {
  const t = translator('en') as Translate;
  const translate: Translate = (keys, values) => {
    const own = [keys].flat().map((key) => key.replace(/^\w+:/, 'commandLine:'));
    return t([...own, ...[keys].flat()], values);
  };
  return wordMessage(message, translate).replace(/[“”‘’]/g, (quote) => quotes[quote] ?? quote);
}
