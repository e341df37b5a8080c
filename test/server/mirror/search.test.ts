import { describe, expect, it } from 'vitest';
import { conferencesNow, readConferences } from '../../support/conferences.ts';
import { choose } from '../../support/long.ts';
import { openMirror, passTime } from '../../support/mirror.ts';
import { printFigure } from '../../support/print.ts';
import { createRandom } from '../../support/random.ts';
import { serveForTest } from '../../support/service.ts';

/** All conferences with ids up to 48,812, or 300 of them with ids up to 1,000. */
function chooseEvents() {
  const all = readConferences();
  const random = createRandom(6);
  const ids = new Set([1_000]);
  while (ids.size < 300) ids.add(1 + random(1_000));
  const sorted = [...ids].sort((a, b) => a - b);
  const few = all.slice(-300).map((event, index) => ({ ...event, id: sorted[index] as number }));
  return choose(all, few);
}

describe('a search of all ids', () => {
  const events = chooseEvents();

  it(`finds ${events.length} of ${events.length} events, and never says so before`, {
    tags: 'long',
  }, async () => {
    const mirror = await openMirror({ events });
    const { upstream, perform, connection, stored, time } = mirror;
    await perform('mirror set', connection);
    const before = upstream.count('byId');
    const rate = 50;
    passTime(20);
    const portion = choose(4_000, 200);
    for (let portions = 0; ; portions += 1) {
      const { status } = await perform('mirror search-ids', {
        start: true,
        rate,
        requests: portion,
      });
      const isComplete = status.coverage.since === null;
      const missing = events.length - (await stored()).size;
      if (isComplete) expect(missing).toBe(0);
      time.offset += 60_000;
      if (isComplete) break;
      expect(portions).toBeLessThan(20);
    }
    const requests = upstream.count('byId') - before;
    const highest = Math.max(...events.map(({ id }) => id));
    printFigure(`${events.length} events found by ${requests} requests of ids up to ${highest}`);
    expect(new Set((await stored()).values())).toEqual(new Set(events));
    // Two probes stand around each hundred ids; those of the smaller search are a larger share.
    expect(requests).toBeLessThanOrEqual(highest * choose(1.02, 1.03));
    const upcoming = [...(await stored()).values()].filter(({ date }) => date >= conferencesNow);
    expect(upcoming).toHaveLength(53);
  });
});

describe('a search for upcoming events', () => {
  it('finds all of them by a hundredth of the ids, and makes a traveller ready before and after', {
    tags: 'long',
  }, async () => {
    const events = readConferences();
    const mirror = await openMirror({ events });
    const { upstream, perform, connection, home } = mirror;
    await perform('mirror set', connection);
    await serveForTest(home);
    const prepare = async () => (await perform('mirror ready')).reports[0];
    const before = await prepare();
    // The oldest that the list has. Generated conferences have other times than the real ones.
    const missingBefore = events
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .at(-200);
    expect(before).toMatchObject({ isReady: true, upcoming: 44, missingBefore });
    const requests = before?.search?.requests ?? 0;
    expect(before?.search).toEqual({ requests, seconds: requests / 2 });
    const highest = Math.max(...events.map(({ id }) => id));
    expect(requests).toBeLessThan(highest / 100);
    const count = upstream.count('byId');
    passTime(20);
    const { added, status } = await perform('mirror search-ids', {
      upcoming: true,
      start: true,
      rate: 50,
    });
    expect(added).toBe(9);
    expect(upstream.count('byId') - count).toBeLessThanOrEqual(requests);
    expect(status.coverage.since).toBe(missingBefore);
    expect(await prepare()).toMatchObject({
      isReady: true,
      upcoming: 53,
      missingBefore,
      search: null,
    });
  });
});

describe('a sync without a change', () => {
  it.each([true, false])(
    'a sync without a change is one request, with ETag: %s',
    async (hasEtag) => {
      const mirror = await openMirror({ events: readConferences().slice(-150), hasEtag });
      const { upstream, perform, connection, syncAfter } = mirror;
      await perform('mirror set', connection);
      const counts: number[] = [];
      for (let sync = 0; sync < 5; sync += 1) {
        const before = upstream.requests.length;
        await syncAfter(20);
        counts.push(upstream.requests.length - before);
      }
      printFigure(
        `Idle syncs of a complete mirror, ETag ${hasEtag}: ${counts.join(', ')} requests`,
      );
      expect(counts).toEqual([1, 1, 1, 1, 1]);
      expect((await perform('mirror status')).mirrors[0]).toMatchObject({ problem: null });
      const { history } = await perform('history');
      expect(history).toHaveLength(1);
    },
  );
});
