import { analyse, type EncodingName } from 'chardet';
import { decode } from 'iconv-lite';
import { badSource, type SourceFile } from '../source.ts';
import { type Census, countBytes, countOf } from './census.ts';
import type { Survey } from './survey.ts';

/** How the text of a file is written, as iconv-lite spells it in lower case. */
export type Encoding =
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'windows-1250'
  | 'windows-1251'
  | 'windows-1252'
  | 'windows-1253'
  | 'windows-1254'
  | 'windows-1255'
  | 'windows-1256'
  | 'windows-1257'
  | 'windows-874'
  | 'iso-8859-2'
  | 'iso-8859-5'
  | 'iso-8859-6'
  | 'iso-8859-7'
  | 'iso-8859-8'
  | 'iso-8859-9'
  | 'koi8-r'
  | 'macintosh';

const remedy = 'save it again as "CSV UTF-8"';

const marks: readonly (readonly [mark: readonly number[], encoding: Encoding | undefined])[] = [
  [[0xff, 0xfe, 0, 0], undefined],
  [[0, 0, 0xfe, 0xff], undefined],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** The detector's names for what is not Latin-1, with the encoding that has C1 bytes as well. */
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

/** Encodings of scripts whose words have next to no ASCII letters. */
const otherScripts: ReadonlySet<Encoding> = new Set<Encoding>([
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'koi8-r',
  'windows-1251',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-874',
]);

/** Fewer letters beyond ASCII do not tell one Latin alphabet from another. */
const fewestLetters = 16;

/** Western letters in Mac Roman whose bytes are rare signs in Windows-1252, and the other way. */
const macLetters = [...Buffer.from('8183868788898a8c8d8e8f909a9d9e9f', 'hex')];
const windowsLetters = [
  ...Buffer.from('c0c4c5c6c7c8c9d6d8dcdfe0e1e2e3e4e5e6e7e8e9eaebedeeeff1f3f4f5f6f8f9fafbfc', 'hex'),
];

function sum(census: Census, bytes: Iterable<number>): number {
  let total = 0;
  for (const byte of bytes) total += countOf(census, byte);
  return total;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

const c1 = range(0x80, 0x9f);
const beyondAscii = range(0x80, 0xff);
/** Bytes that no text has: all below the blank but tab, the line ends and the old end of file. */
const controls = range(0, 0x1f).filter((byte) => ![9, 10, 11, 12, 13, 26, 27].includes(byte));

/** UTF-16 without its mark: digits and separators have their NUL on one side, nothing on the other. */
function findUtf16({ even, odd }: Census, { size }: Survey['fingerprint']): Encoding | undefined {
  const [first = 0] = even;
  const [second = 0] = odd;
  const many = size * 0.07;
  if (second > many && first < second / 20) return 'utf-16le';
  if (first > many && second < first / 20) return 'utf-16be';
  return undefined;
}

function undefinedByte(census: Census, encoding: Encoding): number | undefined {
  return beyondAscii.find(
    (byte) => countOf(census, byte) > 0 && decode(Buffer.of(byte), encoding) === '\ufffd',
  );
}

/** What the detector says of a language other than the Western ones, where it is sure enough. */
function detect(census: Census): Encoding | undefined {
  const matches = analyse(census.sample);
  const western = matches.find(({ name }) => name === 'ISO-8859-1' || name === 'windows-1252');
  const hasC1 = sum(census, c1) > 0;
  // Words in another script than Latin are unlike any Western text, and small ones convince less.
  const letters = sum(census, beyondAscii);
  const isOtherScript = census.inRuns > letters * 0.4;
  if (!isOtherScript && letters < fewestLetters) return 'windows-1252';
  for (const { name, confidence } of matches) {
    const encoding = detected[name]?.[hasC1 ? 1 : 0];
    if (encoding === undefined || undefinedByte(census, encoding) !== undefined) continue;
    if (isOtherScript !== otherScripts.has(encoding)) continue;
    const wanted = isOtherScript ? 8 : Math.max(40, (western?.confidence ?? 0) + 20);
    if (confidence >= wanted) return encoding;
  }
  return isOtherScript ? undefined : 'windows-1252';
}

/** Which single-byte encoding the file is in. Throws `bad_input` when it is none of them. */
function chooseSingleByte(census: Census, file: string): Encoding {
  if (sum(census, macLetters) > 2 * sum(census, windowsLetters)) {
    if (undefinedByte(census, 'macintosh') === undefined) return 'macintosh';
  }
  const encoding = detect(census);
  if (encoding === undefined) {
    throw badSource(
      file,
      undefined,
      `the file is not UTF-8 text, and nothing tells what it is; ${remedy}`,
    );
  }
  const byte = undefinedByte(census, encoding);
  if (byte === undefined) return encoding;
  const what = `the file is not UTF-8 text, and its byte ${byte.toString(16)} (hex) is no character of ${nameOf(encoding)} either`;
  throw badSource(file, undefined, `${what}; ${remedy}`);
}

/** An encoding as messages name it. */
export function nameOf(encoding: Encoding): string {
  if (encoding === 'macintosh') return 'Mac Roman';
  if (encoding.startsWith('windows')) return `W${encoding.slice(1)}`;
  return encoding.toUpperCase();
}

function refuseBinary(census: Census, isUtf8: boolean, size: number, file: string): void {
  // One NUL in a text is its row's matter: the check of the events names the row.
  const most = isUtf8 ? size / 10 : 0;
  if (sum(census, controls) <= most) return;
  throw badSource(file, undefined, 'this is not a text file; save the table as CSV first');
}

function refuseDamagedUtf8({ sequences, strays }: Census, survey: Survey, file: string): void {
  const [first, second, third] = survey.start;
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf;
  if (!isMarked && (sequences === 0 || sequences < strays)) return;
  const what = 'the file is UTF-8 text with damaged characters; it may have been cut off or mixed';
  throw badSource(file, undefined, `${what}; ${remedy}`);
}

/**
 * Decides by the bytes of the whole file how its text is written. Throws `bad_input` when it is
 * binary, damaged or in an encoding that cannot be told.
 */
export async function findEncoding(file: SourceFile, survey: Survey): Promise<Encoding> {
  for (const [mark, encoding] of marks) {
    if (mark.some((byte, at) => survey.start[at] !== byte)) continue;
    if (encoding !== undefined) return encoding;
    throw badSource(file.name, undefined, `the file is UTF-32 text; ${remedy}`);
  }
  if (survey.isUtf8 && !survey.hasNul) return 'utf-8';
  const census = await countBytes(file, survey.fingerprint);
  const utf16 = findUtf16(census, survey.fingerprint);
  if (utf16 !== undefined) return utf16;
  refuseBinary(census, survey.isUtf8, survey.fingerprint.size, file.name);
  if (survey.isUtf8) return 'utf-8';
  refuseDamagedUtf8(census, survey, file.name);
  return chooseSingleByte(census, file.name);
}
