import type { StoredEvent } from '../model.ts';
import { connection, type Writer } from '../open.ts';
import { type EventRow, eventColumns, eventOfRow } from '../read/events.ts';

export const eventWrites = {
  byId: `SELECT row, source_key AS sourceKey, ${eventColumns} FROM events
    WHERE user_id = @userId AND id = @id LIMIT 1`,
  bySource: `SELECT row, source_key AS sourceKey, ${eventColumns} FROM events
    WHERE user_id = @userId AND source_key = @sourceKey LIMIT 1`,
  insert: `INSERT INTO events (user_id, id, source_key, name, date, location, description, status,
      event_type, registration_open, created_at)
    VALUES (@userId, @id, @sourceKey, @name, @date, @location, @description, @status,
      @eventType, @registrationOpen, @createdAt)`,
  update: `UPDATE events SET id = @id, name = @name, date = @date, location = @location,
      description = @description, status = @status, event_type = @eventType,
      registration_open = @registrationOpen, created_at = @createdAt
    WHERE row = @row`,
} as const;

/** A stored event with what only the store knows of it. */
export type EventRecord = {
  readonly row: number;
  /** What a source without ids knows the event by. */
  readonly sourceKey: string | null;
  readonly event: StoredEvent;
};

type RecordRow = EventRow & { readonly row: number; readonly sourceKey: string | null };

function recordOfRow({ row, sourceKey, ...event }: RecordRow): EventRecord {
  return { row, sourceKey, event: eventOfRow(event) };
}

function parametersOf(event: StoredEvent) {
  const { registrationOpen } = event;
  return { ...event, registrationOpen: registrationOpen === undefined ? null : +registrationOpen };
}

export type EventWrites = {
  byId(id: number): EventRecord | undefined;
  bySource(sourceKey: string): EventRecord | undefined;
  insert(event: StoredEvent, sourceKey: string | null): void;
  /** Gives the row of `record` the values of `event`, its id included. */
  update(record: EventRecord, event: StoredEvent): void;
};

/** Statements on the events of one user, to be used inside a transaction. */
export function prepareEventWrites(db: Writer, userId: number): EventWrites {
  const sqlite = connection(db);
  const byId = sqlite.prepare<object, RecordRow>(eventWrites.byId);
  const bySource = sqlite.prepare<object, RecordRow>(eventWrites.bySource);
  const insert = sqlite.prepare(eventWrites.insert);
  const update = sqlite.prepare(eventWrites.update);
  return {
    byId(id) {
      const row = byId.get({ userId, id });
      return row && recordOfRow(row);
    },
    bySource(sourceKey) {
      const row = bySource.get({ userId, sourceKey });
      return row && recordOfRow(row);
    },
    insert: (event, sourceKey) => insert.run({ userId, sourceKey, ...parametersOf(event) }),
    update: ({ row }, event) => update.run({ row, ...parametersOf(event) }),
  };
}
