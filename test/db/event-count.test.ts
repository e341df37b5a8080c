import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { closeStore, openReader } from '../../db/open.ts';
import { findDamage } from '../../db/read/integrity.ts';
import { prepareNewestReads } from '../../db/read/newest.ts';
import { prepareUserReads } from '../../db/read/users.ts';
import type { Home } from '../../server/home.ts';
import { addEvents, addMember, makeEvent, makeTestHome } from '../support/home.ts';

/** What is told of the number of a user's events, and what is found wrong with it. */
function look(home: Home, userId: number) {
  const db = openReader(home.database);
  const { total } = prepareNewestReads(db, 3)(userId);
  const listed = prepareUserReads(db)
    .all()
    .find(({ id }) => id === userId)?.events;
  const damage = findDamage(db);
  closeStore(db);
  return { total, listed, damage };
}

const insert = `INSERT INTO events (user_id, id, name, date, location, status, created_at)
  VALUES (?, ?, 'Foreign', '2026-05-01T18:00:00.000Z', '', 'active', '2026-05-01T18:00:00.000Z')`;

it('counts the events of each user, whoever adds or removes them', async () => {
  const home = makeTestHome();
  const { userId } = await addMember(
    home,
    'Chess',
    Array.from({ length: 10 }, (_, at) => makeEvent(at)),
  );
  await addMember(home, 'Rowing', [makeEvent(1), makeEvent(2)]);
  const expectCount = (count: number) =>
    expect(look(home, userId)).toMatchObject({ total: count, listed: count });
  expectCount(10);
  const foreign = new Database(home.database);
  // The last rows, of which the next ones take the numbers, and some in the middle.
  foreign.prepare('DELETE FROM events WHERE user_id = ? AND id IN (0, 3)').run(userId);
  foreign.exec('DELETE FROM events WHERE user_id = 2');
  expectCount(8);
  for (let id = 100; id < 105; id += 1) foreign.prepare(insert).run(userId, id);
  foreign.prepare(insert).run(2, 100);
  expectCount(13);
  foreign.prepare('DELETE FROM events WHERE user_id = ? AND id IN (101, 5)').run(userId);
  expectCount(11);
  foreign.close();
  await addEvents(home, userId, [makeEvent(200)]);
  expectCount(12);
  expect(look(home, userId).damage).toEqual([]);
});

it('finds a count that is wrong', async () => {
  const home = makeTestHome();
  const { userId } = await addMember(home, 'Chess', [makeEvent(1)]);
  const foreign = new Database(home.database);
  foreign.exec('UPDATE users SET counted_events = 7');
  foreign.close();
  expect(look(home, userId).damage).toEqual([
    'the events of "Chess" are not as many as were counted',
  ]);
});
