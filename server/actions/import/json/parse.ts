import { isUtf8 } from 'node:buffer';
import Tokenizer, { TokenizerError } from '@streamparser/json/tokenizer.js';
import TokenParser, { TokenParserError } from '@streamparser/json/tokenparser.js';
import type { ParsedTokenInfo } from '@streamparser/json/utils/types/parsedTokenInfo.js';
import TokenType from '@streamparser/json/utils/types/tokenType.js';
import { type Message, message } from '../../../messages/messages.ts';
import { badSource, displayText, type SourceFile } from '../source.ts';

/** Decodes UTF-8 with or without a byte order mark. Throws `bad_input` for other bytes. */
async function* decodeUtf8(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw badSource(file, undefined, message('reason:json_not_utf8'));
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

/** Counts the bytes of an incomplete UTF-8 character at the end. */
function incompleteLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
}

/** Creates a check for valid UTF-8 in the pieces of a file; a character may span two pieces. */
export function createUtf8Check(): { push: (chunk: Uint8Array) => void; end: () => boolean } {
  let valid = true;
  let carry: Uint8Array = new Uint8Array();
  return {
    push: (chunk) => {
      if (!valid) return;
      const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
      const whole = bytes.length - incompleteLength(bytes);
      valid = isUtf8(bytes.subarray(0, whole));
      // Copy the bytes, because the buffer of the piece may be reused.
      carry = Uint8Array.from(bytes.subarray(whole));
    },
    end: () => valid && carry.length === 0,
  };
}

/** Returns NaN for an integer that may have been rounded: one beyond the safe range. */
function keepExact(value: number): number {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? Number.NaN : value;
}

/** Maximum line length in characters. */
const maxLineLength = 1_000_000;

/** A JSON value, or the reason why the line has none; lines count from 1. */
type JsonLine = { readonly line: number } & (
  | { readonly value: unknown }
  | { readonly problem: Message }
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
      const reason = message('reason:line_too_long', { limit: maxLineLength });
      throw badSource(file.name, message('place:line', { line }), reason);
    }
    if (text.trim() === '') continue;
    try {
      yield { line, value: JSON.parse(text.replace(/^\ufeff/, ''), reviveExactly) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      yield { line, problem: message('reason:json_line_invalid') };
    }
  }
}

/** Maximum nesting depth. An event is at depth 3 and needs only plain values. */
const maxDepth = 32;

/** Maximum number of bytes without a complete event; a larger event is broken or hostile. */
const maxBytesPerEvent = 2 * 1024 * 1024;

class ExactTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    return keepExact(Number(text));
  }
}

const isOpening = (token: TokenType) =>
  token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET;

const isClosing = (token: TokenType) =>
  token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET;

/** Checks the outer shape of a file, token by token. */
class EnvelopeWatch {
  #depth = 0;
  #text = '';
  #member = '';
  readonly #refuse: (reason: Message) => never;
  /** True once the list of events has begun. */
  sawEvents = false;

  constructor(refuse: (reason: Message) => never) {
    this.#refuse = refuse;
  }

  /** Checks the next token. The first token decides where the events are. */
  watch({ token, value }: ParsedTokenInfo): void {
    if (this.#depth === 0) this.#watchOutermost(token);
    else if (this.#depth === 1 && !this.sawEvents) this.#watchMembers(token, value);
    if (isOpening(token)) this.#depth += 1;
    if (isClosing(token)) this.#depth -= 1;
    if (this.#depth > maxDepth) {
      this.#refuse(message('reason:json_too_deep', { limit: maxDepth }));
    }
  }

  #watchOutermost(token: TokenType): void {
    if (token === TokenType.LEFT_BRACKET) this.sawEvents = true;
    else if (token !== TokenType.LEFT_BRACE) {
      this.#refuse(message('reason:json_without_list'));
    }
  }

  #watchMembers(token: TokenType, value: unknown): void {
    if (token === TokenType.COLON) {
      this.#member = this.#text;
    } else if (this.#member === 'events') {
      if (token !== TokenType.LEFT_BRACKET) this.#refuse(message('reason:json_events_not_a_list'));
      this.sawEvents = true;
    }
    this.#text = token === TokenType.STRING ? String(value) : '';
    if (token === TokenType.COMMA) this.#member = '';
  }
}

class EventParser {
  readonly #tokenizer = new ExactTokenizer();
  readonly #watch: EnvelopeWatch;
  #parser: TokenParser | undefined;
  #complete: unknown[] = [];
  #bytesSinceEvent = 0;
  readonly #refuse: (reason: Message) => never;

  constructor(refuse: (reason: Message) => never) {
    this.#refuse = refuse;
    this.#watch = new EnvelopeWatch(refuse);
    this.#tokenizer.onToken = (info) => this.#takeToken(info);
    this.#tokenizer.onError = (error) => {
      throw error;
    };
  }

  #takeToken(info: ParsedTokenInfo): void {
    this.#watch.watch(info);
    this.#parser ??= this.#createParser(info.token);
    this.#parser.write(info);
  }

  #createParser(first: TokenType): TokenParser {
    const paths = [first === TokenType.LEFT_BRACKET ? '$.*' : '$.events.*'];
    const parser = new TokenParser({ paths, keepStack: false });
    parser.onValue = ({ value }) => this.#complete.push(value);
    parser.onError = (error) => {
      throw error;
    };
    return parser;
  }

  write(bytes: Uint8Array): unknown[] {
    this.#tokenizer.write(bytes);
    const complete = this.#complete;
    this.#bytesSinceEvent = complete.length > 0 ? 0 : this.#bytesSinceEvent + bytes.length;
    if (this.#bytesSinceEvent > maxBytesPerEvent) {
      const limit = maxBytesPerEvent / 1024 / 1024;
      this.#refuse(message('reason:json_no_event', { limit }));
    }
    this.#complete = [];
    return complete;
  }

  get pending(): number {
    return this.#complete.length;
  }

  /** Ends the file and checks that it is whole, with a list of events, which may be empty. */
  end(): 'whole' | 'cut off' | 'no events' {
    this.#tokenizer.end();
    if (this.#parser?.isEnded !== true) return 'cut off';
    return this.#watch.sawEvents ? 'whole' : 'no events';
  }
}

function placeAfter(count: number): Message | undefined {
  return count === 0 ? undefined : message('place:after_event', { event: count });
}

/** Recognises the parser's errors: bad syntax, or bytes that are not UTF-8. */
function isBadSyntax(error: unknown): error is Error {
  if (error instanceof TokenizerError || error instanceof TokenParserError) return true;
  return (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}

function describeSyntax(error: Error): Message {
  const [, text, position] =
    /^Unexpected "(.*?)" .*absolute position "(\d+)"/s.exec(error.message) ?? [];
  return text === undefined || position === undefined
    ? message('reason:json_invalid')
    : message('reason:json_unexpected', { text: displayText(text), position });
}

/** A value from a list of events, with its number, counted from 1. */
type ListedValue = { readonly number: number; readonly value: unknown };

/**
 * Reads the values of `{"events":[…]}` or of a list, one at a time and in bounded memory. Throws
 * `bad_input` naming the last event before the error.
 */
export async function* readJsonDocument({ name, open }: SourceFile): AsyncGenerator<ListedValue> {
  let count = 0;
  const parser = new EventParser((reason) => {
    throw badSource(name, placeAfter(count + parser.pending), reason);
  });
  const parse = <T>(step: () => T): T => {
    try {
      return step();
    } catch (error) {
      if (!isBadSyntax(error)) throw error;
      throw badSource(name, placeAfter(count + parser.pending), describeSyntax(error));
    }
  };
  for await (const chunk of open()) {
    for (const value of parse(() => parser.write(chunk))) {
      count += 1;
      yield { number: count, value };
    }
  }
  const end = parse(() => parser.end());
  if (end === 'cut off') {
    throw badSource(name, placeAfter(count), message('reason:json_cut_off'));
  }
  if (end === 'no events') throw badSource(name, undefined, message('reason:json_without_events'));
}
