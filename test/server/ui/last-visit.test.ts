import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../server/http/contract.ts';
import type { EventSet } from '../../../server/ui/data/read-all.ts';
import {
  amendSnapshot,
  compareEvents,
  createSnapshot,
  packSnapshot,
  unpackSnapshot,
} from '../../../server/ui/data/seen-events.ts';
import { accountOf } from '../../../server/ui/shell/session.ts';
import { makeEvent } from '../../support/home.ts';
import { fc } from '../../support/random.ts';

const eventOf = (id: number, more: Partial<Event> = {}) => ({ ...makeEvent(id), ...more }) as Event;

function setOf(events: readonly Event[], total = events.length): EventSet {
  const byId = new Map(events.map((event) => [event.id, event]));
  return { events, byId, total, pastRead: true, comingRead: true, asOf: null };
}

describe('a snapshot', () => {
  const someEvents = fc
    .uniqueArray(
      fc.record({
        id: fc.maxSafeInteger(),
        location: fc.string(),
        status: fc.constantFrom('draft', 'active', 'completed', 'cancelled'),
        date: fc.constantFrom(
          '0001-01-01T00:00:00.000Z',
          '2026-05-01T18:00:00.000Z',
          '9999-12-31T23:59:59.999Z',
        ),
      }),
      { selector: ({ id }) => id, maxLength: 30 },
    )
    .map((parts) => parts.map((part) => eventOf(part.id, part as Partial<Event>)));

  it('has no changes compared with its own events, also after it was stored', () =>
    fc.assert(
      fc.property(someEvents, (events) => {
        const stored = structuredClone(packSnapshot(createSnapshot(events)));
        const snapshot = unpackSnapshot(stored) ?? new Map();
        expect(compareEvents(snapshot, setOf(events))).toEqual({
          changes: new Map(),
          quiet: undefined,
        });
      }),
    ));

  it('contains no text of an event', () => {
    const stored = packSnapshot(createSnapshot([eventOf(1, { location: 'Zanzibarhall' })]));
    expect(JSON.stringify([...(unpackSnapshot(stored)?.values() ?? [])])).not.toMatch(/zanzibar/i);
  });

  it('can be amended with seen and deleted events', () => {
    const before = createSnapshot([eventOf(1), eventOf(2), eventOf(3)]);
    const moved = eventOf(2, { location: 'Lake' });
    const seen = createSnapshot([moved, eventOf(4)]);
    expect(amendSnapshot(before, { seen, gone: [3] })).toEqual(
      createSnapshot([eventOf(1), moved, eventOf(4)]),
    );
  });

  it('is read from version 1', () => {
    const moved = eventOf(7, { date: '2026-05-03T18:00:00.000Z' });
    const snapshot = unpackSnapshot({
      ids: Float64Array.of(1, 7),
      times: Float64Array.of(Date.parse(eventOf(1).date), Date.parse('2026-05-02T18:00:00.000Z')),
      // The checksum of "clubhouse".
      places: Uint32Array.of(0xd43af033, 0xd43af033),
      statuses: Uint8Array.of(1, 1),
    });
    const { changes } = compareEvents(snapshot ?? new Map(), setOf([eventOf(1), moved]));
    expect(changes).toEqual(
      new Map([[7, { kind: 'moved', from: '2026-05-02T18:00:00.000Z', isNewPlace: false }]]),
    );
  });

  it.each([undefined, null, 'text', {}, { version: 3, events: new Map() }, { version: 2 }])(
    'is not read from %j',
    (value) => {
      expect(unpackSnapshot(value)).toBeUndefined();
    },
  );
});

describe('compareEvents', () => {
  const before = eventOf(1);
  const compare = (more: Partial<Event>, base: Event = before) => {
    const { changes, quiet } = compareEvents(createSnapshot([base]), setOf([{ ...base, ...more }]));
    return { change: changes.get(1), quiet: quiet && [...quiet.seen.keys()] };
  };

  it('finds a new event', () => {
    const { changes } = compareEvents(createSnapshot([before]), setOf([before, eventOf(2)]));
    expect(changes).toEqual(new Map([[2, { kind: 'new' }]]));
  });

  it('finds a moved event by its date or its location', () => {
    const date = '2026-05-02T18:00:00.000Z';
    expect(compare({ date }).change).toEqual({
      kind: 'moved',
      from: before.date,
      isNewPlace: false,
    });
    expect(compare({ location: 'Lake' }).change).toEqual({ kind: 'relocated' });
    expect(compare({ date, location: '' }).change).toEqual({
      kind: 'moved',
      from: before.date,
      isNewPlace: true,
    });
    expect(compare({ location: ' clubhouse' }).change).toBeUndefined();
  });

  it('reports a cancelled event that was also moved as cancelled', () => {
    const more = { status: 'cancelled', location: 'Lake' } as const;
    expect(compare(more).change).toEqual({ kind: 'cancelled' });
  });

  it('reports no change for another name', () => {
    expect(compare({ name: 'Other' })).toEqual({ change: undefined, quiet: undefined });
  });

  it('stores other statuses without showing them, so that a later cancellation is noticed', () => {
    expect(compare({ status: 'completed' })).toEqual({ change: undefined, quiet: [1] });
    const cancelled = eventOf(1, { status: 'cancelled' });
    expect(compare({ status: 'active' }, cancelled)).toEqual({ change: undefined, quiet: [1] });
  });

  it('removes a deleted event, unless pages are missing', () => {
    const base = createSnapshot([before, eventOf(2)]);
    expect(compareEvents(base, setOf([before])).quiet?.gone).toEqual([2]);
    expect(compareEvents(base, setOf([before], 2)).quiet).toBeUndefined();
  });
});

describe('accountOf', () => {
  it('returns the name under which earlier versions stored the last visit', () => {
    for (const key of ['ce_abc', 'account 1', 'é'.repeat(100)]) {
      const digest = createHash('sha256').update(`account ${key}`).digest('hex');
      expect(accountOf(key)).toBe(digest.slice(0, 24));
    }
  });
});
