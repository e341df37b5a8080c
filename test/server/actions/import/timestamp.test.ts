import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTimeZone, parseTimestamp } from '../../../../server/actions/import/timestamp.ts';

const berlin = 'Europe/Berlin';

describe('parseTimestamp', () => {
  it.each([
    ['2026-05-01', '2026-04-30T22:00:00.000Z'],
    ['2026-05-01T18:00', '2026-05-01T16:00:00.000Z'],
    ['2026-05-01 18:00', '2026-05-01T16:00:00.000Z'],
    ['2026-05-01T18:00:30', '2026-05-01T16:00:30.000Z'],
    ['2026-12-01T18:00:00.5', '2026-12-01T17:00:00.500Z'],
    ['2026-05-01T18:00:00Z', '2026-05-01T18:00:00.000Z'],
    ['2026-05-01t18:00:00.123z', '2026-05-01T18:00:00.123Z'],
    ['2026-05-01T18:00:00.123456Z', '2026-05-01T18:00:00.123Z'],
    ['2026-05-01T18:00:00+02:00', '2026-05-01T16:00:00.000Z'],
    ['2026-05-01 18:00:00 +0530', '2026-05-01T12:30:00.000Z'],
    ['2026-05-01T18:00-08', '2026-05-02T02:00:00.000Z'],
    ['  2026-05-01T18:00Z ', '2026-05-01T18:00:00.000Z'],
    ['2024-02-29T00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s', (text, expected) => {
    expect(parseTimestamp(text, berlin)).toBe(expected);
  });

  it('takes the offset before the gap when clocks go forward (RFC 5545 section 3.3.5)', () => {
    expect(parseTimestamp('2026-03-29T02:30', berlin)).toBe('2026-03-29T01:30:00.000Z');
    expect(parseTimestamp('2026-03-29T01:59', berlin)).toBe('2026-03-29T00:59:00.000Z');
    expect(parseTimestamp('2026-03-29T03:00', berlin)).toBe('2026-03-29T01:00:00.000Z');
  });

  it('takes the first of an hour that comes twice', () => {
    expect(parseTimestamp('2026-10-25T02:30', berlin)).toBe('2026-10-25T00:30:00.000Z');
    expect(parseTimestamp('2026-10-25T03:00', berlin)).toBe('2026-10-25T02:00:00.000Z');
  });

  it('knows midnights that do not exist', () => {
    expect(parseTimestamp('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z');
  });

  it.each([
    '',
    'tomorrow',
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-05-00',
    '2026-05-01T24:00',
    '2026-05-01T18:60',
    '2026-05-01T18:00:60',
    '2026-05-01T18',
    '2026-5-1',
    '1.5.2026',
    '05/01/2026',
    '20260501',
    '2026-05-01T18:00:00+25:00',
    '2026-05-01T18:00+02:60',
    '2026-05-01Z',
    '+002026-05-01',
    '0000-05-01',
    '9999-12-31T23:59-01:00',
    '0001-01-01T00:00+01:00',
    '2026-05-01T18:00:00.Z',
    '2026-05-01T18:00[Europe/Berlin]',
    '٢٠٢٦-٠٥-٠١',
  ])('does not read "%s"', (text) => {
    expect(parseTimestamp(text, berlin)).toBeUndefined();
  });

  it('gives back every timestamp of the contract unchanged', () => {
    const dates = fc.date({
      min: new Date('0001-01-01'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        expect(parseTimestamp(date.toISOString(), berlin)).toBe(date.toISOString());
      }),
    );
  });
});

it('knows time zones by their IANA names', () => {
  expect(isTimeZone(berlin)).toBe(true);
  expect(isTimeZone('UTC')).toBe(true);
  expect(isTimeZone('Mars/Olympus')).toBe(false);
  expect(isTimeZone('')).toBe(false);
});
