import { analyse, type EncodingName } from 'chardet';
import { decode, encodingExists, getDecoder } from 'iconv-lite';
import { message } from '../../messages/message.ts';
import { badSource } from './source.ts';

/** Collects the non-ASCII bytes of a text with their neighbours, to detect its encoding. */
type Sampler = { take(chunk: Uint8Array): void; result(): Buffer };

const sampleLength = 65_536;
const neighbours = 8;
const blank = 0x20;

export function createSampler(): Sampler {
  const sample = Buffer.alloc(sampleLength);
  let length = 0;
  /** Ring buffer of the last bytes that were left out. */
  const before = new Uint8Array(neighbours);
  let leftOut = 0;
  /** Number of bytes that the current neighbourhood still needs. */
  let remaining = 0;

  const add = (byte: number) => {
    if (length < sampleLength) sample[length] = byte;
    length += 1;
  };

  const begin = () => {
    if (leftOut > neighbours && length > 0) add(blank);
    for (let back = Math.min(leftOut, neighbours); back > 0; back -= 1) {
      add(before[(leftOut - back) % neighbours] ?? blank);
    }
    leftOut = 0;
  };

  return {
    take: (chunk) => {
      if (length >= sampleLength) return;
      for (const byte of chunk) {
        if (byte >= 0x80) {
          if (remaining === 0) begin();
          remaining = neighbours + 1;
        }
        if (remaining > 0) {
          add(byte);
          remaining -= 1;
        } else {
          before[leftOut % neighbours] = byte;
          leftOut += 1;
        }
      }
    },
    result: () => sample.subarray(0, Math.min(length, sampleLength)),
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
      throw badSource(file, undefined, message('reason:utf16_cut', { encoding: nameOf(encoding) }));
    }
  };
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

/** Common and rare letters of the languages of Western Europe. */
const commonLetters = new Set('ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüœŒ');
const rareLetters = new Set('ÐðÞþÝýŠšŽžŸÿı');

/** Symbols that may follow a word, and those that may begin one. */
const wordSuffixes = new Set('²³¹®™©°ªº');
const wordPrefixes = new Set('¿©•');
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

function judgeSymbol(before: string, character: string, after: string): Fault {
  const [afterLetter, beforeLetter] = [isLetter(before), isLetter(after)];
  if (afterLetter && beforeLetter) return character === '\xa0' ? 'doubtful' : 'bad';
  // A word after a no-break space may begin with the "á" of CP850.
  if (character === '\xa0') return beforeLetter && !isDigit(before) ? 'doubtful' : undefined;
  if (wordSuffixes.has(character)) return beforeLetter && !isDigit(before) ? 'bad' : undefined;
  if (wordPrefixes.has(character)) return afterLetter ? 'doubtful' : undefined;
  return afterLetter || beforeLetter || '‰†‡'.includes(character) ? 'doubtful' : undefined;
}

/** Judges quotes, dashes and dots; `line` shows whether each quote has a partner. */
function judgePunctuation(before: string, character: string, after: string, line: string): Fault {
  const [afterLetter, beforeLetter] = [isLetter(before), isLetter(after)];
  if (character === '…') return 'doubtful';
  if (character === '–' || character === '—')
    return afterLetter || beforeLetter ? 'doubtful' : undefined;
  if (character === '’') return undefined;
  if (afterLetter && beforeLetter) return 'bad';
  if (character === '„' || character === '‚') {
    if (afterLetter) return 'bad';
    if (character === '‚') return /[‘’]/.test(line) ? undefined : 'doubtful';
  }
  if (character === '‘') return /[‚’]/.test(line) ? undefined : 'doubtful';
  const pair = '«»'.includes(character) ? /[«»]/g : '‹›'.includes(character) ? /[‹›]/g : /[„“”]/g;
  return (line.match(pair)?.length ?? 0) % 2 === 0 ? undefined : 'doubtful';
}

function judge(before: string, character: string, after: string, line: string): Fault {
  if (commonLetters.has(character) || rareLetters.has(character))
    return judgeLetter(before, character, after);
  if ('„“”‚‘’«»‹›–—…'.includes(character)) return judgePunctuation(before, character, after, line);
  const isSymbol =
    wordSuffixes.has(character) || wordPrefixes.has(character) || otherSymbols.has(character);
  return isSymbol || character === '\xa0' ? judgeSymbol(before, character, after) : 'bad';
}

type Verdict = { readonly encoding: Encoding; readonly bad: number; readonly doubtful: number };

function judgeText(sample: Buffer, encoding: Encoding): Verdict {
  const faults = { bad: 0, doubtful: 0 };
  for (const line of decode(sample, encoding).split(/[\r\n]+/)) {
    for (let at = 0; at < line.length; at += 1) {
      const character = line[at] ?? '';
      if (character < '\x80') continue;
      const fault = judge(line[at - 1] ?? '', character, line[at + 1] ?? '', line);
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

/** Non-Western encodings by chardet's name, for texts without and with C1 bytes. */
const detected: Readonly<Partial<Record<EncodingName, readonly [plain: Encoding, c1: Encoding]>>> =
  {
    'ISO-8859-2': ['iso-8859-2', 'windows-1250'],
    'ISO-8859-5': ['iso-8859-5', 'iso-8859-5'],
    'ISO-8859-6': ['iso-8859-6', 'windows-1256'],
    'ISO-8859-7': ['iso-8859-7', 'windows-1253'],
    'ISO-8859-8': ['iso-8859-8', 'windows-1255'],
    'ISO-8859-9': ['iso-8859-9', 'windows-1254'],
    'KOI8-R': ['koi8-r', 'koi8-r'],
    'windows-1250': ['windows-1250', 'windows-1250'],
    'windows-1251': ['windows-1251', 'windows-1251'],
    'windows-1253': ['windows-1253', 'windows-1253'],
    'windows-1254': ['windows-1254', 'windows-1254'],
    'windows-1255': ['windows-1255', 'windows-1255'],
    'windows-1256': ['windows-1256', 'windows-1256'],
    'windows-1257': ['windows-1257', 'windows-1257'],
    'windows-874': ['windows-874', 'windows-874'],
  };

/** Encodings of non-Latin scripts, whose words contain almost no ASCII letters. */
const otherScripts = new Set<Encoding>([
  ...['iso-8859-5', 'iso-8859-6', 'iso-8859-7', 'iso-8859-8', 'koi8-r', 'windows-1251'],
  ...['windows-1253', 'windows-1255', 'windows-1256', 'windows-874'],
]);

/** Minimum number of non-ASCII letters that distinguish one Latin alphabet from another. */
const minLetters = 16;

/** Counts the non-ASCII bytes, and those of them that follow two others. */
function countRuns(sample: Buffer): { readonly letters: number; readonly inRuns: number } {
  let [letters, inRuns, run] = [0, 0, 0];
  for (const byte of sample) {
    run = byte < 0x80 ? 0 : run + 1;
    if (run > 0) letters += 1;
    if (run > 2) inRuns += 1;
  }
  return { letters, inRuns };
}

/** Returns chardet's encoding for a non-Latin script or, if it is confident, a Latin alphabet. */
function detectLanguage(sample: Buffer, isOtherScript: boolean): Encoding | undefined {
  const matches = analyse(sample);
  const western = matches.find(({ name }) => name === 'ISO-8859-1' || name === 'windows-1252');
  const minConfidence = isOtherScript ? 8 : Math.max(40, (western?.confidence ?? 0) + 20);
  const hasC1 = sample.some((byte) => byte >= 0x80 && byte < 0xa0);
  for (const { name, confidence } of matches) {
    const encoding = detected[name]?.[hasC1 ? 1 : 0];
    if (encoding === undefined || findUndefinedByte(sample, encoding) !== undefined) continue;
    if (isOtherScript === otherScripts.has(encoding) && confidence >= minConfidence)
      return encoding;
  }
  return undefined;
}

/** Detects a single-byte encoding from the neighbours of the non-ASCII bytes, if it is clear. */
export function detectSingleByte(sample: Buffer): Encoding | undefined {
  const { letters, inRuns } = countRuns(sample);
  // Long runs of non-ASCII bytes mean a non-Latin script.
  if (inRuns > letters * 0.4) return detectLanguage(sample, true);
  const western = chooseWestern(sample);
  if (letters < minLetters || western === 'cp850' || western === 'macintosh') return western;
  return detectLanguage(sample, false) ?? western;
}
