/** The states of an event (INTERFACE section 1). */
export const eventStatuses = ['draft', 'active', 'completed', 'cancelled'] as const;
export type EventStatus = (typeof eventStatuses)[number];

/** The types of an event (INTERFACE section 1); null stands for "none of these". */
export const eventTypes = ['national', 'international', 'regional', 'club'] as const;
export type EventType = (typeof eventTypes)[number];

/**
 * An event as it is stored and, member for member and in this order, as it is answered
 * (INTERFACE section 1). Timestamps are `YYYY-MM-DDTHH:MM:SS.sssZ`, so that their order as text
 * is their order in time. `registrationOpen` is absent when the source never said.
 */
export type StoredEvent = {
  readonly id: number;
  readonly name: string;
  readonly date: string;
  readonly location: string;
  readonly description: string | null;
  readonly status: EventStatus;
  readonly eventType: EventType | null;
  readonly registrationOpen?: boolean;
  readonly createdAt: string;
};

/** The members that tell of an event, which is everything but its id, in the order of the contract. */
export const eventMembers = [
  'name',
  'date',
  'location',
  'description',
  'status',
  'eventType',
  'registrationOpen',
  'createdAt',
] as const satisfies readonly (keyof StoredEvent)[];

/**
 * What a source says of one event. A member that is absent was not told: a stored event keeps its
 * value, a new one gets the default. Without an `id` the event is known by its name and date.
 */
export type EventDraft = Partial<StoredEvent> & Pick<StoredEvent, 'name' | 'date'>;

/** What a source without ids knows an event by, such as the UID of a calendar. */
export type EventOrigin = {
  readonly key: string;
  /** Which revision this is: one lower than the stored one is out of date (RFC 5545, SEQUENCE). */
  readonly sequence: number;
};

/** A revision of a calendar event, of which all occurrences in a period are known. */
export type SeriesRevision = {
  /** The key of the event itself; those of its occurrences go on with `:` and their recurrence. */
  readonly key: string;
  readonly sequence: number;
  /** The first and the last recurrence of the period, both inclusive: days or UTC timestamps. */
  readonly first: string;
  readonly last: string;
};

/** A club account. */
export type User = {
  readonly id: number;
  readonly name: string;
  readonly createdAt: string;
  readonly events: number;
  readonly keys: number;
};

/** What is kept of a key: never the key itself. */
export type Key = {
  readonly id: number;
  readonly user: string;
  readonly label: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
};

/** An import, or the taking back of one, as the history has it. */
export type Batch = {
  readonly id: number;
  readonly kind: 'import' | 'undo';
  /** The names of the files. */
  readonly source: string;
  readonly createdAt: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** The batch that this one took back. */
  readonly undoes: number | null;
  /** The batch that took this one back. */
  readonly undoneBy: number | null;
};
