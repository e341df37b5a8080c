import type en from './en.json';

/** Messages by section and key. The section for the command line is in English only. */
export type Catalogue = Omit<typeof en, 'commandLine'>;

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
