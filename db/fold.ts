/** Lower-case letters without a Unicode decomposition, with their usual substitutes. */
const letterLikes: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
};

const letterPattern = new RegExp(`[${Object.keys(letterLikes).join('')}]`, 'g');

/** Symbols, which separate words. Their decompositions, such as "No" for №, would join words. */
const symbols = /\p{S}/gu;

/**
 * Marks of scripts in which people often omit them. In the scripts of India and South-East Asia,
 * marks are vowels; the Japanese voicing marks (U+3099, U+309A) change the letter.
 */
const accents =
  /[[\p{M}&&[\p{sc=Zinh}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}]]--[\u3099\u309a]]/gv;

/**
 * Invisible characters, such as the soft hyphen, and the Arabic tatweel. The zero-width space is
 * excluded: it separates words, for example in Thai and Khmer.
 */
const ignorables = /[[\p{DI}\u0640]--\u200b]/gv;

const ascii = /^[\0-\x7f]*$/;
const beyondAscii = /[^\0-\x7f]/g;

/** Latin letters and punctuation without combining marks, which can be folded one by one. */
const latin = /^[\0-\u024f\u2010-\u2027]*$/;

function foldAny(text: string): string {
  return text
    .replace(symbols, ' ')
    .normalize('NFKD')
    .replace(accents, '')
    .replace(ignorables, '')
    .toLowerCase()
    .replace(letterPattern, (letter) => letterLikes[letter] ?? letter)
    .normalize('NFC');
}

const latinFolds = new Map<string, string>();

function foldLatin(character: string): string {
  const cached = latinFolds.get(character);
  if (cached !== undefined) return cached;
  const folded = foldAny(character);
  latinFolds.set(character, folded);
  return folded;
}

/**
 * Folds a text for searching: lower case, without accents and invisible characters, with symbols
 * replaced by spaces, in normalisation form NFC.
 */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  // Normalising every such text would make an import a fifth slower.
  if (latin.test(text)) return text.replace(beyondAscii, foldLatin).toLowerCase();
  return foldAny(text);
}

/** A word in a folded text. */
export const wordForm = /[\p{L}\p{M}\p{N}\p{Co}]+/gu;

/** Finds the words of a text: runs of letters, marks and digits, folded and in order. */
export function wordsOf(text: string): string[] {
  return foldText(text).match(wordForm) ?? [];
}
