import { type Token, tokenizeLine } from '../tokens.ts';

/** The known places of a club by their words. */
export type Places = {
  /** Returns the place that the tokens name, whole or up to its first comma or bracket. */
  find(tokens: readonly Token[], from: number, to: number): string | undefined;
};

function keyOf(tokens: readonly Token[]): string {
  return tokens
    .filter(({ kind }) => kind !== 'sign')
    .map(({ text }) => text.replaceAll('ß', 'ss'))
    .join(' ');
}

function indexPlaces(names: readonly string[]): Places {
  const byKey = new Map<string, string>();
  let maxWords = 0;
  const add = (text: string, place: string) => {
    const key = keyOf(tokenizeLine(text));
    if (key === '' || byKey.has(key)) return;
    byKey.set(key, place);
    maxWords = Math.max(maxWords, key.split(' ').length);
  };
  for (const name of names) add(name, name);
  for (const name of names) add(/^[^,;(|/–—]*/.exec(name)?.[0] ?? '', name);
  return {
    // A sign may follow each word.
    find: (tokens, from, to) =>
      to - from > 2 * maxWords ? undefined : byKey.get(keyOf(tokens.slice(from, to))),
  };
}

const indexes = new WeakMap<readonly string[], Places>();

/** Returns the index of the places, built once for each array. */
export function placesOf(names: readonly string[]): Places {
  const index = indexes.get(names) ?? indexPlaces(names);
  indexes.set(names, index);
  return index;
}
