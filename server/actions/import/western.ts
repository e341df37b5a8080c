import { decode } from 'iconv-lite';
import type { Encoding } from './encoding.ts';

/** Letters of the languages of Western Europe that are common, and those that are rare. */
const commonLetters = new Set('ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüœŒ');
const rareLetters = new Set('ÐðÞþÝýŠšŽžŸÿı');

/** Signs that may follow a word, and those that may begin one. */
const afterWords = new Set('²³¹®™©°ªº');
const beforeWords = new Set('¿©•');
const otherSigns = new Set('¡§£€¢¤¥¦¬±¶·÷×¼½¾µ‰†‡');

type Fault = 'bad' | 'doubtful' | undefined;

const isLetter = (sign: string) => /\p{L}/u.test(sign);
const isDigit = (sign: string) => /\d/.test(sign);
const isUpper = (sign: string) => isLetter(sign) && sign !== sign.toLowerCase();
const isLower = (sign: string) => isLetter(sign) && sign !== sign.toUpperCase();
const isVowel = (sign: string) => /[aeiouyäöü]/i.test(sign);

/** A capital inside a word of small letters is a letter of another encoding, such as in "FrÅhling". */
function judgeLetter(before: string, letter: string, after: string): Fault {
  if (isUpper(letter) && isLetter(before) && (isLower(before) || isLower(after))) return 'bad';
  if (letter === 'ß') return isVowel(before) ? undefined : 'bad';
  if (!isUpper(letter) && isUpper(after)) return 'bad';
  if (!commonLetters.has(letter)) return 'doubtful';
  // "Straáe" is "Straße" of CP850, "àscar" is "Óscar".
  if (letter === 'á' && isVowel(before)) return 'doubtful';
  if (letter === 'à' && isLetter(after)) return 'doubtful';
  // "Œle" is "île" of CP850.
  if (/œ/i.test(letter) && !/[ui]/i.test(after)) return 'doubtful';
  return isDigit(before) || isDigit(after) ? 'doubtful' : undefined;
}

function judgeSign(before: string, sign: string, after: string): Fault {
  const [follows, leads] = [isLetter(before), isLetter(after)];
  if (follows && leads) return sign === '\xa0' ? 'doubtful' : 'bad';
  // A word after a fixed blank may be one that begins with the "á" of CP850.
  if (sign === '\xa0') return leads && !isDigit(before) ? 'doubtful' : undefined;
  if (afterWords.has(sign)) return leads && !isDigit(before) ? 'bad' : undefined;
  if (beforeWords.has(sign)) return follows ? 'doubtful' : undefined;
  return follows || leads || '‰†‡'.includes(sign) ? 'doubtful' : undefined;
}

/** Quotes, dashes and dots of a text; `line` tells whether each quote has another one. */
function judgePunctuation(before: string, sign: string, after: string, line: string): Fault {
  const [follows, leads] = [isLetter(before), isLetter(after)];
  if (sign === '…') return 'doubtful';
  if (sign === '–' || sign === '—') return follows || leads ? 'doubtful' : undefined;
  if (sign === '’') return undefined;
  if (follows && leads) return 'bad';
  if (sign === '„' || sign === '‚') {
    if (follows) return 'bad';
    if (sign === '‚') return /[‘’]/.test(line) ? undefined : 'doubtful';
  }
  if (sign === '‘') return /[‚’]/.test(line) ? undefined : 'doubtful';
  const pair = '«»'.includes(sign) ? /[«»]/g : '‹›'.includes(sign) ? /[‹›]/g : /[„“”]/g;
  return (line.match(pair)?.length ?? 0) % 2 === 0 ? undefined : 'doubtful';
}

function judge(before: string, sign: string, after: string, line: string): Fault {
  if (commonLetters.has(sign) || rareLetters.has(sign)) return judgeLetter(before, sign, after);
  if ('„“”‚‘’«»‹›–—…'.includes(sign)) return judgePunctuation(before, sign, after, line);
  const isSign = afterWords.has(sign) || beforeWords.has(sign) || otherSigns.has(sign);
  return isSign || sign === '\xa0' ? judgeSign(before, sign, after) : 'bad';
}

type Verdict = { readonly encoding: Encoding; readonly bad: number; readonly doubtful: number };

/** Counts the signs that make no sense where they stand. */
function judgeText(sample: Buffer, encoding: Encoding): Verdict {
  const faults = { bad: 0, doubtful: 0 };
  for (const line of decode(sample, encoding).split(/[\r\n]+/)) {
    for (let at = 0; at < line.length; at += 1) {
      const sign = line[at] ?? '';
      if (sign < '\x80') continue;
      const fault = judge(line[at - 1] ?? '', sign, line[at + 1] ?? '', line);
      if (fault !== undefined) faults[fault] += 1;
    }
  }
  return { encoding, ...faults };
}

/**
 * Which encoding a Western text is in: Windows-1252, the commonest by far, CP850 of MS-DOS or Mac
 * Roman. Undefined when none makes sense, or more than one does.
 */
export function chooseWestern(sample: Buffer): Encoding | undefined {
  const windows = judgeText(sample, 'windows-1252');
  const others = [judgeText(sample, 'cp850'), judgeText(sample, 'macintosh')];
  const sound = others.filter(({ bad }) => bad === 0);
  if (windows.bad === 0) {
    return windows.doubtful === 0 || sound.length === 0 ? windows.encoding : undefined;
  }
  // One that has faults all the same: in a long text, for a few signs.
  const [best, next] = [windows, ...others].toSorted((left, right) => left.bad - right.bad);
  if (best === undefined || next === undefined) return undefined;
  if (best.bad === 0 && next.bad === 0) {
    const [first, second] = sound.toSorted((left, right) => left.doubtful - right.doubtful);
    return (first?.doubtful ?? 0) < (second?.doubtful ?? 0) ? first?.encoding : undefined;
  }
  return best.bad * 10 < next.bad || best.bad === 0 ? best.encoding : undefined;
}
