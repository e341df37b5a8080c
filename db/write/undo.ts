import type { StoredEvent } from '../model.ts';
import { inTransaction, type Writer } from '../open.ts';
import { beforeEveryId, collectPages, pageSize } from '../read/pages.ts';
import { prepareBatchLog, readImage } from './batches.ts';
import { eventMembers } from './event-import.ts';
import {
  type EventImage,
  type EventRecord,
  type EventWrites,
  prepareEventWrites,
} from './events.ts';

export const undoStatements = {
  batch: `SELECT id, user_id AS userId, source,
      (SELECT later.id FROM batches AS later WHERE later.undoes = batches.id) AS undoneBy
    FROM batches WHERE id = @id LIMIT 1`,
  changes: `SELECT event_id AS eventId, before, after FROM changes
    WHERE batch_id = @batchId AND event_id > @after ORDER BY event_id LIMIT ${pageSize}`,
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
  | { readonly kind: 'conflict'; readonly conflicts: readonly UndoConflict[] };

/** What stands against taking a change back: later changes of the same fields. */
function findConflict(
  before: EventImage | null,
  after: EventImage | null,
  now: EventRecord | undefined,
): UndoConflict['what'] | undefined {
  if (after === null) return now === undefined ? undefined : 'added again';
  if (now === undefined) return 'removed';
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
    const page = sqlite.prepare<object, ChangeRow>(undoStatements.changes);
    const changes = collectPages(
      beforeEveryId,
      (after) => page.all({ batchId: id, after }),
      ({ eventId }) => eventId,
    ).map(({ eventId, before, after }) => ({
      eventId,
      before: readImage(before),
      after: readImage(after),
      now: events.byId(eventId),
    }));
    const conflicts = changes.flatMap(({ eventId, before, after, now }): UndoConflict[] => {
      const what = findConflict(before, after, now);
      const name = (now ?? after ?? before)?.event.name ?? '';
      return what === undefined ? [] : [{ id: eventId, name, what }];
    });
    if (conflicts.length > 0) return { kind: 'conflict', conflicts };
    const log = prepareBatchLog(db, { userId, kind: 'undo', source, createdAt, undoes: id });
    for (const { eventId, before, after, now } of changes) {
      log.note(eventId, now ?? null, restore(events, before, after, now));
    }
    const removed = changes.filter(({ before }) => before === null).length;
    const restored = changes.length - removed;
    return { kind: 'undone', batch: log.finish() ?? id, removed, restored };
  });
}
