import { describe, expect, it } from 'vitest';
import { parseTimestamp } from '../../../server/club/timestamp.ts';
import { createSheetDates } from '../../../server/export/sheet-dates.ts';
import { timestamps } from '../../support/events.ts';
import { choose } from '../../support/long.ts';
import { fc } from '../../support/random.ts';

const inBerlin = createSheetDates('Europe/Berlin');

describe('a date of a spreadsheet', () => {
  it.each([
    ['in summer', '2026-05-01T18:00:00.000Z', '2026-05-01T20:00:00.000Z'],
    ['in winter', '2026-12-31T23:30:00.000Z', '2027-01-01T00:30:00.000Z'],
    ['just before clocks go back', '2026-10-25T00:30:00.000Z', '2026-10-25T02:30:00.000Z'],
    ['on the first day', '1900-02-28T23:00:00.000Z', '1900-03-01T00:00:00.000Z'],
    ['on the last day', '9999-12-31T22:59:59.000Z', '9999-12-31T23:59:59.000Z'],
  ])('a date of a spreadsheet is local %s', (_, timestamp, local) => {
    expect(inBerlin(timestamp, 1000)).toBe(Date.parse(local));
  });

  it.each([
    ['that occurs a second time', '2026-10-25T01:30:00.000Z', '2026-10-25T02:30:00+01:00'],
    ['with milliseconds', '2026-05-01T18:00:00.123Z', '2026-05-01T20:00:00.123+02:00'],
    ['before March 1900', '1900-02-28T22:59:59.000Z', '1900-02-28T22:59:59.000Z'],
    ['of the year 1', '0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
    ['after the year 9999', '9999-12-31T23:00:00.000Z', '9999-12-31T23:00:00.000Z'],
  ])('a date of a spreadsheet is ISO 8601 for a local time %s', (_, timestamp, text) => {
    expect(inBerlin(timestamp, 1000)).toBe(text);
  });

  it('a date of a spreadsheet is in UTC where the offset has seconds', () => {
    const inMonrovia = createSheetDates('Africa/Monrovia');
    expect(inMonrovia('1950-05-01T18:00:00.001Z', 1000)).toBe('1950-05-01T18:00:00.001Z');
  });

  it.each([
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'Africa/Casablanca',
    'Africa/Monrovia',
    'America/Havana',
  ])('means the same moment to an import in %s', (timeZone) => {
    const dateOf = createSheetDates(timeZone);
    const near = (text: string) =>
      fc
        .integer({ min: -100_000, max: 100_000 })
        .map((seconds) => new Date(Date.parse(text) + seconds * 1000).toISOString());
    const moments = fc.oneof(
      timestamps,
      // Changes of the clocks, and the day that Samoa left out.
      ...['2026-10-25', '2026-03-29', '2026-11-01', '2026-04-05', '2011-12-30', '1972-01-07'].map(
        near,
      ),
      ...['1900-03-01', '9999-12-31'].map(near),
    );
    const property = fc.property(
      moments.filter((text) => text.length === 24),
      fc.constantFrom(1, 1000),
      (timestamp, unit) => {
        const date = dateOf(timestamp, unit);
        const text = typeof date === 'string' ? date : new Date(date).toISOString().slice(0, -1);
        expect(parseTimestamp(text, timeZone)).toBe(timestamp);
      },
    );
    fc.assert(property, { numRuns: choose(5_000, 500) });
  });
});
