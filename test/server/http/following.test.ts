import { expect, it } from 'vitest';
import type { EventDraft } from '../../../db/model.ts';
import { addEvents, addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { eachPage } from '../../support/list.ts';
import { serveForTest } from '../../support/service.ts';

const day = (at: number) => `2026-05-${String(1 + (at % 20)).padStart(2, '0')}T00:00:00.000Z`;

/** Events whose dates and moments of creation tie often, half of them with the word "relay". */
function makeSeason(count: number, firstId: number): EventDraft[] {
  return Array.from({ length: count }, (_, at) =>
    makeEvent(firstId + ((at * 37) % count), {
      name: at % 2 === 0 ? 'Night relay' : 'Sprint',
      date: day(at * 7),
      createdAt: day(at * 3),
    }),
  );
}

const orders = ['createdAt', 'date'].flatMap((sort) => [
  [sort, 'asc'],
  [sort, 'desc'],
]);

it.each(orders)(
  'visits every earlier match once by %s, %s, while others are added',
  async (...by) => {
    const home = makeTestHome();
    const before = makeSeason(120, 1_000);
    const member = await addMember(home, 'Chess', before);
    const service = await serveForTest(home);
    const path = `/v1/events?q=relay&status=active&sort=${by[0]}&order=${by[1]}&limit=7`;
    const seen: number[] = [];
    let added = 0;
    for await (const { events, total } of eachPage(service, path, member.key)) {
      seen.push(...events.map(({ id }) => id));
      expect(total).toBe(60 + added / 2);
      // Before, between and after those that are there: below and above their ids, at their times.
      if (added < 60) await addEvents(home, member.userId, makeSeason(20, 950 + added * 20));
      if (added < 60) added += 20;
    }
    const earlier = before.filter(({ name }) => name === 'Night relay').map(({ id }) => id);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => earlier.includes(id)).toSorted()).toEqual(earlier.toSorted());
  },
);

it('pages through a user’s own events while others are added', async () => {
  const home = makeTestHome();
  const member = await addMember(home, 'Chess', makeSeason(50, 1));
  const other = await addMember(home, 'Other', makeSeason(50, 1));
  const service = await serveForTest(home);
  const pages = eachPage(service, '/v1/events?limit=10', member.key);
  const seen: number[] = [];
  for await (const { events } of pages) {
    seen.push(...events.map(({ id }) => id));
    await addEvents(home, other.userId, makeSeason(10, 1_000 + seen.length));
  }
  expect(seen).toHaveLength(50);
  expect(new Set(seen).size).toBe(50);
});
