import ICAL from 'ical.js';
import { type Message, message } from '../../messages/message.ts';
import { shorten } from '../preview.ts';
import { RecordError } from '../source.ts';

/** A property as the file has it: its upper-case name and the whole line. */
export type Line = { readonly name: string; readonly text: string };

/** A component (RFC 5545 section 3.6) with the properties that an import uses. */
export type Component = {
  /** Upper-case name, such as `VEVENT`. */
  readonly kind: string;
  /** Number of its calendar in the file, counted from 1. */
  readonly calendar: number;
  /** Number of the event in the file, counted from 1; 0 for any other component. */
  readonly eventNumber: number;
  /** The reason why it cannot be used. */
  readonly problem?: Message;
  readonly lines: readonly Line[];
  /** The rules of a time zone. Empty for other components, whose parts are read separately. */
  readonly parts: readonly Component[];
};

/** Creates the error of a rule or a zone, whose message contains the reason. */
export type Refuse = (reason: Message) => RecordError;

type Property = {
  /** Texts without escapes (RFC 5545 section 3.3.11); several if the property is a list. */
  readonly values: readonly string[];
  readonly raw: string;
  readonly timeZone: string | undefined;
};

/** Maximum length of the parameters, for which ical.js needs quadratic time. */
const maxParameterLength = 5_000;

/** Returns the index of the value in a content line: after the first colon outside quotes. */
function findValueStart({ text }: Line): number {
  let isQuoted = false;
  for (let at = 0; at < Math.min(text.length, maxParameterLength); at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === ':' && !isQuoted) return at + 1;
  }
  return -1;
}

/** Returns the beginning of a text for a message, without control characters. */
export function excerpt(text: string): string {
  return shorten(text).replace(/\p{Cc}+/gu, ' ');
}

/** Returns the value of a line as the file has it. Throws a `RecordError` if it has none. */
export function rawValueOf(line: Line): string {
  const at = findValueStart(line);
  if (at === -1) {
    throw new RecordError(message('calendarReason:parameters_too_long', { property: line.name }));
  }
  return line.text.slice(at).trim();
}

function parse(line: Line): readonly unknown[] {
  try {
    return ICAL.parse.property(line.text) as unknown[];
  } catch {
    const values = { property: line.name, text: excerpt(line.text) };
    throw new RecordError(message('calendarReason:property_unreadable', values));
  }
}

/** Parses a property (RFC 5545 section 3.1). Throws a `RecordError` if it is broken. */
export function parseProperty(line: Line): Property {
  const raw = rawValueOf(line);
  const [, parameters, , ...values] = parse(line);
  const tzid = (parameters as Readonly<Record<string, unknown>>)['tzid'];
  return {
    values: values.filter((value) => typeof value === 'string'),
    raw,
    timeZone: typeof tzid === 'string' ? tzid : undefined,
  };
}

/** Finds the first property of this name; files may repeat those that RFC 5545 allows once. */
export function findLine({ lines }: Component, name: string): Line | undefined {
  return lines.find((line) => line.name === name);
}

/** Returns the value of a property as the file has it, if present. */
export function findRaw(component: Component, name: string): string | undefined {
  const line = findLine(component, name);
  return line && rawValueOf(line);
}

/** Returns the text of a property, if present. Throws a `RecordError` if it is not text. */
export function findText(component: Component, name: string): string | undefined {
  const line = findLine(component, name);
  if (line === undefined) return undefined;
  const { values, raw } = parseProperty(line);
  const [text] = values;
  if (text === undefined) {
    throw new RecordError(
      message('calendarReason:property_not_text', { property: name, text: excerpt(raw) }),
    );
  }
  return text;
}
