import { createInstance, type InitOptions, type TFunction } from 'i18next';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import {
  type Catalogue,
  type Message,
  type MessageValue,
  type PackedProblem,
  problemMessage,
} from './message.ts';
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

/** All messages by language; a key that a language lacks does not compile. */
export const catalogues: Readonly<Record<Language, Catalogue>> = { en, de, fr, nl };

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

/** Translates a key; both i18next and react-i18next provide it. */
export type Translate = (key: string, values: Record<string, unknown>) => string;

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

/** Returns the sections in the words of the command line, in quotes that every console can show. */
function readCommandLine() {
  const plain = JSON.stringify(en).replace(/[“”]/g, '\\"').replace(/[‘’]/g, "'");
  const { commandLine, ...sections } = JSON.parse(plain) as typeof en;
  return { commandLine, sections };
}

function commandLineOptions(): InitOptions {
  const { commandLine, sections } = readCommandLine();
  const worded = Object.entries(sections).map(([name, texts]) => [
    name,
    { ...texts, ...commandLine },
  ]);
  return { ...messageOptions, lng: 'en', resources: { en: Object.fromEntries(worded) } };
}

const commandLineEngine = createInstance();

/** Returns a message as the command line words it, which names options instead of buttons. */
export function wordForCommandLine(message: Message): string {
  if (!commandLineEngine.isInitialized) commandLineEngine.init(commandLineOptions());
  return wordMessage(message, commandLineEngine.t as Translate);
}

type ListedCode = { readonly code: string; readonly detail: string };

/** Lists the sentences of keys, in which the names of values are in capitals; a plural form stands for both. */
function listTexts(texts: object): readonly ListedCode[] {
  const entries = Object.entries<string>({ ...texts }).map(([key, text]) => [
    key.replace(/_(one|other)$/, ''),
    text.replaceAll(/\{\{(\w+).*?\}\}/g, (_, name: string) => name.toUpperCase()),
  ]);
  const last: Record<string, string> = Object.fromEntries(entries);
  return Object.entries(last).map(([code, detail]) => ({ code, detail }));
}

/** Lists the codes of failures on the command line, and of the findings of `doctor` with their remedies. */
export function listCodes() {
  const { commandLine, sections } = readCommandLine();
  const { problem, finding, remedy } = sections;
  const isReworded = (key: string) =>
    Object.values(sections).some((texts) => Object.hasOwn(texts, key));
  const own = Object.entries(commandLine).filter(([key]) => key in problem || !isReworded(key));
  const fixes = listTexts({ ...remedy, ...commandLine });
  const remedyOf = (code: string) =>
    fixes.find((fix) => fix.code === `fix_${code}`)?.detail ?? null;
  return {
    codes: listTexts({ ...problem, ...Object.fromEntries(own) }),
    findings: listTexts(finding).map((one) => ({ ...one, remedy: remedyOf(one.code) })),
  };
}
