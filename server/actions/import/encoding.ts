import { decode, encodingExists, getDecoder } from 'iconv-lite';
import { badSource } from './source.ts';

/** A name of iconv-lite in lower case, or of the strict UTF-8 and UTF-16 decoders. */
export type Encoding = string;

export const usualEncodings = [
  ...['utf-8', 'utf-16le', 'windows-1252 (ansi)', 'cp850 (dos)', 'macintosh (mac)'],
  ...['windows-1250', 'windows-1251', 'iso-8859-2', 'iso-8859-15', 'cp437'],
] as const;

/** Names that other programs use, without punctuation between letters and digits. */
const aliases: Readonly<Record<string, Encoding>> = {
  utf8: 'utf-8',
  utf16: 'utf-16le',
  utf16le: 'utf-16le',
  unicode: 'utf-16le',
  ucs2: 'utf-16le',
  utf16be: 'utf-16be',
  ansi: 'windows-1252',
  // As in browsers: hardly any text contains the C1 control characters of Latin-1.
  latin1: 'windows-1252',
  iso88591: 'windows-1252',
  ascii: 'windows-1252',
  usascii: 'windows-1252',
  dos: 'cp850',
  oem: 'cp850',
  msdos: 'cp850',
  mac: 'macintosh',
  macroman: 'macintosh',
  apple: 'macintosh',
};

/** Encodings of iconv-lite that represent bytes as text. */
const notText = new Set(['base64', 'hex', 'binary']);

export function findEncoding(name: string): Encoding | undefined {
  const plain = name.toLowerCase().replace(/[^a-z\d]/g, '');
  if (Object.hasOwn(aliases, plain)) return aliases[plain];
  return encodingExists(plain) && !notText.has(plain) ? name.trim().toLowerCase() : undefined;
}

/** Returns the name of an encoding for messages. */
export function nameOf(encoding: Encoding): string {
  if (encoding === 'macintosh') return 'Mac Roman';
  if (encoding.startsWith('windows')) return `W${encoding.slice(1)}`;
  return encoding.toUpperCase();
}

/** Finds the first byte that is not a character of a single-byte encoding. */
export function findUndefinedByte(bytes: Uint8Array, encoding: Encoding): number | undefined {
  const beyondAscii = new Set(bytes.filter((byte) => byte >= 0x80));
  return [...beyondAscii].find((byte) => decode(Buffer.of(byte), encoding) === '\ufffd');
}

function decodeUtf16(encoding: Encoding, file: string) {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const what = `the file is ${nameOf(encoding)} text with half of a two-part character`;
      throw badSource(file, undefined, `${what}; it may have been cut off`);
    }
  };
}

function decodeOther(encoding: Encoding, file: string) {
  const decoder = getDecoder(encoding);
  return (chunk?: Uint8Array): string => {
    const text = chunk === undefined ? (decoder.end() ?? '') : decoder.write(Buffer.from(chunk));
    if (!text.includes('\ufffd')) return text;
    const byte = findUndefinedByte(chunk ?? Buffer.of(), encoding);
    const what = byte === undefined ? 'a part of the file' : `its byte ${byte.toString(16)} (hex)`;
    throw badSource(file, undefined, `${what} is no character of ${nameOf(encoding)}`);
  };
}

/** Converts text to UTF-8. Throws `bad_input` for bytes that are not in the encoding. */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  file: string,
): AsyncGenerator<Buffer> {
  const isUtf16 = encoding.startsWith('utf-16');
  const decodePiece = (isUtf16 ? decodeUtf16 : decodeOther)(encoding, file);
  for await (const chunk of bytes) yield Buffer.from(decodePiece(chunk));
  yield Buffer.from(decodePiece());
}
