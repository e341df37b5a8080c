import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { boundsOf, listDays, type Rule, readRepetition } from '../../../server/dates/repetition.ts';

const table = readFileSync(join(import.meta.dirname, 'repetitions/repetitions.tsv'), 'utf8');

const week = (...weekdays: number[]): Rule => ({ unit: 'week', interval: 1, weekdays });
const month = (weekday: number, nth: number): Rule => ({
  unit: 'month',
  interval: 1,
  weekdays: [weekday],
  nth,
});
const each = (unit: Rule['unit'], interval = 1): Rule => ({ unit, interval, weekdays: [] });
const otherTuesday: Rule = { ...week(2), interval: 2 };
const fifteenth: Rule = { ...each('month'), monthDay: 15 };

/** Texts and their rules. */
const rules: readonly (readonly [string, Rule])[] = [
  ['every Tue', week(2)],
  ['Every Tuesday', week(2)],
  ['every Tue and Thu', week(2, 4)],
  ['every Mon, Wed & Fri', week(1, 3, 5)],
  ['every Mon to Fri', week(1, 2, 3, 4, 5)],
  ['each Sunday', week(0)],
  ['Tuesdays', week(2)],
  ['weekly', each('week')],
  ['daily', each('day')],
  ['every 2 weeks', each('week', 2)],
  ['every other Tuesday', otherTuesday],
  ['every second Tuesday', otherTuesday],
  ['2nd Saturday of the month', month(6, 2)],
  ['1st Monday of every month', month(1, 1)],
  ['every last Friday', month(5, -1)],
  ['every month on the 15th', fifteenth],
  ['every 3 months', each('month', 3)],
  ['yearly', each('year')],
  ['jeden Dienstag', week(2)],
  ['jeden Di und Do', week(2, 4)],
  ['dienstags', week(2)],
  ['dienstags und donnerstags', week(2, 4)],
  ['jeden Mo-Fr', week(1, 2, 3, 4, 5)],
  ['täglich', each('day')],
  ['wöchentlich', each('week')],
  ['alle 2 Wochen', each('week', 2)],
  ['alle zwei Wochen', each('week', 2)],
  ['alle 14 Tage', each('day', 14)],
  ['jeden zweiten Dienstag', otherTuesday],
  ['jeden 2. Samstag im Monat', month(6, 2)],
  ['jeden zweiten Dienstag im Monat', month(2, 2)],
  ['letzter Freitag im Monat', month(5, -1)],
  ['am 15. jedes Monats', fifteenth],
  ['jährlich', each('year')],
  ['tous les mardis', week(2)],
  ['tous les mardis et jeudis', week(2, 4)],
  ['chaque mardi', week(2)],
  ['chaque di', week(0)],
  ['tous les jours', each('day')],
  ['tous les 15 jours', each('week', 2)],
  ['un mardi sur deux', otherTuesday],
  ['le premier samedi du mois', month(6, 1)],
  ['le 15 de chaque mois', fifteenth],
  ['tous les deux mois', each('month', 2)],
  ['tous les ans', each('year')],
  ['elke dinsdag', week(2)],
  ['elke di', week(2)],
  ['elke ma', week(1)],
  ['om de week', each('week', 2)],
  ['elke 2 weken', each('week', 2)],
  ['elke eerste zaterdag van de maand', month(6, 1)],
  ['elke maand op de 15e', fifteenth],
  ['jaarlijks', each('year')],
];

/** Repetitions without the days off of the club. */
const withoutDaysOff = [
  'every Tue except holidays',
  'every Tue, except during school holidays, until 30 June',
  'every Tue until 30 June except public holidays and school holidays',
  'every Tue not in the holidays',
  'every Tue, 10 times, except days off',
  'jeden Di außer Ferien',
  'jeden Dienstag ausser in den Schulferien bis 30. Juni',
  'jeden Di, außer an Feiertagen und in den Ferien, 10 mal',
  'tous les mardis sauf vacances',
  "tous les mardis jusqu'au 30 juin, sauf pendant les vacances scolaires",
  'tous les mardis hors vacances et jours fériés',
  'elke dinsdag behalve vakanties',
  'elke dinsdag behalve in de vakanties tot 30 juni',
  'elke di, niet op feestdagen',
];

/** Holidays of a club. */
const holidays = [
  { first: '2027-07-28', last: '2027-09-10', name: 'Sommerferien Berlin' },
  { first: '2027-07-28', last: '2027-09-10', name: 'Summer holidays 2027' },
  { first: '2026-12-21', last: '2027-01-03', name: 'Vacances de Noël' },
  { first: '2026-12-21', last: '2027-01-03', name: 'Kerstvakantie' },
];

/** Texts on Wednesday 25 November 2026, with the first possible day and the end. */
const bounds = [
  ['every Tue until 30 June', '2026-11-25', '2027-06-30'],
  ['every Tue until 2027-06-30', '2026-11-25', '2027-06-30'],
  ["every Tue until 30 June '28", '2026-11-25', '2028-06-30'],
  ['jeden Di bis zum 30.6.', '2026-11-25', '2027-06-30'],
  ['tous les mardis jusqu’au 30 juin', '2026-11-25', '2027-06-30'],
  ['elke dinsdag tot en met 30 juni', '2026-11-25', '2027-06-30'],
  ['every Tue 10 times', '2026-11-25', 10],
  ['jeden Di, 10 mal', '2026-11-25', 10],
  ['tous les mardis, 10 fois', '2026-11-25', 10],
  ['elke dinsdag 10 keer', '2026-11-25', 10],
  ['every Tue 10x', '2026-11-25', 10],
  ['every Tue from 5 January until 30 June', '2027-01-05', '2027-06-30'],
  ['jeden Di ab 5. Januar bis 30. Juni', '2027-01-05', '2027-06-30'],
  ['tous les mardis à partir du 5 janvier jusqu’à Pâques', '2027-01-05', '2027-03-28'],
  ['elke di vanaf januari tot Pasen', '2027-01-01', '2027-03-28'],
  ['every Tue until Easter', '2026-11-25', '2027-03-28'],
  ['jeden Di bis Pfingsten 2028', '2026-11-25', '2028-06-04'],
  ['every Tue until Christmas', '2026-11-25', '2026-12-24'],
  ['jeden Di bis Karfreitag', '2026-11-25', '2027-03-26'],
  ['every Tue until June', '2026-11-25', '2027-06-30'],
  ['every Tue through the end of February', '2026-11-25', '2027-02-28'],
  ['jeden Di bis Ende Juni', '2026-11-25', '2027-06-30'],
  ['jeden Di bis Mitte Mai', '2026-11-25', '2027-05-15'],
  ['jeden Di bis Ende des Jahres', '2026-11-25', '2026-12-31'],
  ['tous les mardis jusqu’à fin juin', '2026-11-25', '2027-06-30'],
  ['tous les mardis jusqu’à la mi-mai', '2026-11-25', '2027-05-15'],
  ['elke di tot eind juni 2028', '2026-11-25', '2028-06-30'],
  ['elke di t/m juni', '2026-11-25', '2027-06-30'],
  ['every Tue for 10 weeks', '2026-11-25', '2027-02-02'],
  ['every Tue for the next three months', '2026-11-25', '2027-02-24'],
  ['jeden Di 10 Wochen lang', '2026-11-25', '2027-02-02'],
  ['jeden Di für 10 Wochen', '2026-11-25', '2027-02-02'],
  ['tous les mardis pendant 10 semaines', '2026-11-25', '2027-02-02'],
  ['elke di gedurende 10 weken', '2026-11-25', '2027-02-02'],
  ['every Tue until the summer holidays', '2026-11-25', '2027-07-27'],
  ['jeden Di bis zu den Sommerferien', '2026-11-25', '2027-07-27'],
  ['tous les mardis jusqu’aux vacances de Noël', '2026-11-25', '2026-12-20'],
  ['elke di tot de kerstvakantie', '2026-11-25', '2026-12-20'],
] as const;

/** Texts on that day, and the days that they leave out. */
const exceptions = [
  ['every Tue except 22 Dec until 30 Jan 2027', '2026-12-22'],
  ['every Tue except 22 and 29 Dec until 30 Jan 2027', '2026-12-22 2026-12-29'],
  ['every Tue except Christmas', ''],
  ['every Fri except Christmas and Boxing Day', '2026-12-25 2027-12-24'],
  ['every Tue except from 22 Dec 2026 to 5 Jan 2027', '2026-12-22 2026-12-29 2027-01-05'],
  ['jeden Di außer am 22.12. und 5.1.', '2026-12-22 2027-01-05'],
  ['jeden Di außer vom 22.12.2026 bis 5.1.2027 bis 30. Juni', '2026-12-22 2026-12-29 2027-01-05'],
  ['jeden Mo außer Ostern', '2027-03-29 2028-04-17'],
  ['tous les mardis sauf le 22 décembre', '2026-12-22'],
  ['tous les mardis sauf en août 2027', '2027-08-03 2027-08-10 2027-08-17 2027-08-24 2027-08-31'],
  ['elke di behalve 22 december', '2026-12-22'],
  ['elke di behalve in de kerstvakantie', '2026-12-22 2026-12-29'],
] as const;

/** Monday to Friday. */
const everyWeekday = [
  'every weekday',
  'weekdays',
  'jeden Werktag',
  'werktags',
  'jeden Wochentag',
  'unter der Woche',
  'chaque jour ouvré',
  'tous les jours ouvrés',
  'en semaine',
  'elke werkdag',
  'doordeweeks',
];

/** Tuesdays in odd weeks, and in even ones. */
const weeksByNumber = {
  odd: [
    'Tuesdays in odd weeks',
    'every odd week on Tuesday',
    'jede ungerade Woche dienstags',
    'dienstags in ungeraden Kalenderwochen',
    'le mardi des semaines impaires',
    'elke oneven week op dinsdag',
  ],
  even: [
    'every Tuesday in even weeks',
    'jeden Dienstag in geraden Wochen',
    'les mardis des semaines paires',
    'dinsdag in de even weken',
  ],
} as const;

/** Texts without one clear meaning. */
const unclear = [
  '',
  'Tuesday',
  'mardi et jeudi',
  'every blue moon',
  'every 2nd Tuesday',
  'jeden 3. Samstag',
  'every month on Tuesday',
  'daily on Monday',
  'every 0 weeks',
  'every Tue 0 times',
  'every 40th of the month',
  'Training every Tue',
  'every Tue 10 times until 30 June',
  'every Tue except',
  'every Tue except Mondays',
  'holidays every Tue',
  'every Tue for 3 days',
  'every Tue for 10 weeks until June',
  'tous les jours de la semaine',
  'every Tue except 22 Dec except 29 Dec until summer',
];

describe('a repetition', () => {
  it.each(rules)('is read from %j', (text, rule) => {
    expect(readRepetition(text)).toEqual({ rule });
  });

  it.each(bounds)('has the bounds in %j', (text, from, until) => {
    const written = readRepetition(text, holidays);
    expect(written?.rule).toEqual(week(2));
    const end = typeof until === 'number' ? { count: until } : { until };
    expect(written && boundsOf(written, '2026-11-25')).toEqual({ from, end, except: [] });
  });

  it.each(exceptions)('leaves out the days in %j', (text, expected) => {
    const written = readRepetition(text, holidays);
    expect(written && boundsOf(written, '2026-11-25')?.except.join(' ')).toBe(expected);
  });

  it('knows no holidays that the club does not have, and leaves out no day that is none of its', () => {
    expect(readRepetition('every Tue until the summer holidays')).toBeUndefined();
    expect(readRepetition('jeden Di bis zu den Osterferien', holidays)).toBeUndefined();
    const written = readRepetition('every Tue except 23 Dec');
    expect(written && boundsOf(written, '2026-11-25')).toBeUndefined();
  });

  it.each(everyWeekday)('is from Monday to Friday in %j', (text) => {
    expect(readRepetition(text)?.rule).toEqual(week(1, 2, 3, 4, 5));
  });

  it.each(
    Object.entries(weeksByNumber).flatMap(([weeks, texts]) => texts.map((text) => [text, weeks])),
  )('is in weeks by their number in %j', (text, weeks) => {
    expect(readRepetition(text ?? '')?.rule).toEqual({ ...week(2), weeks });
  });

  it('counts weeks by ISO 8601, where week 1 follows week 53', () => {
    const rule = { ...week(2), weeks: 'odd' } as const;
    expect(listDays(rule, '2026-12-01', { count: 5 }).days).toEqual([
      '2026-12-01',
      '2026-12-15',
      '2026-12-29',
      '2027-01-05',
      '2027-01-19',
    ]);
  });

  it.each(withoutDaysOff)('leaves out the days off of the club in %j', (text) => {
    const { rule, exceptDaysOff } = readRepetition(text) ?? {};
    expect(rule).toEqual(week(2));
    expect(exceptDaysOff).toBe(true);
  });

  it.each(unclear)('is not guessed from %j', (text) => {
    expect(readRepetition(text)).toBeUndefined();
  });

  it('has the days that python-dateutil gives for 2,000 random ones', () => {
    const lines = table.trimEnd().split('\n');
    expect(lines).toHaveLength(2_000);
    for (const line of lines) {
      const [unit, interval, weekdays = '', nth, monthDay, first = '', end = '', days = ''] =
        line.split('\t');
      const rule: Rule = {
        unit: unit as Rule['unit'],
        interval: Number(interval),
        weekdays: weekdays === '' ? [] : weekdays.split(',').map(Number),
        ...(nth !== '' && { nth: Number(nth) }),
        ...(monthDay !== '' && { monthDay: Number(monthDay) }),
      };
      const found = listDays(
        rule,
        first,
        end.includes('-') ? { until: end } : { count: Number(end) },
      );
      const offsets = found.days.map((day) => (Date.parse(day) - Date.parse(first)) / 86_400_000);
      expect(offsets.join(','), line).toBe(days);
    }
  });

  it('begins on the first day that fits, and leaves days out without counting them', () => {
    const leftOut = new Set(['2027-01-12']);
    expect(listDays(week(2), '2027-01-01', { count: 3 }, leftOut)).toEqual({
      days: ['2027-01-05', '2027-01-19', '2027-01-26'],
      isCut: false,
    });
  });

  it('ends after two years, and says so', () => {
    const { days, isCut } = listDays(each('year'), '2027-05-01', { count: 5 });
    expect(days).toEqual(['2027-05-01', '2028-05-01', '2029-05-01']);
    expect(isCut).toBe(true);
  });
});
