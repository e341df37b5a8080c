/** Letters of one syllable's core, in the four languages. */
const vowel = '(?:ij|[aeiouyáàâäãåæéèêëíìîïóòôöõøœúùûüýÿ])';
const consonant = '[^aeiouyáàâäãåæéèêëíìîïóòôöõøœúùûüýÿ]';

/** Consonants that begin a syllable together, the longest first. */
const onset = 's[tp]r|spl|sch[lmnrw]?|(?<=[lmnr])s[tp]|[bcfgkp]l|[bcdfgkptv]r|ch|ck|gn|ph|qu|th';

const syllable = new RegExp(
  `(?<=${vowel})(${consonant}*?)(${onset}|${consonant})(?=${vowel})`,
  'giu',
);

/** Letters that stay together at the beginning and at the end of a word. */
const least = 3;

function hyphenateWord(word: string): string {
  return word.replace(syllable, (consonants: string, coda: string, next: string, at: number) => {
    const before = at + coda.length;
    // Only a dictionary knows on which side of the s "Vereins-ausflug" and "champion-ship" end.
    const isUnclear =
      /^(?:.*[^s])s$/i.test(coda + next) ||
      /^sh$/i.test(coda.slice(-1) + next) ||
      // The word that German clubs have in their names.
      /^verein/i.test(word.slice(before - 2));
    if (isUnclear || before < least || word.length - before < least) return consonants;
    return `${coda}\u00ad${next}`;
  });
}

/**
 * Marks where the words of a text may be broken, with soft hyphens between syllables: browsers and
 * Electron know the hyphenation of no language on most systems. Addresses stay as they are.
 */
export function softHyphens(text: string): string {
  return text.replace(/\S+/g, (part) =>
    /[/@]|\.\S/.test(part) ? part : part.replace(/[\p{L}\p{M}]{6,}/gu, hyphenateWord),
  );
}
