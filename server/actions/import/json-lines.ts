import { keepExact } from './json-number.ts';
import { badSource, type SourceFile } from './source.ts';
import { decodeUtf8 } from './utf8.ts';

/** Maximum line length in characters. */
const maxLineLength = 1_000_000;

/** A JSON value, or the reason why the line has none; lines count from 1. */
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
    if (rest.length > maxLineLength) break;
  }
  yield rest;
}

/**
 * Checks if the first non-empty line is an event by itself: an object with one of `members`, or any
 * object if these are unknown. An object with a list of events is not one.
 */
export async function beginsWithEvent(
  file: SourceFile,
  members?: readonly string[],
): Promise<boolean> {
  for await (const line of readLines(file)) {
    const text = line.trim().replace(/^\ufeff/, '');
    if (text === '') continue;
    if (text.length > maxLineLength || !text.startsWith('{') || !text.endsWith('}')) return false;
    try {
      const value: Readonly<Record<string, unknown>> = JSON.parse(text);
      if (Array.isArray(value['events'])) return false;
      return members === undefined || members.some((member) => Object.hasOwn(value, member));
    } catch (error) {
      // The object continues on the next line, so this is one indented document.
      if (error instanceof SyntaxError) return false;
      throw error;
    }
  }
  return false;
}

/** Reads one JSON value per line and skips empty lines. Throws `bad_input` for an endless line. */
export async function* readJsonLines(file: SourceFile): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const text of readLines(file)) {
    line += 1;
    if (text.length > maxLineLength) {
      throw badSource(file.name, `line ${line}`, `it is longer than ${maxLineLength} characters`);
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
