import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import { decode, encode, encodingExists, getDecoder } from 'iconv-lite';
import { message } from '../messages/message.ts';
import { badSource, createDecoder } from './source.ts';

/** Collects lines that are not ASCII, to detect their encoding. */
type Sampler = { take(chunk: Uint8Array): void; result(): Buffer };

/** Maximum number of bytes of a sample, and of a line without an end. */
const sampleLength = 65_536;

export function createSampler(): Sampler {
  let sample = '';
  let rest = '';
  const add = (line: string) => {
    if (/[\x80-\xff]/.test(line)) sample += `${line}\n`;
  };
  return {
    take: (chunk) => {
      if (sample.length >= sampleLength) return;
      const lines = (rest + Buffer.from(chunk).toString('latin1')).split(/[\r\n]+/);
      rest = lines.pop() ?? '';
      lines.forEach(add);
      if (rest.length < sampleLength) return;
      add(rest);
      rest = '';
    },
    result: () => {
      add(rest);
      rest = '';
      return Buffer.from(sample.slice(0, sampleLength), 'latin1');
    },
  };
}

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
function findUndefinedByte(bytes: Uint8Array, encoding: Encoding): number | undefined {
  const beyondAscii = new Set(bytes.filter((byte) => byte >= 0x80));
  return [...beyondAscii].find((byte) => decode(Buffer.of(byte), encoding) === '\ufffd');
}

function decodeUtf16(encoding: Encoding, file: string) {
  const reason = message('reason:utf16_cut', { encoding: nameOf(encoding) });
  return createDecoder(encoding, () => badSource(file, undefined, reason));
}

function decodeOther(encoding: Encoding, file: string) {
  const decoder = getDecoder(encoding);
  return (chunk?: Uint8Array): string => {
    const text = chunk === undefined ? (decoder.end() ?? '') : decoder.write(Buffer.from(chunk));
    if (!text.includes('\ufffd')) return text;
    const byte = findUndefinedByte(chunk ?? Buffer.of(), encoding);
    const name = nameOf(encoding);
    const reason =
      byte === undefined
        ? message('reason:encoding_wrong', { encoding: name })
        : message('reason:encoding_wrong_byte', { byte: byte.toString(16), encoding: name });
    throw badSource(file, undefined, reason);
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

/** Characters of UTF-8 that were read as Windows-1252 and written as UTF-8 again, such as "Ã¼". */
const twiceEncoded = /Ã[\u0080-ſˆ˜–-†•…‰‹›€™]|Â[\u0080-¿]|â[€‚][\u0080-ſˆ˜–-†•…‰‹›€™]/g;

const windows1252 = (character: string) =>
  character < '\u0100' ? character.charCodeAt(0) : (encode(character, 'windows-1252')[0] ?? 0);

/** Returns a text without the characters that were encoded twice: "Frühling" for "FrÃ¼hling". */
export function repairText(text: string): string {
  if (!/[ÂÃâ]/.test(text)) return text;
  return text.replace(twiceEncoded, (found) => {
    const bytes = Buffer.from(Array.from(found, windows1252));
    return isUtf8(bytes) ? bytes.toString('utf8') : found;
  });
}

/** Common and rare letters of the languages of Western Europe. */
const commonLetters = new Set('ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüœŒ');
const rareLetters = new Set('ÐðÞþÝýŠšŽžŸÿı');

/** Symbols that may follow a word, those that may begin one, and others. */
const wordSuffixes = new Set('²³¹®™©°ªº');
const wordPrefixes = new Set('¿©•');
const quotes = new Set('„“”‚‘«»‹›');
const otherSymbols = new Set('¡§£€¢¤¥¦¬±¶·÷×¼½¾µ‰†‡');

type Fault = 'bad' | 'doubtful' | undefined;

const isLetter = (character: string) => /\p{L}/u.test(character);
const isDigit = (character: string) => /\d/.test(character);
const isUpper = (character: string) => isLetter(character) && character !== character.toLowerCase();
const isLower = (character: string) => isLetter(character) && character !== character.toUpperCase();
const isVowel = (character: string) => /[aeiouyäöü]/i.test(character);

/** Judges a letter; a capital inside a word, as in "FrÅhling", shows a wrong encoding. */
function judgeLetter(before: string, letter: string, after: string): Fault {
  if (isUpper(letter) && isLetter(before) && (isLower(before) || isLower(after))) return 'bad';
  if (letter === 'ß') return isVowel(before) ? undefined : 'bad';
  if (!isUpper(letter) && isUpper(after)) return 'bad';
  if (!commonLetters.has(letter)) return 'doubtful';
  // "Straáe" is "Straße" written in CP850, and "àscar" is "Óscar".
  if (letter === 'á' && isVowel(before)) return 'doubtful';
  if (letter === 'à' && isLetter(after)) return 'doubtful';
  // "Œle" is "île" written in CP850.
  if (/œ/i.test(letter) && !/[ui]/i.test(after)) return 'doubtful';
  return isDigit(before) || isDigit(after) ? 'doubtful' : undefined;
}

/** Returns false for a line with a quote that seems to have no partner. */
function hasQuotesInPairs(line: string): boolean {
  const count = (characters: RegExp) => line.match(characters)?.length ?? 0;
  const isOdd = count(/[„“”«»‹›]/g) % 2 === 1 || count(/„/g) > count(/[“”]/g);
  return !isOdd && (line.includes('’') || count(/‚/g) === count(/‘/g));
}

/** Judges a quote, dash or other symbol; `paired` is true if the quotes of its line are. */
function judgeSymbol(before: string, symbol: string, after: string, paired: boolean): Fault {
  const [follows, precedes] = [isLetter(before), isLetter(after)];
  if (symbol === '’') return undefined;
  if ('–—…'.includes(symbol)) return follows || precedes || symbol === '…' ? 'doubtful' : undefined;
  if (follows && precedes) return symbol === '\xa0' ? 'doubtful' : 'bad';
  if (follows && '„‚'.includes(symbol)) return 'bad';
  if (quotes.has(symbol)) return paired ? undefined : 'doubtful';
  if (wordSuffixes.has(symbol)) return precedes && !isDigit(before) ? 'bad' : undefined;
  if (wordPrefixes.has(symbol)) return follows ? 'doubtful' : undefined;
  // A word after a no-break space may begin with the "á" of CP850.
  if (symbol === '\xa0') return precedes && !isDigit(before) ? 'doubtful' : undefined;
  if (!otherSymbols.has(symbol)) return 'bad';
  return follows || precedes ? 'doubtful' : undefined;
}

type Verdict = { readonly encoding: Encoding; readonly bad: number; readonly doubtful: number };

function judgeText(sample: Buffer, encoding: Encoding): Verdict {
  const faults = { bad: 0, doubtful: 0 };
  for (const line of decode(sample, encoding).split(/[\r\n]+/)) {
    const paired = hasQuotesInPairs(line);
    for (let at = 0; at < line.length; at += 1) {
      const character = line[at] ?? '';
      if (character < '\x80') continue;
      const isWestern = commonLetters.has(character) || rareLetters.has(character);
      const [before, after] = [line[at - 1] ?? '', line[at + 1] ?? ''];
      const fault = isWestern
        ? judgeLetter(before, character, after)
        : judgeSymbol(before, character, after, paired);
      if (fault !== undefined) faults[fault] += 1;
    }
  }
  return { encoding, ...faults };
}

/**
 * Chooses the encoding of a Western text: Windows-1252, by far the commonest, CP850 of MS-DOS or
 * Mac Roman. Returns undefined if none or several are plausible.
 */
function chooseWestern(sample: Buffer): Encoding | undefined {
  const windows = judgeText(sample, 'windows-1252');
  const others = [judgeText(sample, 'cp850'), judgeText(sample, 'macintosh')];
  const plausible = others.filter(({ bad }) => bad === 0);
  if (windows.bad === 0) {
    return windows.doubtful === 0 || plausible.length === 0 ? windows.encoding : undefined;
  }
  // In a long text, even the right encoding may have a few faults.
  const [best, next] = [windows, ...others].toSorted((left, right) => left.bad - right.bad);
  if (best === undefined || next === undefined) return undefined;
  if (best.bad === 0 && next.bad === 0) {
    const [first, second] = plausible.toSorted((left, right) => left.doubtful - right.doubtful);
    return (first?.doubtful ?? 0) < (second?.doubtful ?? 0) ? first?.encoding : undefined;
  }
  return best.bad * 10 < next.bad || best.bad === 0 ? best.encoding : undefined;
}

/** Minimum number of non-ASCII letters that distinguish one Latin alphabet from another. */
const minLetters = 16;

/** Single-byte encodings of other languages, as chardet names them. */
const singleByte = /^(iso-8859-(?!1$)\d+|windows-(?!1252)\d+|koi8-r)$/;

/** Detects the encoding of a language that is not Western European, if chardet is confident. */
function detectLanguage(sample: Buffer, hasOtherScript: boolean): Encoding | undefined {
  const matches = analyse(sample).map(({ name, confidence }) => ({
    encoding: name.toLowerCase(),
    confidence,
  }));
  const western = matches.find(({ encoding }) => /^(iso-8859-1|windows-1252)$/.test(encoding));
  const minConfidence = hasOtherScript ? 15 : Math.max(40, (western?.confidence ?? 0) + 20);
  return matches.find(
    ({ encoding, confidence }) =>
      confidence >= minConfidence &&
      singleByte.test(encoding) &&
      findUndefinedByte(sample, encoding) === undefined,
  )?.encoding;
}

/** Detects a single-byte encoding from lines that are not ASCII, if it is clear. */
export function detectSingleByte(sample: Buffer): Encoding | undefined {
  const text = sample.toString('latin1');
  const runs = text.match(/[\x80-\xff]+/g) ?? [];
  const letters = runs.join('').length;
  // Words without ASCII letters mean a non-Latin script.
  if (letters > runs.length * 2.5) return detectLanguage(sample, true);
  const western = chooseWestern(sample);
  if (letters < minLetters || western === 'cp850' || western === 'macintosh') return western;
  return detectLanguage(sample, false) ?? western;
}
