import { describe, expect, it } from 'vitest';
import { eachEvent } from '../../db/event-list.ts';
import {
  becomeNode,
  type ClubChanges,
  type HubEventRow,
  prepareNodeUpdates,
} from '../../db/hub.ts';
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
    const state = { epoch, revision, eventCount: rows.length, eventDigest: '' };
    const club = { id: 1, name: 'Chess', zone: '', uidBase: 'base', ...state };
    const update = updates.begin();
    update.beginClub({ club, isWhole, keys: [], revisions, removed: [] });
    update.putEvents(rows);
    update.endClub();
    update.commit({ number: revision, changeId: epoch }, 0);
  }
  return { db, take };
}

const time = '2026-11-21T13:00:00.000Z';

/** The columns of an event with a key of its source. */
const row = (id: number, sourceKey: string | null, revision: number): HubEventRow => [
  ...[id, 'Chess', time, '', null, 'active', null, null, time, sourceKey],
  revision,
];

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
});
