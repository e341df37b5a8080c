import { describe, expect, it } from 'vitest';
import { type PlainWords, parsePlainWords } from '../../../../server/dates/line/plain-words.ts';
import { boundsOf, planDays } from '../../../../server/dates/repetition.ts';
import { tokenizeLine } from '../../../../server/dates/tokens.ts';
import { type Meant, places, randomSentences, today } from './random-sentences.ts';

const wordsOf = (text: string) =>
  tokenizeLine(text)
    .filter(({ kind }) => kind !== 'sign')
    .map((token) => token.text)
    .join(' ');

/** Returns what the form gets from a line, in the words of the generator. */
function read({ text, language }: Meant): Omit<Meant, 'text' | 'language'> {
  const words = parsePlainWords(text, { today, now: '10:00', language, places });
  const { name, day = '', time = '', end, location = '', repetition } = words;
  const bounds = repetition && day !== '' ? boundsOf(repetition, day) : undefined;
  const last = bounds?.end;
  const plan =
    repetition && bounds && last
      ? planDays(repetition.rule, bounds.from, last, () => new Set(bounds.except))
      : undefined;
  const left = plan?.possible.filter((possible) => !plan.days.includes(possible)) ?? [];
  return {
    name: wordsOf(name),
    day,
    time,
    end: end?.time ?? '',
    place: location,
    weekdays: repetition?.rule.weekdays ?? [],
    until: last === undefined ? '' : 'until' in last ? last.until : String(last.count),
    except: left.join(' '),
  };
}

/** Returns the words of a line that no part has. */
function lostWords(text: string, { parts }: PlainWords): string {
  const rest = parts.reduceRight(
    (before, { start, end }) => `${before.slice(0, start)} ${before.slice(end)}`,
    text,
  );
  return wordsOf(rest);
}

describe('500 random sentences in four languages', () => {
  it('are read as they are meant, or asked about', () => {
    const meant = randomSentences.map(({ text, language, name, ...rest }) => ({
      text,
      read: { ...rest, name: wordsOf(name) },
    }));
    expect(randomSentences.map((one) => ({ text: one.text, read: read(one) }))).toEqual(meant);
    const asked = randomSentences.filter(({ day }) => day === '');
    expect(asked.length).toBeLessThan(randomSentences.length / 2);
    for (const { text, language } of asked) {
      const { isDayUnclear, unread = '' } = parsePlainWords(text, { today, language, places });
      expect([isDayUnclear, text.includes(unread) && unread !== ''], text).toEqual([true, true]);
    }
  });

  it('lose no word', () => {
    const lost = randomSentences.map(({ text, language }) =>
      lostWords(text, parsePlainWords(text, { today, language, places })),
    );
    expect(lost.filter((words) => words !== '')).toEqual([]);
  });
});
