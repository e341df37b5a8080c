import ICAL from 'ical.js';
import { RecordError } from '../source.ts';
import type { Component, Line } from './components.ts';

/** Makes the error of a rule or a zone, whose place the sentence begins with. */
export type Refuse = (what: string) => RecordError;

export type Property = {
  readonly name: string;
  /** As text, without escapes (RFC 5545 section 3.3.11); more than one where the property lists. */
  readonly values: readonly string[];
  /** As the file has it. */
  readonly raw: string;
  readonly timeZone: string | undefined;
};

/** The longest parameters that are taken; ical.js takes quadratic time over them. */
const longestParameters = 5_000;

/** Where the value of a content line begins: after the first colon outside quotes. */
function findValue({ text }: Line): number {
  let isQuoted = false;
  for (let at = 0; at < Math.min(text.length, longestParameters); at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === ':' && !isQuoted) return at + 1;
  }
  return -1;
}

/** A text as messages show it. */
export function show(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** The value of a line without its parameters, as the file has it. */
export function rawValueOf(line: Line): string {
  const at = findValue(line);
  if (at === -1)
    throw new RecordError(`the ${line.name} has parameters that never end or are too long`);
  return line.text.slice(at).trim();
}

function parse(line: Line): readonly unknown[] {
  try {
    return ICAL.parse.property(line.text) as unknown[];
  } catch {
    throw new RecordError(`the ${line.name} cannot be read: ${show(line.text)}`);
  }
}

/** Reads one property (RFC 5545 section 3.1). Throws a `RecordError` when it is broken. */
export function parseProperty(line: Line): Property {
  const raw = rawValueOf(line);
  const [, parameters, , ...values] = parse(line);
  const tzid = (parameters as Readonly<Record<string, unknown>>)['tzid'];
  return {
    name: line.name,
    values: values.filter((value) => typeof value === 'string'),
    raw,
    timeZone: typeof tzid === 'string' ? tzid : undefined,
  };
}

/** The first property of that name; of those that RFC 5545 allows once, files may have more. */
export function findLine({ lines }: Component, name: string): Line | undefined {
  return lines.find((line) => line.name === name);
}

export function findProperty(component: Component, name: string): Property | undefined {
  const line = findLine(component, name);
  return line && parseProperty(line);
}

/** The text of a property; undefined when it is not there. */
export function findText(component: Component, name: string): string | undefined {
  const property = findProperty(component, name);
  if (property === undefined) return undefined;
  const [text] = property.values;
  if (text === undefined) throw new RecordError(`the ${name} is not text: ${show(property.raw)}`);
  return text;
}
