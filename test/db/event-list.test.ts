import { expect, it } from 'vitest';
import {
  afterEveryDate,
  beforeEveryDate,
  type EventListReads,
  type EventPage,
  type EventQuery,
  prepareEventListReads,
} from '../../db/event-list.ts';
import { eventStatuses, eventTypes } from '../../db/model.ts';
import { closeStore, connection, type Writer } from '../../db/open.ts';
import type { TeamFilter } from '../../db/team-filter.ts';
import { insertUser } from '../../db/users.ts';
import { defaultQuery } from '../../server/http/paging.ts';
import { eventsOf } from '../support/events.ts';
import { createdAt, importAll, makeEvent, openMemory } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { workedMs } from '../support/measure.ts';
import { fc } from '../support/random.ts';

/** Few moments and words, so that many events tie and match. */
const moments = Array.from({ length: 6 }, (_, at) => `2026-01-0${at + 1}T00:00:00.000Z`);
const words = ['apple', 'berry', 'cherry'];
const moment = fc.constantFrom(...moments);
const text = fc.subarray(words).map((some) => some.join(' '));
const several = <Value>(values: readonly Value[]) =>
  fc.option(fc.subarray([...values], { minLength: 1 }));

const event = eventsOf({ id: fc.integer({ min: -9, max: 99 }), text, moment });
const clubs = fc.uniqueArray(event, { selector: ({ id }) => id, minLength: 1, maxLength: 40 });
const anyEvent: TeamFilter = { words: '', without: '', place: '', eventType: null };
const query: fc.Arbitrary<EventQuery> = fc.record({
  statuses: several(eventStatuses),
  eventTypes: several([...eventTypes, 'none'] as const),
  from: fc.constantFrom(beforeEveryDate, ...moments),
  to: fc.constantFrom(afterEveryDate, ...moments),
  words: fc.subarray(words.map((word) => word.slice(0, 2))),
  sort: fc.constantFrom('createdAt', 'date'),
  team: fc.constantFrom(null, ...words.map((word) => ({ ...anyEvent, words: word }))),
  descending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 7 }),
});

function insertUsers<const Names extends readonly string[]>(db: Writer, names: Names) {
  const ids = names.map((name) => insertUser(db, name, createdAt));
  return ids as { readonly [At in keyof Names]: number };
}

function allPages(reads: EventListReads, userId: number, first: EventQuery): EventPage[] {
  const pages: EventPage[] = [];
  for (
    let after: EventPage['next'] | null = null;
    after !== undefined;
    after = pages.at(-1)?.next
  ) {
    pages.push(reads.page(userId, after === null ? first : { ...first, after }));
    // No page is empty, of at most 40 events.
    expect(pages.length).toBeLessThanOrEqual(40);
  }
  return pages;
}

// The events of a list are tested against a plain model in list-model.test.ts.
it('returns every match once across pages, with the total on each page', () => {
  fc.assert(
    fc.property(clubs, fc.array(query, { minLength: 1, maxLength: 12 }), (events, queries) => {
      const db = openMemory();
      const [before, userId, behind] = insertUsers(db, ['a', 'b', 'c']);
      // Another user’s rows lie before and after.
      importAll(db, before, events.slice(0, 3));
      importAll(db, userId, events);
      importAll(db, behind, events.slice(0, 3));
      const reads = prepareEventListReads(db);
      for (const wanted of queries) {
        const pages = allPages(reads, userId, wanted);
        const ids = pages.flatMap((page) => page.events.map(({ id }) => id));
        expect(new Set(ids).size).toBe(ids.length);
        for (const { total } of pages) expect(total).toBe(ids.length);
      }
      closeStore(db);
    }),
    { numRuns: choose(60, 8) },
  );
});

it('counts the matches of a list once for all its pages, until the counts are forgotten', {
  tags: 'long',
}, () => {
  const db = openMemory();
  const [userId] = insertUsers(db, ['a']);
  const dateOf = (id: number) => new Date(Date.UTC(2026, 0, 1, 0, id)).toISOString();
  const some = (first: number, count: number) =>
    Array.from({ length: count }, (_, at) => makeEvent(first + at, { date: dateOf(first + at) }));
  importAll(db, userId, some(1, 20_000));
  const reads = prepareEventListReads(db);
  const counts = new Map<string, number>();
  const timeOf = (wanted: EventQuery, count: number) => {
    const began = workedMs();
    expect(reads.page(userId, wanted, counts).total).toBe(count);
    return workedMs() - began;
  };
  const spent = { first: 0, next: 0 };
  // Clocks of processor time tick every few milliseconds.
  for (let at = 0; at < 100; at += 1) {
    const wanted: EventQuery = { ...defaultQuery, from: dateOf(at + 1), sort: 'date', limit: 1 };
    spent.first += timeOf(wanted, 20_000 - at);
    spent.next += timeOf({ ...wanted, after: { at: dateOf(9_999), id: 9_999 } }, 20_000 - at);
  }
  expect(spent.next / spent.first).toBeLessThan(0.4);
  const wanted: EventQuery = { ...defaultQuery, from: dateOf(1), limit: 1 };
  timeOf(wanted, 20_000);
  importAll(db, userId, some(20_001, 5));
  counts.clear();
  timeOf(wanted, 20_005);
  closeStore(db);
});

it('does not find a row that another program moved to another user', () => {
  const db = openMemory();
  const sqlite = connection(db);
  const [one, other] = insertUsers(db, ['a', 'b']);
  importAll(
    db,
    one,
    [1, 2, 3].map((id) => makeEvent(id, { name: `Apple ${id}` })),
  );
  sqlite.exec('DELETE FROM events WHERE id = 3');
  sqlite
    .prepare(`INSERT INTO events (user_id, id, name, date, location, status, created_at)
      VALUES (?, 7, 'Secret', @at, '', 'active', @at)`)
    .run(other, { at: createdAt });
  const query = { ...defaultQuery, words: ['apple'] };
  const { events, total } = prepareEventListReads(db).page(one, query);
  expect(events.map(({ id }) => id)).toEqual([2, 1]);
  expect(total).toBe(2);
  expect(sqlite.prepare('SELECT user_id FROM events WHERE row = 3').pluck().get()).toBe(other);
  closeStore(db);
});
