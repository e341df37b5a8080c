import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlainWords, parsePlainWords } from '../../../../server/dates/line/plain-words.ts';
import { tokenizeLine } from '../../../../server/dates/tokens.ts';
import type { Language } from '../../../../server/messages/messages.ts';
import { choose } from '../../../support/long.ts';
import { fc } from '../../../support/random.ts';
import { sentences } from './sentences.ts';

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

/** Words that change a day or a time when they stand beside it. */
const pieces: Readonly<Record<Language, string>> = {
  en: 'Training|Lake House|Tue|Thu|Saturday|week|every|next|last|1st|of|December|5|5 July|to|and|until|-|7pm|7.30|half|seven|15:00|tomorrow|night|Boxing Day|a fortnight|in|or|from|,',
  de: 'Training|Am See|Di|Do|Samstag|Woche|jeden|nächsten|letzten|1.|im|Dezember|5.|5. Juli|bis|und|vor|-|19 Uhr|19.30|halb|acht|15:00|morgen|Abend|Silvester|in 14 Tagen|in|oder|von|KW 49',
  fr: 'Entraînement|Le Lac|mar|jeu|samedi|semaine|chaque|prochain|dernier|1er|de|décembre|5|5 juillet|au|et|avant|-|19h|19h30|et demie|huit heures|15h00|demain|soir|lundi de Pâques|en huit|dans|ou|du|,',
  nl: 'Training|Het Meer|di|do|zaterdag|week|elke|volgende|laatste|1e|van|december|5|5 juli|tot|en|voor|-|19u|19.30|half|acht|15:00|morgen|avond|Koningsdag|over 14 dagen|over|of|van|,',
};
const anySentence = fc.constantFrom<Language>('en', 'de', 'fr', 'nl').chain((language) =>
  fc.record({
    language: fc.constant(language),
    text: fc
      .array(fc.constantFrom(...pieces[language].split('|')), { minLength: 2, maxLength: 8 })
      .map((words) => words.join(' ')),
  }),
);

const ownWeekdays: Readonly<Record<Language, string>> = {
  en: 'tue thu saturday',
  de: 'di do samstag',
  fr: 'mar jeu samedi',
  nl: 'di do zaterdag',
};

describe('any sentence', () => {
  it('keeps each word in the name, in the place or in a value that is stored', () => {
    fc.assert(
      fc.property(anySentence, ({ language, text }) => {
        const read = parsePlainWords(text, { ...context, language });
        const { name, day, time, end, repetition, location, parts } = read;
        const stored = {
          name,
          date: day,
          time,
          ends: end,
          repeats: repetition,
          until: repetition,
          location,
        };
        const kept = parts.map(({ field, start, end: to }) => {
          expect(stored[field as keyof typeof stored], field).toBeTruthy();
          return text.slice(start, to);
        });
        expect(wordsOf(kept.join(' '))).toBe(wordsOf(text));
      }),
      { numRuns: choose(3000, 300) },
    );
  });

  it('takes a part of the day as a part of the date only beside a time', () => {
    fc.assert(
      fc.property(anySentence, ({ language, text }) => {
        const { time, parts } = parsePlainWords(text, { ...context, language });
        const dates = parts.filter(({ field }) => field === 'date');
        const words = dates.map(({ start, end }) => wordsOf(text.slice(start, end))).join(' ');
        if (time === undefined)
          expect(words).not.toMatch(/(?:^| )(?:night|abend|soir|avond)(?: |$)/);
      }),
      { numRuns: choose(3000, 300) },
    );
  });

  it('takes no date of which the words name another day', () => {
    fc.assert(
      fc.property(anySentence, ({ language, text }) => {
        const { day, parts } = parsePlainWords(text, { ...context, language });
        const part = parts.find(({ field }) => field === 'date');
        if (part === undefined || day === undefined) return;
        const words = wordsOf(text.slice(part.start, part.end)).split(' ');
        const weekday = new Date(day).getUTCDay();
        const named = ownWeekdays[language]
          .split(' ')
          .map((word, at) => [word, 2 + 2 * at] as const);
        for (const [word, number] of named) {
          // In "mar 5", "mar" may be March.
          if (words.includes(word) && word !== 'mar') expect(weekday, text).toBe(number);
        }
      }),
      { numRuns: choose(3000, 300) },
    );
  });
});
