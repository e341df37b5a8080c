import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../server/contract.ts';
import type { EventSet } from '../../../server/ui/data/read-all.ts';
import {
  amendSnapshot,
  compareEvents,
  parseSnapshot,
  type Snapshot,
  takeDown as takeDownById,
} from '../../../server/ui/data/snapshot.ts';
import { makeEvent } from '../../support/home.ts';

const eventOf = (id: number, more: Partial<Event> = {}) => ({ ...makeEvent(id), ...more }) as Event;

function setOf(events: readonly Event[], total = events.length): EventSet {
  const byId = new Map(events.map((event) => [event.id, event]));
  return { events, byId, total, pastRead: true, comingRead: true, asOf: null };
}

const takeDown = (events: readonly Event[]) => takeDownById(setOf(events).byId);

function idsOf(snapshot: Snapshot): number[] {
  return [...snapshot.ids];
}

describe('what is remembered of events', () => {
  const someEvents = fc.uniqueArray(
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
  );
  const toEvents = (parts: readonly Partial<Event>[]) =>
    parts.map((part) => eventOf(part.id as number, part));

  it('is found again without a change, whatever the events are', () =>
    fc.assert(
      fc.asyncProperty(someEvents, async (parts) => {
        const events = toEvents(parts);
        const { changes, quiet } = await compareEvents(await takeDown(events), setOf(events));
        expect(changes.size).toBe(0);
        expect(quiet).toBeUndefined();
      }),
    ));

  it('is amended as a map of events would be', () =>
    fc.assert(
      fc.asyncProperty(someEvents, someEvents, fc.array(fc.nat(29)), async (old, young, lost) => {
        const [before, seen] = [toEvents(old), toEvents(young)];
        const gone = lost.flatMap((at) => before[at]?.id ?? []);
        const model = new Map(before.map((event) => [event.id, event]));
        for (const id of gone) model.delete(id);
        for (const event of seen) model.set(event.id, event);
        const amended = amendSnapshot(await takeDown(before), {
          seen: await takeDown(seen),
          gone: Float64Array.from(gone).sort(),
        });
        expect(amended).toEqual(await takeDown([...model.values()]));
        expect(parseSnapshot(structuredClone(amended))).toEqual(amended);
      }),
    ));

  it.each([
    undefined,
    null,
    'text',
    {},
    { ids: [1], times: [1], places: [1], statuses: [1] },
    {
      ids: Float64Array.of(2, 1),
      times: new Float64Array(2),
      places: new Uint32Array(2),
      statuses: new Uint8Array(2),
    },
    {
      ids: Float64Array.of(1),
      times: new Float64Array(2),
      places: new Uint32Array(1),
      statuses: new Uint8Array(1),
    },
    {
      ids: Float64Array.of(1),
      times: Float64Array.of(Number.NaN),
      places: new Uint32Array(1),
      statuses: new Uint8Array(1),
    },
    {
      ids: Float64Array.of(1),
      times: Float64Array.of(0),
      places: new Uint32Array(1),
      statuses: Uint8Array.of(9),
    },
  ])('is not taken from something else: %#', (value) => {
    expect(parseSnapshot(value)).toBeUndefined();
  });
});

describe('an event', () => {
  const before = eventOf(1);
  const changeTo = async (more: Partial<Event>, base: Event = before) => {
    const { changes, quiet } = await compareEvents(
      await takeDown([base]),
      setOf([{ ...base, ...more }]),
    );
    return { change: changes.get(1), quiet: quiet && idsOf(quiet.seen) };
  };

  it('is moved when its date or its place is another', async () => {
    const date = '2026-05-02T18:00:00.000Z';
    expect((await changeTo({ date })).change).toEqual({
      kind: 'moved',
      from: { date: before.date, place: false },
    });
    expect((await changeTo({ location: 'Lake' })).change).toEqual({
      kind: 'moved',
      from: { date: null, place: true },
    });
    expect((await changeTo({ date, location: '' })).change).toEqual({
      kind: 'moved',
      from: { date: before.date, place: true },
    });
    expect((await changeTo({ location: ' clubhouse' })).change).toBeUndefined();
  });

  it('is cancelled above all', async () => {
    const more = { status: 'cancelled', location: 'Lake' } as const;
    expect((await changeTo(more)).change).toEqual({ kind: 'cancelled' });
  });

  it('with any other change is remembered without a word', async () => {
    expect(await changeTo({ name: 'Other' })).toEqual({ change: undefined, quiet: undefined });
    expect(await changeTo({ status: 'completed' })).toEqual({ change: undefined, quiet: [1] });
    // So that it is told when it is cancelled once more.
    const cancelled = eventOf(1, { status: 'cancelled' });
    expect(await changeTo({ status: 'active' }, cancelled)).toEqual({
      change: undefined,
      quiet: [1],
    });
  });

  it('that is gone is forgotten, unless pages are missing', async () => {
    const base = await takeDown([before, eventOf(2)]);
    const { quiet } = await compareEvents(base, setOf([before]));
    expect(quiet && [...quiet.gone]).toEqual([2]);
    expect(quiet && idsOf(amendSnapshot(base, quiet))).toEqual([1]);
    expect((await compareEvents(base, setOf([before], 2))).quiet).toBeUndefined();
  });
});
