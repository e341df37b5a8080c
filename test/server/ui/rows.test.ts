import { describe, expect, it } from 'vitest';
import { monthOf } from '../../../server/dates/days.ts';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { samePlaceEvents } from '../../../server/event/places.ts';
import type { Event } from '../../../server/http/contract.ts';
import {
  arrangeRows,
  indexOfLastPast,
  listOrder,
  type Row,
} from '../../../server/ui/views/agenda/rows.ts';
import { arrangeBars, eventsOn } from '../../../server/ui/views/calendar/contents.ts';
import { fc } from '../../support/random.ts';

const clock = zoneNamed(new Intl.DateTimeFormat().resolvedOptions().timeZone);

const first = Date.parse('0001-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

function eventsAt(times: readonly number[]): Event[] {
  return times
    .toSorted((one, other) => one - other)
    .map((time, id) => ({ id, date: new Date(time).toISOString(), description: null }) as Event);
}

/** Mostly few months, so that several events share one; sometimes any time. */
const times = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 5) }) },
    { weight: 1, arbitrary: fc.integer({ min: first, max: last }) },
  ),
  { maxLength: 60 },
);
const todays = fc.integer({ min: Date.UTC(2025, 11), max: Date.UTC(2026, 6) });

function allRows(events: readonly Event[], today: string): Row[] {
  const rows = arrangeRows(clock, events, today);
  return Array.from({ length: rows.count }, (_, row) => rows.at(row));
}

describe('the sections of the agenda', () => {
  it('are the months, in order and without gaps, with the number of their events', () => {
    fc.assert(
      fc.property(times, todays, (moments, now) => {
        const events = eventsAt(moments);
        const today = clock.dayOf(new Date(now));
        const rows = arrangeRows(clock, events, today);
        let end = 0;
        const months: string[] = [];
        while (end < rows.count) {
          const section = rows.sectionOf(end);
          expect(section.row).toBe(end);
          expect(rows.sectionOf(section.end - 1)).toBe(section);
          const own = Array.from({ length: section.end - end }, (_, at) => rows.at(end + at));
          const held = own.flatMap((row) => (row.kind === 'event' ? [row.event.date] : []));
          expect(section.count).toBe(held.length);
          expect(section.coming).toBe(held.filter((date) => date >= clock.startOf(today)).length);
          if (section.month !== null) months.push(section.month);
          end = section.end;
        }
        expect(end).toBe(rows.count);
        expect(months).toEqual([...new Set(events.map(({ date }) => monthOf(clock.dayOf(date))))]);
      }),
    );
  });
});

describe('the rows of the agenda', () => {
  it('contain every event once, in order, under its month and on its side of today', () => {
    fc.assert(
      fc.property(times, todays, (moments, now) => {
        const events = eventsAt(moments);
        const today = clock.dayOf(new Date(now));
        let month = '';
        let isPast = true;
        const seen: Event[] = [];
        for (const row of allRows(events, today)) {
          if (row.kind === 'month') month = row.day;
          else if (row.kind === 'today') isPast = false;
          else {
            seen.push(row.event);
            expect(monthOf(clock.dayOf(row.event.date))).toBe(month);
            expect(row.event.date < clock.startOf(today)).toBe(isPast);
          }
        }
        expect(seen).toEqual(events);
        expect(isPast).toBe(false);
      }),
    );
  });

  it('can be found by event and by day', () => {
    fc.assert(
      fc.property(times, todays, (moments, now) => {
        const events = eventsAt(moments);
        const today = clock.dayOf(new Date(now));
        const rows = arrangeRows(clock, events, today);
        for (const [index, event] of events.entries()) {
          expect(rows.at(rows.rowOfEvent(index))).toEqual({ kind: 'event', event, index });
          const row = rows.rowOfDay(clock.dayOf(event.date));
          expect(row).toBeGreaterThanOrEqual(0);
          expect(row).toBeLessThan(rows.count);
        }
        expect(rows.at(rows.todayRow).kind).toBe('today');
        const kinds = allRows(events, today).map(({ kind }) => kind);
        for (const [row, kind] of kinds.entries()) {
          expect(rows.kindAt(row)).toBe(kind);
          const above = kinds.slice(0, row).filter((one) => one === kind);
          expect(rows.countAbove(row, kind)).toBe(above.length);
        }
        // Above today one past event stays in view, with the heading of a month above it.
        const shown = kinds.slice(rows.rowOfDay(today), rows.todayRow);
        expect(shown.filter((kind) => kind === 'event')).toHaveLength(
          events.some(({ date }) => date < clock.startOf(today)) ? 1 : 0,
        );
      }),
    );
  });
});

describe('events of several days', () => {
  const make = (id: number, day: string, description: string | null) =>
    ({ id, name: `E${id}`, date: clock.startOf(day), description }) as Event;
  const camp = make(1, '2026-11-21', 'Until Wed 25 November');
  const cup = make(2, '2026-11-22', 'Until Mon 23 November');
  const fair = make(3, '2026-11-24', 'Until Thu 26 November, 18:00');
  const all = [camp, cup, make(4, '2026-11-22', 'Until 22:00'), fair];

  it('are bars in rows, the longest first, that go on in the next week', () => {
    const bars = arrangeBars(clock, [camp, cup, fair], ['2026-11-16', '2026-11-23', '2026-11-30']);
    const shown = [...bars].map(([day, lanes]) => [
      day.slice(8),
      ...lanes.map((lane) => lane && [lane.event.id, lane.length, lane.isFirst, lane.isLast]),
    ]);
    expect(shown.sort()).toEqual([
      ['21', [1, 2, true, false]],
      ['22', null, [2, 1, true, false]],
      ['23', [1, 3, false, true], [2, 1, false, true]],
      ['24', null, [3, 3, true, true]],
      ['25', null, null],
      ['26', null, null],
    ]);
  });

  it('are found at their place up to a year after they began', () => {
    const atHall = (event: Event) => ({ ...event, location: 'Hall' });
    const [longer, long, last] = [
      make(5, '2026-10-01', 'Until Sat 20 November 2027'),
      make(6, '2026-11-21', 'Until Sat 20 November 2027'),
      make(7, '2027-11-20', null),
    ].map(atHall) as [Event, Event, Event];
    expect(samePlaceEvents(clock, last, [longer, long, last], 120).others).toEqual([long]);
  });

  it('stand below the line of today while they last', () => {
    const past = make(5, '2026-11-22', null);
    const coming = make(6, '2026-11-24', null);
    const sorted = [camp, cup, past, coming, fair];
    const listed = listOrder(clock, sorted, '2026-11-24');
    expect(listed.map(({ id }) => id)).toEqual([2, 5, 1, 6, 3]);
    expect(indexOfLastPast(clock, listed, '2026-11-24')).toBe(1);
    const rows = arrangeRows(clock, listed, '2026-11-24');
    const shown = Array.from({ length: rows.count }, (_, row) => rows.at(row));
    expect(shown.map((row) => (row.kind === 'event' ? row.event.id : row.kind))).toEqual([
      'month',
      ...[2, 5],
      'today',
      ...[1, 6, 3],
    ]);
    expect(rows.sectionOf(0)).toMatchObject({ count: 5, coming: 3 });
    expect(rows.rowOfEvent(2)).toBe(4);
    // It moves to the month of today, and back to its own day afterwards.
    const nextMonth = make(7, '2026-10-30', 'Until Tue 1 December 2026');
    const other = listOrder(clock, [nextMonth, ...sorted], '2026-11-24');
    expect(other.map(({ id }) => id)).toEqual([2, 5, 7, 1, 6, 3]);
    expect(listOrder(clock, sorted, '2026-11-27')).toBe(sorted);
  });

  it('take place on each of their days', () => {
    const ids = (day: string) => eventsOn(clock, all, day).map(({ id }) => id);
    expect(ids('2026-11-20')).toEqual([]);
    expect(ids('2026-11-22')).toEqual([1, 2, 4]);
    expect(ids('2026-11-24')).toEqual([1, 3]);
    expect(ids('2026-11-26')).toEqual([3]);
    expect(ids('2026-11-27')).toEqual([]);
  });
});
