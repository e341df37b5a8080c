import { isUtf8 } from 'node:buffer';
import { message } from '../../messages/message.ts';
import { createSampler, decodeText, detectSingleByte, type Encoding, nameOf } from '../encoding.ts';
import { badSource, createUtf8Check, type SourceFile, type SourceOptions } from '../source.ts';

/** A content line (RFC 5545 section 3.1), unfolded. */
export type ContentLine = {
  readonly text: string;
  /** Number of the line in the file on which it begins, counted from 1. */
  readonly number: number;
  /** True if the line has a NUL or is not UTF-8; in the latter case `text` is Latin-1. */
  readonly isDamaged: boolean;
};

/** Maximum size of a file in MiB. */
const maxFileSize = 32;

/** Maximum length of a content line in bytes: five times the longest text of an event. */
const maxLineLength = 1_000_000;

const byteOrderMark = '\xef\xbb\xbf';

/** Reasons to refuse a file by its first bytes. */
const signatures = [
  ['PK\x03\x04', 'calendarReason:calendar_zip'],
  ['\xff\xfe', 'calendarReason:calendar_utf16'],
  ['\xfe\xff', 'calendarReason:calendar_utf16'],
] as const;

/** Decodes a line of bytes as UTF-8; a line in another encoding stays Latin-1. */
function decode(line: string): Pick<ContentLine, 'text' | 'isDamaged'> {
  const isDamaged = line.includes('\0');
  if (!/[\x80-\xff]/.test(line)) return { text: line, isDamaged };
  const bytes = Buffer.from(line, 'latin1');
  return isUtf8(bytes)
    ? { text: bytes.toString('utf8'), isDamaged }
    : { text: line, isDamaged: true };
}

/** The start of a text of vCalendar 1.0, whose bytes are numbers: "=C3=BC" for "ü". */
const quotedPrintable = /^[A-Z\d-]+(?:;[^:;]*)*?;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i;

/** Decodes a line of vCalendar 1.0, and writes its text as iCalendar does; any other stays. */
function decodeQuoted(line: string): string {
  if (!quotedPrintable.test(line.slice(0, 200))) return line;
  const at = line.indexOf(':');
  const name = line.slice(0, at).replace(/;(?:(?:ENCODING=)?QUOTED-PRINTABLE|CHARSET=[^;]*)/gi, '');
  const bytes = line
    .slice(at)
    .replace(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\r\n?|\n/g, '\\n')
    .replaceAll('\0', '');
  return (
    name + (isUtf8(Buffer.from(bytes, 'latin1')) ? bytes : Buffer.from(bytes).toString('latin1'))
  );
}

class LineReader {
  readonly #file: string;
  #size = 0;
  #number = 0;
  #rest = '';
  #folded: { text: string; readonly number: number } | undefined;
  /** True if the folded line is a text of vCalendar 1.0, and if its last part ends with "=". */
  #isQuoted = false;
  #isSoft = false;

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
    if (this.#size > maxFileSize * 1024 * 1024) {
      const reason = message('calendarReason:calendar_too_large', { limit: maxFileSize });
      throw badSource(this.#file, undefined, reason);
    }
    const text = this.#rest + bytes;
    const complete: ContentLine[] = [];
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      this.#addLine(text.slice(at, end), complete);
      at = end + 1;
    }
    this.#rest = text.slice(at);
    this.#checkLength(this.#rest.length, this.#number + 1);
    return complete;
  }

  end(): ContentLine[] {
    const complete: ContentLine[] = [];
    if (this.#rest !== '') this.#addLine(this.#rest, complete);
    this.#flush(complete);
    return complete;
  }

  #addLine(line: string, complete: ContentLine[]): void {
    this.#number += 1;
    let length = line.length;
    while (line[length - 1] === '\r') length -= 1;
    const isFolded = line[0] === ' ' || line[0] === '\t';
    const goesOn = isFolded || (this.#isQuoted && this.#isSoft);
    const isSoft = line[length - 1] === '=';
    if (goesOn && this.#folded !== undefined) {
      // The equals sign ends a line of vCalendar 1.0 that goes on.
      const end = this.#isQuoted && isSoft ? length - 1 : length;
      this.#folded.text += line.slice(isFolded ? 1 : 0, end);
      this.#isSoft = isSoft;
      this.#checkLength(this.#folded.text.length, this.#folded.number);
      return;
    }
    this.#flush(complete);
    this.#checkLength(length, this.#number);
    this.#isQuoted = quotedPrintable.test(line.slice(0, 200));
    this.#isSoft = isSoft;
    const end = this.#isQuoted && isSoft ? length - 1 : length;
    this.#folded = { text: line.slice(0, end), number: this.#number };
  }

  #flush(complete: ContentLine[]): void {
    if (this.#folded === undefined) return;
    const { text: bytes, number } = this.#folded;
    const text = number === 1 && bytes.startsWith(byteOrderMark) ? bytes.slice(3) : bytes;
    this.#folded = undefined;
    if (text.trim() !== '') complete.push({ ...decode(decodeQuoted(text)), number });
  }

  #checkSignature(bytes: string): void {
    const [, key] = signatures.find(([beginning]) => bytes.startsWith(beginning)) ?? [];
    if (key !== undefined) throw badSource(this.#file, undefined, message(key));
  }

  #checkLength(length: number, line: number): void {
    if (length <= maxLineLength) return;
    const reason = message('calendarReason:calendar_line_too_long', { limit: maxLineLength });
    throw badSource(this.#file, message('place:line', { line }), reason);
  }
}

/**
 * Detects the encoding of a calendar. UTF-8, the standard, is preferred: other lines are damaged,
 * unless they are the majority of the non-ASCII lines and share one other encoding.
 */
async function detectEncoding(file: SourceFile): Promise<Encoding> {
  const isUtf8Piece = createUtf8Check();
  let isValid = true;
  for await (const chunk of file.open({ reuse: true })) isValid &&= isUtf8Piece(chunk);
  if (isValid && isUtf8Piece()) return 'utf-8';
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
  if (requested === undefined) {
    note(message('calendarNote:calendar_encoding', { encoding: nameOf(encoding) }));
  }
  return { name: file.name, open: () => decodeText(file.open(), encoding, file.name) };
}

/**
 * Reads the content lines of an iCalendar file (RFC 5545 section 3.1) in UTF-8, one chunk at a
 * time. Throws a problem that names the line, or refuses a file above 32 MiB.
 */
export async function* readLines(file: SourceFile): AsyncGenerator<readonly ContentLine[]> {
  const reader = new LineReader(file.name);
  for await (const chunk of file.open()) yield reader.write(chunk);
  yield reader.end();
}
