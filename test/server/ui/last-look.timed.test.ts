import { describe, expect, it } from 'vitest';
import type { Event } from '../../../server/contract.ts';
import { amendSnapshot, compareEvents, takeDown } from '../../../server/ui/data/snapshot.ts';
import { makeEvent } from '../../support/home.ts';
import { median, repeat, shareHeldUp, watchEventLoop } from '../../support/measure.ts';

const mapOf = (events: readonly Event[]) => new Map(events.map((event) => [event.id, event]));

/** Milliseconds that something takes. */
async function timeOf(act: () => unknown): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

describe('a snapshot of 100,000 events', () => {
  const many = Array.from({ length: 100_000 }, (_, at) => {
    const id = (at * 7919) % 100_003;
    return { ...makeEvent(id, { location: `Hall ${at % 50}, Zürich` }), id } as Event;
  });

  it('takes 2 MB', async () => {
    const sizes = Object.values(await takeDown(mapOf(many))).map(({ byteLength }) => byteLength);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2_100_000);
  });

  it('is compared with the events in slices, each a small part of the comparison', async () => {
    const base = await takeDown(mapOf(many));
    const later = '2027-01-01T00:00:00.000Z';
    const events = many.map((event, at) => (at % 1000 === 0 ? { ...event, date: later } : event));
    const set = {
      events,
      byId: mapOf(events),
      total: events.length,
      pastRead: true,
      comingRead: true,
      asOf: null,
    };
    const shares = await repeat(5, async () => {
      const gaps = await watchEventLoop(async () => {
        const { changes } = await compareEvents(base, set);
        expect(changes.size).toBe(100);
      });
      return shareHeldUp(gaps);
    });
    expect(median(shares)).toBeLessThan(0.3);
  });

  it('is amended in a small part of the time that a new snapshot takes', async () => {
    const byId = mapOf(many);
    const base = await takeDown(byId);
    const seen = await takeDown(mapOf(many.slice(0, 3)));
    const amend = () => amendSnapshot(base, { seen, gone: new Float64Array() });
    expect(amend()).toEqual(base);
    const ratios = await repeat(5, async () => {
      const whole = await timeOf(() => takeDown(byId));
      return (await timeOf(amend)) / whole;
    });
    expect(median(ratios)).toBeLessThan(0.03);
  });
});
