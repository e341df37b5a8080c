import { describe, expect, it } from 'vitest';
import { dateReason } from '../../../server/club/event-draft.ts';
import {
  completeDate,
  type DateOrder,
  looksLikeDate,
  orderOf,
  parseDate,
  readSerial,
} from '../../../server/dates/dates.ts';
import { isNoTime, looksLikeTime, readTime } from '../../../server/dates/times.ts';
import { wordForCommandLine } from '../../../server/messages/messages.ts';
import { choose } from '../../support/long.ts';
import { workedMs } from '../../support/measure.ts';
import { fc } from '../../support/random.ts';

/** Formats a parsed date: `2026-05-02T19:30:00`, `????-05-02` without a year, `…` for a range. */
function read(cell: string, order?: DateOrder): string | undefined {
  const date = parseDate(cell, order);
  if (date === undefined) return undefined;
  const { year, month, day, time, isRange } = date;
  const parts = [String(year ?? '????'), ...[month, day].map((part) => `${part}`.padStart(2, '0'))];
  return `${parts.join('-')}${time === undefined ? '' : `T${time}`}${isRange ? '…' : ''}`;
}

/** Checks lines of texts separated by "|", all with the expected meaning. */
function cases(expected: string, texts: string): [text: string, expected: string][] {
  return texts.split('|').map((text) => [text.trim(), expected]);
}

describe('a date', () => {
  it.each([
    ...cases('2026-05-02', '2026-05-02 | 2026/05/02 | 2026.05.02 | 2026-5-2 | 20260502'),
    ...cases(
      '2026-05-02',
      '2.5.2026 | 02.05.26 | 2. 5. 2026 | 02. 05. 2026 | 2-5-2026 | 2.5.2026.',
    ),
    ...cases(
      '2026-05-02',
      '2/5/2026 | 2/5/26 | 2.5. 26 | 2. 5. 26 | May-2-26 | 2 / 5 / 2026 | 2 Mai 2026, | 2. Mai ’26',
    ),
    ...cases(
      '2026-05-02',
      'Sa 2.5.2026 | Sa., 02.05.26 | Sa.02.05.2026 | SA 2.5.26 | Sonnabend 2.5.26',
    ),
    ...cases('2026-05-02', '2. Mai 2026 | Sa, 2. Mai 2026 | Samstag, 2. Mai 2026 | 2.Mai.2026'),
    ...cases(
      '2026-05-02',
      'Samstag, den 2. Mai 2026 | am 2. Mai 2026 | 2.5.2026 (Sa) | 2.5.2026, Samstag',
    ),
    ...cases(
      '2026-05-02',
      '2 mai 2026 | sam. 2 mai 2026 | le samedi 2 mai 2026 | SAMEDI 2 MAI 2026',
    ),
    ...cases('2026-05-02', '2 mei 2026 | za 2 mei 2026 | zaterdag 2 mei 2026 | za. 2-5-2026'),
    ...cases('2026-05-02', 'May 2, 2026 | May 2nd 2026 | 2nd of May 2026 | 2-May-26 | 2 May 2026'),
    ...cases('2026-05-02', 'Saturday, May 2, 2026 | Sat 2 May 2026 | Saturday the 2nd of May 2026'),
    ...cases('2026-05-02', 'Sa, 2.  Mai 2026 | Sam\u00adstag,\u202f2. Mai 2026 | \ufeff2.5.2026'),
    ...cases('2026-05-01', '1er mai 2026 | 1ᵉʳ mai 2026 | vendredi 1er mai 2026 | 1st May 2026'),
    ...cases('2026-03-02', '2. Mär. 26 | 2. März 2026 | 2. Maerz 2026 | 2 mrt 2026 | 2 mars 2026'),
    ...cases('2026-01-02', '2. Jänner 2026 | 2 janv. 2026 | 2. Jän. 2026 | January 2, 2026'),
    ...cases('2026-02-02', '2. Feber 2026 | 2 févr. 2026 | 2 fevrier 2026 | 2 februari 2026'),
    ...cases('2026-08-02', '2 août 2026 | 2 AOUT 2026 | 2 aug 2026 | 2 augustus 2026'),
    ...cases('2026-12-02', '2 déc. 2026 | 2. Dez. 2026 | 2 december 2026 | Dec 2, 2026'),
    ...cases('2026-05-05', 'mar. 5 mai 2026 | Di 5.5.2026 | di 5 mei 2026 | Tues 5 May 2026'),
    ...cases(
      '????-05-02',
      '2.5. | 02.05. | 02.05 | 2.5 | Sa 2.5. | 2. Mai | May 2 | 2 mai | za 2-5',
    ),
    ...cases('????-12-01', '1.12 | 1.12. | 1 déc.'),
  ])('may be written %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ...cases('2026-05-02T19:30:00', '2026-05-02T19:30 | 2026-05-02 19:30:00 | 2.5.2026 19:30'),
    ...cases('2026-05-02T19:30:00', '02.05.2026 um 19:30 Uhr | 02.05.2026, 19.30 Uhr'),
    ...cases('2026-05-02T19:30:00', '2.5.2026 - 19:30 | 2.5.26 / 19.30 Uhr | 2.5.2026\n19:30'),
    ...cases('2026-05-02T19:30:00', '2. Mai 2026, Beginn: 19:30 Uhr | 2.5.2026 19:30-22:00'),
    ...cases('2026-05-02T19:30:00', 'May 2, 2026 at 7:30 PM | 5/2/2026 7:30 p.m.'),
    ...cases(
      '2026-05-02T20:30:00',
      '2 mai 2026 à 20h30 | 2 mai 2026 à 20 h 30 | 2 mei 2026, 20u30',
    ),
    ...cases(
      '2026-05-02T20:00:00',
      '2 mei 2026 om 20.00 uur | 2. Mai 2026 20 Uhr | 2 mai 2026 20h',
    ),
    ...cases('2026-05-02T14:00:00', '2.5.26 14-17 Uhr | Sa, 2. Mai 2026 von 14 bis 17 Uhr'),
    ...cases('2026-05-02T10:12:00', '2. Mai 2026 – 10.12 Uhr'),
    ...cases(
      '????-05-02T19:30:00',
      'Sa 2.5. 19h30 | 2. Mai 19.30 | May 2, 7:30 PM | 2. 5. 19.30 Uhr',
    ),
    ...cases(
      '????-05-02T18:00:00',
      '2. Mai 18 Uhr | 2 mai 18h | 2 mei, 18.00 uur | 2. Mai 18.00 Uhr',
    ),
    ...cases(
      '????-05-02T14:00:00',
      '2. Mai 14-17 Uhr | 2.5. 14-17 Uhr | 2. 5. 14 - 17 Uhr | 2.5. 14 Uhr -',
    ),
    ...cases('2026-05-02T19:30:10.250', '2026-05-02T19:30:10.250 | 2026-05-02T19:30:10.250999'),
  ])('may have a time behind it: %s', (text, expected) => {
    const order = text.startsWith('5/2') ? 'mdy' : undefined;
    expect(read(text, order)).toBe(expected);
  });

  it.each([
    ...cases('2026-05-01…', '1.-3. Mai 2026 | 01.05.-03.05.2026 | 01.05.2026 – 03.05.2026'),
    ...cases(
      '2026-05-01…',
      '1.5. bis 3.5.2026 | 1.–3.5.26 | 1. bis 3. Mai 2026 | 1/5/2026-3/5/2026',
    ),
    ...cases(
      '2026-05-01…',
      '1–3 May 2026 | May 1–3, 2026 | Fri 1 to Sun 3 May 2026 | 1 & 2 May 2026',
    ),
    ...cases(
      '2026-05-01…',
      'du 1 au 3 mai 2026 | vendredi 1er au dimanche 3 mai 2026 | 1 et 2 mai 2026',
    ),
    ...cases(
      '2026-05-01…',
      '1 t/m 3 mei 2026 | 1 tot en met 3 mei 2026 | 1-5-2026 t/m 3-5-2026 | vr 1 en za 2 mei 2026',
    ),
    ...cases(
      '2026-05-01…',
      'Fr/Sa 1./2. Mai 2026 | Fr 1.5. - So 3.5.2026 | 1., 2. und 3. Mai 2026',
    ),
    ...cases(
      '2026-05-01…',
      '01-mei-26 - 03-mei-27 | 1/5/26-3/5/27 | 2026-05-01/2026-05-03 | 2026-05-01 - 2026-05-03 | 1.5.2026 - 3.5.',
    ),
    ...cases('2026-05-01T18:00:00…', '1.5.2026 18:00 - 3.5.2026 12:00 | 1.-3. Mai 2026, 18 Uhr'),
    ...cases('2026-04-30…', '30.4./1.5.2026 | April 30 – May 2, 2026 | 30. Apr. bis 1. Mai 2026'),
    ...cases('2026-12-30…', '30.12.–2.1.2027 | 30. Dez. - 2. Jan. 2027 | 30.12.2026-2.1.2027'),
    ...cases('????-05-01…', '1.-3. Mai | 1.5.-3.5. | May 1–3 | May 1-10 | 1.-10. Mai'),
    ...cases('2026-05-05…', 'mar 5 – jeu 7 mai 2026'),
  ])('may be the first day of a range: %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each(
    [
      'morgen|KW 18|Mai 2026|05/2026|Frühjahr|Ostern 2026|jeden Dienstag|1. Samstag im Mai|Sa',
      '13.13.2026|0.5.2026|1.0.2026|32.5.2026|32/13/2026|2026-13-01|20261301|1.5.0000|1.5.202',
      '1.5/2026|2 5 2026|２０２６-05-01|45000|18|18:00|20:00 Uhr|2:1|1.2.3|',
      '1.5.2026 24:00|1.5.2026 18:60|1.5.2026 13:00 PM|1.5.2026 18|1.5.2026 soon|2026-05-02T25:00',
      '3.5.2026-1.5.2026|30.-2. Mai 2026|1.-35. Mai 2026|28.11.2026 - 10.12|2.5.2026 mit Essen',
      '2026-05-02T18:00+02:00|2026-05-02 18:00-05:00|2.5.14-17 Uhr|Mai 26|May-26|1.1|2026-05-02T10:00Z|1.5., 2.5., 3.5., 4.5., 5.5.2026',
    ].flatMap((line) => line.split('|')),
  )('is not understood: "%s"', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is not read without its year if that is 0', () => {
    expect(parseDate('0000-01-01', undefined)).toBeUndefined();
  });

  it('is understood even if its month is too short', () => {
    for (const text of ['31.11.2026', 'Nov 31, 2026', '31 novembre 2026', '2026-11-31']) {
      const date = parseDate(text, undefined);
      expect(date).toMatchObject({ year: 2026, month: 11, day: 31 });
      expect(date && completeDate(date, 2026)).toBeUndefined();
    }
    const leapDay = parseDate('29.2.', undefined);
    expect(leapDay && completeDate(leapDay, 2026)).toBeUndefined();
    expect(leapDay && completeDate(leapDay, 2028)).toEqual({ day: '2028-02-29', time: undefined });
  });

  it.each([
    [
      'Sa, 31. November 2026',
      '"Sa, 31. November 2026" does not exist: November 2026 has only 30 days',
    ],
    ['11/31/2026', '"11/31/2026" does not exist: November 2026 has only 30 days'],
    ['31.11.', '"31.11." does not exist: November has only 30 days'],
    ['2026-02-30T18:00Z', '"2026-02-30T18:00Z" does not exist: February 2026 has only 28 days'],
    ['KW 18', /^"KW 18" was not understood as a date; write it like 2026-05-01,/],
    ['2026-05-01T25:00', /^"2026-05-01T25:00" was not understood as a date;/],
  ])('is refused with its reason: %s', (text, reason) => {
    expect(wordForCommandLine(dateReason(text))).toMatch(reason);
  });

  it.each([
    ['Sa 2.5.', [6]],
    ['2.5.2026 (Sa)', [6]],
    ['Sa/So 2./3. Mai', [6]],
    // Dienstag, dinsdag or dimanche; maandag or mardi.
    ['Di 5.5.', [0, 2]],
    ['ma 4 mei', [1, 2]],
    ['mar 5 mai', [2]],
    ['Mar 5, 2026', []],
    ['Mar 5 – Mar 7, 2026', []],
    ['2.5.2026', []],
  ])('has the weekdays that its text can mean: %s', (text, weekdays) => {
    expect(parseDate(text, undefined)?.weekdays).toEqual(weekdays);
  });

  it.each([
    ['31/5/2026', 'dmy'],
    ['5/31/26 7:30 PM', 'mdy'],
    ['Sa 31/5', 'dmy'],
    ['2/5/2026', 'either'],
    ['2/5', 'either'],
    ['5/5/2026', undefined],
    ['2026/05/02', undefined],
    ['32/13/2026', undefined],
    ['2/3 May 2026', undefined],
    ['30.4./1.5.2026', undefined],
    // Hyphens have the day first, unless the column shows something else.
    ['2-5-2026', undefined],
    ['31-5-2026', 'dmy'],
    ['05-31-2026', 'mdy'],
    ['1-5-2026 t/m 3-5-2026', undefined],
    ['2.5.2026', undefined],
  ])('shows the order of day and month: %s, %s', (text, order) => {
    expect(orderOf(text)).toBe(order);
  });

  it('is read in the order of its column', () => {
    expect(read('2/5/2026', 'mdy')).toBe('2026-02-05');
    expect(read('2-5-2026', 'mdy')).toBe('2026-02-05');
    expect(read('2.5.2026', 'mdy')).toBe('2026-05-02');
    expect(read('5/31/2026')).toBe('2026-05-31');
    expect(read('31/5/2026', 'mdy')).toBeUndefined();
    expect(read('05-31-2026')).toBeUndefined();
  });

  it('looks unlike other texts', () => {
    const dates =
      '2.5.2026|31.11.2026|2.5.|Sa 2.5|2. Mai|2/5/26|5/31/26|2026-05-01T18:00:00Z|20260502';
    for (const text of dates.split('|')) expect([text, looksLikeDate(text)]).toEqual([text, true]);
    const others = '2.5|2/5|2-1|45000|10115|12345678|18:00|18.30|Mai 2026|Sommerfest||-';
    for (const text of others.split('|'))
      expect([text, looksLikeDate(text)]).toEqual([text, false]);
  });

  it('is not taken for the number of a date in Excel', () => {
    expect(readSerial('2.5')).toBeUndefined();
    expect(readSerial('02.05')).toBeUndefined();
    expect(readSerial('45000.75')).toEqual({ day: '2023-03-15', time: '18:00:00' });
  });
});

describe('a date formatted by Intl', () => {
  const locales = ['en-GB', 'en-US', 'de-DE', 'de-AT', 'de-CH', 'fr-FR', 'fr-CH', 'nl-NL', 'nl-BE'];
  const styles: readonly Intl.DateTimeFormatOptions[] = [
    ...(['full', 'long', 'medium', 'short'] as const).map((dateStyle) => ({ dateStyle })),
    ...(['full', 'long', 'medium', 'short'] as const).map((dateStyle) => ({
      dateStyle,
      timeStyle: 'short' as const,
    })),
    ...(['long', 'short'] as const).flatMap((weekday) =>
      (['long', 'short', 'numeric', '2-digit'] as const).flatMap((month) =>
        (['numeric', '2-digit'] as const).map(
          (year) => ({ weekday, day: 'numeric', month, year }) as const,
        ),
      ),
    ),
  ];
  const minutes = fc.integer({
    min: Date.UTC(1970, 0, 1) / 60_000,
    max: Date.UTC(2068, 11, 31) / 60_000,
  });

  it.each(choose(locales, ['en-GB', 'en-US', 'de-AT', 'fr-CH', 'nl-BE']))(
    'is read back to the same day: %s',
    (locale) => {
      const order = locale === 'en-US' ? 'mdy' : 'dmy';
      const formats = styles.map((style) => {
        const format = new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' });
        return { format, hasTime: style.timeStyle !== undefined };
      });
      const check = (minute: number) => {
        const iso = new Date(minute * 60_000).toISOString();
        for (const { format, hasTime } of formats) {
          const text = format.format(new Date(iso));
          const expected = hasTime ? iso.slice(0, 19) : iso.slice(0, 10);
          expect([text, read(text, order), looksLikeDate(text)]).toEqual([text, expected, true]);
        }
      };
      fc.assert(fc.property(minutes, check), { numRuns: 100 });
    },
  );
});

describe('a date with a time', () => {
  const dates: ((day: number, month: string, year: number) => [text: string, hasYear: boolean])[] =
    [
      (day, month) => [`${day}. ${month}`, false],
      (day, month) => [`Sa, ${day} ${month}`, false],
      (day, month, year) => [`${day}. ${month} ${year}`, true],
      (day, month, year) => [`${day} ${month} ${year % 100}`, true],
      (day, month, year) => [`${month} ${day}, ${year}`, true],
      (day, month) => [`${month} ${day}`, false],
      (day, _, year) => [`${day}.5.${year}`, true],
      (day, _, year) => [`${day}.05.${year % 100}`, true],
      (day) => [`${day}.5.`, false],
      (day) => [`${day}. 5.`, false],
    ];
  const times: ((hour: number, minute: string) => string)[] = [
    (hour, minute) => `${hour}:${minute}`,
    (hour, minute) => `${hour}.${minute} Uhr`,
    (hour, minute) => `${hour}h${minute}`,
    (hour, minute) => `${hour}:${minute} - ${hour + 1}:30 Uhr`,
    (hour, minute) => `${hour}.${minute}–${hour + 1}.30`,
  ];
  const separators = [' ', ', ', ' um ', ' ab ', ' - ', ' / ', '\n'];

  it('is read rightly or not at all', () => {
    const parts = fc.tuple(
      fc.constantFrom(...dates),
      fc.integer({ min: 1, max: 31 }),
      fc.constantFrom('May', 'Mai', 'mei'),
      fc.integer({ min: 2025, max: 2050 }),
      fc.constantFrom(...separators),
      fc.constantFrom(...times),
      fc.integer({ min: 0, max: 22 }),
      fc.constantFrom('00', '05', '10', '12', '15', '30', '45'),
    );
    const check = (values: typeof parts extends fc.Arbitrary<infer Value> ? Value : never) => {
      const [writeDate, day, name, year, separator, writeTime, hour, minute] = values;
      const [date, hasYear] = writeDate(day, name, year);
      const isEnglish = !date.startsWith(name) || name === 'May';
      const text = `${isEnglish ? date : date.replace(name, 'May')}${separator}${writeTime(hour, minute)}`;
      const [dayText, hourText] = [day, hour].map((number) => `${number}`.padStart(2, '0'));
      const expected = `${hasYear ? year : '????'}-05-${dayText}T${hourText}:${minute}:00`;
      expect([text, read(text) ?? expected]).toEqual([text, expected]);
    };
    fc.assert(fc.property(parts, check), { numRuns: choose(5000, 200) });
  });
});

describe('a time', () => {
  it.each([
    ...cases('18:00:00', '18:00 | 18:00:00 | 18.00 | 18.00 Uhr | 18:00Uhr | 18 Uhr | 18h | 18h00'),
    ...cases('18:00:00', '6 PM | 6pm | 6:00 p.m. | 6.00 P.M. | 18.00 uur | 18u00 | 18 uur | 1800'),
    ...cases(
      '18:00:00',
      'ab 18 Uhr | ca. 18 Uhr | vers 18h | from 6pm | à partir de 18h | vanaf 18u',
    ),
    ...cases(
      '18:00:00',
      '0.75 | 0,75 | .75 | 1800 Uhr | 18:00 h | 18.00h | um 18:00 Uhr | Beginn: 18 Uhr',
    ),
    ...cases('18:30:00', '18 h 30 | 18h30 | 18 Uhr 30 | 6:30pm | 6.30 p.m. | 18:30:00'),
    ...cases(
      '19:30:00',
      '19:30–21:00 | 19:30 bis 21:00 Uhr | 19.30-21.00 | 19:30 - open end | 19:30 – ?',
    ),
    ...cases(
      '19:00:00',
      'von 19 bis 21 Uhr | 19-21 Uhr | 19–21 | 7–9 pm | 19h à 21h | 19 t/m 21 uur',
    ),
    ...cases(
      '19:00:00',
      '19 bis ca. 22 Uhr | zwischen 19 und 21 Uhr | entre 19h et 21h | 19-24 Uhr',
    ),
    ...cases('11:00:00', '11–1 pm | 11 am - 1 pm | 11–12.30 pm'),
    ...cases('12:00:00', 'noon | midi | 12 noon | 12 pm | 12-2pm'),
    ...cases('00:00:00', '12 AM | 0:00 | 0 Uhr | 0'),
    ...cases('18:00:00.250', '18:00:00.250 | 18:00:00,25'),
  ])('may be written %s', (text, expected) => {
    expect(readTime(text)).toBe(expected);
  });

  it.each(
    'soon|18|0.15|24:00|18:60|13 PM|0:30 PM|21-19|2:1|2400|1860|midnight|mittags|bis 22 Uhr|18:0|45.5|02.05.|02.05.26|'.split(
      '|',
    ),
  )('is not understood: "%s"', (text) => {
    expect(readTime(text)).toBeUndefined();
  });

  it('looks unlike other texts', () => {
    for (const text of '18:00|18.00|18 Uhr|6pm|20u30|19:30–21:00|noon'.split('|')) {
      expect([text, looksLikeTime(text)]).toEqual([text, true]);
    }
    for (const text of '18|1800|0.75|0,75|.5|19-21|3-1|2.5.2026|Fest|'.split('|')) {
      expect([text, looksLikeTime(text)]).toEqual([text, false]);
    }
  });

  it('may be open', () => {
    const open =
      '-|–|—|?|...|ganztägig|Ganztags|all day|All-day|toute la journée|hele dag|tba|t.b.a.|TBC|offen|n.n.|N. N.|n/a|';
    for (const text of open.split('|')) expect([text, isNoTime(text)]).toEqual([text, true]);
    for (const text of '18:00|abends|18|Fest'.split('|')) {
      expect([text, isNoTime(text)]).toEqual([text, false]);
    }
  });
});

describe('a hostile cell', () => {
  const parts =
    '1-|1.|1/|1,|1 |sa |sa/|mar |1/1/1-|1.1.26 10:00-|10:00-|am |um |:|.| |\u0301|ﷺ'.split('|');
  const cells = parts.flatMap((part) => [
    part.repeat(Math.floor(100 / part.length)),
    part.repeat(1_000_000 / part.length),
    `${part.repeat(1_000_000 / part.length)}x`,
  ]);

  it('is read without a delay', () => {
    for (const cell of cells) {
      const start = workedMs();
      parseDate(cell, undefined);
      orderOf(cell);
      looksLikeDate(cell);
      readSerial(cell);
      readTime(cell);
      looksLikeTime(cell);
      isNoTime(cell);
      expect([cell.slice(0, 20), workedMs() - start < 1000]).toEqual([cell.slice(0, 20), true]);
    }
  });

  it('never throws', () => {
    const words = fc.constantFrom(
      ...'Sa|.|2|05|2026|Mai|mar|-|–|/|,|:|bis|t/m|Uhr|h|pm|um| |T'.split('|'),
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 20 }), (tokens) => {
        const text = tokens.join('');
        const date = parseDate(text, undefined);
        if (date === undefined) return;
        expect(date.month).toBeGreaterThanOrEqual(1);
        expect(date.month).toBeLessThanOrEqual(12);
        expect(date.day).toBeGreaterThanOrEqual(1);
        expect(date.day).toBeLessThanOrEqual(31);
      }),
      { numRuns: choose(5000, 200) },
    );
  });
});
