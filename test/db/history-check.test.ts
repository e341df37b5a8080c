import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { checkAreas } from '../../db/check-contents.ts';
import { editEvents } from '../../db/event-edit.ts';
import { undoBatch } from '../../db/history.ts';
import { migrate } from '../../db/migrate.ts';
import { closeStore, connection, openWriter, type Writer } from '../../db/open.ts';
import { insertUser } from '../../db/users.ts';
import { createdAt, importAll, makeEvent, makeTestFolder, openMemory } from '../support/home.ts';
import { unpackHome } from './homes.ts';

/** Returns the problems of the areas that have any. */
function problemsOf(db: Writer): Record<string, readonly string[]> {
  const wrong = checkAreas(db).filter(({ problems }) => problems.length > 0);
  return Object.fromEntries(wrong.map(({ area, problems }) => [area, problems]));
}

/** Opens the bytes of a database for the running test. */
function openBytes(bytes: Uint8Array): Writer {
  const path = join(makeTestFolder(), 'events.sqlite');
  writeFileSync(path, bytes);
  const db = openWriter(path);
  onTestFinished(() => closeStore(db));
  return db;
}

/** A club of which every kind of change is in the history. */
function makeClub(): { db: Writer; userId: number } {
  const db = openMemory();
  const userId = insertUser(db, 'Chess', createdAt) ?? 0;
  insertUser(db, 'Rowing', createdAt);
  importAll(
    db,
    userId,
    [1, 2, 3, 4, 5].map((id) => makeEvent(id)),
  );
  importAll(db, userId, [makeEvent(2, { name: 'Renamed', registrationOpen: true })]);
  editEvents(db, { userId, now: createdAt }, (events) => {
    events.change(3, { location: 'Town hall' });
    events.remove(4);
  });
  const { batch = 0 } = editEvents(db, { userId, now: createdAt }, (events) => events.remove(5));
  undoBatch(db, batch, createdAt);
  return { db, userId };
}

it('finds nothing wrong after imports, edits, removals and an undo', () => {
  expect(problemsOf(makeClub().db)).toEqual({});
});

it('finds the events that another program removed from a home of schema 5', () => {
  const { database } = unpackHome(5, makeTestFolder());
  const other = new Database(database);
  other.exec('DELETE FROM events WHERE user_id = 1 AND id IN (2, 4)');
  other.close();
  const db = openWriter(database);
  onTestFinished(() => closeStore(db));
  migrate(db);
  expect(problemsOf(db)).toEqual({
    history: ['missing events that the history has: 2, such as 2'],
  });
});

it.each([
  [
    'a changed event',
    "UPDATE events SET name = 'Other' WHERE id = 2",
    ['events that differ from their newest state in the history: 1, such as 2'],
  ],
  [
    'an event lost without a trace',
    'DELETE FROM events WHERE id = 1',
    ['missing events that the history has: 1, such as 1'],
  ],
  [
    'a removed event that is back',
    `INSERT INTO events (user_id, id, name, date, location, status, created_at)
      SELECT user_id, 4, name, date, location, status, created_at FROM events WHERE id = 1`,
    ['events that the history has removed: 1, such as 4'],
  ],
  [
    'a lost entry of the history',
    'DELETE FROM changes WHERE batch_id = 1 AND event_id = 1',
    ['entries that do not have as many changes as they count: 1, such as 1'],
  ],
  [
    'an unreadable state in the history',
    "UPDATE changes SET after = '{' WHERE event_id = 2 AND after IS NOT NULL",
    ['events that differ from their newest state in the history: 1, such as 2'],
  ],
  [
    'a revision that went back',
    "UPDATE users SET revision = 1 WHERE name = 'Chess'",
    ['users with a revision below the number of their edits and syncs: 1, such as 1'],
  ],
])('finds %s', (_, sql, problems) => {
  const { db } = makeClub();
  connection(db).exec(`PRAGMA foreign_keys = OFF; ${sql}`);
  expect(problemsOf(db)['history']).toEqual(problems);
});

it('finds entries of the history without their user', () => {
  const { db, userId } = makeClub();
  connection(db).exec(`PRAGMA foreign_keys = OFF; DELETE FROM users WHERE id = ${userId}`);
  expect(problemsOf(db)['references']).toEqual(
    expect.arrayContaining(['a row of "batches" has no row in "users" (5 times)']),
  );
});

it('counts the changes of an entry that is gone', () => {
  const { db } = makeClub();
  connection(db).exec('PRAGMA foreign_keys = OFF; DELETE FROM batches WHERE id = 2');
  expect(problemsOf(db)['references']).toEqual(['a row of "changes" has no row in "batches"']);
});

it('describes damaged pages in single lines', () => {
  const bytes = Buffer.from(connection(makeClub().db).serialize());
  const pageSize = bytes.readUInt16BE(16);
  const page = connection(openBytes(bytes))
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'events_by_creation'")
    .pluck()
    .get() as number;
  bytes.fill(0xa5, (page - 1) * pageSize + 8, page * pageSize - 8);
  const { pages = [] } = problemsOf(openBytes(bytes));
  expect(pages.length).toBeGreaterThan(0);
  expect(pages.filter((text) => /\n|\*\*\*/.test(text) || text === '')).toEqual([]);
});
