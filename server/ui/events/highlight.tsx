import { Fragment, type ReactNode } from 'react';
import { letterLikes } from '../../../db/model.ts';

/** How much of a text is looked through for hits, in characters: more is not seen in a row. */
const reach = 2_000;

/** A letter without its accents and its case, as the search takes it. */
function foldLetter(letter: string): string {
  const plain = letter.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return letterLikes[plain] ?? plain;
}

/** The words of a text, as the search takes them apart. */
export function wordsOf(text: string): string[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu), ([word]) =>
    Array.from(word, foldLetter).join(''),
  );
}

/** How many letters of a word, from its beginning, one of the searched words takes. */
function hitLength(word: string, searched: readonly string[]): number {
  // Each with the accents that stand after it.
  const letters = word.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
  let longest = 0;
  for (const target of searched) {
    let folded = '';
    for (const [index, letter] of letters.entries()) {
      folded += foldLetter(letter);
      if (!target.startsWith(folded) && !folded.startsWith(target)) break;
      if (folded.length >= target.length && folded.startsWith(target)) {
        const taken = letters.slice(0, index + 1).join('').length;
        longest = Math.max(longest, taken);
        break;
      }
    }
  }
  return longest;
}

/** A text with the beginnings of words marked that a search hit, accents and case aside. */
export function Highlighted({
  text,
  searched,
}: {
  readonly text: string;
  /** From `wordsOf`; none marks nothing. */
  readonly searched: readonly string[];
}): ReactNode {
  if (searched.length === 0 || text === '') return text;
  const parts: ReactNode[] = [];
  let done = 0;
  for (const match of text.slice(0, reach).matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)) {
    const length = hitLength(match[0], searched);
    if (length === 0) continue;
    parts.push(
      <Fragment key={done}>{text.slice(done, match.index)}</Fragment>,
      <mark key={`hit ${match.index}`}>{text.slice(match.index, match.index + length)}</mark>,
    );
    done = match.index + length;
  }
  return [...parts, <Fragment key="rest">{text.slice(done)}</Fragment>];
}
