import type { Database } from 'better-sqlite3';
import { type EventImage, readImage } from '../image.ts';
import { eventMembers, type StoredEvent } from '../model.ts';
import { inTransaction, type Writer } from '../open.ts';
import { beforeEveryId, eachRow, pageSize } from '../read/pages.ts';
import { indexEvents } from '../search.ts';
import { prepareBatchLog } from './batches.ts';
import { type EventRecord, type EventWrites, prepareEventWrites } from './events.ts';

export const undoStatements = {
  batch: `SELECT id, user_id AS userId, source,
      (SELECT later.id FROM batches AS later WHERE later.undoes = batches.id) AS undoneBy
    FROM batches WHERE id = @id LIMIT 1`,
  changes: `SELECT event_id AS eventId, before, after FROM changes
    WHERE batch_id = @batchId AND event_id > @after ORDER BY event_id LIMIT ${pageSize}`,
  nextChange: `SELECT changes.before FROM batches
    JOIN changes ON changes.batch_id = batches.id AND changes.event_id = @eventId
    WHERE batches.user_id = @userId AND batches.id > @batchId ORDER BY batches.id LIMIT 1`,
} as const;

type BatchRow = {
  readonly id: number;
  readonly userId: number;
  readonly source: string;
  readonly undoneBy: number | null;
};

type ChangeRow = {
  readonly eventId: number;
  readonly before: string | null;
  readonly after: string | null;
};

/** A later change that would be lost: which event, and what of it. */
export type UndoConflict = {
  readonly id: number;
  readonly name: string;
  readonly what: keyof StoredEvent | 'removed' | 'added again';
};

export type UndoOutcome =
  | {
      readonly kind: 'undone';
      readonly batch: number;
      readonly removed: number;
      readonly restored: number;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'undone before'; readonly by: number }
  | { readonly kind: 'conflict'; readonly conflicts: number; readonly first: UndoConflict };

/** Returns the reason why a change cannot be undone: a later change of the same field. */
function findConflict({ before, after, now, twin }: Change): UndoConflict['what'] | undefined {
  if (now === undefined && twin !== undefined) return 'added again';
  if (now === undefined) return before !== null && after === null ? undefined : 'removed';
  if (after === null) return 'added again';
  return eventMembers.find(
    (member) =>
      (before === null || before.event[member] !== after.event[member]) &&
      now.event[member] !== after.event[member],
  );
}

/** The event with the fields that a batch changed set back, and those that it did not as they are. */
function restoreEvent(before: StoredEvent, after: StoredEvent, now: StoredEvent): StoredEvent {
  const restored: Record<string, unknown> = {};
  for (const member of ['id', ...eventMembers] as const) {
    const value = before[member] === after[member] ? now[member] : before[member];
    if (value !== undefined) restored[member] = value;
  }
  return restored as StoredEvent;
}

/** Takes one change back; returns the event as it is then, or null when it is gone. */
function restore(
  events: EventWrites,
  before: EventImage | null,
  after: EventImage | null,
  now: EventRecord | undefined,
): EventImage | null {
  if (before === null) {
    if (now !== undefined) events.remove(now);
    return null;
  }
  if (now === undefined || after === null) {
    events.insert(before);
    return before;
  }
  const image = { ...before, event: restoreEvent(before.event, after.event, now.event) };
  events.update(now, image);
  return image;
}

/** A change of a batch, and its event as it is now. */
type Change = {
  readonly eventId: number;
  readonly before: EventImage | null;
  readonly after: EventImage | null;
  readonly now: EventRecord | undefined;
  /** The event that came again from the same source since this one was removed, with another id. */
  readonly twin: EventRecord | undefined;
};

type BatchChanges = { readonly batchId: number; readonly userId: number };

/**
 * Makes the reader of what an event was after an import that added it, as its change has no image:
 * what it was before the next batch that changed it or, where there is none, what it is now.
 */
function prepareAdded(sqlite: Database, { batchId, userId }: BatchChanges) {
  const next = sqlite.prepare<object, { before: string | null }>(undoStatements.nextChange);
  return (eventId: number, now: EventRecord | undefined): EventImage | null => {
    const change = next.get({ batchId, userId, eventId });
    return change === undefined ? (now ?? null) : readImage(change.before);
  };
}

/** Makes the reader of every change of a batch, for as many readings as there are. */
function prepareChanges(sqlite: Database, batch: BatchChanges, events: EventWrites) {
  const page = sqlite.prepare<object, ChangeRow>(undoStatements.changes);
  const addedAs = prepareAdded(sqlite, batch);
  return function* eachChange(): Generator<Change> {
    const rows = eachRow(
      beforeEveryId,
      (after) => page.all({ batchId: batch.batchId, after }),
      ({ eventId }) => eventId,
    );
    for (const { eventId, before, after } of rows) {
      const now = events.byId(eventId);
      const hasImage = before !== null || after !== null;
      const image = hasImage ? readImage(after) : addedAs(eventId, now);
      const earlier = readImage(before);
      const sourceKey = now === undefined ? earlier?.sourceKey : null;
      const twin = sourceKey ? events.bySource(sourceKey) : undefined;
      yield { eventId, before: earlier, after: image, now, twin };
    }
  };
}

/**
 * Takes back exactly what a batch changed, as a batch of its own; nothing when a later change of
 * the same fields would be lost.
 */
export function undoBatch(db: Writer, id: number, createdAt: string): UndoOutcome {
  return inTransaction(db, (sqlite): UndoOutcome => {
    const batch = sqlite.prepare<object, BatchRow>(undoStatements.batch).get({ id });
    if (batch === undefined) return { kind: 'missing' };
    if (batch.undoneBy !== null) return { kind: 'undone before', by: batch.undoneBy };
    const { userId, source } = batch;
    const events = prepareEventWrites(db, userId);
    const changes = prepareChanges(sqlite, { batchId: id, userId }, events);
    let conflicts = 0;
    let first: UndoConflict | undefined;
    for (const change of changes()) {
      const what = findConflict(change);
      if (what === undefined) continue;
      conflicts += 1;
      const { eventId, before, after, now, twin } = change;
      const name = (now ?? after ?? before)?.event.name ?? '';
      first ??= { id: twin?.event.id ?? eventId, name, what };
    }
    if (first !== undefined) return { kind: 'conflict', conflicts, first };
    const log = prepareBatchLog(db, { userId, kind: 'undo', source, createdAt, undoes: id });
    let removed = 0;
    let restored = 0;
    for (const { eventId, before, after, now } of changes()) {
      log.note(eventId, now ?? null, restore(events, before, after, now));
      if (before === null) removed += 1;
      else restored += 1;
    }
    indexEvents(sqlite);
    return { kind: 'undone', batch: log.finish() ?? id, removed, restored };
  });
}
