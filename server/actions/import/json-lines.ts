import { keepExact } from './json-number.ts';
import { badSource, type SourceFile } from './source.ts';
import { decodeUtf8 } from './utf8.ts';

/** The longest line that is taken, in characters. */
const longestLine = 1_000_000;

/** A JSON value, or the reason why there is none, with its line, counted from 1. */
export type JsonLine = { readonly line: number } & (
  | { readonly value: unknown }
  | { readonly problem: string }
);

function reviveExactly(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? keepExact(value) : value;
}

async function* readLines(file: SourceFile): AsyncGenerator<string> {
  let rest = '';
  for await (const text of decodeUtf8(file.open(), file.name)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > longestLine) break;
  }
  yield rest;
}

/**
 * Whether the first line of a file is an event by itself: an object with one of these members, or,
 * where they are not known yet, any object.
 */
export async function beginsWithEvent(
  file: SourceFile,
  members?: readonly string[],
): Promise<boolean> {
  for await (const line of readLines(file)) {
    const text = line.trim().replace(/^\ufeff/, '');
    if (text === '') continue;
    if (text.length > longestLine || !text.startsWith('{') || !text.endsWith('}')) return false;
    try {
      const value: Readonly<Record<string, unknown>> = JSON.parse(text);
      if (Array.isArray(value['events'])) return false;
      return members === undefined || members.some((member) => Object.hasOwn(value, member));
    } catch (error) {
      // The object goes on in the next line: an indented document, not one a line.
      if (error instanceof SyntaxError) return false;
      throw error;
    }
  }
  return false;
}

/**
 * Reads a file of one JSON value a line; empty lines are none. Throws `bad_input` for an endless line.
 */
export async function* readJsonLines(file: SourceFile): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const text of readLines(file)) {
    line += 1;
    if (text.length > longestLine) {
      throw badSource(file.name, `line ${line}`, `it is longer than ${longestLine} characters`);
    }
    if (text.trim() === '') continue;
    try {
      yield { line, value: JSON.parse(text.replace(/^\ufeff/, ''), reviveExactly) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      yield { line, problem: 'it is not valid JSON, or was cut off' };
    }
  }
}
