import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findHistoryProblems } from '../../db/check.ts';
import { editEvents } from '../../db/event-edit.ts';
import { prepareEventReads, readImage } from '../../db/event-rows.ts';
import { readHistory, undoBatch } from '../../db/history.ts';
import { digestOfKey, insertKey, prepareKeyReads, revokeKey } from '../../db/keys.ts';
import { migrate } from '../../db/migrate.ts';
import { createListProofs } from '../../db/migrations/014-list-proofs.ts';
import {
  addSourceKey,
  deleteSource,
  findSource,
  insertMirror,
  readMirror,
  readSources,
  SourceUnavailable,
  writeMirror,
} from '../../db/mirror.ts';
import {
  confirmedBy,
  coveredSince,
  createSource,
  eventOf,
  latestTimestamp,
  type MirrorEntry,
  type ReceiptChange,
  type Write,
} from '../../db/mirror-model.ts';
import { prepareMirrorReads } from '../../db/mirror-view.ts';
import type { StoredEvent } from '../../db/model.ts';
import {
  applicationId,
  closeWriter,
  connection,
  migrations,
  openWriter,
  type Writer,
} from '../../db/open.ts';
import { deleteUser, insertUser, prepareEventsState } from '../../db/users.ts';
import { type Action, isWrite, type MirrorState } from '../../server/mirror/planner/state.ts';
import { simulate } from '../server/mirror/planner/simulator.ts';
import { baseUrl } from '../server/mirror/upstream.ts';
import { findDamage } from '../support/damage.ts';
import { storedEvents } from '../support/events.ts';
import { createdAt, importAll, makeEvent, makeTestFolder, openMemory } from '../support/home.ts';
import { choose } from '../support/long.ts';

const now = new Date('2026-11-22T12:00:00.000Z');

/** Opens a database in a file, without the waits for the disk. */
function openFile(): Writer {
  const db = openWriter(join(makeTestFolder(), 'events.sqlite'));
  onTestFinished(() => closeWriter(db));
  migrate(db);
  connection(db).pragma('synchronous = OFF');
  return db;
}

type ChangeRow = { readonly event_id: number; readonly before: string; readonly after: string };

/** Reads the changes of a batch by the id of their event. */
function readChanges(db: Writer, batch: number): ReadonlyMap<number, ReceiptChange> {
  const sql = 'SELECT event_id, before, after FROM changes WHERE batch_id = ?';
  const rows = connection(db).prepare<[number], ChangeRow>(sql).all(batch);
  const changeOf = ({ event_id: id, before, after }: ChangeRow): ReceiptChange => ({
    id,
    before: readImage(before)?.event ?? null,
    after: readImage(after)?.event ?? null,
  });
  return new Map(rows.map((row) => [row.event_id, changeOf(row)]));
}

/** Enough courses to meet every kind of write; `npm run test:twin` also meets every kind of fault. */
const seeds = process.env['SIMULATOR_SEEDS'] === undefined ? choose(100, 4) : 2_000;

/** Small enough for the time limit of a test. */
const blockLength = Math.min(50, seeds);
const blocks = Array.from({ length: seeds / blockLength }, (_, index) => index * blockLength + 1);

describe('a mirror in the database', () => {
  it.each(blocks)(
    'a mirror in the database is the state of the planner after every plan from seed %i on',
    (first) => {
      const db = openFile();
      let receipts = 0;
      for (let seed = first; seed < first + blockLength; seed++) {
        const userId = insertUser(db, `Club ${seed}`, createdAt) ?? 0;
        const sourceId = addMirror(db, userId);
        const onPlan = (actions: readonly Action[], state: MirrorState) => {
          const start: Write = { kind: 'source', values: state.source };
          const writes = actions.length === 0 ? [start] : actions.filter(isWrite);
          const batch = writeMirror(db, sourceId, writes, createdAt);
          const stored = readMirror(db, sourceId);
          const { source, entries, notFound } = state;
          if (!isDeepStrictEqual(stored, { source, entries, notFound })) {
            expect(stored, `seed ${seed}`).toEqual({ source, entries, notFound });
          }
          const changes = writes.flatMap((write) =>
            write.kind === 'receipt' ? write.changes : [],
          );
          if (batch === undefined) expect(changes, `seed ${seed}`).toEqual([]);
          if (batch === undefined) return;
          receipts += 1;
          const logged = readChanges(db, batch);
          for (const change of changes) expect(logged.get(change.id)).toEqual(change);
        };
        simulate(seed, { onPlan });
      }
      expect(receipts).toBeGreaterThan(blockLength);
      expect(findDamage(db)).toEqual([]);
      expect(findHistoryProblems(db)).toEqual([]);
    },
  );
});

const at = now.getTime();

function entryOf(
  id: number,
  more: Partial<StoredEvent> = {},
  known: Partial<MirrorEntry> = {},
): MirrorEntry {
  return {
    event: { ...(makeEvent(id) as StoredEvent), ...more },
    confirmedAt: at,
    registrationAt: at,
    registration: {},
    suspect: null,
    ...known,
  };
}

const store = (...of: Parameters<typeof entryOf>): Write => ({
  kind: 'store',
  entry: entryOf(...of),
});
const receipt = (run: number): Write => ({ kind: 'receipt', run, changes: [] });
const digest = digestOfKey('upstream-key');

/** Adds an empty mirror; returns its id. */
function addMirror(db: Writer, userId: number): number {
  const mirror = { userId, baseUrl, keyStore: 'file', digest: undefined, writes: [], now } as const;
  const added = insertMirror(db, mirror);
  if (added.kind !== 'stored') throw new TypeError(added.kind);
  return added.sourceId;
}

/** Opens a database with an empty mirror. */
function openMirror() {
  const db = openMemory();
  const userId = insertUser(db, 'Chess', createdAt) ?? 0;
  const sourceId = addMirror(db, userId);
  const write = (...writes: Write[]) => writeMirror(db, sourceId, writes, now.toISOString());
  const revision = () => prepareEventsState(db)(userId).revision;
  const view = () => prepareMirrorReads(db).ofUser(userId);
  return { db, userId, sourceId, write, revision, view };
}

describe('the history of a mirror', () => {
  it('the history of a mirror has one batch for all changes of a sync', () => {
    const { db, userId, write } = openMirror();
    const first = write(store(1), store(2), receipt(7));
    expect(write(store(3), receipt(7))).toBe(first);
    const second = write(store(4), receipt(8));
    expect(readHistory(db, userId)).toMatchObject([
      { id: second, kind: 'sync', source: 'club.example', added: 1 },
      { id: first, kind: 'sync', source: 'club.example', added: 3, changed: 0, removed: 0 },
    ]);
    expect(findHistoryProblems(db)).toEqual([]);
  });

  it('the history of a mirror has another batch for an event that a sync changes twice', () => {
    const { db, userId, write } = openMirror();
    const added = write(store(1), receipt(7));
    const removed = write({ kind: 'remove', id: 1, at }, receipt(7));
    expect(removed).not.toBe(added);
    expect(readHistory(db, userId)).toMatchObject([{ removed: 1 }, { added: 1 }]);
    expect(findHistoryProblems(db)).toEqual([]);
  });

  it('refuses to undo a sync, and every change from before the mirror', () => {
    const db = openMemory();
    const userId = insertUser(db, 'Chess', createdAt) ?? 0;
    const imported = importAll(db, userId, [makeEvent(1)]);
    const writes = [store(1), store(2), receipt(7)];
    const source = { userId, baseUrl, keyStore: 'file', now } as const;
    const outcome = insertMirror(db, { ...source, digest, writes });
    if (outcome.kind !== 'stored') throw new Error(outcome.kind);
    const { batch = 0, sourceId } = outcome;
    expect(undoBatch(db, batch, createdAt)).toEqual({ kind: 'sync', source: 'club.example' });
    const mirrored = { kind: 'mirrored', user: 'Chess', baseUrl };
    expect(undoBatch(db, imported, createdAt)).toEqual(mirrored);
    expect(storedEvents(db, userId).map(({ id }) => id)).toEqual([1, 2]);
    deleteSource(db, sourceId);
    expect(undoBatch(db, batch, createdAt)).toMatchObject({ kind: 'sync' });
    expect(undoBatch(db, imported, createdAt)).toMatchObject({ kind: 'undone', removed: 1 });
  });
});

describe('the revision of a mirrored user', () => {
  it('the revision of a mirrored user stays the same after a confirmation, a suspect, a 404 and an attempt', () => {
    const { write, revision } = openMirror();
    write(store(1), receipt(7));
    const before = revision();
    write({ kind: 'confirm', ids: [1], at: at + 1, operation: 'list' });
    write({ kind: 'suspect', id: 1, suspect: { since: at, localSince: at, by: 'list' } });
    write({ kind: 'not_found', id: 2, at });
    write({ kind: 'source', values: { attemptedAt: at, failures: 1 } });
    write(store(1, {}, { confirmedAt: at + 2 }));
    expect(revision()).toBe(before);
  });

  it('the revision of a mirrored user rises when an event, the order of the list or its coverage changes', () => {
    const { write, revision } = openMirror();
    const proven = [{ after: '', until: '' }];
    const coverage = { proven, last: null, cap: 200, backdates: false };
    const revisions = [
      [store(1), receipt(7)],
      [store(1, { name: 'Final' }), receipt(8)],
      [{ kind: 'source', values: { listed: [2, 1] } }],
      [{ kind: 'source', values: { listed: [1, 2] } }],
      [{ kind: 'source', values: { coverage } }],
      [{ kind: 'remove', id: 1, at }, receipt(9)],
    ].map((writes) => {
      write(...(writes as Write[]));
      return revision();
    });
    expect(new Set(revisions).size).toBe(revisions.length);
  });

  it('the revision of a mirrored user rises when an operation begins to leave registrationOpen out', () => {
    const { write, revision } = openMirror();
    const open = { registrationOpen: true };
    write(store(1, open, { registration: { list: true, byId: true } }), receipt(7));
    const before = revision();
    write(store(1, open, { registration: { list: null, byId: true } }));
    expect(revision()).not.toBe(before);
  });
});

describe('the keys of a mirror', () => {
  it('the keys of a mirror open the events until the mirror is removed', () => {
    const { db, userId, sourceId, write } = openMirror();
    write(store(1), receipt(7));
    expect(addSourceKey(db, sourceId, digest, now)).toBe(true);
    expect(addSourceKey(db, sourceId, digest, now)).toBe(true);
    const keys = prepareKeyReads(db);
    expect(keys.byDigest(digest)).toMatchObject({ userId });
    expect(keys.all()).toMatchObject([{ user: 'Chess', label: null, baseUrl }]);
    deleteSource(db, sourceId);
    expect(keys.all()).toEqual([]);
    expect(findSource(db, userId)).toBeUndefined();
    expect(storedEvents(db, userId)).toHaveLength(1);
    expect(findDamage(db)).toEqual([]);
  });

  it('the keys of a mirror open the events again when a revoked one is added again', () => {
    const { db, userId, sourceId } = openMirror();
    addSourceKey(db, sourceId, digest, now);
    const keys = prepareKeyReads(db);
    revokeKey(db, keys.all()[0]?.id ?? 0, createdAt);
    expect(keys.byDigest(digest)).toBeUndefined();
    expect(addSourceKey(db, sourceId, digest, now)).toBe(true);
    expect(keys.byDigest(digest)).toMatchObject({ userId });
  });

  it('the keys of a mirror are refused if another user has them', () => {
    const { db, sourceId, userId } = openMirror();
    const other = insertUser(db, 'Rowing', createdAt) ?? 0;
    insertKey(db, { userId: other, digest, label: null, createdAt, expiresAt: null });
    expect(addSourceKey(db, sourceId, digest, now)).toBe(false);
    expect(prepareKeyReads(db).byDigest(digest)).toMatchObject({ userId: other });
    deleteUser(db, userId);
    const source = { userId: other, baseUrl, keyStore: 'file', now } as const;
    expect(insertMirror(db, { ...source, digest, writes: [] })).toMatchObject({ kind: 'stored' });
  });
});

describe('a new mirror', () => {
  const source = { baseUrl, keyStore: 'system', now, digest } as const;

  it('takes over events with the same ids and creation times', () => {
    const db = openMemory();
    const userId = insertUser(db, 'Chess', createdAt) ?? 0;
    importAll(db, userId, [makeEvent(1), makeEvent(2)]);
    editEvents(db, { userId, now: createdAt }, ({ change }) => change(2, { location: 'Hall' }));
    const writes = [store(1), store(2), store(3), receipt(7)];
    const outcome = insertMirror(db, { ...source, userId, writes });
    expect(outcome).toMatchObject({ kind: 'stored' });
    expect(storedEvents(db, userId)).toEqual([1, 2, 3].map((id) => makeEvent(id)));
    expect(readHistory(db, userId)[0]).toMatchObject({ kind: 'sync', added: 1, changed: 1 });
    expect(insertMirror(db, { ...source, userId, writes })).toEqual({ kind: 'mirrored', baseUrl });
  });

  it('a new mirror is refused beside events that the service does not have', () => {
    const db = openMemory();
    const userId = insertUser(db, 'Chess', createdAt) ?? 0;
    importAll(db, userId, [makeEvent(1), makeEvent(2), makeEvent(3)]);
    const other = { createdAt: '2026-01-01T00:00:00.001Z' };
    const writes = [store(1), store(2, other), receipt(7)];
    const outcome = insertMirror(db, { ...source, userId, writes });
    expect(outcome).toEqual({ kind: 'other events', ids: [2, 3] });
    expect(readSources(db)).toEqual([]);
    expect(storedEvents(db, userId)).toHaveLength(3);
  });

  it('a new mirror is refused with the key of another user, without a trace', () => {
    const db = openMemory();
    const userId = insertUser(db, 'Chess', createdAt) ?? 0;
    const other = insertUser(db, 'Rowing', createdAt) ?? 0;
    insertKey(db, { userId: other, digest, label: null, createdAt, expiresAt: null });
    const outcome = insertMirror(db, { ...source, userId, writes: [store(1), receipt(7)] });
    expect(outcome).toEqual({ kind: 'key taken' });
    expect(readSources(db)).toEqual([]);
    expect(storedEvents(db, userId)).toEqual([]);
  });

  it('a new mirror never gives the id of a removed event to another one', () => {
    const { db, userId, sourceId, write } = openMirror();
    write(store(1), store(50), receipt(7));
    write({ kind: 'remove', id: 50, at }, receipt(8));
    deleteSource(db, sourceId);
    const values = { name: 'Final', date: createdAt };
    const { result } = editEvents(db, { userId, now: createdAt }, ({ add }) => add(values));
    expect(result?.id).toBe(51);
  });
});

describe('a removed mirror', () => {
  it('refuses the writes of a sync that is still in progress', () => {
    const { db, sourceId, write } = openMirror();
    deleteSource(db, sourceId);
    expect(() => write(store(1), receipt(7))).toThrow(SourceUnavailable);
    expect(() => readMirror(db, sourceId)).toThrow(SourceUnavailable);
  });

  it('a removed mirror goes with its user, and leaves nothing behind', () => {
    const { db, userId, sourceId, write } = openMirror();
    write(store(1), { kind: 'not_found', id: 2, at }, receipt(7));
    addSourceKey(db, sourceId, digest, now);
    deleteUser(db, userId);
    for (const table of ['sources', 'confirmations', 'absences', 'keys']) {
      const count = connection(db).prepare(`SELECT count(*) FROM ${table}`).pluck().get();
      expect(count, table).toBe(0);
    }
  });
});

describe('the knowledge that requests need', () => {
  it('the knowledge that requests need is nothing for an ordinary user', () => {
    const db = openMemory();
    const userId = insertUser(db, 'Chess', createdAt) ?? 0;
    expect(prepareMirrorReads(db).ofUser(userId)).toBeUndefined();
  });

  it('the knowledge that requests need has coverage, order, confirmations and ids that were not found', () => {
    const { write, view } = openMirror();
    expect(view()).toMatchObject({ coveredSince: latestTimestamp, listedAt: null });
    expect(view()?.oldestConfirmation()).toBeNull();
    const last = { after: '2026-03-01T00:00:00.000Z', until: '2026-04-01T00:00:00.000Z' };
    const proven = [{ after: '', until: '2026-02-01T00:00:00.000Z' }, last];
    const coverage = { proven, last: null, cap: 9, backdates: false };
    write(
      store(1, {}, { confirmedAt: at - 5 }),
      store(2, {}, { registrationAt: at - 9, registration: { list: null, byId: true } }),
      { kind: 'source', values: { coverage, listed: [2, 1], listedAt: at } },
      { kind: 'not_found', id: 3, at: at - 1 },
      receipt(7),
    );
    expect(view()).toMatchObject({ coveredSince: last.after, listedAt: at });
    expect(view()?.listedIds()).toEqual([2, 1]);
    expect(view()?.oldestConfirmation()).toBe(at - 9);
    expect(view()?.notFoundSince(3)).toBe(at - 1);
    expect(view()?.notFoundSince(1)).toBeUndefined();
    const found = view()?.confirmations([2, 1, 3]) ?? new Map();
    expect([...found.keys()].toSorted()).toEqual([1, 2]);
    expect(confirmedBy(found.get(1), 'list')).toBe(at - 5);
    expect(confirmedBy(found.get(2), 'list')).toBe(at);
    expect(confirmedBy(found.get(2), 'byId')).toBe(at - 9);
  });

  it('hides registrationOpen from the operation that leaves it out', () => {
    const { db, userId, write, view } = openMirror();
    const registration = { list: null, byId: true };
    write(store(1, { registrationOpen: true }, { registration }), receipt(7));
    const event = prepareEventReads(db).byId(userId, 1) as StoredEvent;
    const entry = { event, registration: view()?.confirmations([1]).get(1)?.registration ?? {} };
    expect(eventOf(entry, 'byId')).toHaveProperty('registrationOpen', true);
    expect(eventOf(entry, 'list')).not.toHaveProperty('registrationOpen');
  });
});

describe('a mirror of an earlier version', () => {
  const listedAt = Date.parse('2026-11-22T12:00:00.000Z');
  const old = { horizon: '', holes: [], oldestListed: '', cap: 200, backdates: false };
  const holes = [{ from: '2026-04-01T00:00:00.000Z', to: '2026-05-01T00:00:00.000Z' }];
  const horizon = '2026-03-02T00:00:00.000Z';

  /** Migrates a mirror whose last list had the events 2 and 3 of three; returns its state. */
  function migrateMirror(coverage: object, more: object = {}) {
    const path = join(makeTestFolder(), 'events.sqlite');
    const sqlite = new Database(path);
    const version = migrations.indexOf(createListProofs);
    for (const migration of migrations.slice(0, version)) sqlite.exec(migration);
    sqlite.pragma(`application_id = ${applicationId}`);
    sqlite.pragma(`user_version = ${version}`);
    sqlite.exec(`
      INSERT INTO users (name, created_at) VALUES ('Chess', '');
      INSERT INTO events (user_id, id, name, date, location, status, created_at)
        SELECT 1, value, 'Run', '${createdAt}', '', 'active',
          '2026-0' || value || '-01T00:00:00.000Z'
        FROM json_each('[1, 2, 3]');
    `);
    const times = { unconditionalAt: listedAt, isListDated: true, walkedAt: listedAt };
    const removed = { ...times, skipped: [], etagLies: false, recentAbsences: [true] };
    const state = { etag: '"1"', question: null, problem: null, ...removed, ...more };
    sqlite
      .prepare(
        `INSERT INTO sources (user_id, base_url, key_store, created_at, coverage, listed, listed_at, state)
        VALUES (1, 'https://x.org/', 'file', '', ?, '[3,2]', ?, ?)`,
      )
      .run(JSON.stringify(coverage), listedAt, JSON.stringify(state));
    sqlite.close();
    const db = openWriter(path);
    onTestFinished(() => closeWriter(db));
    migrate(db);
    const { source } = readMirror(db, readSources(db)[0]?.id ?? 0);
    return source;
  }

  it.each([
    ['all events if that was true', old, {}, ''],
    [
      'the events of the last list if one was skipped',
      old,
      { skipped: [9] },
      '2026-02-01T00:00:00.000Z',
    ],
    [
      'what was covered before an event was skipped',
      { ...old, horizon },
      { skipped: [9] },
      horizon,
    ],
    ['the time after its last hole', { ...old, horizon, holes }, {}, holes[0]?.to],
  ])('covers %s', (_, coverage, more, since) => {
    const migrated = migrateMirror(coverage, more).coverage;
    expect(coveredSince(migrated)).toBe(since);
    const until = '2026-11-22T11:55:00.000Z';
    expect(migrated).toEqual({
      proven: [{ after: since, until }],
      last: { after: since, until, oldest: since, entries: 2 },
      cap: 200,
      backdates: false,
    });
  });

  it('a mirror of an earlier version has no end of its coverage if the service sent no time', () => {
    const { proven } = migrateMirror({ ...old, horizon }, { isListDated: false }).coverage;
    expect(proven).toEqual([{ after: horizon, until: horizon }]);
  });

  it('a mirror of an earlier version has the members of this version, and no question or problem that does not exist any more', () => {
    const question = { kind: 'skip', id: 9 };
    const problem = { code: 'event_invalid', since: listedAt, id: 9 };
    const migrated = migrateMirror(old, { question, problem });
    expect(migrated).toMatchObject({ question: null, problem: null, unreadable: [] });
    const members = Object.keys(createSource('https://x.org/', 0));
    expect(Object.keys(migrated).toSorted()).toEqual(members.toSorted());
  });
});
