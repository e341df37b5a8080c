import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { editEvents } from '../../db/event-edit.ts';
import { beginEventImport } from '../../db/event-import.ts';
import { prepareEventListReads } from '../../db/event-list.ts';
import { readHistory, undoBatch } from '../../db/history.ts';
import { migrate } from '../../db/migrate.ts';
import type { EventDraft, EventOrigin } from '../../db/model.ts';
import { applicationId, closeStore, connection, migrations, openWriter } from '../../db/open.ts';
import { deleteUser, insertUser } from '../../db/users.ts';
import { defaultQuery } from '../../server/http/paging.ts';
import { findDamage } from '../support/damage.ts';
import { storedEvents } from '../support/events.ts';
import { createdAt, importAll, makeEvent, makeTestFolder, openMemory } from '../support/home.ts';

const now = '2026-06-01T00:00:00.000Z';

function openClub() {
  const db = openMemory();
  const userId = insertUser(db, 'Chess', createdAt) ?? 0;
  const edit = (act: Parameters<typeof editEvents>[2]) =>
    editEvents(db, { userId, now }, act).batch;
  const importFile = (
    drafts: readonly EventDraft[],
    overwrite?: 'all' | ReadonlySet<number>,
    origin?: EventOrigin,
  ) => {
    const batch = beginEventImport(db, { userId, now, source: 'season.csv', overwrite });
    const outcomes = drafts.map((draft) =>
      batch.apply(draft, origin && batch.identify(draft, origin)),
    );
    return { outcomes, batch: batch.commit() };
  };
  const event = (id: number) => storedEvents(db, userId).find((one) => one.id === id);
  return { db, userId, edit, importFile, event };
}

const values = { name: 'Rovers v City', date: '2026-05-02T13:00:00.000Z' };
const hall = { location: 'Hall' };

describe('editing by hand', () => {
  it('adds, changes and removes events in one batch, with search, revision and no damage', () => {
    const { db, userId, edit } = openClub();
    importAll(db, userId, [makeEvent(1), makeEvent(2)]);
    const reads = prepareEventListReads(db);
    const before = reads.page(userId, defaultQuery).revision;
    const batch = edit((events) => {
      expect(events.add(values)).toEqual({
        id: 3,
        ...values,
        location: '',
        description: null,
        status: 'active',
        eventType: null,
        createdAt: now,
      });
      expect(events.change(1, { name: 'Schützenfest' })).toMatchObject({ name: 'Schützenfest' });
      events.remove(2);
      expect(events.read(2)).toBeUndefined();
    });
    expect(storedEvents(db, userId).map(({ id }) => id)).toEqual([1, 3]);
    expect(readHistory(db, userId)[0]).toMatchObject({
      ...{ id: batch, kind: 'edit', source: '', added: 1, changed: 1, removed: 1, change: null },
    });
    const found = (word: string) =>
      reads.page(userId, { ...defaultQuery, words: [word] }).events.map(({ id }) => id);
    expect(found('rovers')).toEqual([3]);
    expect(found('schutzenfest')).toEqual([1]);
    expect(found('event')).toEqual([]);
    expect(reads.page(userId, defaultQuery).revision).not.toBe(before);
    expect(findDamage(db)).toEqual([]);
  });

  it('describes the change of a single event and its undo in the history', () => {
    const { db, userId, edit } = openClub();
    edit(({ add }) => add(values));
    const later = { date: '2026-05-02T14:00:00.000Z', registrationOpen: true };
    edit(({ change }) => change(1, later));
    undoBatch(db, 2, now);
    edit(({ remove }) => remove(1));
    const event = { id: 1, ...values };
    expect(readHistory(db, userId).map(({ change }) => change)).toEqual([
      { kind: 'removed', ...event, fields: [] },
      {
        ...{ kind: 'changed', ...event, date: later.date },
        fields: [
          { field: 'date', before: later.date, after: values.date },
          { field: 'registrationOpen', before: true },
        ],
      },
      {
        ...{ kind: 'changed', ...event },
        fields: [
          { field: 'date', before: values.date, after: later.date },
          { field: 'registrationOpen', after: true },
        ],
      },
      { kind: 'added', ...event, fields: [] },
    ]);
  });

  it('makes no batch of an edit without a change', () => {
    const { db, userId, edit } = openClub();
    importAll(db, userId, [makeEvent(1)]);
    expect(edit(({ change }) => change(1, { location: 'Clubhouse' }))).toBeUndefined();
    expect(readHistory(db, userId)).toHaveLength(1);
  });

  it('rolls everything back if one edit fails', () => {
    const { db, userId, edit } = openClub();
    importAll(db, userId, [makeEvent(1)]);
    const failing = () =>
      edit((events) => {
        events.remove(1);
        events.add(values);
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(storedEvents(db, userId)).toEqual([makeEvent(1)]);
    expect(edit(({ add }) => add(values))).toBe(2);
  });

  it('editing by hand never gives an id twice, even if the event is gone', () => {
    const { db, userId, edit } = openClub();
    edit(({ add }) => add(values));
    edit(({ remove }) => remove(1));
    edit(({ add }) => add(values));
    expect(storedEvents(db, userId).map(({ id }) => id)).toEqual([2]);
  });

  it('editing by hand never gives the id of a file again, even if its event is removed or its import undone', () => {
    const { db, userId, edit, importFile } = openClub();
    importFile([makeEvent(7)]);
    edit(({ remove }) => remove(7));
    edit(({ add }) => add(values));
    importFile([makeEvent(20)]);
    undoBatch(db, 4, now);
    edit(({ add }) => add(values));
    expect(storedEvents(db, userId).map(({ id }) => id)).toEqual([8, 21]);
    expect(undoBatch(db, 2, now)).toMatchObject({ kind: 'undone' });
  });

  it('undoes and redoes an addition, a change and a removal', () => {
    const { db, userId, edit } = openClub();
    const states = [storedEvents(db, userId)];
    edit(({ add }) => add(values));
    states.push(storedEvents(db, userId));
    edit(({ change }) => change(1, { ...hall, registrationOpen: false }));
    states.push(storedEvents(db, userId));
    edit(({ remove }) => remove(1));
    for (const [batch, state] of [
      [3, 2],
      [2, 1],
      [1, 0],
      [6, 1],
      [5, 2],
      [4, 0],
    ] as const) {
      expect(undoBatch(db, batch, now)).toMatchObject({ kind: 'undone' });
      expect(storedEvents(db, userId)).toEqual(states[state]);
    }
  });

  it('refuses to undo an edit of a field that changed later', () => {
    const { db, edit } = openClub();
    edit(({ add }) => add(values));
    edit(({ change }) => change(1, hall));
    edit(({ change }) => change(1, { location: 'Pool' }));
    expect(undoBatch(db, 2, now)).toMatchObject({
      kind: 'conflict',
      first: { laterChange: 'location' },
    });
  });

  it('editing by hand does not let another event of a file overwrite one that was added by hand', () => {
    const { importFile, edit, event } = openClub();
    edit(({ add }) => add(values));
    expect(importFile([makeEvent(1)]).outcomes).toMatchObject([{ kind: 'taken' }]);
    expect(importFile([{ id: 1, ...values, ...hall }]).outcomes).toMatchObject([
      { kind: 'changed' },
    ]);
    expect(event(1)).toMatchObject(hall);
  });
});

describe('an edit of an imported event', () => {
  const first = makeEvent(1);
  const kept = [{ field: 'location', edited: 'Hall', fromFile: 'Pool' }];

  function editedClub() {
    const club = openClub();
    club.importFile([first]);
    club.edit(({ change }) => change(1, hall));
    return club;
  }

  it('an edit of an imported event survives an import of the unchanged file, which changes nothing', () => {
    const { importFile, event } = editedClub();
    for (const overwrite of [undefined, 'all'] as const) {
      expect(importFile([first], overwrite)).toEqual({
        outcomes: [{ kind: 'unchanged', event: event(1) }],
        batch: undefined,
      });
    }
    expect(event(1)).toMatchObject(hall);
  });

  it('an edit of an imported event wins over another value of a file, while other fields are imported', () => {
    const { importFile, event } = editedClub();
    const file = makeEvent(1, { location: 'Pool', status: 'cancelled' });
    expect(importFile([file]).outcomes).toMatchObject([{ kind: 'changed', kept }]);
    expect(event(1)).toMatchObject({ ...hall, status: 'cancelled' });
    expect(importFile([file])).toMatchObject({ outcomes: [{ kind: 'unchanged', kept }] });
    expect(importFile([makeEvent(1, { status: 'cancelled' })]).outcomes[0]).not.toHaveProperty(
      'kept',
    );
  });

  it.each([['all'], [new Set([1])]] as const)(
    'an edit of an imported event gives way if overwritten: %o',
    (overwrite) => {
      const { importFile, event, db } = editedClub();
      const { outcomes, batch } = importFile([makeEvent(1, { location: 'Pool' })], overwrite);
      expect(outcomes[0]).toMatchObject({ kind: 'changed' });
      expect(outcomes[0]).not.toHaveProperty('kept');
      expect(event(1)).toMatchObject({ location: 'Pool' });
      importFile([makeEvent(1, { location: 'Lake' })]);
      expect(event(1)).toMatchObject({ location: 'Lake' });
      undoBatch(db, (batch ?? 0) + 1, now);
      undoBatch(db, batch ?? 0, now);
      expect(event(1)).toMatchObject(hall);
      expect(importFile([makeEvent(1, { location: 'Pool' })]).outcomes).toMatchObject([{ kept }]);
    },
  );

  it('an edit of an imported event wins if another event is overwritten', () => {
    const { importFile } = editedClub();
    const file = [makeEvent(1, { location: 'Pool' })];
    expect(importFile(file, new Set([2])).outcomes).toMatchObject([{ kind: 'unchanged', kept }]);
  });

  it('an edit of an imported event ends when the file has the same value', () => {
    const { importFile, event } = editedClub();
    expect(importFile([makeEvent(1, hall)]).batch).toBeUndefined();
    importFile([makeEvent(1, { location: 'Pool' })]);
    expect(event(1)).toMatchObject({ location: 'Pool' });
  });

  it('an edit of an imported event ends when the imported value is entered again', () => {
    const { edit, importFile, event } = editedClub();
    edit(({ change }) => change(1, { location: 'Clubhouse' }));
    importFile([makeEvent(1, { location: 'Pool' })]);
    expect(event(1)).toMatchObject({ location: 'Pool' });
  });

  it('keeps the first imported value over several edits', () => {
    const { edit, importFile, event } = editedClub();
    edit(({ change }) => change(1, { location: 'Lake' }));
    expect(importFile([first])).toMatchObject({ outcomes: [{ kind: 'unchanged' }] });
    expect(event(1)).toMatchObject({ location: 'Lake' });
  });

  it('an edit of an imported event ends with its undo and returns with its redo', () => {
    const { db, importFile, event } = editedClub();
    const pool = [makeEvent(1, { location: 'Pool' })];
    undoBatch(db, 2, now);
    importFile(pool);
    expect(event(1)).toMatchObject({ location: 'Pool' });
    undoBatch(db, 4, now);
    undoBatch(db, 3, now);
    expect(event(1)).toMatchObject(hall);
    expect(importFile(pool).outcomes).toMatchObject([{ kind: 'unchanged', kept }]);
  });

  it('an edit of an imported event survives the removal of its event and the undo of that', () => {
    const { db, edit, importFile, event } = editedClub();
    const batch = edit(({ remove }) => remove(1));
    undoBatch(db, batch ?? 0, now);
    importFile([makeEvent(1, { location: 'Pool' })]);
    expect(event(1)).toMatchObject(hall);
    expect(connection(db).prepare('SELECT field, imported FROM edits').all()).toEqual([
      { field: 'location', imported: 'Clubhouse' },
    ]);
    edit(({ remove }) => remove(1));
    expect(connection(db).prepare('SELECT * FROM edits').all()).toEqual([]);
  });

  it('protects values that were unknown', () => {
    const { edit, importFile, event } = openClub();
    importFile([first]);
    edit(({ change }) => change(1, { registrationOpen: true, eventType: null, description: 'x' }));
    importFile([first]);
    expect(event(1)).toMatchObject({ registrationOpen: true, eventType: null, description: 'x' });
    const file = makeEvent(1, {
      registrationOpen: false,
      eventType: 'regional',
      description: null,
    });
    expect(importFile([file]).outcomes).toMatchObject([
      {
        kept: [
          { field: 'eventType', edited: null, fromFile: 'regional' },
          { field: 'registrationOpen', edited: true, fromFile: false },
        ],
      },
    ]);
  });

  it('an edit of an imported event is recognised by an id, although its name and date were edited', () => {
    const { edit, importFile, event } = openClub();
    const { id: _, ...draft } = first;
    importFile([draft]);
    edit(({ change }) => change(1, values));
    expect(importFile([{ ...first, ...hall }]).outcomes).toMatchObject([{ kind: 'changed' }]);
    expect(event(1)).toMatchObject({ ...values, ...hall });
    expect(importFile([{ ...draft, ...hall }])).toMatchObject({ batch: undefined });
  });

  it('keeps a date of a series that the calendar no longer has', () => {
    const { db, userId, edit, importFile, event } = openClub();
    const origin = { key: 'ics:a:2026-05-01', sequence: 0, stamp: null };
    const { id: _, ...draft } = first;
    importFile([draft], undefined, origin);
    edit(({ change }) => change(1, { ...hall, status: 'completed' }));
    const batch = beginEventImport(db, { userId, now, source: 'a.ics' });
    const revision = {
      key: 'ics:a',
      sequence: 1,
      stamp: null,
      first: '2026-01-01',
      last: '2026-12-31',
    };
    expect(batch.cancelMissing(revision)).toMatchObject([
      {
        kind: 'unchanged',
        kept: [{ field: 'status', edited: 'completed', fromFile: 'cancelled' }],
      },
    ]);
    batch.commit();
    importFile([draft], undefined, { ...origin, sequence: 2 });
    expect(event(1)).toMatchObject({ ...hall, status: 'completed' });
  });
});

it('upgrades a database of version 8 without loss', () => {
  const path = join(makeTestFolder(), 'events.sqlite');
  const sqlite = new Database(path);
  for (const migration of migrations.slice(0, 8)) sqlite.exec(migration);
  sqlite.pragma(`application_id = ${applicationId}`);
  sqlite.pragma('user_version = 8');
  const image = `{"id":1,"name":"Run","date":"${createdAt}","location":"","description":null,
    "status":"active","eventType":null,"registrationOpen":null,"createdAt":"${createdAt}",
    "sourceKey":null,"sourceSequence":null}`;
  sqlite.exec(`
    INSERT INTO users (name, created_at) VALUES ('Chess', ''), ('Gone', '');
    INSERT INTO events (user_id, id, name, date, location, status, created_at) VALUES
      (1, 1, 'Run', '${createdAt}', 'Hall', 'active', '${createdAt}');
    INSERT INTO batches (user_id, kind, source, created_at, added, changed, removed, undoes) VALUES
      (1, 'import', 'a.csv', '${createdAt}', 1, 0, 0, NULL),
      (1, 'import', 'b.csv', '${createdAt}', 0, 1, 0, NULL),
      (1, 'undo', 'b.csv', '${createdAt}', 0, 1, 0, 2),
      (1, 'undo', 'b.csv', '${createdAt}', 0, 1, 0, 3),
      (2, 'import', 'c.csv', '${createdAt}', 1, 0, 0, NULL);
    INSERT INTO changes VALUES (1, 1, NULL, NULL),
      (2, 1, '${image}', '${image.replace('"location":""', '"location":"Hall"')}'),
      (4, 1, '${image}', '${image.replace('"location":""', '"location":"Hall"')}');
    DELETE FROM users WHERE name = 'Gone';
  `);
  const tables = ['users', 'events', 'batches', 'changes'];
  const rows = (db: Database.Database) =>
    tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all());
  const old = rows(sqlite);
  sqlite.close();

  const db = openWriter(path);
  migrate(db);
  expect(rows(connection(db))).toMatchObject(old);
  expect(findDamage(db)).toEqual([]);
  expect(undoBatch(db, 4, now)).toMatchObject({ kind: 'undone', batch: 6 });
  expect(storedEvents(db, 1)).toMatchObject([{ name: 'Run', location: '' }]);
  expect(editEvents(db, { userId: 1, now }, ({ add }) => add(values)).batch).toBe(7);
  // Users are removed with their history.
  deleteUser(db, 1);
  expect(connection(db).prepare('SELECT * FROM changes').all()).toEqual([]);
  expect(findDamage(db)).toEqual([]);
  closeStore(db);
});
