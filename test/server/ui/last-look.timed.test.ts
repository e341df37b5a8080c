import { describe, expect, it } from 'vitest';
import type { Event } from '../../../server/contract.ts';
import { compareEvents, takeDown } from '../../../server/ui/changes/compare.ts';
import { amendSnapshot } from '../../../server/ui/changes/snapshot.ts';
import { makeEvent } from '../../support/home.ts';

const mapOf = (events: readonly Event[]) => new Map(events.map((event) => [event.id, event]));

// Times are those of a machine that may have other things to do.
describe('100,000 events that were seen', { retry: 4 }, () => {
  const many = Array.from({ length: 100_000 }, (_, at) => {
    const id = (at * 7919) % 100_003;
    return { ...makeEvent(id, { location: `Hall ${at % 50}, Zürich` }), id } as Event;
  });

  it('take 2 MB, and are compared without holding the thread for 50 ms', async () => {
    const base = await takeDown(mapOf(many));
    const sizes = Object.values(base).map(({ byteLength }) => byteLength);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2_100_000);

    const later = '2027-01-01T00:00:00.000Z';
    const events = many.map((event, at) => (at % 1000 === 0 ? { ...event, date: later } : event));
    const byId = mapOf(events);
    const set = {
      events,
      byId,
      total: events.length,
      pastRead: true,
      comingRead: true,
      asOf: null,
    };
    let [longest, before] = [0, performance.now()];
    const clock = setInterval(() => {
      longest = Math.max(longest, performance.now() - before);
      before = performance.now();
    });
    const { changes } = await compareEvents(base, set);
    clearInterval(clock);
    expect(changes.size).toBe(100);
    expect(longest).toBeLessThan(50);
  });

  it('are amended in less than 50 ms', async () => {
    const base = await takeDown(mapOf(many));
    const seen = await takeDown(mapOf(many.slice(0, 3)));
    const began = performance.now();
    const amended = amendSnapshot(base, { seen, gone: new Float64Array() });
    expect(performance.now() - began).toBeLessThan(50);
    expect(amended).toEqual(base);
  });
});
