import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { type DateMove, moveDate } from '../../../server/dates/moves.ts';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { choose } from '../../support/long.ts';
import { createRandom } from '../../support/random.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kolkata',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
];

/** Moves a date as the standard for dates in JavaScript does. */
function expected(date: string, move: DateMove, zone: string): string | undefined {
  const start = Temporal.Instant.from(date).toZonedDateTimeISO(zone);
  const shown = (moment: Temporal.ZonedDateTime) =>
    new Date(moment.epochMilliseconds).toISOString();
  switch (move.kind) {
    case 'move':
      return shown(start.add({ days: move.days }));
    case 'weekday':
      return shown(start.add({ days: ((move.weekday + 6) % 7) + 1 - start.dayOfWeek }));
    case 'time':
      return start.toPlainTime().toString().slice(0, 8) === `${move.time}:00`
        ? date
        : shown(start.withPlainTime(move.time));
    case 'shift': {
      if (start.equals(start.startOfDay())) return date;
      const moved = start.toPlainDateTime().add({ minutes: move.minutes });
      const isSameDay = moved.toPlainDate().equals(start.toPlainDate());
      if (!isSameDay || (moved.hour === 0 && moved.minute === 0)) return undefined;
      return move.minutes === 0 ? date : shown(moved.toZonedDateTime(zone));
    }
  }
}

describe('a move of a date', () => {
  it.each(zones)('follows the clock of %s, also where it jumps', (zone) => {
    const random = createRandom(20261128);
    const minutes = Math.round((Date.UTC(2040, 0, 1) - Date.UTC(1990, 0, 1)) / 60_000);
    for (let run = 0; run < choose(10_500, 500); run += 1) {
      const date = new Date(Date.UTC(1990, 0, 1) + random(minutes) * 60_000).toISOString();
      const time = `${random(24)}`.padStart(2, '0');
      const moves: readonly DateMove[] = [
        { kind: 'move', days: random(800) - 400 },
        { kind: 'weekday', weekday: random(7) },
        { kind: 'time', time: `${time}:${random(6)}0` },
        { kind: 'shift', minutes: random(2_000) - 1_000 },
      ];
      for (const move of moves) {
        const moved = moveDate(date, move, zoneNamed(zone));
        expect(moved, `${date} ${JSON.stringify(move)}`).toBe(expected(date, move, zone));
      }
    }
  });

  it('keeps the side of a repeated hour if nothing changes', () => {
    const second = '2026-10-25T01:30:00.000Z';
    const zone = zoneNamed('Europe/Berlin');
    for (const move of [
      { kind: 'move', days: 0 },
      { kind: 'weekday', weekday: 0 },
      { kind: 'time', time: '02:30' },
      { kind: 'shift', minutes: 0 },
    ] as const) {
      expect(moveDate(second, move, zone)).toBe(second);
    }
  });
});
