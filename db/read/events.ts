import type { StoredEvent } from '../model.ts';
import { connection, type Reader } from '../open.ts';

/** The columns of an event, with the names and order of its members in INTERFACE section 1. */
export const eventColumns = `id, name, date, location, description, status, event_type AS eventType,
  registration_open AS registrationOpen, created_at AS createdAt`;

export const eventReads = {
  byId: `SELECT ${eventColumns} FROM events WHERE user_id = +@userId AND id = +@id LIMIT 1`,
} as const;

/** An event as SQLite returns it: `registrationOpen` is 0 or 1, or null if absent. */
export type EventRow = Omit<StoredEvent, 'registrationOpen'> & {
  readonly registrationOpen: 0 | 1 | null;
};

export function eventOfRow(row: EventRow): StoredEvent {
  const { registrationOpen, createdAt, ...rest } = row;
  if (registrationOpen === null) return { ...rest, createdAt };
  return { ...rest, registrationOpen: registrationOpen === 1, createdAt };
}

export type EventReads = {
  byId(userId: number, id: number): StoredEvent | undefined;
};

export function prepareEventReads(db: Reader): EventReads {
  const sqlite = connection(db);
  const byId = sqlite.prepare<{ userId: number; id: number }, EventRow>(eventReads.byId);
  return {
    byId(userId, id) {
      const row = byId.get({ userId, id });
      return row && eventOfRow(row);
    },
  };
}
