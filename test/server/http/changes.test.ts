import { hash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordedRevisions } from '../../../db/event-changes.ts';
import { editEvents } from '../../../db/event-edit.ts';
import { prepareEventListReads } from '../../../db/event-list.ts';
import { readHistory, undoBatch } from '../../../db/history.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { connection, type Writer } from '../../../db/open.ts';
import { copyStore, replaceStore } from '../../../db/replace-database.ts';
import { prepareEventsState, prepareUserReads } from '../../../db/users.ts';
import { homeAt } from '../../../server/base/home.ts';
import { createDigests } from '../../../server/http/digests.ts';
import { composeStateHeaders } from '../../../server/http/paging.ts';
import { withReader, withWriter } from '../../../server/store/store.ts';
import { unpackHome } from '../../db/homes.ts';
import { findDamage } from '../../support/damage.ts';
import { eventsOf, storedEvents } from '../../support/events.ts';
import {
  addEvents,
  addMember,
  createdAt,
  importAll,
  type Member,
  makeEvent,
  makeTestFolder,
  makeTestHome,
} from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { fc } from '../../support/random.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';

type Content = {
  readonly events: readonly StoredEvent[];
  readonly removed?: readonly number[];
  readonly code?: string;
  readonly parameter?: string;
};

type Answer = Content & {
  readonly status: number;
  readonly revision: string;
  readonly digest: string | null;
  readonly total: string | null;
  /** The path of the next page. */
  readonly next: string | undefined;
};

async function serveClub(events: Parameters<typeof addMember>[2] = []) {
  const home = makeTestHome();
  const member = await addMember(home, 'Chess', events);
  const service = await serveForTest(home);

  async function ask(path: string): Promise<Answer> {
    const answer = await fetchWithKey(service, path, member.key);
    const link = /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '');
    return {
      ...((await answer.json()) as Content),
      status: answer.status,
      revision: answer.headers.get('Events-Revision') ?? '',
      digest: answer.headers.get('Events-Digest'),
      total: answer.headers.get('Total-Count'),
      next: link?.[1],
    };
  }
  const since = (revision: string, more = '') => ask(`/v1/events?since=${revision}${more}`);
  const write = <T>(change: (db: Writer) => T) => withWriter(home, change);
  return { home, ask, since, write, service, ...member };
}

type Club = Awaited<ReturnType<typeof serveClub>>;

/** The digest of the contract, calculated in another way than by the service. */
function digestOf(events: Iterable<StoredEvent>): string {
  let sum = 0n;
  for (const event of events) sum += BigInt(`0x${hash('sha256', JSON.stringify(event))}`);
  return `sha256=${(sum % 2n ** 256n).toString(16).padStart(64, '0')}`;
}

/** A client that reads the whole list once and then only changes. */
class Copy {
  readonly events = new Map<number, StoredEvent>();
  readonly #club: Club;
  #revision: string | undefined;
  /** The number of times that the list was read. */
  lists = 0;

  constructor(club: Club) {
    this.#club = club;
  }

  /** Reads all pages; `between` runs after each page that is not the last. */
  async sync(limit: number, between?: () => Promise<unknown>) {
    if (this.#revision === undefined) return await this.#readList();
    const seen = new Set<number>();
    let path: string | undefined = `/v1/events?since=${this.#revision}&limit=${limit}`;
    let last: Answer | undefined;
    while (path !== undefined) {
      last = await this.#club.ask(path);
      if (last.status === 410) return await this.#readList();
      const { events, removed = [], next } = last;
      expect(events.length + removed.length).toBeLessThanOrEqual(limit);
      for (const id of [...removed, ...events.map((event) => event.id)]) {
        if (between === undefined) expect(seen).not.toContain(id);
        seen.add(id);
      }
      for (const event of events) this.events.set(event.id, event);
      for (const id of removed) this.events.delete(id);
      path = next;
      if (path !== undefined) await between?.();
    }
    this.#revision = last?.revision;
    return last as Answer;
  }

  async #readList(): Promise<Answer> {
    this.lists += 1;
    this.events.clear();
    const first = await this.#club.ask('/v1/events');
    for (let page: Answer | undefined = first; page !== undefined; ) {
      for (const event of page.events) this.events.set(event.id, event);
      page = page.next === undefined ? undefined : await this.#club.ask(page.next);
    }
    this.#revision = first.revision;
    return first;
  }

  expectEqual({ digest, total }: Answer, stored: readonly StoredEvent[]): void {
    const own = [...this.events.values()].sort((left, right) => left.id - right.id);
    expect(own).toEqual(stored);
    expect(digest).toBe(digestOf(own));
    // The changes have no count: it would not be theirs.
    expect([`${own.length}`, null]).toContain(total);
  }
}

const stored = (club: Club) => withReader(club.home, (db) => storedEvents(db, club.userId));

type Step = (club: Club) => unknown;

const now = createdAt;
const id = fc.integer({ min: 1, max: 12 });
const text = fc.constantFrom('', 'a', 'ß', '日本', '"\\\n', '\u2028');

const edit =
  (change: (events: Parameters<Parameters<typeof editEvents>[2]>[0]) => void): Step =>
  (club) =>
    club.write((db) => editEvents(db, { userId: club.userId, now }, change));

/** A change by a program that knows SQLite and nothing else, then one of this program. */
const sql =
  (statement: string): Step =>
  (club) =>
    club.write((db) => {
      connection(db).exec(statement);
      addEvent(db, club.userId);
    });

function addEvent(db: Writer, userId: number): void {
  editEvents(db, { userId, now }, (events) => events.add({ name: 'Added', date: createdAt }));
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(id, text)
    .map(([one, name]) =>
      edit((events) => events.read(one) && events.change(one, { name: `Named ${name}` })),
    ),
  id.map((one) => edit((events) => events.read(one) && events.remove(one))),
  text.map((name) => edit((events) => events.add({ name: `x${name}`, date: createdAt }))),
  fc.array(eventsOf({ id, text }), { maxLength: 8 }).map(
    (events): Step =>
      (club) =>
        addEvents(club.home, club.userId, events),
  ),
  fc.constant<Step>((club) =>
    club.write((db) => {
      const last = readHistory(db, club.userId).find(({ undoneBy }) => undoneBy === null);
      if (last !== undefined) undoBatch(db, last.id, createdAt);
    }),
  ),
  fc.constantFrom(
    sql("UPDATE events SET location = 'SQL ' || id WHERE id % 3 = 0"),
    sql('DELETE FROM events WHERE id % 4 = 0'),
    sql('UPDATE OR REPLACE events SET id = 2 WHERE id = 1'),
    sql(`INSERT OR REPLACE INTO events (user_id, id, name, date, location, status, created_at)
      VALUES (1, 5, 'SQL', '${createdAt}', '', 'draft', '${createdAt}')`),
  ),
  fc.constant<Step>((club) => addMember(club.home, `User${Math.random()}`, [makeEvent(1)])),
);

describe('GET /v1/events?since=', () => {
  it('keeps a copy equal to the list through edits, imports, removals, undos and restores', async () => {
    const moves = fc.array(
      fc.oneof(
        { weight: 8, arbitrary: steps },
        { weight: 6, arbitrary: fc.constantFrom(1, 2, 3, 200) },
        { weight: 1, arbitrary: fc.constantFrom('backup' as const, 'restore' as const) },
      ),
      { maxLength: 40, size: 'max' },
    );
    const property = fc.asyncProperty(moves, async (all) => {
      const club = await serveClub([makeEvent(1), makeEvent(2)]);
      const copies = [new Copy(club), new Copy(club)];
      const backup = join(makeTestFolder(), 'backup.sqlite');
      let hasBackup = false;
      let restores = 0;
      for (const move of all) {
        if (typeof move === 'function') await move(club);
        else if (move === 'backup' && !hasBackup) {
          copyStore(club.home.database, backup);
          hasBackup = true;
        } else if (move === 'restore' && hasBackup) {
          const copy = join(makeTestFolder(), 'copy.sqlite');
          copyFileSync(backup, copy);
          await replaceStore(copy, club.home.database, { beforeReplacing: () => undefined });
          restores += 1;
        } else if (typeof move === 'number') {
          const [one] = copies as [Copy];
          one.expectEqual(await one.sync(move), await stored(club));
        }
      }
      for (const one of copies) {
        one.expectEqual(await one.sync(200), await stored(club));
        // A removed user also begins a new epoch, but none was removed.
        expect(one.lists).toBeLessThanOrEqual(1 + restores);
      }
    });
    await fc.assert(property, { numRuns: choose(100, 3) });
  });

  it('combines the changes of an event, and orders them by the last one', async () => {
    const club = await serveClub([1, 2, 3, 4].map((one) => makeEvent(one)));
    const { revision } = await club.ask('/v1/events');
    expect(await club.since(revision)).toMatchObject({ events: [], removed: [], revision });
    await addEvents(club.home, club.userId, [makeEvent(3, { name: 'Once' })]);
    await addEvents(club.home, club.userId, [makeEvent(1, { name: 'Other' }), makeEvent(9)]);
    await addEvents(club.home, club.userId, [makeEvent(3, { name: 'Twice' })]);
    await club.write((db) =>
      editEvents(db, { userId: club.userId, now }, (events) => {
        events.remove(9);
        events.remove(2);
      }),
    );
    const changes = await club.since(revision);
    expect(changes.events).toEqual([
      makeEvent(1, { name: 'Other' }),
      makeEvent(3, { name: 'Twice' }),
    ]);
    expect(changes.removed).toEqual([9, 2]);
    await addEvents(club.home, club.userId, [makeEvent(2)]);
    const again = await club.since(revision);
    expect(again.events.map((event) => event.id)).toEqual([1, 3, 2]);
    expect(again.removed).toEqual([9]);
    expect(await club.since(changes.revision)).toMatchObject({
      events: [makeEvent(2)],
      removed: [],
    });
  });

  it('pages an import and a large removal, and stays consistent while changes continue', async () => {
    const many = (first: number, count: number, name: string) =>
      Array.from({ length: count }, (_, at) => makeEvent(first + at, { name }));
    const club = await serveClub(many(1, 700, 'Old'));
    const copy = new Copy(club);
    await copy.sync(200);
    await addEvents(club.home, club.userId, many(601, 700, 'New'));
    await club.write((db) =>
      editEvents(db, { userId: club.userId, now }, (events) => {
        for (let one = 1; one <= 500; one += 1) events.remove(one);
      }),
    );
    let changes = 0;
    const last = await copy.sync(50, () => {
      changes += 1;
      const [before, after] = [500 + changes, 1_301 - changes];
      return club.write((db) =>
        editEvents(db, { userId: club.userId, now }, (events) => {
          events.change(before, { name: `Changed ${changes}` });
          events.remove(after);
          events.add({ name: 'Added', date: createdAt });
        }),
      );
    });
    expect(changes).toBeGreaterThan(20);
    expect(copy.lists).toBe(1);
    copy.expectEqual(last, await stored(club));
  });

  it('answers a large change in pages of at most 200 by default', async () => {
    const club = await serveClub();
    const { revision } = await club.ask('/v1/events');
    await addEvents(
      club.home,
      club.userId,
      Array.from({ length: 450 }, (_, at) => makeEvent(at + 1)),
    );
    const sizes: number[] = [];
    for (let path: string | undefined = `/v1/events?since=${revision}`; path !== undefined; ) {
      const { events, next } = await club.ask(path);
      sizes.push(events.length);
      path = next;
    }
    expect(sizes).toEqual([200, 200, 50]);
  });

  it('GET /v1/events?since= never lists changes of another user', async () => {
    const club = await serveClub([makeEvent(1)]);
    const { revision } = await club.ask('/v1/events');
    await addMember(club.home, 'Other', [makeEvent(1), makeEvent(2)]);
    expect(await club.since(revision)).toMatchObject({ events: [], removed: [], revision });
  });
});

describe('a revision without recorded changes', () => {
  it('a revision without recorded changes is refused (410) when it is of another epoch, later than now or too old', async () => {
    const club = await serveClub([makeEvent(1)]);
    const { revision } = await club.ask('/v1/events');
    const [epoch, number] = revision.split('.') as [string, string];
    const gone = { status: 410, code: 'revision_gone' };
    expect(await club.since(`${'0'.repeat(16)}.${number}`)).toMatchObject(gone);
    expect(await club.since(`${epoch}.${Number(number) + 1}`)).toMatchObject(gone);
    expect(await club.since(`${epoch}.${'9'.repeat(400)}`)).toMatchObject(gone);
    await addEvents(club.home, club.userId, [makeEvent(2)]);
    const raise = (by: number) =>
      club.write((db) => connection(db).exec(`UPDATE users SET revision = revision + ${by}`));
    await raise(recordedRevisions - 1);
    expect(await club.since(revision)).toMatchObject({ status: 200, events: [makeEvent(2)] });
    await raise(1);
    expect(await club.since(revision)).toMatchObject(gone);
    const rows = await withReader(club.home, (db) =>
      connection(db).prepare('SELECT count(*) FROM event_changes').pluck().get(),
    );
    expect(rows).toBe(0);
  });

  it('a revision without recorded changes is refused after the restore of a backup and as many new edits', async () => {
    const club = await serveClub([makeEvent(1)]);
    const folder = makeTestFolder();
    const backup = join(folder, 'backup.sqlite');
    copyStore(club.home.database, backup);
    await addEvents(club.home, club.userId, [makeEvent(2)]);
    const { revision } = await club.ask('/v1/events');
    await replaceStore(backup, club.home.database, { beforeReplacing: () => undefined });
    await addEvents(club.home, club.userId, [makeEvent(3)]);
    const now = await club.ask('/v1/events');
    expect(now.revision.split('.')[1]).toBe(revision.split('.')[1]);
    expect(await club.since(revision)).toMatchObject({ status: 410, code: 'revision_gone' });
  });

  it.each([
    ['since='],
    ['since=x'],
    ['since=REVISION&since=REVISION'],
    ['since=0123456789abcdef.-1'],
    ['since=REVISION.x'],
    ['since=REVISION&q=relay'],
    ['since=REVISION&status=active'],
    ['since=REVISION&from=2026-01-01'],
    ['since=REVISION&sort=date'],
    ['since=REVISION&order=asc'],
    ['since=REVISION&cursor=x'],
  ])('a revision without recorded changes is malformed (400): %s', async (query) => {
    const club = await serveClub([makeEvent(1)]);
    const { revision } = await club.ask('/v1/events');
    const answer = await club.ask(`/v1/events?${query.replaceAll('REVISION', revision)}`);
    expect(answer).toMatchObject({ status: 400, code: 'invalid_parameter' });
    expect(answer.parameter).toMatch(/^(since|cursor)$/);
  });

  it('a revision without recorded changes goes with a limit and with ignored parameters', async () => {
    const club = await serveClub([makeEvent(1)]);
    const { revision } = await club.ask('/v1/events');
    expect(await club.since(revision, '&limit=1&x=1')).toMatchObject({ status: 200 });
    expect(await club.since(revision, '&limit=0')).toMatchObject({
      status: 400,
      parameter: 'limit',
    });
    const answer = await fetchWithKey(club.service, `/v1/events?since=${revision}&x=1`, club.key);
    expect(answer.headers.get('Ignored-Parameters')).toBe('x');
  });

  it('the changes since a revision are the same beside the default values of other parameters', async () => {
    const club = await serveClub([makeEvent(1)]);
    const { revision } = await club.ask('/v1/events');
    await addEvents(club.home, club.userId, [makeEvent(2)]);
    const alone = await club.since(revision);
    expect(alone).toMatchObject({ status: 200, events: [{ id: 2 }] });
    // As the explorer of the interface sends every default.
    expect(await club.since(revision, '&sort=createdAt&order=desc&limit=200')).toEqual(alone);
  });
});

describe('Events-Digest', () => {
  const samples = [
    makeEvent(1),
    makeEvent(-7, { description: 'ß "日本"\n', registrationOpen: true }),
    makeEvent(300, { eventType: null, status: 'cancelled', registrationOpen: false }),
    makeEvent(9_007_199_254_740_991, { location: '' }),
  ] as const;

  it('Events-Digest is on lists of all events and on changes, and depends on no order of insertion or storage', async () => {
    const digests = new Set<unknown>();
    const expected = new Set<string>();
    for (const events of [samples, samples.toReversed()]) {
      const club = await serveClub(events);
      digests.add((await club.ask('/v1/events')).digest);
      for (const query of ['limit=1', 'sort=date&order=asc', 'x=1', 'limit=2&sort=createdAt']) {
        digests.add((await club.ask(`/v1/events?${query}`)).digest);
      }
      const second = (await club.ask('/v1/events?limit=1')).next;
      digests.add((await club.ask(second ?? '')).digest);
      for (const query of ['q=event', 'q=', 'status=active', 'eventType=club', 'from=2026-01-01']) {
        expect((await club.ask(`/v1/events?${query}`)).digest, query).toBeNull();
      }
      expected.add(digestOf(await stored(club)));
      const { revision } = await club.ask('/v1/events');
      digests.add((await club.since(revision)).digest);
      const copy = homeAt(join(makeTestFolder(), 'home'));
      const member = await addMember(copy, 'Copy', (await club.ask('/v1/events')).events);
      const service = await serveForTest(copy);
      const answer = await fetchWithKey(service, '/v1/events', member.key);
      digests.add(answer.headers.get('Events-Digest'));
    }
    expect(expected.size).toBe(1);
    expect(digests).toEqual(expected);
  });

  it('Events-Digest differs after a change of any member', async () => {
    const club = await serveClub(samples);
    const all = new Set([(await club.ask('/v1/events')).digest]);
    const remove = (one: number) => edit((events) => events.remove(one))(club);
    const changes: Parameters<typeof makeEvent>[1][] = [
      { name: 'Other' },
      { date: '2027-01-01T00:00:00.000Z' },
      { location: 'Elsewhere' },
      { description: 'Other' },
      { status: 'draft' },
      { eventType: 'regional' },
      { registrationOpen: true },
      { registrationOpen: false },
      { createdAt: '2027-01-01T00:00:00.000Z' },
      { id: 2 },
    ];
    for (const change of changes) {
      if (change?.id !== undefined) await remove(1);
      await addEvents(club.home, club.userId, [makeEvent(1, change)]);
      const { digest } = await club.ask('/v1/events');
      expect(all, JSON.stringify(change)).not.toContain(digest);
      all.add(digest);
      expect(digest).toBe(digestOf(await stored(club)));
    }
    for (const event of await stored(club)) await remove(event.id);
    expect((await club.ask('/v1/events')).digest).toBe(`sha256=${'0'.repeat(64)}`);
  });

  it('Events-Digest is calculated after a change by another program', async () => {
    const club = await serveClub(samples);
    const change = (sql: string) => club.write((db) => connection(db).exec(sql));
    await change('DELETE FROM events WHERE id = 300');
    const first = await club.ask('/v1/events?limit=1');
    expect(first).toMatchObject({ digest: digestOf(await stored(club)), total: '3' });
    await change("UPDATE events SET name = 'Another'");
    const { digest } = await club.since(first.revision);
    expect(digest).not.toBe(first.digest);
    expect(digest).toBe(digestOf(await stored(club)));
    expect((await club.ask('/v1/events?status=active')).digest).toBeNull();
  });

  it('Events-Digest is calculated while other clubs are answered', { tags: 'long' }, async () => {
    const club = await serveClub(Array.from({ length: 20_000 }, (_, at) => makeEvent(at + 1)));
    const other = await addMember(club.home, 'Other', [makeEvent(1)]);
    const answered: string[] = [];
    await club.write((db) => connection(db).exec("UPDATE events SET name = 'Another'"));
    const digests = Array.from({ length: 2 }, async () => {
      const { digest } = await club.ask('/v1/events');
      answered.push('club');
      return digest;
    });
    await fetchWithKey(club.service, '/v1/events', other.key);
    answered.push('other');
    const right = digestOf(await stored(club));
    expect(await Promise.all(digests)).toEqual([right, right]);
    expect(answered).toEqual(['other', 'club', 'club']);
  });

  it('Events-Digest is never that of a mixture of two states, or of an earlier one', async () => {
    const club = await serveClub(Array.from({ length: 3_000 }, (_, at) => makeEvent(at + 1)));
    const change = (sql: string) => club.write((db) => connection(db).exec(sql));
    await change("UPDATE events SET name = 'First' WHERE id = 1");
    await withReader(club.home, async (db) => {
      const lists = prepareEventListReads(db);
      const { revision } = lists.state(club.userId);
      // Has read the first slice when the change is made.
      const calculating = createDigests(lists)(club.userId);
      await change("UPDATE events SET name = 'Second' WHERE id IN (1, 3000)");
      expect(await calculating).toEqual({ revision, digest: null });
      const earlier = { revision, digest: 'f'.repeat(64) };
      const later = lists.state(club.userId);
      expect(composeStateHeaders(later, earlier)).toEqual({ 'Events-Revision': later.revision });
    });
  });

  it('Events-Digest costs a service that has just started no read of all events', {
    tags: 'long',
  }, async () => {
    const home = makeTestHome();
    const many = Array.from({ length: 50_000 }, (_, at) => makeEvent(at + 1));
    const other = await addMember(home, 'Other', [makeEvent(1)]);
    const small = await addMember(home, 'Small', many.slice(0, 200));
    const large = await addMember(home, 'Large', many);
    const times = { small: [] as number[], large: [] as number[] };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const service = await serveForTest(home);
      /** Returns the processor time of a list, in ms. */
      const timeList = async ({ key }: Member) => {
        const start = process.cpuUsage();
        const answer = await fetchWithKey(service, '/v1/events', key);
        await answer.arrayBuffer();
        const { user, system } = process.cpuUsage(start);
        expect(answer.headers.get('Events-Digest')).not.toBeNull();
        return (user + system) / 1_000;
      };
      await timeList(other);
      times.small.push(await timeList(small));
      times.large.push(await timeList(large));
    }
    expect(Math.min(...times.large)).toBeLessThan(3 * Math.min(...times.small));
  });

  it('Events-Digest is checked against the events', async () => {
    const club = await serveClub(samples);
    const check = () => withReader(club.home, findDamage);
    expect(await check()).toEqual([]);
    const damage = "event_digest = replace(event_digest, '0', '1'), event_count = 3";
    await club.write((db) => connection(db).exec(`UPDATE users SET ${damage}`));
    expect(await check()).toEqual([`user ${club.userId} has a wrong number or digest of events`]);
  });

  it('Events-Digest is calculated when an older database is migrated', async () => {
    const home = unpackHome(5, makeTestFolder());
    await withWriter(home, () => undefined);
    await withReader(home, (db) => {
      const users = prepareUserReads(db).all();
      expect(users.length).toBeGreaterThan(0);
      for (const { id: userId, events } of users) {
        const { count, digest } = prepareEventsState(db)(userId);
        expect(count).toBe(events);
        expect(`sha256=${digest}`).toBe(digestOf(storedEvents(db, userId)));
      }
    });
  });

  it('Events-Digest is equal again after changes there and back, whose revision differs', async () => {
    const club = await serveClub(samples);
    const before = await club.ask('/v1/events');
    await club.write((db) => importAll(db, club.userId, [makeEvent(1, { name: 'Other' })]));
    expect((await club.ask('/v1/events')).digest).not.toBe(before.digest);
    await club.write((db) => importAll(db, club.userId, [makeEvent(1)]));
    const after = await club.ask('/v1/events');
    expect(after.digest).toBe(before.digest);
    expect(after.revision).not.toBe(before.revision);
  });
});
