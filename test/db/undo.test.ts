import { describe, expect, it } from 'vitest';
import { editEvents } from '../../db/event-edit.ts';
import { beginEventImport } from '../../db/event-import.ts';
import { readHistory, undoBatch } from '../../db/history.ts';
import type { EventDraft } from '../../db/model.ts';
import type { Writer } from '../../db/open.ts';
import { insertUser } from '../../db/users.ts';
import { storedEvents } from '../support/events.ts';
import { makeEvent, openMemory } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { fc } from '../support/random.ts';

const now = '2026-06-01T00:00:00.000Z';

function openClub(): { db: Writer; userId: number } {
  const db = openMemory();
  return { db, userId: insertUser(db, 'Chess', now) ?? 0 };
}

function importAll(db: Writer, userId: number, drafts: readonly EventDraft[]): number | undefined {
  const batch = beginEventImport(db, { userId, now, source: 'test.csv' });
  for (const draft of drafts) batch.apply(draft);
  return batch.commit();
}

describe('the history', () => {
  it('lists each import that changed something, with its counts', () => {
    const { db, userId } = openClub();
    expect(importAll(db, userId, [makeEvent(1), makeEvent(2)])).toBe(1);
    expect(importAll(db, userId, [makeEvent(1)])).toBeUndefined();
    expect(importAll(db, userId, [makeEvent(1, { location: 'x' }), makeEvent(3)])).toBe(2);
    undoBatch(db, 2, now);
    const numbers = { createdAt: now, source: 'test.csv', leftOut: null, setting: null };
    expect(readHistory(db, userId)).toEqual([
      {
        id: 3,
        kind: 'undo',
        ...numbers,
        added: 0,
        changed: 1,
        removed: 1,
        undoes: 2,
        undoneBy: null,
        change: null,
      },
      {
        id: 2,
        kind: 'import',
        ...numbers,
        added: 1,
        changed: 1,
        removed: 0,
        undoes: null,
        undoneBy: 3,
        change: null,
      },
      {
        id: 1,
        kind: 'import',
        ...numbers,
        added: 2,
        changed: 0,
        removed: 0,
        undoes: null,
        undoneBy: null,
        change: null,
      },
    ]);
    expect(readHistory(db, userId + 1)).toEqual([]);
  });
});

describe('undo', () => {
  it('undoes exactly one import, and can itself be undone', () => {
    const { db, userId } = openClub();
    importAll(db, userId, [makeEvent(1), makeEvent(2)]);
    const before = storedEvents(db, userId);
    const { registrationOpen, ...draft } = makeEvent(2, { description: 'new' });
    importAll(db, userId, [
      { ...draft, registrationOpen: true },
      makeEvent(3),
      { ...makeEvent(4) },
    ]);
    const after = storedEvents(db, userId);
    expect(undoBatch(db, 2, now)).toEqual({ kind: 'undone', batch: 3, removed: 2, restored: 1 });
    expect(storedEvents(db, userId)).toEqual(before);
    expect(undoBatch(db, 3, now)).toMatchObject({ kind: 'undone', batch: 4 });
    expect(storedEvents(db, userId)).toEqual(after);
    expect(undoBatch(db, 2, now)).toEqual({ kind: 'undone before', by: 3 });
    expect(undoBatch(db, 99, now)).toEqual({ kind: 'missing' });
  });

  it('keeps later changes of other fields when undoing', () => {
    const { db, userId } = openClub();
    importAll(db, userId, [makeEvent(1)]);
    importAll(db, userId, [makeEvent(1, { location: 'Hall' })]);
    importAll(db, userId, [makeEvent(1, { location: 'Hall', status: 'cancelled' })]);
    expect(undoBatch(db, 2, now)).toMatchObject({ kind: 'undone' });
    expect(storedEvents(db, userId)).toEqual([makeEvent(1, { status: 'cancelled' })]);
  });

  it('refuses an undo that would lose a later change of the same field', () => {
    const { db, userId } = openClub();
    importAll(db, userId, [makeEvent(1), makeEvent(2)]);
    importAll(db, userId, [makeEvent(1, { location: 'Hall' }), makeEvent(2, { name: 'New' })]);
    importAll(db, userId, [makeEvent(1, { location: 'Pool' })]);
    const before = storedEvents(db, userId);
    const conflict = { id: 1, name: 'Event 1', laterChange: 'location' };
    expect(undoBatch(db, 2, now)).toEqual({ kind: 'conflict', conflicts: 1, first: conflict });
    expect(undoBatch(db, 1, now)).toMatchObject({ kind: 'conflict' });
    expect(storedEvents(db, userId)).toEqual(before);
    expect(readHistory(db, userId)).toHaveLength(3);
  });

  it('refuses to undo the import of an event with later changes', () => {
    const { db, userId } = openClub();
    importAll(db, userId, [makeEvent(1)]);
    importAll(db, userId, [{ ...makeEvent(1), registrationOpen: true }]);
    const conflict = { id: 1, name: 'Event 1', laterChange: 'registrationOpen' };
    expect(undoBatch(db, 1, now)).toEqual({ kind: 'conflict', conflicts: 1, first: conflict });
    undoBatch(db, 2, now);
    expect(undoBatch(db, 1, now)).toMatchObject({ kind: 'undone' });
    expect(undoBatch(db, 4, now)).toMatchObject({ kind: 'undone', restored: 1 });
    expect(storedEvents(db, userId)).toEqual([makeEvent(1)]);
  });

  it('refuses to undo the import of an event that was removed later', () => {
    const { db, userId } = openClub();
    importAll(db, userId, [makeEvent(1), makeEvent(2)]);
    importAll(db, userId, [makeEvent(1, { location: 'Hall' })]);
    editEvents(db, { userId, now }, (events) => events.remove(1));
    const first = { id: 1, name: 'Event 1', laterChange: 'removed' };
    for (const batch of [1, 2]) {
      expect(undoBatch(db, batch, now)).toEqual({ kind: 'conflict', conflicts: 1, first });
    }
    expect(storedEvents(db, userId)).toEqual([makeEvent(2)]);
    expect(undoBatch(db, 3, now)).toMatchObject({ kind: 'undone', restored: 1 });
    expect(undoBatch(db, 2, now)).toMatchObject({ kind: 'undone', restored: 1 });
  });

  it.each([
    ['a calendar', { key: 'ics:fest@example.org', sequence: 0, stamp: null }],
    ['a row without an id', undefined],
  ])('refuses to restore an event that was imported again from %s', (_, origin) => {
    const { db, userId } = openClub();
    const { id: _id, ...draft } = makeEvent(1, { name: 'Fest' });
    const importDraft = () => {
      const batch = beginEventImport(db, { userId, now, source: 'fest' });
      batch.apply(draft, origin && batch.identify(draft, origin));
      return batch.commit();
    };
    importDraft();
    undoBatch(db, 1, now);
    expect(importDraft()).toBe(3);
    const before = storedEvents(db, userId);
    expect(before).toMatchObject([{ id: 2, name: 'Fest' }]);
    const first = { id: 2, name: 'Fest', laterChange: 'added again' };
    expect(undoBatch(db, 2, now)).toEqual({ kind: 'conflict', conflicts: 1, first });
    expect(storedEvents(db, userId)).toEqual(before);
    undoBatch(db, 3, now);
    expect(undoBatch(db, 2, now)).toMatchObject({ kind: 'undone', restored: 1 });
    expect(storedEvents(db, userId)).toMatchObject([{ id: 1, name: 'Fest' }]);
  });

  it('removes added events although another user changed an event with the same id', () => {
    const { db, userId } = openClub();
    const other = insertUser(db, 'Rowing', now) ?? 0;
    importAll(db, other, [makeEvent(1)]);
    importAll(db, userId, [makeEvent(1)]);
    importAll(db, other, [makeEvent(1, { location: 'Lake' })]);
    expect(undoBatch(db, 2, now)).toMatchObject({ kind: 'undone', removed: 1 });
    expect(undoBatch(db, 1, now)).toMatchObject({ kind: 'conflict', conflicts: 1 });
    expect(storedEvents(db, userId)).toEqual([]);
    expect(storedEvents(db, other)).toMatchObject([{ id: 1, location: 'Lake' }]);
  });

  it('recognises a removed event when it is imported again', () => {
    const { db, userId } = openClub();
    const run = { name: 'Run', date: '2026-05-01T00:00:00.000Z' };
    importAll(db, userId, [run, makeEvent(1)]);
    undoBatch(db, 1, now);
    expect(storedEvents(db, userId)).toEqual([]);
    undoBatch(db, 2, now);
    expect(importAll(db, userId, [run])).toBeUndefined();
  });

  it('removes every event by undoing all imports in reverse order', () => {
    const draft = fc.record({
      id: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      name: fc.constantFrom('A', 'B'),
      date: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'),
      location: fc.constantFrom('', 'Hall'),
      registrationOpen: fc.constantFrom(true, false, undefined),
    });
    const clean = (draft: object) =>
      Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
    const imports = fc.array(fc.array(draft, { maxLength: 6 }), { maxLength: 5 });
    fc.assert(
      fc.property(imports, (all) => {
        const { db, userId } = openClub();
        const states = [storedEvents(db, userId)];
        const batches = all.flatMap((drafts) => {
          const batch = importAll(db, userId, drafts.map(clean) as EventDraft[]);
          if (batch === undefined) return [];
          states.push(storedEvents(db, userId));
          return [batch];
        });
        for (const batch of batches.toReversed()) {
          expect(storedEvents(db, userId)).toEqual(states.pop());
          expect(undoBatch(db, batch, now)).toMatchObject({ kind: 'undone' });
        }
        expect(storedEvents(db, userId)).toEqual([]);
      }),
      { numRuns: choose(100, 10) },
    );
  });
});
