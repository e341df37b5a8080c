import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { beginEventImport } from '../../db/event-import.ts';
import { prepareEventListReads } from '../../db/event-list.ts';
import { readHistory, undoBatch } from '../../db/history.ts';
import { migrate } from '../../db/migrate.ts';
import { closeStore, connection, openReader, openWriter, type Writer } from '../../db/open.ts';
import { deleteUser, insertUser } from '../../db/users.ts';
import { defaultQuery } from '../../server/http/paging.ts';
import { findDamage } from '../support/damage.ts';
import { createdAt, importAll, makeEvent, makeTestFolder, openMemory } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { fc } from '../support/random.ts';

const idOf = (db: Writer, name: string) => insertUser(db, name, createdAt) ?? 0;

const revisionOf = (db: Writer, userId: number) =>
  prepareEventListReads(db).page(userId, defaultQuery).revision;

const contentOf = (db: Writer, userId: number) =>
  JSON.stringify(prepareEventListReads(db).page(userId, defaultQuery).events);

const values = `'${createdAt}', '', 'active', '${createdAt}'`;

/** Changes by a program that knows SQLite and nothing else. */
const foreign = [
  `INSERT INTO events (user_id, id, name, date, location, status, created_at)
   SELECT 1, ifnull(max(id), 0) + 1, 'Added', ${values} FROM events`,
  `INSERT OR REPLACE INTO events (user_id, id, name, date, location, status, created_at)
   VALUES (1, 1, 'Replaced ' || random(), ${values})`,
  // The whole row, as some tools write it back.
  `INSERT OR REPLACE INTO events (row, user_id, id, name, date, location, status, created_at)
   SELECT row, user_id, id, 'Row ' || random(), ${values} FROM events WHERE user_id = 1`,
  "UPDATE events SET name = 'Changed ' || random() WHERE user_id = 1",
  "UPDATE events SET status = 'draft' WHERE id = 2",
  'UPDATE OR REPLACE events SET id = 2 WHERE id = 1',
  'UPDATE OR REPLACE events SET user_id = 2 WHERE user_id = 1 AND id = 1',
  'UPDATE OR REPLACE events SET user_id = 1 WHERE user_id = 2',
  'DELETE FROM events WHERE user_id = 1 AND id = 1',
  'DELETE FROM events WHERE row = (SELECT max(row) FROM events)',
  'DELETE FROM events',
];

const insertion = `INSERT INTO events (user_id, id, name, date, location, status, created_at)
  VALUES (?, ?, 'Added', ${values})`;

/** A program of its own, a commit for each event. */
const addOneByOne = `
  const { workerData: { path, userId, insertion } } = require('node:worker_threads');
  const db = require('better-sqlite3')(path);
  db.pragma('synchronous = OFF');
  const insert = db.prepare(insertion);
  for (let id = 1; ; id += 1) insert.run(userId, id);
`;

type Step = (db: Writer) => void;

const steps = fc.oneof(
  fc.constantFrom(...foreign).map(
    (sql): Step =>
      (db) =>
        connection(db).exec(sql),
  ),
  fc.tuple(fc.constantFrom(1, 2), fc.integer({ min: 1, max: 4 }), fc.nat(3)).map(
    ([userId, id, version]): Step =>
      (db) =>
        importAll(db, userId, [makeEvent(id, { name: `Version ${version}` })]),
  ),
  fc.constant<Step>((db) => {
    const [last] = readHistory(db, 1);
    if (last !== undefined) undoBatch(db, last.id, createdAt);
  }),
);

describe('the revision of a user’s events', () => {
  it('changes the revision at every change and never repeats one', () => {
    const property = fc.property(fc.array(steps, { maxLength: 25 }), (all) => {
      const db = openMemory();
      idOf(db, 'Chess');
      idOf(db, 'Other');
      const known = [1, 2].map((userId) => {
        const now = { content: contentOf(db, userId), revision: revisionOf(db, userId) };
        return { userId, now, earlier: new Set<string>() };
      });
      for (const step of all) {
        step(db);
        for (const one of known) {
          const now = {
            content: contentOf(db, one.userId),
            revision: revisionOf(db, one.userId),
          };
          expect(one.earlier).not.toContain(now.revision);
          if (now.content !== one.now.content) expect(now.revision).not.toBe(one.now.revision);
          if (now.revision !== one.now.revision) one.earlier.add(one.now.revision);
          one.now = now;
        }
      }
      closeStore(db);
    });
    fc.assert(property, { numRuns: choose(60, 6) });
  });

  it('keeps the revision when other users or keys change', () => {
    const db = openMemory();
    const chess = idOf(db, 'Chess');
    const other = idOf(db, 'Other');
    importAll(db, chess, [makeEvent(1)]);
    const before = revisionOf(db, chess);
    importAll(db, chess, [makeEvent(1)]);
    importAll(db, other, [makeEvent(1), makeEvent(2)]);
    insertUser(db, 'Third', createdAt);
    expect(revisionOf(db, chess)).toBe(before);
    closeStore(db);
  });

  it('changes the revision after large imports, and restores it at a rollback', () => {
    const db = openMemory();
    const userId = idOf(db, 'Chess');
    const many = (first: number, name: string) =>
      Array.from({ length: 1_500 }, (_, at) => makeEvent(first + at, { name }));
    const seen = [revisionOf(db, userId)];
    for (const [first, name] of [
      [1, 'First'],
      [1, 'Changed'],
      [9_001, 'More'],
    ] as const) {
      importAll(db, userId, many(first, name));
      expect(seen).not.toContain(revisionOf(db, userId));
      seen.push(revisionOf(db, userId));
    }
    const broken = beginEventImport(db, { userId, now: createdAt, source: 'test' });
    for (const event of many(20_001, 'Lost')) broken.apply(event);
    broken.rollback();
    expect(revisionOf(db, userId)).toBe(seen.at(-1));
    expect(findDamage(db)).toEqual([]);
    connection(db).exec('DELETE FROM events WHERE id = 1');
    expect(seen).not.toContain(revisionOf(db, userId));
    closeStore(db);
  });

  it('the revision of a user’s events never repeats the revision of a removed user with the same name', () => {
    const db = openMemory();
    const seen = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      const userId = idOf(db, 'Chess');
      for (let id = 0; id <= 3; id += 1) {
        if (id > 0) importAll(db, userId, [makeEvent(id)]);
        expect(seen).not.toContain(revisionOf(db, userId));
        seen.add(revisionOf(db, userId));
      }
      if (round % 2 === 0) deleteUser(db, userId);
      else connection(db).exec("DELETE FROM users WHERE name = 'Chess'");
    }
    closeStore(db);
  });

  it('reads revision and events in one snapshot while another program writes', async () => {
    const path = join(makeTestFolder(), 'events.sqlite');
    const writer = openWriter(path);
    migrate(writer);
    const userId = idOf(writer, 'Chess');
    closeStore(writer);
    const reader = openReader(path);
    const list = prepareEventListReads(reader);
    const other = new Worker(addOneByOne, { eval: true, workerData: { path, userId, insertion } });
    for (let [reads, added] = [0, 0]; reads < 200 || added < 200; reads += 1) {
      // Each event that was added has raised it by one.
      const { total, revision } = list.page(userId, defaultQuery);
      expect(revision.split('.')[1]).toBe(String(total));
      added = total;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await other.terminate();
    closeStore(reader);
  });

  it('the revision of a user’s events has different revisions in different databases', () => {
    const revisions = Array.from({ length: 3 }, () => {
      const db = openWriter(':memory:');
      migrate(db);
      const userId = idOf(db, 'Chess');
      importAll(db, userId, [makeEvent(1)]);
      const revision = revisionOf(db, userId);
      closeStore(db);
      return revision;
    });
    expect(new Set(revisions).size).toBe(3);
  });
});
