import { hash } from 'node:crypto';
import type { EventDraft, StoredEvent } from '../model.ts';
import { connection, type Writer } from '../open.ts';
import { prepareEventIds } from './event-ids.ts';
import { type EventRecord, prepareEventWrites } from './events.ts';
import { prepareSeenRows } from './seen-rows.ts';

/** What became of a draft. All but the first three are refusals: nothing was written for it. */
export type DraftOutcome =
  | { readonly kind: 'added' | 'changed' | 'unchanged' }
  | { readonly kind: 'repeated'; readonly firstPlace: string }
  | { readonly kind: 'taken'; readonly by: StoredEvent }
  | { readonly kind: 'exhausted' };

/** One import: a transaction that is open until `commit` or `rollback`. */
export type EventImport = {
  /** Starts the next file; an id may come once in each. */
  beginFile(): void;
  /** Adds or updates one event; `place` says where in the file it stands. */
  apply(draft: EventDraft, place: string): DraftOutcome;
  commit(): void;
  rollback(): void;
};

const untold = { location: '', description: null, status: 'active', eventType: null } as const;

function isSame(left: StoredEvent, right: StoredEvent): boolean {
  return (
    left.name === right.name &&
    left.date === right.date &&
    left.location === right.location &&
    left.description === right.description &&
    left.status === right.status &&
    left.eventType === right.eventType &&
    left.registrationOpen === right.registrationOpen &&
    left.createdAt === right.createdAt
  );
}

/**
 * Begins an import for a user; new events that do not say when they were created were at `now`.
 * Holds the write lock: call `commit` or `rollback` whatever happens.
 */
export function beginEventImport(db: Writer, userId: number, now: string): EventImport {
  const sqlite = connection(db);
  const seen = prepareSeenRows(db);
  sqlite.exec('BEGIN IMMEDIATE');
  // The connection may have served an import before.
  seen.forget();
  const events = prepareEventWrites(db, userId);
  const ids = prepareEventIds(db, userId);

  function add(draft: EventDraft, id: number, sourceKey: string | null): DraftOutcome {
    events.insert({ ...untold, createdAt: now, ...draft, id }, sourceKey);
    return { kind: 'added' };
  }

  function update(record: EventRecord, draft: EventDraft): DraftOutcome {
    const event = { ...record.event, ...draft };
    if (isSame(event, record.event)) return { kind: 'unchanged' };
    events.update(record, event);
    return { kind: 'changed' };
  }

  function applyWithId(draft: EventDraft, id: number, place: string): DraftOutcome {
    const first = seen.note(id, place);
    if (first.times > 1) return { kind: 'repeated', firstPlace: first.place };
    ids.note(id);
    const record = events.byId(id);
    if (record === undefined) return add(draft, id, null);
    if (record.sourceKey === null) return update(record, draft);
    if (id > ids.last) {
      // Given in this very import, to a row without an id that stood before this one.
      const moved = ids.next();
      if (moved === undefined) return { kind: 'exhausted' };
      events.update(record, { ...record.event, id: moved });
      return add(draft, id, null);
    }
    // An id given here may be another event's id elsewhere: with neither name nor date in common
    // it is not an edit, and overwriting would lose an event.
    const { event } = record;
    if (event.name !== draft.name && event.date !== draft.date) return { kind: 'taken', by: event };
    return update(record, draft);
  }

  function applyWithoutId(draft: EventDraft, place: string): DraftOutcome {
    const key = `row:${hash('sha256', JSON.stringify([draft.name, draft.date]), 'base64url')}`;
    // Rows that share name and date are told apart by their turn, so that none is lost.
    const sourceKey = `${key}:${seen.note(key, place).times}`;
    const record = events.bySource(sourceKey);
    if (record !== undefined) return update(record, draft);
    const id = ids.next();
    return id === undefined ? { kind: 'exhausted' } : add(draft, id, sourceKey);
  }

  return {
    beginFile: () => seen.forget(),
    apply: (draft, place) =>
      draft.id === undefined ? applyWithoutId(draft, place) : applyWithId(draft, draft.id, place),
    commit() {
      ids.keep();
      sqlite.exec('COMMIT');
    },
    rollback() {
      // SQLite may have rolled back by itself, as it does on a full disk.
      if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
    },
  };
}
