import { describe, expect, it } from 'vitest';
import { readDay, readMoment, readTimeOfDay } from '../../../../server/dates/line/fields.ts';
import { readStep, readWeekday } from '../../../../server/dates/line/step.ts';
import { type Language, languages, translator } from '../../../../server/messages/messages.ts';

const today = '2026-11-22';

it.each(['en-GB', 'en-US', 'en-CA', 'de-DE', 'de-AT', 'de-CH', 'fr-FR', 'fr-CA', 'nl-NL', 'nl-BE'])(
  'reads the dates and times that the form shows in %s',
  (tag) => {
    const language = tag.slice(0, 2) as Language;
    const format = new Intl.DateTimeFormat(tag, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    });
    const clock = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit' });
    for (let index = 0; index < 400; index += 1) {
      const date = new Date(2026, 0, 1 + index * 3, index % 24, index % 60);
      const month = String(date.getMonth() + 1).padStart(2, '0');
      const day = `${date.getFullYear()}-${month}-${String(date.getDate()).padStart(2, '0')}`;
      const text = format.format(date);
      expect(readDay(text, { today, language }), text).toBe(day);
      const time = clock.format(date);
      expect(readTimeOfDay(time, { today, language }), time).toBe(date.toTimeString().slice(0, 5));
    }
  },
);

it('knows how long a month is', () => {
  const read = (text: string) => readDay(text, { today, language: 'en' });
  expect(read('31 Nov')).toMatchObject({ days: 30, hasYear: false });
  expect(read('30.2.2027')).toMatchObject({ days: 28, first: '2027-02-01', hasYear: true });
  expect(read('30 February')).toMatchObject({ days: 29, hasYear: false });
  expect(read('29 February')).toBe('2028-02-29');
  expect(read('never')).toBeUndefined();
});

it.each([
  ['', ''],
  ['tba', ''],
  ['9', '09:00'],
  ['19', '19:00'],
  ['7pm', '19:00'],
  ['19h30', '19:30'],
  ['1930', '19:30'],
  ['24', undefined],
  ['soon', undefined],
  ['half past 7', '19:30'],
  ['half past 7 Hall', undefined],
  // Digits of other scripts are not read, and not taken for a missing time.
  ['١٩:٣٠', undefined],
  ['１９：３０', undefined],
])('reads the time %j as %j', (text, time) => {
  expect(readTimeOfDay(text, { today, language: 'en' })).toBe(time);
});

it.each([
  ['de', 'halb 8'],
  ['de', 'halb acht'],
  ['fr', 'sept heures et demie'],
  ['nl', 'half acht'],
] as const)('reads the time of the line in %s: %s', (language, text) => {
  expect(readTimeOfDay(text, { today, language })).toBe('19:30');
});

it.each([
  ['en', 'Tue 19:00', '19:00'],
  ['en', '24.11. 19:00', '19:00'],
  ['en', '24 Nov 7pm', '19:00'],
  ['de', 'Di 19 Uhr', '19:00'],
  ['fr', 'mar 19h30', '19:30'],
  ['nl', 'dinsdag 19.00', '19:00'],
] as const)('reads the date and the time in the %s text %j', (language, text, time) => {
  expect(readMoment(text, { today, language })).toEqual({ day: '2026-11-24', time });
});

it.each(['Tue', '24 Nov 2026', '19:00', 'Tue 19:00 hall', 'soon', ''])(
  'reads no date with a time in %j',
  (text) => {
    expect(readMoment(text, { today, language: 'en' })).toBeUndefined();
  },
);

describe('a step', () => {
  it.each([
    ['30 minutes later', 30],
    ['an hour earlier', -60],
    ['+15 min', 15],
    ['-1 h', -60],
    ['30 Minuten später', 30],
    ['eine Woche früher', -10_080],
    ['30 minutes plus tôt', -30],
    ['2 jours plus tard', 2_880],
    ['1 dag eerder', -1_440],
    ['2 weken later', 20_160],
    ['30 minutes', undefined],
    ['later', undefined],
    ['0 days later', undefined],
    ['30 minutes later today', undefined],
    ['19:30', undefined],
  ])('is read: %s', (text, minutes) => {
    expect(readStep(text)).toBe(minutes);
  });

  it.each(Object.keys(languages) as Language[])(
    'is read in %s as its button writes it',
    (language) => {
      const t = translator(language);
      expect(readStep(t('selection:minutesLater'))).toBe(30);
      expect(readStep(t('selection:minutesEarlier'))).toBe(-30);
      expect(readStep(t('selection:daysLater'))).toBe(1_440);
      expect(readStep(t('selection:weekLater'))).toBe(10_080);
    },
  );

  it('may be a day of the week, in the language of the reader first', () => {
    expect(readWeekday('Thursday', 'en')).toBe(4);
    expect(readWeekday('Di', 'de')).toBe(2);
    expect(readWeekday('di', 'fr')).toBeUndefined();
    expect(readWeekday('dim.', 'fr')).toBe(0);
    expect(readWeekday('zondag', 'nl')).toBe(0);
    expect(readWeekday('someday', 'en')).toBeUndefined();
  });
});
