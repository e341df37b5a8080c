import { describe, expect, it } from 'vitest';
import { digestOf } from '../../db/event-hash.ts';
import { eachEvent } from '../../db/event-list.ts';
import {
  becomeNode,
  type ClubChanges,
  type HubEventRow,
  prepareNodeUpdates,
} from '../../db/hub.ts';
import type { StoredEvent } from '../../db/model.ts';
import { connection } from '../../db/open.ts';
import { openMemory } from '../support/home.ts';

/** Creates the database of a node, with a function that gives it a state of its only club. */
function makeNode() {
  const db = openMemory();
  becomeNode(db);
  const updates = prepareNodeUpdates(db);
  function take(
    revisions: ClubChanges['revisions'],
    rows: readonly HubEventRow[],
    isWhole: boolean,
  ): void {
    const [revision, epoch] = revisions.at(-1) ?? [0, ''];
    const eventDigest = digestOf(rows.map(eventOf));
    const state = { epoch, revision, eventCount: rows.length, eventDigest };
    const club = { id: 1, name: 'Chess', zone: '', uidBase: 'base', teams: [], ...state };
    const update = updates.begin();
    update.beginClub({ club, isWhole, keys: [], revisions, removed: [] });
    update.putEvents(rows);
    expect(update.endClub()).toBeUndefined();
    update.commit({ number: revision, changeId: epoch });
  }
  return { db, updates, take };
}

const time = '2026-11-21T13:00:00.000Z';

/** The columns of an event with a key of its source. */
const row = (id: number, sourceKey: string | null, revision: number): HubEventRow => [
  ...[id, 'Chess', time, '', null, 'active', null, null, time, sourceKey],
  revision,
];

/** The event of a row, as `digestOf` takes it. */
function eventOf([
  id,
  name,
  date,
  location,
  description,
  status,
  eventType,
  ,
  createdAt,
]: HubEventRow) {
  const event = { id, name, date, location, description, status, eventType, createdAt };
  return event as unknown as StoredEvent;
}

describe('the database of a node', () => {
  it('lets the key of a source move from one event to another', () => {
    const { db, take } = makeNode();
    take([[1, 'a']], [row(1, 'uid', 1), row(2, null, 1)], true);
    // The event that loses the key comes later.
    take([[2, 'b']], [row(2, 'uid', 2), row(1, null, 2)], false);
    const keys = [...eachEvent(db, 1)].map(({ id, sourceKey }) => [id, sourceKey]);
    expect(keys).toEqual([
      [1, null],
      [2, 'uid'],
    ]);
  });

  it('forgets the revisions of pushes that the record has lost', () => {
    const { db, take } = makeNode();
    take([[1, 'a']], [row(1, null, 1)], true);
    take([[2, 'lost']], [row(1, null, 2)], false);
    take([[1, 'a']], [row(1, null, 1)], true);
    const known = connection(db).prepare('SELECT revision, epoch FROM hub_revisions').all();
    expect(known).toEqual([{ revision: 1, epoch: 'a' }]);
  });

  it('keeps a club as it was if a row, or the digest, is not right, but takes its keys', () => {
    const { db, updates, take } = makeNode();
    take([[1, 'a']], [row(1, null, 1)], true);
    const before = [...eachEvent(db, 1)];
    const state = { epoch: 'b', revision: 2, eventCount: 2, eventDigest: '0'.repeat(64) };
    const club = { id: 1, name: 'Chess', zone: '', uidBase: 'base', teams: [], ...state };
    const key = [new Uint8Array(32), null, time, null, time] as const;
    const changes = { club, isWhole: false, keys: [key], revisions: [], removed: [] };
    const bad = [2, 'Bad', 'not a date', '', null, 'active', null, null, time, null, 2] as const;
    const attempts = [
      [[bad as unknown as HubEventRow], /^event 2: CHECK constraint failed: length\(date\) = 24/],
      [
        [row(2, null, 2)],
        /^the node has 2 events with the digest [0-9a-f]{64}, the record 2 with 0+$/,
      ],
    ] as const;
    for (const [rows, reason] of attempts) {
      const update = updates.begin();
      update.beginClub(changes);
      update.putEvents(rows);
      expect(update.endClub()).toMatch(reason);
      update.commit({ number: 2, changeId: 'b' });
      expect([...eachEvent(db, 1)]).toEqual(before);
      const stored = connection(db).prepare('SELECT revoked_at AS at FROM keys').all();
      expect(stored).toEqual([{ at: time }]);
      expect(connection(db).prepare('SELECT revision, epoch FROM users').get()).toEqual({
        revision: 1,
        epoch: 'a',
      });
    }
  });
});
