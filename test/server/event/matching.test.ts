import { describe, expect, it } from 'vitest';
import { createClock } from '../../../server/dates/clock.ts';
import { matchEvents, plainName } from '../../../server/event/matching.ts';

const clock = createClock('Europe/Berlin');
const now = new Date('2026-11-25T12:00:00Z');

type Row = readonly [name: string, moment: string, place?: string, number?: string];

const momentOf = (text: string) => {
  const [day = '', time = ''] = text.split(' ');
  return new Date(clock.instantOf({ day, time })).toISOString();
};

const eventOf = ([name, moment, place, number]: Row) => ({
  name,
  date: momentOf(moment),
  place,
  number,
  moment,
});

/** Pairs rows and returns "new moment ← old moment" for each pair, and "? moment" for doubts. */
function match(here: readonly Row[], rows: readonly Row[], isImported = true): string[] {
  const more = { isImported, isCancelled: false, plan: 1 };
  const known = here.map((row) => ({ ...eventOf(row), ...more }));
  const coming = rows.map(eventOf);
  const { pairs, unsure } = matchEvents(known, coming, new Map(), { clock, now });
  return [
    ...[...pairs].map(([event, one]) => `${event.moment} ← ${one.moment}`),
    ...unsure.map(({ moment }) => `? ${moment}`),
  ].sort();
}

const match1 = 'TV A – TV B';
const weekly = ['2026-12-01', '2026-12-08', '2026-12-15'].map(
  (day): Row => ['Training', `${day} 18:00`, 'Hall'],
);

describe('events of a plan that comes again', () => {
  it.each<[string, readonly Row[], readonly Row[], readonly string[]]>([
    [
      'a time that was open',
      [[match1, '2027-01-09']],
      [[match1, '2027-01-09 15:00']],
      ['2027-01-09 15:00 ← 2027-01-09'],
    ],
    [
      'another day',
      [[match1, '2027-01-09 15:00', 'Hall']],
      [[match1, '2027-01-17 11:00', 'hall']],
      ['2027-01-17 11:00 ← 2027-01-09 15:00'],
    ],
    [
      'another place on the same day',
      [[match1, '2027-01-09 15:00', 'Hall']],
      [[match1, '2027-01-09 18:00', 'Gym']],
      ['2027-01-09 18:00 ← 2027-01-09 15:00'],
    ],
    [
      'another place and day',
      [[match1, '2027-01-09 15:00', 'Hall']],
      [[match1, '2027-01-17 15:00', 'Gym']],
      [],
    ],
    [
      'more than 30 days',
      [[match1, '2027-01-09 15:00', 'Hall']],
      [[match1, '2027-02-09 15:00', 'Hall']],
      [],
    ],
    [
      'home and guest exchanged',
      [['TV A – TV B', '2027-01-09 15:00']],
      [['TV B – TV A', '2027-01-16 15:00']],
      [],
    ],
    [
      'two of the same name',
      [
        [match1, '2027-01-09 15:00'],
        [match1, '2027-01-16 15:00'],
      ],
      [[match1, '2027-01-12 15:00']],
      ['? 2027-01-12 15:00'],
    ],
    [
      'a weekly training whose dates go on',
      weekly,
      [...weekly.slice(1), ['Training', '2026-12-22 18:00', 'Hall']],
      [
        '2026-12-08 18:00 ← 2026-12-08 18:00',
        '2026-12-15 18:00 ← 2026-12-15 18:00',
        '? 2026-12-22 18:00',
      ],
    ],
    [
      'two games of one day',
      [
        [match1, '2027-01-09 10:00'],
        [match1, '2027-01-09 12:00'],
      ],
      [
        [match1, '2027-01-09 10:30'],
        [match1, '2027-01-09 12:30'],
      ],
      ['2027-01-09 10:30 ← 2027-01-09 10:00', '2027-01-09 12:30 ← 2027-01-09 12:00'],
    ],
    [
      'a match of yesterday',
      [[match1, '2026-11-24 15:00']],
      [[match1, '2026-12-05 15:00']],
      ['2026-12-05 15:00 ← 2026-11-24 15:00'],
    ],
    [
      'a meeting of yesterday',
      [['Board meeting', '2026-11-24 19:00']],
      [['Board meeting', '2026-12-15 19:00']],
      ['? 2026-12-15 19:00'],
    ],
    [
      'another spelling',
      [['KONZERT – CHOR', '2027-01-09 15:00']],
      [['Konzert - Chor', '2027-01-09 15:00']],
      ['2027-01-09 15:00 ← 2027-01-09 15:00'],
    ],
    [
      'the number of a match and a new opponent',
      [['TV A – Winner 3', '2027-01-09 15:00', 'Hall', '7']],
      [['TV A – TV D', '2027-01-16 15:00', 'Hall', '7']],
      ['2027-01-16 15:00 ← 2027-01-09 15:00'],
    ],
    [
      'the number of another plan',
      [['TV A – TV B', '2027-01-09 15:00', 'Hall', '7']],
      [['SC C – SC D', '2027-01-09 15:00', 'Gym', '7']],
      [],
    ],
  ])('%s', (_, here, rows, expected) => {
    expect(match(here, rows)).toEqual([...expected].sort());
  });

  it('does not move what was added by hand, but knows it again', () => {
    expect(match([[match1, '2027-01-09 15:00']], [[match1, '2027-01-16 15:00']], false)).toEqual(
      [],
    );
    expect(match([[match1, '2027-01-09 15:00']], [[match1, '2027-01-09 15:00']], false)).toEqual([
      '2027-01-09 15:00 ← 2027-01-09 15:00',
    ]);
  });

  it('writes the marks between two teams in one way', () => {
    const names = ['TV A - TV B', 'TV A — TV B', 'TV A : TV B', 'TV A vs. TV B', 'TV A v TV B'];
    expect(new Set(names.map(plainName))).toEqual(new Set(['tv a – tv b']));
    expect(plainName('E-Jugend: Training')).toBe('e-jugend: training');
  });
});
