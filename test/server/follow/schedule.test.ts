import { describe, expect, it } from 'vitest';
import {
  durationOf,
  firstSchedule,
  intervalOf,
  isDue,
  type Outcome,
  retryAfterOf,
  type Schedule,
  scheduleAfter,
} from '../../../server/follow/schedule.ts';
import { createRandom } from '../../support/random.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const start = Date.parse('2036-10-01T00:00:00.000Z');

/** Returns the times of the requests of 90 days, whose service looks at its calendars every three seconds. */
function live(host: string, outcomeAt: (time: number) => Outcome): number[] {
  let schedule: Schedule = firstSchedule;
  const times: number[] = [];
  for (let now = start; now < start + 90 * day; now += minute) {
    if (!isDue(schedule, now)) continue;
    times.push(now);
    schedule = scheduleAfter(schedule, outcomeAt(now), { host, now });
  }
  return times;
}

/** Returns the most requests of one day. */
function mostOfDay(times: readonly number[]): number {
  return Math.max(
    ...Map.groupBy(times, (time) => Math.floor(time / day))
      .values()
      .map((list) => list.length),
  );
}

const good: Outcome = { kind: 'good' };

describe('90 days of requests', () => {
  it.each([
    ['league.example', 24],
    ['calendar.google.com', 8],
    ['www.google.com', 8],
  ])('ask %s at most %i times a day', (host, most) => {
    const random = createRandom(7);
    const kinds = ['good', 'good', 'good', 'failed', 'absent', 'pause'] as const;
    const mixed = () => ({ kind: kinds[random(kinds.length)] ?? 'good' }) as Outcome;
    for (const outcomeAt of [() => good, mixed, () => ({ kind: 'failed' }) as const]) {
      const times = live(host, outcomeAt);
      expect(mostOfDay(times)).toBeLessThanOrEqual(most);
      // It is never switched off.
      expect(times.at(-1)).toBeGreaterThan(start + 88 * day);
    }
  });

  it('wait for six hours after a pause that the service asks for, doubling to a day', () => {
    const times = live('league.example', () => ({ kind: 'pause' }));
    const waits = times.slice(1).map((time, at) => (time - (times[at] ?? 0)) / hour);
    expect(waits.slice(0, 5)).toEqual([6, 12, 24, 24, 24]);
  });

  it('wait for as long as the service says', () => {
    const [first = 0, second = 0] = live('league.example', () => ({
      kind: 'pause',
      wait: 30 * hour,
    }));
    expect(second - first).toBe(30 * hour);
  });

  it('follow an interval that the calendar asks for only if it is longer', () => {
    expect(intervalOf('league.example', 5 * minute)).toBe(hour);
    expect(intervalOf('league.example', 12 * hour)).toBe(12 * hour);
    expect(intervalOf('calendar.google.com', hour)).toBe(3 * hour);
    expect(intervalOf('notgoogle.com')).toBe(hour);
  });

  it('go on when a clock that was ahead is set right', () => {
    const ahead = scheduleAfter(firstSchedule, good, { host: 'a.example', now: start + 400 * day });
    expect(isDue(ahead, start)).toBe(true);
  });
});

it.each([
  ['PT12H', 12 * hour],
  ['P1W', 7 * day],
  ['P1DT2H3M4S', day + 2 * hour + 3 * minute + 4_000],
  ['', undefined],
  ['PT', undefined],
  ['-PT1H', undefined],
  ['soon', undefined],
])('reads the duration %j', (text, ms) => {
  expect(durationOf(text)).toBe(ms);
});

it.each([
  ['120', 2 * minute],
  ['Wed, 01 Oct 2036 06:00:00 GMT', 6 * hour],
  ['later', undefined],
  [undefined, undefined],
  ['999999999999', 7 * day],
])('reads Retry-After %j', (header, ms) => {
  expect(retryAfterOf(header, start)).toBe(ms);
});
