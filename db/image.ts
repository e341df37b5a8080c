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

/** Whether registration is open, as its column holds it; null when no source ever said. */
export function flagOf({ registrationOpen }: StoredEvent): number | null {
  return registrationOpen === undefined ? null : +registrationOpen;
}

/** The values of the columns that hold an image. */
export function columnsOf({ event, sourceKey, sourceSequence }: EventImage) {
  return { sourceKey, sourceSequence, ...event, registrationOpen: flagOf(event) };
}

export function imageOf({ sourceKey, sourceSequence, ...row }: StoredColumns): EventImage {
  return { sourceKey, sourceSequence, event: eventOfRow(row) };
}

/** An image as the history keeps it: its columns as one JSON object. */
export function writeImage(image: EventImage | null): string | null {
  return image === null ? null : JSON.stringify(columnsOf(image));
}

export function readImage(text: string | null): EventImage | null {
  return text === null ? null : imageOf(JSON.parse(text) as StoredColumns);
}
