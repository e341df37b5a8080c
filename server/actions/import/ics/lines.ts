import { isUtf8 } from 'node:buffer';
import { detectSingleByte } from '../detection.ts';
import { decodeText, type Encoding, nameOf } from '../encoding.ts';
import { createSampler } from '../sample.ts';
import { badSource, type SourceFile, type SourceOptions } from '../source.ts';
import { createUtf8Check } from '../utf8.ts';

export type ContentLine = {
  readonly text: string;
  /** Number of the line in the file on which it begins, counted from 1. */
  readonly number: number;
  /** True if the line has a NUL or is not UTF-8; in the latter case `text` is Latin-1. */
  readonly isDamaged: boolean;
};

const maxFileSize = 32 * 1024 * 1024;

/** Maximum length of a content line in bytes: five times the longest text of an event. */
const maxLineLength = 1_000_000;

const byteOrderMark = '\xef\xbb\xbf';

const signatures: readonly (readonly [bytes: string, what: string])[] = [
  ['PK\x03\x04', 'this is a ZIP archive; unpack it and import the .ics file in it'],
  ['\xff\xfe', 'the file is UTF-16 text; save it again as UTF-8'],
  ['\xfe\xff', 'the file is UTF-16 text; save it again as UTF-8'],
];

/** Decodes a line of bytes as UTF-8; a line in another encoding stays Latin-1. */
function decode(line: string): Pick<ContentLine, 'text' | 'isDamaged'> {
  const isDamaged = line.includes('\0');
  if (!/[\x80-\xff]/.test(line)) return { text: line, isDamaged };
  const bytes = Buffer.from(line, 'latin1');
  return isUtf8(bytes)
    ? { text: bytes.toString('utf8'), isDamaged }
    : { text: line, isDamaged: true };
}

class LineReader {
  readonly #file: string;
  #size = 0;
  #number = 0;
  #rest = '';
  #folded: { text: string; readonly number: number } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Returns the lines that a chunk completes. They are decoded when they are whole, because a fold
   * may split a character.
   */
  write(chunk: Uint8Array): ContentLine[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    if (this.#size === 0) this.#checkSignature(bytes);
    this.#size += chunk.byteLength;
    if (this.#size > maxFileSize) {
      throw badSource(this.#file, undefined, 'the file is larger than 32 MiB; export it in parts');
    }
    const text = this.#rest + bytes;
    const complete: ContentLine[] = [];
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      this.#take(text.slice(at, end), complete);
      at = end + 1;
    }
    this.#rest = text.slice(at);
    this.#checkLength(this.#rest.length, this.#number + 1);
    return complete;
  }

  end(): ContentLine[] {
    const complete: ContentLine[] = [];
    if (this.#rest !== '') this.#take(this.#rest, complete);
    this.#flush(complete);
    return complete;
  }

  #take(line: string, complete: ContentLine[]): void {
    this.#number += 1;
    let length = line.length;
    while (line[length - 1] === '\r') length -= 1;
    const isFolded = line[0] === ' ' || line[0] === '\t';
    if (isFolded && this.#folded !== undefined) {
      this.#folded.text += line.slice(1, length);
      this.#checkLength(this.#folded.text.length, this.#folded.number);
      return;
    }
    this.#flush(complete);
    this.#checkLength(length, this.#number);
    this.#folded = { text: line.slice(0, length), number: this.#number };
  }

  #flush(complete: ContentLine[]): void {
    if (this.#folded === undefined) return;
    const { text: bytes, number } = this.#folded;
    const text = number === 1 && bytes.startsWith(byteOrderMark) ? bytes.slice(3) : bytes;
    this.#folded = undefined;
    if (text.trim() !== '') complete.push({ ...decode(text), number });
  }

  #checkSignature(bytes: string): void {
    const [, what] = signatures.find(([beginning]) => bytes.startsWith(beginning)) ?? [];
    if (what !== undefined) throw badSource(this.#file, undefined, what);
  }

  #checkLength(length: number, number: number): void {
    if (length <= maxLineLength) return;
    const what = `the line is longer than ${maxLineLength} bytes; the file may be damaged`;
    throw badSource(this.#file, `line ${number}`, what);
  }
}

/**
 * Detects the encoding of a calendar. UTF-8, the standard, is preferred: other lines are damaged,
 * unless they are the majority of the non-ASCII lines and share one other encoding.
 */
async function detectEncoding(file: SourceFile): Promise<Encoding> {
  const check = createUtf8Check();
  for await (const chunk of file.open({ reuse: true })) check.push(chunk);
  if (check.end()) return 'utf-8';
  const sampler = createSampler();
  let [sound, damaged] = [0, 0];
  for await (const lines of readLines(file)) {
    for (const { text, isDamaged } of lines) {
      if (isDamaged) {
        damaged += 1;
        sampler.take(Buffer.from(`${text}\n`, 'latin1'));
      } else if (/[^\0-\x7f]/.test(text)) sound += 1;
    }
  }
  return (sound < damaged && detectSingleByte(sampler.result())) || 'utf-8';
}

/** Returns the file as UTF-8 and notes any other encoding that was detected. */
export async function decodeCalendar(
  file: SourceFile,
  { encoding: requested, note }: SourceOptions,
): Promise<SourceFile> {
  const encoding = requested ?? (await detectEncoding(file));
  if (encoding === 'utf-8') return file;
  if (requested === undefined) note(`this was read as ${nameOf(encoding)}.`);
  return { name: file.name, open: () => decodeText(file.open(), encoding, file.name) };
}

/**
 * Reads the content lines of an iCalendar file (RFC 5545 section 3.1) in UTF-8, one chunk at a
 * time. Throws `bad_input` naming the line, or for a file above 32 MiB.
 */
export async function* readLines(file: SourceFile): AsyncGenerator<readonly ContentLine[]> {
  const reader = new LineReader(file.name);
  for await (const chunk of file.open()) yield reader.write(chunk);
  yield reader.end();
}
