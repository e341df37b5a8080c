import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { isTimeZone, parseTimestamp } from '../../../server/club/timestamp.ts';
import { choose } from '../../support/long.ts';
import { median, repeat, workedMs } from '../../support/measure.ts';
import { fc } from '../../support/random.ts';

const berlin = 'Europe/Berlin';

/** Zones that change by an hour, half of one and a whole day, seldom, and four times a year. */
const zones = [
  berlin,
  'America/Sao_Paulo',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Asia/Kathmandu',
  'America/Juneau',
  'Asia/Manila',
  'UTC',
] as const;

/** The changes of a zone's clock, in epoch milliseconds. */
function changesOf(zone: string): number[] {
  let at = Temporal.Instant.from('1800-01-01T00:00Z').toZonedDateTimeISO(zone);
  const changes: number[] = [];
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.year > 2060) return changes;
    changes.push(next.epochMilliseconds);
    at = next;
  }
}

/** A local time as Temporal alone understands it. */
function readByTemporal(local: string, zone: string): string {
  const { epochMilliseconds } = Temporal.PlainDateTime.from(local).toZonedDateTime(zone, {
    disambiguation: 'compatible',
  });
  return new Date(epochMilliseconds).toISOString();
}

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

  it('is as Temporal has it on both sides of every change of a clock', () => {
    for (const zone of zones) {
      const steps = [-86_400_000, -3_600_000, -1000, -1, 0, 1, 1_799_999, 3_600_000, 86_400_000];
      // An odd step takes changes forward as well as back.
      for (const change of changesOf(zone).filter((_, at) => at % choose(1, 20) === 0)) {
        for (const step of steps) {
          const wall = Temporal.Instant.fromEpochMilliseconds(change + step);
          for (const like of [zone, 'UTC']) {
            const local = wall.toZonedDateTimeISO(like).toPlainDateTime();
            const text = local.toString({ fractionalSecondDigits: 3 });
            const wanted = readByTemporal(text, zone);
            if (parseTimestamp(text, zone) !== wanted) {
              expect.fail(`${text} in ${zone}: ${parseTimestamp(text, zone)}, not ${wanted}`);
            }
          }
        }
      }
    }
  });

  it('is as Temporal has it at any local time, near a change and far from one', () => {
    const changes = new Map(zones.map((zone) => [zone, changesOf(zone)] as const));
    const near = fc.tuple(fc.nat(), fc.integer({ min: -100_000_000, max: 100_000_000 }));
    const far = fc.date({ min: new Date('0001-01-03'), max: new Date('9999-12-29') });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        near,
        far,
        fc.boolean(),
        (zone, [at, by], date, isNear) => {
          const of = changes.get(zone) ?? [];
          const change = of.length === 0 ? 0 : (of[at % of.length] ?? 0);
          const epoch = isNear || Number.isNaN(date.getTime()) ? change + by : date.getTime();
          const local = new Date(epoch).toISOString().slice(0, -1);
          expect(parseTimestamp(local, zone)).toBe(readByTemporal(local, zone));
        },
      ),
      { numRuns: choose(3000, 200) },
    );
  });

  it('rejects near-valid timestamps', () => {
    const timestamp = '2026-05-01T18:00:00.000Z';
    for (const at of timestamp.split('').keys()) {
      for (const other of ['/', ':', 'x', '\u0660', '９']) {
        if (timestamp[at] === other) continue;
        const text = `${timestamp.slice(0, at)}${other}${timestamp.slice(at + 1)}`;
        expect(parseTimestamp(text, berlin), text).toBeUndefined();
      }
    }
    for (const text of ['2026-02-29', '2100-02-29', '2026-04-31', '2026-00-01', '0000-01-01']) {
      expect(parseTimestamp(`${text}T00:00:00.000Z`, berlin), text).toBeUndefined();
    }
  });

  it('reads timestamps of the contract faster than Date does, and local times a few times slower', {
    tags: 'long',
  }, async () => {
    const texts = Array.from({ length: 5_000 }, (_, at) =>
      new Date(Date.UTC(2010, 0, 1) + at * 20_000_000).toISOString(),
    );
    const timeOf = (read: (text: string) => unknown): number => {
      const begun = workedMs();
      // Clocks of processor time tick every few milliseconds.
      for (let round = 0; round < 10; round += 1) for (const text of texts) read(text);
      return workedMs() - begun;
    };
    const ratios = await repeat(5, () => {
      const plain = timeOf((text) => new Date(text).toISOString());
      const canonical = timeOf((text) => parseTimestamp(text, berlin)) / plain;
      const local = timeOf((text) => parseTimestamp(text.slice(0, 19), berlin)) / plain;
      return { canonical, local };
    });
    expect(median(ratios.map(({ canonical }) => canonical))).toBeLessThan(0.6);
    expect(median(ratios.map(({ local }) => local))).toBeLessThan(8);
  });
});

it('knows time zones by their IANA names', () => {
  expect(isTimeZone(berlin)).toBe(true);
  expect(isTimeZone('UTC')).toBe(true);
  expect(isTimeZone('Mars/Olympus')).toBe(false);
  expect(isTimeZone('')).toBe(false);
});
