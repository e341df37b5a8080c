/** Letters without a decomposition, in lower case, and their usual substitutes. */
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

const letters = new RegExp(`[${Object.keys(letterLikes).join('')}]`, 'g');

/** Symbols separate words; their decompositions, such as "No" for №, would join them. */
const symbols = /\p{S}/gu;

/**
 * Marks of the scripts in which people leave them out. In the scripts of India and South-East Asia
 * marks are vowels, and the voicing marks of Japanese (U+3099, U+309A) make other letters.
 */
const accents =
  /[[\p{M}&&[\p{sc=Zinh}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}]]--[\u3099\u309a]]/gv;

/**
 * Invisible characters, such as the soft hyphen, and the stretching of Arabic words. The zero-width
 * space is none of them: it separates words, in Thai and Khmer by intention.
 */
const ignorables = /[[\p{DI}\u0640]--\u200b]/gv;

const ascii = /^[\0-\x7f]*$/;
const beyondAscii = /[^\0-\x7f]/g;

/** Latin letters and punctuation, without marks: no character depends on its neighbours. */
const latin = /^[\0-\u024f\u2010-\u2027]*$/;

function foldAny(text: string): string {
  return text
    .replace(symbols, ' ')
    .normalize('NFKD')
    .replace(accents, '')
    .replace(ignorables, '')
    .toLowerCase()
    .replace(letters, (letter) => letterLikes[letter] ?? letter)
    .normalize('NFC');
}

const latinFolds = new Map<string, string>();

function foldLatin(character: string): string {
  const known = latinFolds.get(character);
  if (known !== undefined) return known;
  const folded = foldAny(character);
  latinFolds.set(character, folded);
  return folded;
}

/**
 * Returns a text as the search compares it: without case, accents and invisible characters, and in
 * one normalisation form.
 */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  // An import of such texts would take a fifth longer if each was normalised.
  if (latin.test(text)) return text.replace(beyondAscii, foldLatin).toLowerCase();
  return foldAny(text);
}

/** A word in a folded text. */
export const wordForm = /[\p{L}\p{M}\p{N}\p{Co}]+/gu;

/** Finds the words of a text: runs of letters, marks and digits, folded and in order. */
export function wordsOf(text: string): string[] {
  return foldText(text).match(wordForm) ?? [];
}
