import { describe, expect, it } from 'vitest';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { byDate, createPlaces, samePlaceEvents } from '../../../server/event/places.ts';
import type { Event } from '../../../server/http/contract.ts';
import { type EventSet, nothingRead, withChanges } from '../../../server/ui/data/read-all.ts';
import { makeEvent } from '../../support/home.ts';
import { fc } from '../../support/random.ts';

const clock = zoneNamed('Europe/Berlin');
const usualLength = 120;

const setOf = (events: readonly Event[]): EventSet => ({
  ...nothingRead.set,
  events: events.toSorted(byDate),
  byId: new Map(events.map((event) => [event.id, event])),
  total: events.length,
  pastRead: true,
  comingRead: true,
});

/** Events of few days and places, so that many clash. */
const someEvent = fc
  .record({
    id: fc.integer({ min: 1, max: 20 }),
    hour: fc.integer({ min: 0, max: 24 * 5 }),
    location: fc.constantFrom('', 'Hall', 'hall ', 'Lake'),
    description: fc.constantFrom(null, 'Until 23:00', 'Until Sat 3 April 2027'),
    status: fc.constantFrom('active', 'cancelled', 'draft'),
  })
  .map(({ id, hour, ...values }) => {
    const date = new Date(Date.UTC(2027, 2, 30, hour)).toISOString();
    return makeEvent(id, { ...values, date }) as Event;
  });
const someEvents = fc.uniqueArray(someEvent, { selector: ({ id }) => id, maxLength: 20 });
const someIds = fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 6 });

describe('events after a change', () => {
  it('are those that a reading of all would find, in its order', () => {
    fc.assert(
      fc.property(someEvents, someEvents, someIds, (before, changed, removed) => {
        const isRemoved = (id: number) => removed.includes(id);
        const events = changed.filter(({ id }) => !isRemoved(id));
        const all = new Map(before.filter(({ id }) => !isRemoved(id)).map((one) => [one.id, one]));
        for (const event of events) all.set(event.id, event);
        const after = withChanges(setOf(before), { events, removed }, null);
        expect(after).toEqual(setOf([...all.values()]));
      }),
    );
  });

  it('have the clashes that a new look at all finds', () => {
    fc.assert(
      fc.property(someEvents, fc.array(someEvents, { maxLength: 3 }), (before, steps) => {
        let set = setOf(before);
        for (const events of [[], ...steps]) {
          set = withChanges(set, { events, removed: [] }, null);
          const fresh = createPlaces(clock, set.events, usualLength);
          for (const event of set.events) {
            const found = samePlaceEvents(clock, event, set.events, usualLength);
            expect(found).toEqual(fresh.at(event));
          }
        }
      }),
    );
  });

  it('are the same set if nothing differs, so that no view is rendered again', () => {
    const set = setOf([makeEvent(1), makeEvent(2)] as Event[]);
    const same = { events: [{ ...makeEvent(1) } as Event], removed: [7] };
    expect(withChanges(set, same, null)).toBe(set);
    expect(withChanges(set, same, '2027-01-01T00:00:00.000Z').events).toBe(set.events);
  });
});
