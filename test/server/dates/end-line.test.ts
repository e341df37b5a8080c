import { describe, expect, it } from 'vitest';
import {
  type EndLanguage,
  type EndWords,
  type Moment,
  readEndLine,
  wordEnd,
} from '../../../server/dates/end-line.ts';
import { translator } from '../../../server/messages/messages.ts';
import { choose } from '../../support/long.ts';

const wordsOf = (language: EndLanguage) => {
  const translate = translator(language);
  return ((key, values) => translate(`value:${key}`, values)) satisfies EndWords;
};

const at = (day: string, time = ''): Moment => ({ day, time });
const line = (end: Moment, start: Moment, language: EndLanguage) =>
  wordEnd(end, start, language, wordsOf(language));

describe('the line of an end', () => {
  it.each<[EndLanguage, string, string, string]>([
    ['en', 'Until 22:00', 'Until Sun 5 July', 'Until Wed 7 July, 15:00'],
    ['de', 'Bis 22:00 Uhr', 'Bis So 5. Juli', 'Bis Mi 7. Juli, 15:00 Uhr'],
    ['fr', 'Jusqu’à 22:00', 'Jusqu’au dim. 5 juillet', 'Jusqu’au mer. 7 juillet à 15:00'],
    ['nl', 'Tot 22:00 uur', 'Tot en met zo 5 juli', 'Tot wo 7 juli, 15:00 uur'],
  ])('has the words of %s', (language, evening, sunday, wednesday) => {
    expect(line(at('2026-07-03', '22:00'), at('2026-07-03', '19:00'), language)).toBe(evening);
    expect(line(at('2026-07-05'), at('2026-07-03'), language)).toBe(sunday);
    expect(line(at('2027-07-07', '15:00'), at('2027-07-03', '10:00'), language)).toBe(wednesday);
  });

  it('is read back in each language, for days of two years at any hour', () => {
    for (const language of ['en', 'de', 'fr', 'nl'] as const) {
      for (let days = 0; days < 730; days += choose(1, 13)) {
        const day = new Date(Date.UTC(2027, 0, 1 + days)).toISOString().slice(0, 10);
        const time = `${String(days % 24).padStart(2, '0')}:${String((days * 7) % 60).padStart(2, '0')}`;
        for (const start of [at('2027-01-01'), at('2027-01-01', '18:30')]) {
          for (const end of [at(day), at(day, time)]) {
            const words = line(end, start, language);
            if (words === '') continue;
            const isBefore = day === start.day && end.time !== '' && end.time <= start.time;
            const read = readEndLine(words, start);
            if (isBefore) expect(read?.end.day).toBe('2027-01-02');
            else expect([words, read]).toEqual([words, { end, language }]);
          }
        }
      }
    }
  });

  it('is a plain note if it says anything else', () => {
    const start = at('2027-07-03', '10:00');
    for (const note of [
      'Until late',
      'Until 22:00, bring a mug',
      'until 5',
      'Until Wed 8 July',
      'Bis Mi 8. Juli',
      'Until 2 July 2027',
      'Until the end of the season',
      'Till Miller plays',
      'Bis bald',
      'Tot ziens',
      'Until',
      '',
      `Until 22:00${' '.repeat(100)}x`,
    ]) {
      expect([note, readEndLine(note, start)]).toEqual([note, undefined]);
    }
  });

  it('reads the ends of earlier imports', () => {
    const start = at('2026-07-03', '19:00');
    for (const [note, end] of [
      ['until 22:00', at('2026-07-03', '22:00')],
      ['bis 02:00 Uhr', at('2026-07-04', '02:00')],
      ['until 5 July 2026', at('2026-07-05')],
      ['bis 5. Juli 2026, 22:00 Uhr', at('2026-07-05', '22:00')],
      ['jusqu’au 5 juillet 2026 à 22:00', at('2026-07-05', '22:00')],
      ['tot en met 5 juli 2026', at('2026-07-05')],
    ] as const) {
      expect([note, readEndLine(note, start)?.end]).toEqual([note, end]);
    }
  });

  it('is left out for an end that is the start', () => {
    expect(line(at('2027-07-03'), at('2027-07-03', '10:00'), 'en')).toBe('');
    expect(line(at('2027-07-03', '10:00'), at('2027-07-03', '10:00'), 'en')).toBe('');
  });
});
