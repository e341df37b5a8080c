import { expect, it } from 'vitest';
import { beginEventImport } from '../../../db/event-import.ts';
import { digestOfKey, insertKey, revokeKey } from '../../../db/keys.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { insertUser } from '../../../db/users.ts';
import type { Home } from '../../../server/base/home.ts';
import { withWriter } from '../../../server/store/store.ts';
import { eventsOf, timestamps } from '../../support/events.ts';
import { createdAt, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { fc } from '../../support/random.ts';
import { fetchWithKey, startTestService } from '../../support/service.ts';

/** The plain model that the service is held against: lists, filters and sorts in memory. */
type ModelUser = { readonly events: readonly StoredEvent[] };
type ModelKey = { readonly owner: number; readonly revoked: boolean; readonly expired: boolean };
type Club = { readonly users: readonly ModelUser[]; readonly keys: readonly ModelKey[] };

/** Few moments, so that events tie; and any. */
const moment = fc.oneof(
  fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'),
  timestamps,
);
const id = fc.oneof(fc.integer({ min: -3, max: 300 }), fc.maxSafeInteger());
const text = fc.string({ unit: 'binary', maxLength: 20 }).map((any) => any.replaceAll('\0', ''));

const event = eventsOf({ id, text, moment });

const club: fc.Arbitrary<Club> = fc.record({
  users: fc.array(
    fc.record({
      events: fc.uniqueArray(event, {
        selector: ({ id }) => id,
        maxLength: 260,
        // As many as the list holds, and more, are as likely as a few.
        size: 'max',
      }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  keys: fc.array(fc.record({ owner: fc.nat(2), revoked: fc.boolean(), expired: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  }),
});

const keyText = (at: number) => `key-${at}`;
const ownerOf = ({ users }: Club, { owner }: ModelKey) => users[owner % users.length];

function expectedList({ events }: ModelUser): readonly StoredEvent[] {
  const newestFirst = (left: StoredEvent, right: StoredEvent) =>
    left.createdAt < right.createdAt || (left.createdAt === right.createdAt && left.id < right.id)
      ? 1
      : -1;
  return events.toSorted(newestFirst).slice(0, 200);
}

function fill(home: Home, { users, keys }: Club): Promise<void> {
  return withWriter(home, (db) => {
    const ids = users.map(({ events }, at) => {
      const userId = insertUser(db, `user${at}`, createdAt) ?? 0;
      const batch = beginEventImport(db, { userId, now: createdAt, source: 'test' });
      for (const one of events) expect(batch.apply(one).kind).toBe('added');
      batch.commit();
      return userId;
    });
    for (const [at, { owner, revoked, expired }] of keys.entries()) {
      const userId = ids[owner % ids.length] ?? 0;
      const expiresAt = expired ? createdAt : null;
      const digest = digestOfKey(keyText(at));
      const keyId = insertKey(db, { userId, digest, label: null, createdAt, expiresAt });
      if (revoked) revokeKey(db, keyId, createdAt);
    }
  });
}

it('answers every key like the model', async () => {
  const property = fc.asyncProperty(club, fc.array(id, { maxLength: 5 }), async (model, probes) => {
    const home = makeTestHome();
    await fill(home, model);
    const service = await startTestService(home);
    for (const [at, key] of model.keys.entries()) {
      const ask = (path: string) => fetchWithKey(service, path, keyText(at));
      const user = ownerOf(model, key);
      const list = await ask('/v1/events');
      if (key.revoked || key.expired || user === undefined) {
        expect(list.status).toBe(401);
        continue;
      }
      expect(await list.text()).toBe(JSON.stringify({ events: expectedList(user) }));
      const everyId = model.users.flatMap(({ events }) => events.slice(0, 8).map(({ id }) => id));
      for (const probe of [...everyId, ...probes]) {
        const one = await ask(`/v1/events/${probe}`);
        const expected = user.events.find(({ id }) => id === probe);
        expect(one.status).toBe(expected === undefined ? 404 : 200);
        if (expected) expect(await one.text()).toBe(JSON.stringify({ event: expected }));
        else await one.body?.cancel();
      }
    }
    await service.close();
  });
  await fc.assert(property, { numRuns: choose(30, 4) });
});
