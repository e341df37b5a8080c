import type en from './en.json';

/** Messages by section and key. The section for the command line is in English only. */
export type Catalogue = Omit<typeof en, 'commandLine'>;

/** A key without the suffixes that choose a plural form. */
type BaseKey<Key> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key & string;

/** The code of a problem, a key in the section `problem`. */
export type ProblemCode = BaseKey<keyof Catalogue['problem']>;

type KeyOfSection = { [Section in keyof Catalogue]: BaseKey<keyof Catalogue[Section]> };

/** The code of a problem that only a command line can have: the other keys there reword a section. */
export type CommandCode = Exclude<
  BaseKey<keyof (typeof en)['commandLine']>,
  KeyOfSection[keyof Catalogue]
>;

/** The code of a finding about the installation, a key in the section `finding`. */
export type FindingCode = BaseKey<keyof Catalogue['finding']>;

type Prefixed<Key> = Key extends `fix_${infer Code}` ? Code : never;

/** The code of a finding with a remedy, which is a warning or a problem. */
export type TroubleCode = FindingCode & Prefixed<BaseKey<keyof Catalogue['remedy']>>;

/** A problem as plain values, for passing between threads, processes and the page. */
export type PackedProblem = {
  readonly code: ProblemCode | CommandCode;
  readonly values: MessageValues;
  /** True if the arguments are wrong. */
  readonly isUsage?: boolean;
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

/** The parts of a finding that its words need. */
export type PackedFinding = {
  readonly level: string;
  readonly code: FindingCode;
  readonly values: MessageValues;
};

export function findingMessage({ code, values }: PackedFinding): Message {
  return { key: `finding:${code}`, values };
}

/** Returns the message of the remedy for a finding; undefined for one that is in order. */
export function remedyMessage({ level, code, values }: PackedFinding): Message | undefined {
  return level === 'ok' ? undefined : { key: `remedy:fix_${code as TroubleCode}`, values };
}

/** Returns the sentence that sums up the findings. */
export function conclusionOf(findings: readonly Pick<PackedFinding, 'level'>[]): Message {
  const problems = findings.filter(({ level }) => level === 'problem').length;
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  if (problems > 0) return message('installation:problems', { count: problems });
  if (warnings > 0) return message('installation:warnings', { count: warnings });
  return message('installation:allFine');
}

const maxDisplayLength = 60;

/** Shortens a text of a file for messages and escapes its control characters. */
export function displayText(text: string): string {
  const shown = text.length > maxDisplayLength ? `${text.slice(0, maxDisplayLength)}…` : text;
  return shown.replace(/[\p{Cc}\p{Cs}]/gu, (control) => JSON.stringify(control).slice(1, -1));
}

/**
 * Returns a text as an argument of a command that a message shows to be copied; `otherwise` if a shell
 * would change it, as it would the "$" of a text from a file.
 */
export function argumentText(text: string, otherwise: string): string {
  if (/^-|["“”„$`\\%!\p{Cc}]/u.test(text)) return otherwise;
  return /^[\p{L}\p{M}\p{N}._-]+$/u.test(text) ? text : `"${text}"`;
}

/** Returns a value of a file for messages: a text in quotes, anything else as JSON. */
export function displayValue(value: unknown): MessageValue {
  return typeof value === 'string'
    ? message('value:text', { text: displayText(value) })
    : displayText(JSON.stringify(value) ?? String(value));
}
