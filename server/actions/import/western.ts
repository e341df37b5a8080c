import { decode } from 'iconv-lite';
import type { Encoding } from './encoding.ts';

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
export function chooseWestern(sample: Buffer): Encoding | undefined {
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
