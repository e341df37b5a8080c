import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../db/fold.ts';
import { undoBatch } from '../../db/history.ts';
import { migrate } from '../../db/migrate.ts';
import {
  applicationId,
  closeStore,
  connection,
  migrations,
  openReader,
  openWriter,
  type Writer,
} from '../../db/open.ts';
import { indexEvents, prepareSearch } from '../../db/search.ts';
import { deleteUser, insertUser } from '../../db/users.ts';
import { findDamage } from '../support/damage.ts';
import { createdAt, importAll, makeEvent, makeTestHome, openMemory } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { fc } from '../support/random.ts';

function importNames(db: Writer, userId: number, names: Readonly<Record<number, string>>): number {
  const events = Object.entries(names).map(([id, name]) => makeEvent(Number(id), { name }));
  return importAll(db, userId, events);
}

/** Returns the ids of the user's events that a search finds. */
function found(db: Writer, userId: number, ...words: string[]): number[] {
  const { firstRow, bitmap } = prepareSearch(db)(userId, words);
  const id = connection(db)
    .prepare<[number], number>('SELECT id FROM events WHERE row = ?')
    .pluck();
  return Array.from(bitmap)
    .flatMap((mark, at) => (mark === 1 ? [id.get(firstRow + at) ?? 0] : []))
    .toSorted((left, right) => left - right);
}

/** The words of each event, as the full-text table has them and as they should be. */
function wordsIn(db: Writer): [unknown[], unknown[]] {
  const sqlite = connection(db);
  sqlite.exec('CREATE VIRTUAL TABLE temp.instances USING fts5vocab(main, search, instance)');
  // Without the two characters for the user.
  const has = sqlite.prepare('SELECT DISTINCT doc || substr(term, 3) FROM instances').pluck().all();
  sqlite.exec('DROP TABLE temp.instances');
  const texts = sqlite.prepare<[], { row: number; text: string }>(
    `SELECT row, name || ' ' || location || ' ' || ifnull(description, '') AS text FROM events`,
  );
  const should = texts
    .all()
    .flatMap(({ row, text }) => [...new Set(wordsOf(text))].map((word) => row + word));
  return [has.toSorted(), should.toSorted()];
}

function expectInStep(db: Writer): void {
  const [has, should] = wordsIn(db);
  expect(has).toEqual(should);
  expect(findDamage(db)).toEqual([]);
}

describe('the full-text table', () => {
  it('updates the words when events are added, changed, undone and removed', () => {
    const db = openMemory();
    const chess = insertUser(db, 'Chess', createdAt) ?? 0;
    const other = insertUser(db, 'Other', createdAt) ?? 0;
    importNames(db, other, { 1: 'Relay of others' });
    const first = importNames(db, chess, { 1: 'Night relay', 2: 'Sprint' });
    expect(found(db, chess, 'rel')).toEqual([1]);
    const second = importNames(db, chess, { 1: 'Night sprint', 3: 'Relay' });
    expect(found(db, chess, 'rel')).toEqual([3]);
    expect(found(db, chess, 'sprint')).toEqual([1, 2]);
    expectInStep(db);
    expect(undoBatch(db, second, createdAt).kind).toBe('undone');
    expect(found(db, chess, 'relay')).toEqual([1]);
    expect(undoBatch(db, first, createdAt).kind).toBe('undone');
    expect(found(db, chess, 'relay')).toEqual([]);
    expectInStep(db);
    importNames(db, chess, { 4: 'Relay again' });
    expect(found(db, chess, 'relay')).toEqual([4]);
    deleteUser(db, chess);
    expectInStep(db);
    expect(found(db, other, 'relay')).toEqual([1]);
  });

  it('keeps the words correct through random sequences of changes', () => {
    const names = fc.dictionary(
      fc.integer({ min: 1, max: 8 }).map(String),
      fc.constantFrom('Relay', 'Night relay', 'Sprint', 'Straße', 'Łódź é'),
      { maxKeys: 5 },
    );
    const step = fc.oneof(
      fc.record({ kind: fc.constant('import'), user: fc.constantFrom(1, 2), names }),
      fc.record({ kind: fc.constant('undo'), batch: fc.nat(5) }),
      fc.record({ kind: fc.constant('raw'), sql: fc.constantFrom(...rawChanges) }),
    );
    const property = fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const db = openMemory();
      insertUser(db, 'Chess', createdAt);
      connection(db).exec(`INSERT INTO users (id, name, created_at) VALUES (33, 'Other', '')`);
      for (const one of steps) {
        if ('names' in one) importNames(db, one.user === 1 ? 1 : 33, one.names);
        else if ('batch' in one) undoBatch(db, one.batch, createdAt);
        else connection(db).exec(one.sql);
        indexEvents(connection(db));
        const [has, should] = wordsIn(db);
        expect(has).toEqual(should);
      }
      expect(findDamage(db)).toEqual([]);
      closeStore(db);
    });
    fc.assert(property, { numRuns: choose(60, 15) });
  });

  it('removes the words of a removed user', () => {
    const db = openMemory();
    const userId = insertUser(db, 'Chess', createdAt) ?? 0;
    importNames(db, userId, { 1: 'Relay', 2: 'Sprint' });
    connection(db).exec('DELETE FROM users');
    indexEvents(connection(db));
    expectInStep(db);
  });

  it('indexes the events of a database of version 2', () => {
    const home = makeTestHome();
    const path = `${home.directory}.sqlite`;
    const old = new Database(path);
    for (const migration of migrations.slice(0, 2)) old.exec(migration);
    old.pragma(`application_id = ${applicationId}`);
    old.pragma('user_version = 2');
    old.exec(`INSERT INTO users (id, name, created_at) VALUES (1, 'A', ''), (2, 'B', '');
      INSERT INTO events (user_id, id, name, date, location, status, created_at)
      SELECT value % 2 + 1, value, 'Relay ' || value, '${createdAt}', 'Łódź', 'active',
        '${createdAt}' FROM json_each('[1,2,3,4,5,6,7,8,9,10]')`);
    old.close();
    const db = openWriter(path);
    migrate(db);
    expect(found(db, 1, 'lodz', 'relay')).toEqual([2, 4, 6, 8, 10]);
    expectInStep(db);
    closeStore(db);
  });

  it('reports wrong words in check', () => {
    const home = makeTestHome();
    const path = `${home.directory}.sqlite`;
    const db = openWriter(path);
    migrate(db);
    const userId = insertUser(db, 'Chess', createdAt) ?? 0;
    importNames(db, userId, { 1: 'Relay', 2: 'Sprint' });
    // Changes without an update of the full-text table.
    connection(db).exec("UPDATE events SET name = 'Marathon' WHERE id = 1");
    closeStore(db);
    const reader = openReader(path);
    expect(findDamage(reader)).toEqual(['"search" does not have the words of the events']);
    closeStore(reader);
    const writer = openWriter(path);
    indexEvents(connection(writer));
    expect(findDamage(writer)).toEqual([]);
    closeStore(writer);
  });
});

const rawChanges = [
  'DELETE FROM events WHERE id = 3',
  'DELETE FROM events WHERE row = (SELECT max(row) FROM events)',
  'DELETE FROM events WHERE user_id = 33',
  // The new event gets the row of the old one.
  `DELETE FROM events WHERE row = (SELECT max(row) FROM events);
    INSERT INTO events (user_id, id, name, date, location, status, created_at)
    VALUES (1, abs(random() / 10000), 'Marathon', '${createdAt}', '', 'active', '${createdAt}')`,
  "UPDATE events SET description = 'Night' WHERE id < 4",
  "UPDATE events SET description = NULL, status = 'draft'",
  'UPDATE OR IGNORE events SET id = id + 100 WHERE id = 5',
];

describe('a search', () => {
  it('finds no events of another user', () => {
    const db = openMemory();
    for (const userId of [1, 33, 65_537]) {
      connection(db)
        .prepare("INSERT INTO users (id, name, created_at) VALUES (?, ?, '')")
        .run(userId, `user${userId}`);
    }
    for (const [at, userId] of [33, 1, 65_537, 1, 33].entries()) {
      importNames(db, userId, { [userId * 10 + at]: 'Relay' });
    }
    expect(found(db, 1, 'relay')).toEqual([11, 13]);
    expect(found(db, 33, 'relay')).toEqual([330, 334]);
    expect(found(db, 65_537, 'relay')).toEqual([655_372]);
    expect(found(db, 2, 'relay')).toEqual([]);
  });

  it('finds an event by each of its words', () => {
    const db = openMemory();
    const userId = insertUser(db, 'Chess', createdAt) ?? 0;
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
    const property = fc.property(text, (any) => {
      const words = wordsOf(`${any} x`);
      importNames(db, userId, { 1: `${any} x` });
      expect(found(db, userId, ...words)).toEqual([1]);
      for (const word of words) expect(wordsOf(word)).toEqual([word]);
    });
    fc.assert(property, { numRuns: choose(150, 40) });
  });
});

it('gives words to rows of damaged pages, whose users can be anything', () => {
  const sqlite = connection(openMemory());
  const words = sqlite.prepare<[unknown], string>("SELECT search_words(?, 'Chess')").pluck();
  for (const user of ['noise', 1.5, Number.POSITIVE_INFINITY, null, Buffer.of(1)]) {
    expect(words.get(user)).toMatch(/chess$/);
  }
});
