import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listDays, type Rule, readRepetition } from '../../../server/dates/repetition.ts';

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

const june = { month: 6, day: 30 };

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

/** Texts with a first day, a last day or a number of dates. */
const bounds = [
  ['every Tue until 30 June', { until: june }],
  ['every Tue until 2027-06-30', { until: { ...june, year: 2027 } }],
  ['jeden Di bis zum 30.6.', { until: june }],
  ['tous les mardis jusqu’au 30 juin', { until: june }],
  ['elke dinsdag tot en met 30 juni', { until: june }],
  ['every Tue 10 times', { count: 10 }],
  ['jeden Di, 10 mal', { count: 10 }],
  ['tous les mardis, 10 fois', { count: 10 }],
  ['elke dinsdag 10 keer', { count: 10 }],
  ['every Tue 10x', { count: 10 }],
  ['every Tue from 5 January until 30 June', { from: { month: 1, day: 5 }, until: june }],
  ['jeden Di ab 5. Januar bis 30. Juni', { from: { month: 1, day: 5 }, until: june }],
] as const;

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
];

describe('a repetition', () => {
  it.each(rules)('is read from %j', (text, rule) => {
    expect(readRepetition(text)).toEqual({ rule });
  });

  it.each(bounds)('has the bounds in %j', (text, expected) => {
    const { rule, ...read } = readRepetition(text) ?? {};
    expect(rule).toEqual(week(2));
    expect(read).toMatchObject(expected);
    expect(Object.keys(read)).toEqual(Object.keys(expected));
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
