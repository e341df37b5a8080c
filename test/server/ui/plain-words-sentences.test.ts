import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenizeLine } from '../../../server/dates/date-words.ts';
import type { Language } from '../../../server/messages/messages.ts';
import {
  type PlainWords,
  parsePlainWords,
} from '../../../server/ui/base/plain-words/plain-words.ts';
import { sentences } from './plain-words-sentences.ts';

const zone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const context = { today: '2026-11-25', now: '10:00', places: [] };

type Sentence = {
  readonly text: string;
  readonly date: string;
  readonly time: string;
  readonly end: string;
  readonly name: string;
  /** True if words that are not understood may stay visible. */
  readonly mayAsk: boolean;
};

function readRow(row: string): Sentence {
  const [left = '', right = ''] = row.replace(/ #.*/, '').split('→');
  const [date = '', time = '', end = '', name = ''] = right.split('|').map((part) => part.trim());
  return { text: left.replace(/^\? /, '').trim(), date, time, end, name, mayAsk: /^\?/.test(row) };
}

function wordsOf(text: string): string {
  return tokenizeLine(text)
    .filter(({ kind }) => kind !== 'sign')
    .map((token) => token.text)
    .join(' ');
}

/** Returns the words of the name and the place: those that have no other meaning. */
function visibleWords(text: string, { parts }: PlainWords): string {
  const visible = parts.filter(({ field }) => field === 'name' || field === 'location');
  return wordsOf(visible.map(({ start, end }) => text.slice(start, end)).join(' '));
}

/** Returns true if all words are in the text, in their order. */
function hasWords(text: string, words: string): boolean {
  const rest = text.split(' ');
  return words.split(' ').every((word) => {
    const at = rest.indexOf(word);
    rest.splice(0, at + 1);
    return at >= 0;
  });
}

const rows = Object.entries(sentences).flatMap(([language, table]) =>
  table
    .trim()
    .split('\n')
    .map((row) => ({ language: language as Language, ...readRow(row) })),
);

describe('a sentence as people write it', () => {
  it.each(rows)('in $language: $text', ({ language, text, mayAsk, ...expected }) => {
    const read = parsePlainWords(text, { ...context, language });
    const { day = '', time = '', end } = read;
    const until = [end?.day, end?.time].filter(Boolean).join(' ');
    const visible = visibleWords(text, read);
    const values = { date: day, time, end: until };
    const isAll = (['date', 'time', 'end'] as const).every(
      (field) => values[field] === expected[field],
    );
    if (!mayAsk || isAll) {
      expect({ ...values, name: visible }).toEqual({
        date: expected.date,
        time: expected.time,
        end: expected.end,
        name: wordsOf(expected.name),
      });
      return;
    }
    for (const field of ['date', 'time', 'end'] as const) {
      expect([expected[field], ''], field).toContain(values[field]);
    }
    expect(hasWords(visible, wordsOf(expected.name)), visible).toBe(true);
    expect(visible.length).toBeGreaterThan(wordsOf(expected.name).length);
  });
});
