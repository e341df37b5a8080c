import { analyse, type EncodingName } from 'chardet';
import { type Encoding, findUndefinedByte } from './encoding.ts';
import { chooseWestern } from './western.ts';

/** The detector's names for what is not Western, with the encoding that has C1 bytes as well. */
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
const otherScripts = new Set<Encoding>([
  ...['iso-8859-5', 'iso-8859-6', 'iso-8859-7', 'iso-8859-8', 'koi8-r', 'windows-1251'],
  ...['windows-1253', 'windows-1255', 'windows-1256', 'windows-874'],
]);

/** Fewer letters beyond ASCII do not tell one Latin alphabet from another. */
const fewestLetters = 16;

/** Counts the bytes beyond ASCII, and those of them that follow two others. */
function countRuns(sample: Buffer): { readonly letters: number; readonly inRuns: number } {
  let [letters, inRuns, run] = [0, 0, 0];
  for (const byte of sample) {
    run = byte < 0x80 ? 0 : run + 1;
    if (run > 0) letters += 1;
    if (run > 2) inRuns += 1;
  }
  return { letters, inRuns };
}

/** The language detector's encoding for another script, or another alphabet where it is sure. */
function detectLanguage(sample: Buffer, isOtherScript: boolean): Encoding | undefined {
  const matches = analyse(sample);
  const western = matches.find(({ name }) => name === 'ISO-8859-1' || name === 'windows-1252');
  const wanted = isOtherScript ? 8 : Math.max(40, (western?.confidence ?? 0) + 20);
  const hasC1 = sample.some((byte) => byte >= 0x80 && byte < 0xa0);
  for (const { name, confidence } of matches) {
    const encoding = detected[name]?.[hasC1 ? 1 : 0];
    if (encoding === undefined || findUndefinedByte(sample, encoding) !== undefined) continue;
    if (isOtherScript === otherScripts.has(encoding) && confidence >= wanted) return encoding;
  }
  return undefined;
}

/**
 * Decides by the neighbourhoods of the bytes beyond ASCII which encoding of single bytes a text is
 * in. Undefined when that cannot be told.
 */
export function detectSingleByte(sample: Buffer): Encoding | undefined {
  const { letters, inRuns } = countRuns(sample);
  // Words in another script than Latin are unlike any Western text.
  if (inRuns > letters * 0.4) return detectLanguage(sample, true);
  const western = chooseWestern(sample);
  if (letters < fewestLetters || western === 'cp850' || western === 'macintosh') return western;
  return detectLanguage(sample, false) ?? western;
}
