import { analyse, type EncodingName } from 'chardet';
import { type Encoding, findUndefinedByte } from './encoding.ts';
import { chooseWestern } from './western.ts';

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
