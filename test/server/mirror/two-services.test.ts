import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../db/model.ts';
import { prepareEventsState } from '../../../db/users.ts';
import {
  type ActionName,
  type ActionResult,
  catalogue,
} from '../../../server/actions/catalogue.ts';
import type { Home } from '../../../server/base/home.ts';
import { type ActionTools, thisMachine } from '../../../server/club/tools.ts';
import { minuteMs as minute } from '../../../server/dates/units.ts';
import { withReader } from '../../../server/store/store.ts';
import { storedEvents } from '../../support/events.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { withUser } from '../../support/mirror.ts';
import { serveForTest } from '../../support/service.ts';

const firstCreated = Date.parse('2026-01-01T00:00:00.000Z');

/** Makes events that were created one after the other; every third does not say if it is open. */
function makeSeason(count: number): EventDraft[] {
  return Array.from({ length: count }, (_, index) =>
    makeEvent(index + 1, {
      createdAt: new Date(firstCreated + index * minute).toISOString(),
      ...(index % 3 > 0 && { registrationOpen: index % 3 === 1 }),
    }),
  );
}

async function openClub(name: string, events: readonly EventDraft[] = []) {
  const home = makeTestHome();
  const { userId, key } = await addMember(home, name, events);
  const tools: ActionTools = {
    ...thisMachine,
    home,
    write: async () => undefined,
    onProgress: () => undefined,
  };
  return {
    home,
    userId,
    key,
    async perform<Name extends ActionName>(action: Name, args: object = {}) {
      const all = await withUser(action, name, args);
      return (await catalogue[action].perform(all, tools)) as ActionResult<Name>;
    },
    read: () => readClub(home, userId),
  };
}

function readClub(home: Home, userId: number) {
  return withReader(home, (db) => ({
    events: storedEvents(db, userId),
    digest: prepareEventsState(db)(userId).digest,
  }));
}

type Club = Awaited<ReturnType<typeof openClub>>;

/** Starts the service of a club, and makes a copy of it with a first sync. */
async function copyClub(original: Club, key: string) {
  const { baseUrl } = await serveForTest(original.home);
  const copy = await openClub('Copy');
  const first = await copy.perform('mirror set', { url: baseUrl, key, keyStore: 'file' });
  async function sync() {
    const [result] = (await copy.perform('mirror sync')).results;
    if (result === undefined) throw new Error('no sync');
    expect(result.status.problem).toBeNull();
    const { requests, added, changed, removed } = result;
    return { requests, added, changed, removed };
  }
  return { copy, first, sync };
}

/** Starts the service of a club with `count` events, and makes a copy of it. */
async function openTwins(count: number) {
  const original = await openClub('Original', makeSeason(count));
  return { original, ...(await copyClub(original, original.key)) };
}

const unchanged = { added: 0, changed: 0, removed: 0 };

describe('a mirror of another Club Events service', () => {
  it('a mirror of another Club Events service needs one request if nothing changed, and few for the changes among 1,000 events', {
    tags: 'long',
  }, async () => {
    const { original, copy, first, sync } = await openTwins(1_000);
    // Five pages, two events that prove the account, and the calibration.
    expect(first).toMatchObject({ requests: 10, added: 1_000 });
    expect(await copy.read()).toEqual(await original.read());
    expect(await sync()).toEqual({ requests: 1, ...unchanged });

    await original.perform('event edit', { id: 7, changes: { name: 'Moved' } });
    expect(await sync()).toEqual({ requests: 2, ...unchanged, changed: 1 });

    await original.perform('event add', { event: { name: 'Final', date: '2026-12-01T10:00:00Z' } });
    expect(await sync()).toEqual({ requests: 1, ...unchanged, added: 1 });

    await original.perform('event remove', { id: 8 });
    expect(await sync()).toEqual({ requests: 5, ...unchanged, removed: 1 });

    await original.perform('event edit', { id: 9, changes: { name: 'Moved' } });
    await original.perform('event add', { event: { name: 'Party', date: '2026-12-02T10:00:00Z' } });
    await original.perform('event remove', { id: 10 });
    expect(await sync()).toEqual({ requests: 5, added: 1, changed: 1, removed: 1 });

    expect(await copy.read()).toEqual(await original.read());
    expect(await sync()).toEqual({ requests: 1, ...unchanged });
  });

  it('verifies all events with one request', async () => {
    const { original, copy, sync } = await openTwins(1_000);
    expect(await copy.perform('mirror verify')).toMatchObject({
      requests: 1,
      checked: 1_000,
      differences: [],
    });
    await original.perform('event edit', { id: 7, changes: { name: 'Moved' } });
    expect(await copy.perform('mirror verify')).toMatchObject({
      requests: 2,
      differences: [{ event: { id: 7, name: 'Moved' }, kind: 'changed' }],
    });
    expect(await sync()).toEqual({ requests: 1, ...unchanged });
  });

  it('loses a registration that is no longer given', async () => {
    const { original, copy, sync } = await openTwins(10);
    const { batch } = await original.perform('event edit', {
      id: 1,
      changes: { registrationOpen: true },
    });
    await sync();
    expect(await copy.read()).toEqual(await original.read());
    await original.perform('undo', { id: batch });
    expect(await sync()).toMatchObject({ changed: 1 });
    expect(await copy.read()).toEqual(await original.read());
    expect(await copy.perform('mirror verify')).toMatchObject({ differences: [] });
  });

  it('copies a copy in the same way', { tags: 'long' }, async () => {
    const { original, copy, sync } = await openTwins(300);
    const second = await copyClub(copy, original.key);
    expect(await second.copy.read()).toEqual(await original.read());
    await sync();
    expect(await second.sync()).toEqual({ requests: 1, ...unchanged });
    await original.perform('event edit', { id: 7, changes: { name: 'Moved' } });
    await sync();
    expect(await second.sync()).toEqual({ requests: 2, ...unchanged, changed: 1 });
    expect(await second.copy.read()).toEqual(await original.read());
  });

  it('reads the whole list again after the service restored a backup', async () => {
    const { original, copy, sync } = await openTwins(1_000);
    const backup = await original.perform('backup');
    await original.perform('event edit', { id: 7, changes: { name: 'Moved' } });
    await sync();
    await original.perform('restore', { name: backup.name });
    await original.perform('event edit', { id: 8, changes: { name: 'Moved' } });
    // The changes, which are gone; the first page twice, as the first answer was a 304; the other four.
    expect(await sync()).toEqual({ requests: 7, ...unchanged, changed: 2 });
    expect(await copy.read()).toEqual(await original.read());
    expect(await sync()).toEqual({ requests: 1, ...unchanged });
  });
});
