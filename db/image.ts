import type { StoredEvent } from './model.ts';
import { type EventRow, eventOfRow } from './read/events.ts';

/** An event with what only the store knows of it. */
export type EventImage = {
  readonly event: StoredEvent;
  /** What a source without ids knows the event by. */
  readonly sourceKey: string | null;
  readonly sourceSequence: number | null;
};

type StoredColumns = EventRow & Omit<EventImage, 'event'>;

/** The columns of an event as one JSON object, written by SQLite for many rows at once. */
export const imageOfColumns = `json_object('sourceKey', source_key,
  'sourceSequence', source_sequence, 'id', id, 'name', name, 'date', date, 'location', location,
  'description', description, 'status', status, 'eventType', event_type,
  'registrationOpen', registration_open, 'createdAt', created_at)`;

/** The values of the columns that hold an image. */
export function columnsOf({ event, sourceKey, sourceSequence }: EventImage) {
  const { registrationOpen } = event;
  const open = registrationOpen === undefined ? null : +registrationOpen;
  return { sourceKey, sourceSequence, ...event, registrationOpen: open };
}

export function imageOf({ sourceKey, sourceSequence, ...row }: StoredColumns): EventImage {
  return { sourceKey, sourceSequence, event: eventOfRow(row) };
}

/** As `imageOfColumns`, of one image in memory. */
export function writeImage(image: EventImage | null): string | null {
  return image === null ? null : JSON.stringify(columnsOf(image));
}

export function readImage(text: string | null): EventImage | null {
  return text === null ? null : imageOf(JSON.parse(text) as StoredColumns);
}
