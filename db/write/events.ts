import type { StoredEvent } from '../model.ts';
import { connection, type Writer } from '../open.ts';
import { type EventRow, eventColumns, eventOfRow } from '../read/events.ts';

const recordColumns = `row, source_key AS sourceKey, source_sequence AS sourceSequence,
  ${eventColumns}`;

export const eventWrites = {
  byId: `SELECT ${recordColumns} FROM events WHERE user_id = @userId AND id = @id LIMIT 1`,
  bySource: `SELECT ${recordColumns} FROM events
    WHERE user_id = @userId AND source_key = @sourceKey LIMIT 1`,
  insert: `INSERT INTO events (user_id, id, source_key, source_sequence, name, date, location,
      description, status, event_type, registration_open, created_at)
    VALUES (@userId, @id, @sourceKey, @sourceSequence, @name, @date, @location, @description,
      @status, @eventType, @registrationOpen, @createdAt)`,
  update: `UPDATE events SET id = @id, source_key = @sourceKey, source_sequence = @sourceSequence,
      name = @name, date = @date, location = @location, description = @description,
      status = @status, event_type = @eventType, registration_open = @registrationOpen,
      created_at = @createdAt
    WHERE row = @row`,
  remove: 'DELETE FROM events WHERE row = @row',
} as const;

/** An event with what only the store knows of it. */
export type EventImage = {
  readonly event: StoredEvent;
  /** What a source without ids knows the event by. */
  readonly sourceKey: string | null;
  readonly sourceSequence: number | null;
};

/** An image and the row that holds it. */
export type EventRecord = EventImage & { readonly row: number };

type RecordRow = EventRow & Omit<EventRecord, 'event'>;

function recordOfRow({ row, sourceKey, sourceSequence, ...event }: RecordRow): EventRecord {
  return { row, sourceKey, sourceSequence, event: eventOfRow(event) };
}

function parametersOf({ event, sourceKey, sourceSequence }: EventImage) {
  const { registrationOpen } = event;
  return {
    ...event,
    registrationOpen: registrationOpen === undefined ? null : +registrationOpen,
    sourceKey,
    sourceSequence,
  };
}

export type EventWrites = {
  byId(id: number): EventRecord | undefined;
  bySource(sourceKey: string): EventRecord | undefined;
  insert(image: EventImage): void;
  /** Gives the row of `record` the values of `image`, its id included. */
  update(record: EventRecord, image: EventImage): void;
  remove(record: EventRecord): void;
};

/** Statements on the events of one user, to be used inside a transaction. */
export function prepareEventWrites(db: Writer, userId: number): EventWrites {
  const sqlite = connection(db);
  const byId = sqlite.prepare<object, RecordRow>(eventWrites.byId);
  const bySource = sqlite.prepare<object, RecordRow>(eventWrites.bySource);
  const insert = sqlite.prepare(eventWrites.insert);
  const update = sqlite.prepare(eventWrites.update);
  const remove = sqlite.prepare(eventWrites.remove);
  return {
    byId(id) {
      const row = byId.get({ userId, id });
      return row && recordOfRow(row);
    },
    bySource(sourceKey) {
      const row = bySource.get({ userId, sourceKey });
      return row && recordOfRow(row);
    },
    insert: (image) => insert.run({ userId, ...parametersOf(image) }),
    update: ({ row }, image) => update.run({ row, ...parametersOf(image) }),
    remove: ({ row }) => remove.run({ row }),
  };
}
