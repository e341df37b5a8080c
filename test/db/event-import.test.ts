import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { beginEventImport, type EventImport } from '../../db/event-import.ts';
import type { EventDraft } from '../../db/model.ts';
import { connection, type Writer } from '../../db/open.ts';
import { insertUser } from '../../db/users.ts';
import { storedEvents } from '../support/events.ts';
import { makeEvent, openMemory } from '../support/home.ts';

const now = '2026-06-01T00:00:00.000Z';

function openClub(): { db: Writer; userId: number } {
  const db = openMemory();
  return { db, userId: insertUser(db, 'Chess', now) ?? 0 };
}

function importAll(db: Writer, userId: number, drafts: readonly EventDraft[], at = now): string[] {
  const batch = beginEventImport(db, { userId, now: at, source: 'test' });
  const kinds = applyAll(batch, drafts);
  batch.commit();
  return kinds;
}

function applyAll(batch: EventImport, drafts: readonly EventDraft[]): string[] {
  return drafts.map((draft) => batch.apply(draft).kind);
}

const run = { name: 'Run', date: '2026-05-01T00:00:00.000Z' };

describe('events with an id', () => {
  it('adds an event with an id, then leaves it unchanged, then updates it', () => {
    const { db, userId } = openClub();
    expect(importAll(db, userId, [makeEvent(7)])).toEqual(['added']);
    expect(importAll(db, userId, [makeEvent(7)])).toEqual(['unchanged']);
    const { location, status, ...less } = makeEvent(7);
    expect(importAll(db, userId, [{ ...less, description: 'new' }])).toEqual(['changed']);
    expect(storedEvents(db, userId)).toEqual([{ ...makeEvent(7), description: 'new' }]);
  });

  it('refuses an id that occurs twice in a file', () => {
    const { db, userId } = openClub();
    const batch = beginEventImport(db, { userId, now, source: 'test' });
    expect(batch.apply(makeEvent(7)).kind).toBe('added');
    expect(batch.apply(makeEvent(7))).toEqual({ kind: 'repeated', first: makeEvent(7) });
    batch.beginFile();
    expect(batch.apply(makeEvent(7)).kind).toBe('unchanged');
    batch.rollback();
    expect(storedEvents(db, userId)).toEqual([]);
  });
});

describe('events without an id', () => {
  it('gives events without an id new ids and default values', () => {
    const { db, userId } = openClub();
    importAll(db, userId, [makeEvent(40), run]);
    expect(storedEvents(db, userId)[1]).toEqual({
      id: 41,
      ...run,
      location: '',
      description: null,
      status: 'active',
      eventType: null,
      createdAt: now,
    });
  });

  it('recognises events without an id in a later import', () => {
    const { db, userId } = openClub();
    importAll(db, userId, [run]);
    expect(importAll(db, userId, [run], '2026-07-01T00:00:00.000Z')).toEqual(['unchanged']);
    expect(importAll(db, userId, [{ ...run, location: 'Hall' }])).toEqual(['changed']);
    expect(storedEvents(db, userId)).toMatchObject([{ id: 1, location: 'Hall', createdAt: now }]);
  });

  it('stores all events that share a name and a date', () => {
    const { db, userId } = openClub();
    const rows = [run, { ...run, location: 'A' }, run];
    expect(importAll(db, userId, rows)).toEqual(['added', 'added', 'added']);
    expect(importAll(db, userId, rows)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(storedEvents(db, userId).map(({ location }) => location)).toEqual(['', 'A', '']);
  });

  it('never reuses the id of a removed event', () => {
    const { db, userId } = openClub();
    importAll(db, userId, [run, { ...run, name: 'Swim' }]);
    connection(db).exec('DELETE FROM events');
    importAll(db, userId, [{ ...run, name: 'Ride' }]);
    expect(storedEvents(db, userId)).toMatchObject([{ id: 3, name: 'Ride' }]);
  });

  it('reassigns an id that a later row of the same import brings along', () => {
    const { db, userId } = openClub();
    expect(importAll(db, userId, [run, makeEvent(1)])).toEqual(['added', 'added']);
    expect(storedEvents(db, userId)).toMatchObject([
      { id: 1, name: 'Event 1' },
      { id: 2, name: 'Run' },
    ]);
    expect(importAll(db, userId, [run, makeEvent(1)])).toEqual(['unchanged', 'unchanged']);
  });

  it('does not overwrite an event by an unrelated one with its assigned id', () => {
    const { db, userId } = openClub();
    importAll(db, userId, [run]);
    const batch = beginEventImport(db, { userId, now, source: 'test' });
    const unrelated = { ...makeEvent(1), date: '2027-01-01T00:00:00.000Z' };
    expect(batch.apply(unrelated)).toMatchObject({ kind: 'taken', by: { name: 'Run' } });
    // An edit keeps the name or the date.
    expect(batch.apply({ ...run, id: 1, name: 'Fun run' }).kind).toBe('repeated');
    batch.beginFile();
    expect(batch.apply({ ...run, id: 1, name: 'Fun run' }).kind).toBe('changed');
    batch.rollback();
  });

  it('refuses an event when no id is left that JSON represents exactly', () => {
    const { db, userId } = openClub();
    expect(importAll(db, userId, [makeEvent(Number.MAX_SAFE_INTEGER), run])).toEqual([
      'added',
      'exhausted',
    ]);
  });
});

describe('an import', () => {
  it('writes nothing when an import changes nothing', () => {
    const { db, userId } = openClub();
    importAll(db, userId, [makeEvent(7), run]);
    const digest = () => hash('sha256', connection(db).serialize());
    const before = digest();
    importAll(db, userId, [makeEvent(7), run], '2027-01-01T00:00:00.000Z');
    expect(digest()).toBe(before);
    importAll(db, userId, [{ ...run, location: 'x' }]);
    expect(digest()).not.toBe(before);
  });

  it('leaves the events of other users unchanged', () => {
    const { db, userId } = openClub();
    const other = insertUser(db, 'Rowing', now) ?? 0;
    importAll(db, other, [makeEvent(7), run]);
    const before = storedEvents(db, other);
    importAll(db, userId, [
      { ...makeEvent(7), location: 'Elsewhere' },
      { ...run, status: 'draft' },
    ]);
    expect(storedEvents(db, other)).toEqual(before);
  });

  it('rolls back a whole import', () => {
    const { db, userId } = openClub();
    importAll(db, userId, [makeEvent(7)]);
    const batch = beginEventImport(db, { userId, now, source: 'test' });
    applyAll(batch, [{ ...makeEvent(7), location: 'x' }, makeEvent(8), run]);
    batch.rollback();
    expect(storedEvents(db, userId)).toEqual([makeEvent(7)]);
    importAll(db, userId, [run]);
    expect(storedEvents(db, userId).map(({ id }) => id)).toEqual([7, 8]);
  });
});
