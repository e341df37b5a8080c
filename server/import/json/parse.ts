import { isCopy, readCopy } from '../../copy/club-copy.ts';
import { type Message, message } from '../../messages/message.ts';
import { badSource, createDecoder, type SourceFile } from '../source.ts';

/** Decodes UTF-8 with or without a byte order mark. Throws `file_refused` for other bytes. */
async function* decodeUtf8(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string> {
  const refuse = () => badSource(file, undefined, message('reason:json_not_utf8'));
  const decode = createDecoder('utf-8', refuse);
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

/** Maximum nesting depth. An event is at depth 3 and needs only plain values. */
const maxDepth = 32;

/** Examines brackets and quotes; `open` means that some are not closed. */
function structureOf(text: string): 'open' | 'closed' | 'too_deep' {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') inString = !inString;
    else if (inString && character === '\\') at += 1;
    else if (inString) continue;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > maxDepth) return 'too_deep';
    }
  }
  return inString || depth > 0 ? 'open' : 'closed';
}

/** A JSON value, or the reason why a text has none and, if known, its line. */
type Parsed =
  | { readonly value: unknown }
  | { readonly problem: Message; readonly badLine?: number };

function parseJson(text: string): Parsed {
  const structure = structureOf(text);
  if (structure === 'too_deep') {
    return { problem: message('reason:json_too_deep', { limit: maxDepth }) };
  }
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const isCutOff = structure === 'open' || text.trim() === '';
    if (isCutOff) return { problem: message('reason:json_cut_off') };
    const [, position] = /at position (\d+)/.exec(error.message) ?? [];
    const badLine = position && text.slice(0, Number(position)).split('\n').length;
    return { problem: message('reason:json_invalid'), ...(badLine && { badLine }) };
  }
}

/** Maximum line length in characters. */
const maxLineLength = 1_000_000;

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
    const result = parseJson(text);
    // An object that continues on the next line begins an indented document.
    if ('problem' in result) return false;
    const value = result.value as Readonly<Record<string, unknown>>;
    if (Array.isArray(value['events'])) return false;
    return members === undefined || members.some((member) => Object.hasOwn(value, member));
  }
  return false;
}

/**
 * Reads one JSON value per line and skips empty lines; lines count from 1. Throws `place_refused` for
 * an endless line.
 */
export async function* readJsonLines(
  file: SourceFile,
): AsyncGenerator<Parsed & { readonly line: number }> {
  let line = 0;
  for await (const text of readLines(file)) {
    line += 1;
    if (text.length > maxLineLength) {
      const reason = message('reason:line_too_long', { limit: maxLineLength });
      throw badSource(file.name, message('place:line', { line }), reason);
    }
    if (text.trim() !== '') yield { line, ...parseJson(text.replace(/^\ufeff/, '')) };
  }
}

/** Maximum size of a document in bytes. It is read as a whole; JSON lines have no limit. */
const maxDocumentSize = 64 * 1024 * 1024;

async function readWhole({ name, open }: SourceFile): Promise<string> {
  let size = 0;
  async function* limit(): AsyncGenerator<Uint8Array> {
    for await (const chunk of open()) {
      size += chunk.length;
      if (size > maxDocumentSize) {
        const values = { limit: maxDocumentSize / 1024 / 1024 };
        throw badSource(name, undefined, message('reason:json_too_large', values));
      }
      yield chunk;
    }
  }
  const pieces: string[] = [];
  for await (const piece of decodeUtf8(limit(), name)) pieces.push(piece);
  return pieces.join('');
}

/** Returns the values of `{"events":[…]}` or of a list. Throws `file_refused` for anything else. */
export async function readJsonDocument(file: SourceFile): Promise<readonly unknown[]> {
  const text = await readWhole(file);
  const result = parseJson(text);
  const refuse = (reason: Message, line?: number) =>
    badSource(file.name, line === undefined ? undefined : message('place:line', { line }), reason);
  if ('problem' in result) throw refuse(result.problem, result.badLine);
  const { value } = result;
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null)
    throw refuse(message('reason:json_without_list'));
  if (isCopy(value) && readCopy(text) === undefined)
    throw refuse(message('reason:club_copy_damaged'));
  if (!('events' in value)) throw refuse(message('reason:json_without_events'));
  if (!Array.isArray(value.events)) throw refuse(message('reason:json_events_not_a_list'));
  return value.events;
}
