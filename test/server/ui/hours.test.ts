import { describe, expect, it } from 'vitest';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { groupByHours, hoursOf, rowsOf } from '../../../server/ui/views/calendar/hours.ts';

const clock = zoneNamed('Europe/Berlin');
const usualLength = 120;

const at = (when: string, description: string | null = null) => {
  const [day = '', time = ''] = when.split(' ');
  return { date: new Date(clock.instantOf({ day, time })).toISOString(), description };
};

describe('the hours of a week', () => {
  it.each([
    ['the usual ones without events', [], 9, 21],
    ['the usual ones for an event without a time', [at('2027-03-02')], 9, 21],
    ['the usual ones around a training', [at('2027-03-02 18:30', 'Until 20:00')], 9, 21],
    ['earlier for a morning', [at('2027-03-02 07:45')], 7, 21],
    ['later for an end that is after nine', [at('2027-03-02 19:30', 'Until 22:15')], 9, 23],
    ['up to midnight for a night', [at('2027-03-02 22:00', 'Until 02:00')], 9, 24],
    ['up to midnight for several days', [at('2027-03-02 18:00', 'Until Thu 4 March')], 9, 24],
    ['from midnight on the day of the change of clocks', [at('2027-10-31 00:30')], 0, 21],
    ['at the end of time', [at('9999-12-31 23:00')], 9, 24],
  ] as const)('are %s', (_, events, from, to) => {
    expect(hoursOf(events, clock, usualLength)).toEqual({ from, to });
  });

  it('have a row for each half', () => {
    expect(rowsOf({ from: 9, to: 21 })).toBe(24);
  });
});

describe('the events of a day', () => {
  const hours = { from: 9, to: 21 };
  const group = (...events: readonly ReturnType<typeof at>[]) => {
    const { untimed, groups } = groupByHours(events, hours, clock, usualLength);
    return [untimed.length, ...groups.map(({ events: of, row, end }) => [of.length, row, end])];
  };

  it('stand in the rows of their times, those that share a row in one group', () => {
    expect(group()).toEqual([0]);
    expect(group(at('2027-03-02'), at('2027-03-02 09:00'))).toEqual([1, [1, 0, 4]]);
    expect(group(at('2027-03-02 10:00'), at('2027-03-02 12:00'))).toEqual([
      0,
      [1, 2, 6],
      [1, 6, 10],
    ]);
    expect(group(at('2027-03-02 10:00'), at('2027-03-02 11:45'))).toEqual([0, [2, 2, 10]]);
    const short = at('2027-03-02 10:15', 'Until 10:20');
    expect(group(short, at('2027-03-02 10:25'))).toEqual([0, [2, 2, 7]]);
    expect(group(at('2027-03-02 20:45', 'Until 21:00'))).toEqual([0, [1, 23, 24]]);
  });
});
