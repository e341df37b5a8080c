import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tokenize } from '../../../server/dates/tokens.ts';
import * as vocabulary from '../../../server/dates/vocabulary.ts';

const server = join(import.meta.dirname, '../../../server');

/** The sources of the program without comments, whose examples name words of dates too. */
const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/(?:dist|examples|node_modules)[\\/]/.test(path))
  .map((path) => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(join(server, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, ''),
  }));

/** Returns the words of a value of the vocabulary, at any depth. */
function wordsIn(value: unknown): readonly string[] {
  if (value instanceof Set || value instanceof Map) return [...value.keys()];
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return [];
  return Object.values(value).flatMap(wordsIn);
}

describe('the vocabulary of dates', () => {
  it('has words as the tokenizer gives them', () => {
    const all = new Set(Object.values(vocabulary).flatMap(wordsIn));
    expect(all.size).toBeGreaterThan(500);
    const others = [...all].filter((word) => {
      const texts = tokenize(word).map(({ text }) => text);
      return texts.join(' ') !== word;
    });
    expect(others).toEqual([]);
  });

  it.each([
    ...['donnerstag', 'vrijdag', 'mercredi', 'februar', 'aout', 'vierzehn', 'troisieme'],
    ...['semaines', 'maanden', 'iedere', 'wekelijks', 'jusqua', 'uitgezonderd', 'feestdagen'],
    ...['nachmittag', 'ochtend', 'omstreeks', 'volgende', 'vergangene', 'aanstaande'],
    ...['geannuleerd', 'abgesagt', 'uitgesteld', 'Domicile', 'karfreitag'],
  ])('has "%s" in no other file', (word) => {
    const found = sources.filter(({ text }) =>
      new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'u').test(text),
    );
    expect(found.map(({ path }) => path)).toEqual(['dates/vocabulary.ts']);
  });

  it('takes "di" and "ma" for other days in French', () => {
    const days = (isFrench: boolean) =>
      ['di', 'ma', 'sam', 'so'].map((word) => vocabulary.weekdayOf(word, isFrench));
    expect(days(true)).toEqual([0, 2, 6, 0]);
    expect(days(false)).toEqual([2, 1, 6, 0]);
  });
});
