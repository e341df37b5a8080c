import { Fragment, type ReactNode } from 'react';
import { foldText, wordForm } from '../../../db/fold.ts';

/** The searched part of a text, in characters: a row shows no more. */
const reach = 2_000;

/** A character and those that fold together with it: marks, and the vowels and finals of Hangul. */
const clusterForm = /.[\p{M}\u1160-\u11ff\uff9e\uff9f]*/gsu;

/** A folded text, and where the cluster behind each of its characters starts and ends. */
type Folded = {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
};

function foldWithPlaces(text: string): Folded {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: cluster, index } of text.matchAll(clusterForm)) {
    const folded = foldText(cluster);
    parts.push(folded);
    for (let at = 0; at < folded.length; at += 1) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
  }
  return { text: parts.join(''), starts, ends };
}

/** The hits in a text: for each word the longest beginning that is searched. */
function findHits(text: string, searched: readonly string[]): { start: number; end: number }[] {
  const folded = foldWithPlaces(text);
  return Array.from(folded.text.matchAll(wordForm)).flatMap(({ 0: word, index }) => {
    const lengths = searched.filter((one) => word.startsWith(one)).map(({ length }) => length);
    if (lengths.length === 0) return [];
    const last = index + Math.max(...lengths) - 1;
    return [{ start: folded.starts[index] ?? 0, end: folded.ends[last] ?? text.length }];
  });
}

/** A text that marks the beginnings of words found by a search. */
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
  for (const { start, end } of findHits(text.slice(0, reach), searched)) {
    // Two words of one character, such as ½.
    if (start < done) continue;
    parts.push(
      <Fragment key={done}>{text.slice(done, start)}</Fragment>,
      <mark key={`hit ${start}`}>{text.slice(start, end)}</mark>,
    );
    done = end;
  }
  return [...parts, <Fragment key="rest">{text.slice(done)}</Fragment>];
}
