import { expect, it } from 'vitest';
import { eventStatuses, eventTypes, type StoredEvent } from '../../../db/model.ts';
import { eventsOf, timestamps } from '../../support/events.ts';
import { addMember, type Member, makeTestHome } from '../../support/home.ts';
import { eachPage } from '../../support/list.ts';
import { choose } from '../../support/long.ts';
import { fc } from '../../support/random.ts';
import { type RunningService, startTestService } from '../../support/service.ts';

/** The plain model that filters, orders and pages are held against: an array. */
type Query = {
  readonly q: string | undefined;
  readonly status: readonly string[] | undefined;
  readonly eventType: readonly string[] | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly sort: 'createdAt' | 'date' | undefined;
  readonly order: 'asc' | 'desc' | undefined;
  readonly limit: number | undefined;
};

const likes = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' };

function wordsOf(text: string): string[] {
  const bare = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  const plain = Object.entries(likes).reduce((all, pair) => all.replaceAll(...pair), bare);
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function matches(event: StoredEvent, { q = '', status, eventType, from, to }: Query): boolean {
  const words = wordsOf(`${event.name} ${event.location} ${event.description ?? ''}`);
  return (
    wordsOf(q).every((start) => words.some((word) => word.startsWith(start))) &&
    (status?.includes(event.status) ?? true) &&
    (eventType?.includes(event.eventType ?? 'none') ?? true) &&
    (from === undefined || Date.parse(event.date) >= Date.parse(from)) &&
    (to === undefined || Date.parse(event.date) < Date.parse(to))
  );
}

function expected(events: readonly StoredEvent[], query: Query): StoredEvent[] {
  const { sort = 'createdAt', order = 'desc' } = query;
  const up = (left: StoredEvent, right: StoredEvent) =>
    left[sort] === right[sort] ? left.id - right.id : left[sort] < right[sort] ? -1 : 1;
  const found = events.filter((event) => matches(event, query)).toSorted(up);
  return order === 'asc' ? found : found.reverse();
}

const pieces = [
  ...['Straße', 'STRASSE', 'Łódź', 'lodz', 'é', 'e\u0301', 'København', 'kobenhavn', 'Ærø', 'a'],
  ...['日本語', '日', 'Ω', 'ω', 'İ', 'naïve', '2026', '٣', 'AND', 'NOT', 'NEAR(a b)', 'name:a'],
  ...[
    '"',
    "'",
    '*',
    '^',
    '-',
    '_',
    '.',
    ' ',
    '\n',
    '+',
    '%',
    '🏃',
    '\u200b',
    ' – ',
    '\\',
    '^a',
    'ab',
  ],
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join(''));
const moment = fc.oneof(
  fc.constantFrom(
    '2026-05-01T00:00:00.000Z',
    '2026-05-01T00:00:00.001Z',
    '2026-04-30T22:00:00.000Z',
  ),
  timestamps,
);
const event = eventsOf({ id: fc.integer({ min: -20, max: 99 }), text, moment });
const boundary = fc.oneof(
  fc.constantFrom('2026-05-01', '2026-05-01T00:00:00Z', '2026-05-01T02:00:00.001+02:00'),
  moment,
);
const several = (values: readonly string[]) => fc.subarray([...values], { minLength: 1 });
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });

const query: fc.Arbitrary<Query> = fc.record({
  q: maybe(fc.array(fc.constantFrom(...pieces), { maxLength: 2 }).map((parts) => parts.join(' '))),
  status: maybe(several(eventStatuses)),
  eventType: maybe(several([...eventTypes, 'none'])),
  from: maybe(boundary),
  to: maybe(boundary),
  sort: maybe(fc.constantFrom('createdAt', 'date')),
  order: maybe(fc.constantFrom('asc', 'desc')),
  limit: maybe(fc.integer({ min: 1, max: 30 })),
});

const users = fc.array(
  fc.uniqueArray(event, { selector: ({ id }) => id, maxLength: 60, size: 'max' }),
  { minLength: 2, maxLength: 2 },
);

function pathOf(query: Query): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const texts = entries.map(([name, value]) => [name, String(value)]);
  return `/v1/events?${new URLSearchParams(Object.fromEntries(texts))}`;
}

async function expectModel(
  service: RunningService,
  { key }: Member,
  events: readonly StoredEvent[],
  query: Query,
): Promise<void> {
  const all = expected(events, query);
  const seen: StoredEvent[] = [];
  for await (const page of eachPage(service, pathOf(query), key)) {
    expect(page.total).toBe(all.length);
    expect(page.events.length).toBe(Math.min(query.limit ?? 200, all.length - seen.length));
    seen.push(...page.events);
  }
  expect(seen).toEqual(all);
}

it('filters, sorts and pages like an array', async () => {
  const queries = fc.array(query, { minLength: 15, maxLength: 15 });
  const property = fc.asyncProperty(users, queries, async (model, list) => {
    const home = makeTestHome();
    const members: Member[] = [];
    for (const [at, events] of model.entries()) {
      members.push(await addMember(home, `user${at}`, events));
    }
    const service = await startTestService(home);
    for (const one of list) {
      for (const [at, member] of members.entries()) {
        await expectModel(service, member, model[at] ?? [], one);
      }
    }
    await service.close();
  });
  await fc.assert(property, { numRuns: choose(25, 3) });
});
