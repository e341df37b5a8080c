import type { StoredEvent } from './model.ts';
import { type EventRow, eventOfRow } from './read/events.ts';

/** A snapshot of an event, with the columns that only the store uses. */
export type EventImage = {
  readonly event: StoredEvent;
  /** The key of the event in a source without ids; null if the source gave an id. */
  readonly sourceKey: string | null;
  /** The revision of the event in its source (RFC 5545, SEQUENCE). */
  readonly sourceSequence: number | null;
};

type StoredColumns = EventRow & Omit<EventImage, 'event'>;

/** Returns the value of the column `registration_open`: 1, 0, or null if no source gave one. */
export function flagOf({ registrationOpen }: StoredEvent): number | null {
  return registrationOpen === undefined ? null : +registrationOpen;
}

export function columnsOf({ event, sourceKey, sourceSequence }: EventImage) {
  return { sourceKey, sourceSequence, ...event, registrationOpen: flagOf(event) };
}

export function imageOf({ sourceKey, sourceSequence, ...row }: StoredColumns): EventImage {
  return { sourceKey, sourceSequence, event: eventOfRow(row) };
}

/** Serialises an image for the history, as a JSON object of its columns. */
export function writeImage(image: EventImage | null): string | null {
  return image === null ? null : JSON.stringify(columnsOf(image));
}

export function readImage(text: string | null): EventImage | null {
  return text === null ? null : imageOf(JSON.parse(text) as StoredColumns);
}
