import { columnsOf, type EventImage, imageOf } from '../image.ts';
import { connection, type Writer } from '../open.ts';
import { type EventRow, eventColumns } from '../read/events.ts';

const recordColumns = `row, source_key AS sourceKey, source_sequence AS sourceSequence,
  ${eventColumns}`;

export const eventWrites = {
  byId: `SELECT ${recordColumns} FROM events WHERE user_id = @userId AND id = @id LIMIT 1`,
  bySource: `SELECT ${recordColumns} FROM events
    WHERE user_id = @userId AND source_key = @sourceKey LIMIT 1`,
  insert: `INSERT INTO events (user_id, id, source_key, source_sequence, name, date, location,
      description, status, event_type, registration_open, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  update: `UPDATE events SET id = @id, source_key = @sourceKey, source_sequence = @sourceSequence,
      name = @name, date = @date, location = @location, description = @description,
      status = @status, event_type = @eventType, registration_open = @registrationOpen,
      created_at = @createdAt
    WHERE row = @row`,
  remove: 'DELETE FROM events WHERE row = @row',
  lastRow: 'SELECT max(row) AS row FROM events LIMIT 1',
} as const;

/** An image and the row that holds it. */
export type EventRecord = EventImage & { readonly row: number };

type RecordRow = EventRow & Omit<EventRecord, 'event'>;

function recordOfRow({ row, ...columns }: RecordRow): EventRecord {
  return { row, ...imageOf(columns) };
}

/** The values of `insert` after the user, by place: SQLite's binding by name takes far longer. */
function valuesOf(image: EventImage) {
  const { sourceKey, sourceSequence, id, name, date, ...others } = columnsOf(image);
  const { location, description, status, eventType, registrationOpen, createdAt } = others;
  const texts = [name, date, location, description, status, eventType] as const;
  return [id, sourceKey, sourceSequence, ...texts, registrationOpen, createdAt];
}

export type EventWrites = {
  byId(id: number): EventRecord | undefined;
  bySource(sourceKey: string): EventRecord | undefined;
  insert(image: EventImage): void;
  /** Gives the row of `record` the values of `image`, its id included. */
  update(record: EventRecord, image: EventImage): void;
  remove(record: EventRecord): void;
  /** The highest row of all users: rows that are added have higher ones. */
  lastRow(): number;
};

/** Statements on the events of one user, to be used inside a transaction. */
export function prepareEventWrites(db: Writer, userId: number): EventWrites {
  const sqlite = connection(db);
  const byId = sqlite.prepare<object, RecordRow>(eventWrites.byId);
  const bySource = sqlite.prepare<object, RecordRow>(eventWrites.bySource);
  const insert = sqlite.prepare(eventWrites.insert);
  const update = sqlite.prepare(eventWrites.update);
  const remove = sqlite.prepare(eventWrites.remove);
  const lastRow = sqlite.prepare<[], { row: number | null }>(eventWrites.lastRow);
  return {
    byId(id) {
      const row = byId.get({ userId, id });
      return row && recordOfRow(row);
    },
    bySource(sourceKey) {
      const row = bySource.get({ userId, sourceKey });
      return row && recordOfRow(row);
    },
    insert: (image) => insert.run(userId, ...valuesOf(image)),
    update: ({ row }, image) => update.run({ row, ...columnsOf(image) }),
    remove: ({ row }) => remove.run({ row }),
    lastRow: () => lastRow.get()?.row ?? 0,
  };
}
