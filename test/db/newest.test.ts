import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { newestKept } from '../../db/model.ts';
import { closeStore, connection, openWriter, type Writer } from '../../db/open.ts';
import { prepareEventListReads } from '../../db/read/event-list.ts';
import { readHistory } from '../../db/read/history.ts';
import { newestReads, prepareNewestReads } from '../../db/read/newest.ts';
import { applicationId, migrations } from '../../db/schema.ts';
import { undoBatch } from '../../db/write/undo.ts';
import { insertUser } from '../../db/write/users.ts';
import { plainQuery } from '../../server/http/list.ts';
import { listLimit } from '../../server/http/problems.ts';
import { createdAt, importAll, makeEvent, makeTestFolder, openMemory } from '../support/home.ts';
import { choose } from '../support/long.ts';

/** Few moments, so that many events tie. */
const moments = Array.from({ length: 8 }, (_, at) => `2026-01-0${at + 1}T00:00:00.000Z`);
const moment = fc.constantFrom(...moments);
const id = fc.nat(2 * newestKept);

type Change = (db: Writer, userId: number) => void;

function importEvents(db: Writer, userId: number, events: readonly [number, string][]): void {
  importAll(
    db,
    userId,
    events.map(([at, created]) => makeEvent(at, { createdAt: created })),
  );
}

const imports = fc.array(fc.tuple(id, moment), { maxLength: 5 }).map(
  (events): Change =>
    (db, userId) =>
      importEvents(db, userId, events),
);

const undoing = fc.constant<Change>((db, userId) => {
  const [last] = readHistory(db, userId);
  if (last !== undefined) undoBatch(db, last.id, createdAt);
});

/** What another program might do, which knows nothing of what we note. */
const foreign = fc
  .tuple(fc.constantFrom('INSERT', 'UPDATE', 'DELETE'), id, moment)
  .map(([kind, at, created]): Change => {
    const sql = {
      INSERT: `INSERT INTO events (user_id, id, name, date, location, status, created_at)
        VALUES (@userId, @id, 'Foreign', @created, '', 'active', @created) ON CONFLICT DO NOTHING`,
      UPDATE: 'UPDATE events SET created_at = @created WHERE user_id = @userId AND id = @id',
      DELETE: 'DELETE FROM events WHERE user_id = @userId AND id = @id',
    }[kind];
    return (db, userId) => connection(db).prepare(sql).run({ userId, id: at, created });
  });

/** The newest events as the general list has them, which reads the rows themselves. */
function expectSameAsList(db: Writer, userId: number, limit: number): void {
  const { json, ...page } = prepareNewestReads(db, limit)(userId);
  const { events, ...rest } = prepareEventListReads(db).page(userId, { ...plainQuery, limit });
  expect([json.toString(), page]).toEqual([JSON.stringify({ events }), rest]);
}

it('has the newest events, whoever changes them', () => {
  const db = openMemory();
  const ids = Array.from({ length: newestKept - 2 }, (_, at) => at);
  const changes = fc.array(fc.oneof(imports, foreign, undoing), { minLength: 1, maxLength: 8 });
  let users = 0;
  fc.assert(
    fc.property(changes, (all) => {
      users += 1;
      const userId = insertUser(db, `user ${users}`, createdAt) ?? 0;
      importEvents(
        db,
        userId,
        ids.map((at) => [at, moments[at % moments.length] ?? '']),
      );
      for (const change of all) {
        change(db, userId);
        for (const limit of [1, newestKept - 1, newestKept]) expectSameAsList(db, userId, limit);
      }
    }),
    { numRuns: choose(30, 8) },
  );
});

const noted = `SELECT count(*) FROM events WHERE user_id = @userId AND newest = 1`;

it('notes as many as a list has, after each change of ours', () => {
  const db = openMemory();
  const userId = insertUser(db, 'Chess', createdAt) ?? 0;
  const count = () => connection(db).prepare<object, number>(noted).pluck().get({ userId });
  const events = Array.from({ length: newestKept }, (_, at) => [at, createdAt] as [number, string]);
  importEvents(db, userId, events);
  importEvents(
    db,
    userId,
    events.slice(0, 50).map(([at, created]) => [at + newestKept, created]),
  );
  expect(count()).toBe(newestKept);
  undoBatch(db, 2, createdAt);
  expect(count()).toBe(newestKept);
  undoBatch(db, 1, createdAt);
  expect(count()).toBe(0);
  importEvents(db, userId, [[1, createdAt]]);
  expect(count()).toBe(1);
  expect(newestKept).toBeGreaterThanOrEqual(listLimit);
});

it('notes them in a database of before', () => {
  const path = join(makeTestFolder(), 'events.sqlite');
  const old = new Database(path);
  for (const migration of migrations.slice(0, 4)) old.exec(migration);
  old.pragma(`application_id = ${applicationId}`);
  old.pragma('user_version = 4');
  old.exec(`INSERT INTO users (name, created_at) VALUES ('Chess', 'x'), ('Rowing', 'x');
    WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 900)
    INSERT INTO events (user_id, id, name, date, location, status, created_at)
    SELECT 1 + value % 2, value, 'Old', '${createdAt}', '', 'active',
      printf('2026-01-01T00:00:00.%03dZ', value % 7)
    FROM numbers`);
  old.close();
  const db = openWriter(path);
  migrate(db);
  for (const userId of [1, 2]) {
    const count = connection(db).prepare<object, number>(noted).pluck();
    expect(count.get({ userId })).toBe(newestKept);
    expectSameAsList(db, userId, newestKept);
  }
  closeStore(db);
});

type Step = { readonly opcode: string; readonly p1: number; readonly p2: number };

it('reads those that are noted from the index alone', () => {
  const db = openMemory();
  const sqlite = connection(db);
  const program = sqlite.prepare<object, Step>(`EXPLAIN ${newestReads.listNoted}`);
  const steps = program.all({ userId: 1, limit: newestKept });
  const root = sqlite.prepare<[], number>(
    "SELECT rootpage FROM sqlite_schema WHERE name = 'events_as_json'",
  );
  const index = steps.find(({ opcode, p2 }) => opcode === 'OpenRead' && p2 === root.pluck().get());
  const cursors = steps.filter(({ opcode }) => opcode === 'Column').map(({ p1 }) => p1);
  expect(new Set(cursors)).toEqual(new Set([index?.p1]));
});
