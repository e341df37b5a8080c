import { Fragment, type ReactNode } from 'react';
import { foldText, wordForm } from '../../../../db/fold.ts';
import { softHyphens } from '../../base/hyphens.ts';

/** Length of the part that is searched, in characters; a row shows no more. */
const searchedLength = 2_000;

/** Matches a character and those that fold with it: marks, and vowels and finals of Hangul. */
const clusterForm = /.[\p{M}\u1160-\u11ff\uff9e\uff9f]*/gsu;

/** A folded text, and for each of its characters the start and end of the source cluster. */
type Folded = {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
};

function foldWithPositions(text: string): Folded {
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

/** Finds the hits in a text: the longest searched beginning of each word. */
function findHits(text: string, searched: readonly string[]): { start: number; end: number }[] {
  const folded = foldWithPositions(text);
  return Array.from(folded.text.matchAll(wordForm)).flatMap(({ 0: word, index }) => {
    const lengths = searched.filter((one) => word.startsWith(one)).map(({ length }) => length);
    if (lengths.length === 0) return [];
    const last = index + Math.max(...lengths) - 1;
    return [{ start: folded.starts[index] ?? 0, end: folded.ends[last] ?? text.length }];
  });
}

/** A text in which the searched beginnings of words are marked. */
export function Highlighted(props: {
  readonly text: string;
  /** Words from `wordsOf`; empty for no marks. */
  readonly searched: readonly string[];
  /** True where a word may be wider than its place. */
  readonly isNarrow?: boolean;
}): ReactNode {
  const { text, searched, isNarrow = false } = props;
  const shown = isNarrow ? softHyphens : (part: string) => part;
  if (searched.length === 0 || text === '') return shown(text);
  const parts: ReactNode[] = [];
  let done = 0;
  for (const { start, end } of findHits(text.slice(0, searchedLength), searched)) {
    // One character may fold to two words, such as ½.
    if (start < done) continue;
    parts.push(
      <Fragment key={done}>{shown(text.slice(done, start))}</Fragment>,
      <mark key={`hit ${start}`}>{shown(text.slice(start, end))}</mark>,
    );
    done = end;
  }
  return [...parts, <Fragment key="rest">{shown(text.slice(done))}</Fragment>];
}
