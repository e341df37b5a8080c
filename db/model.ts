import type { ClubNumber, ClubNumbers } from './club-settings.ts';

/** The statuses of an event (INTERFACE section 1). */
export const eventStatuses = ['draft', 'active', 'completed', 'cancelled'] as const;
export type EventStatus = (typeof eventStatuses)[number];

/** The types of an event (INTERFACE section 1); null means none of these. */
export const eventTypes = ['national', 'international', 'regional', 'club'] as const;
export type EventType = (typeof eventTypes)[number];

/** The types of a filter: those of events, and none. */
export const filterTypes = [...eventTypes, 'none'] as const;
export type FilterType = (typeof filterTypes)[number];

/** The types in the order in which people choose among them, from near to far. */
export const typesByReach = ['club', 'regional', 'national', 'international'] as const;
// The compiler checks that no type is left out.
true satisfies Exclude<EventType, (typeof typesByReach)[number]> extends never ? true : false;

/** The place of a key for elsewhere: a private file, the key store of the system, or memory for one run. */
export const keyStores = ['file', 'system', 'run'] as const;
export type KeyStore = (typeof keyStores)[number];

/**
 * A stored event. Its members and their order are those of the JSON responses (INTERFACE
 * section 1). Timestamps are `YYYY-MM-DDTHH:MM:SS.sssZ`, so their text order is their time order.
 * `registrationOpen` is absent if no source gave a value.
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

/** The members that people can change. */
export const editableFields = [
  'name',
  'date',
  'location',
  'description',
  'status',
  'eventType',
  'registrationOpen',
] as const satisfies readonly (keyof StoredEvent)[];
export type EditableField = (typeof editableFields)[number];

/** All members of an event except its id, in the order of the contract. */
export const eventMembers = [...editableFields, 'createdAt'] as const;

/** Members of an event that people and files can give, in the order of the API. */
export const eventFields = ['id', ...eventMembers] as const;

export type EventField = (typeof eventFields)[number];

/** An edited field that an import left as it was, although the file has another value. */
export type KeptEdit = {
  readonly field: EditableField;
  readonly edited: StoredEvent[EditableField];
  readonly fromFile: StoredEvent[EditableField];
};

/**
 * One event of an import. A stored event keeps its values for absent members; a new event gets the
 * defaults. Without an `id` or an `EventOrigin`, an event is identified by its name and date.
 */
export type EventDraft = Partial<StoredEvent> & Pick<StoredEvent, 'name' | 'date'>;

/** A revision of an event in its source (RFC 5546, section 2.1.5). */
export type SourceRevision = {
  /** The SEQUENCE of RFC 5545. */
  readonly sequence: number;
  /** The time of the revision in milliseconds since 1970; null if it is unknown. */
  readonly stamp: number | null;
};

/** The identity of an event in a source without ids, such as its UID in a calendar. */
export type EventOrigin = SourceRevision & { readonly key: string };

/** A revision of a calendar event with all its occurrences in a period. */
export type SeriesRevision = SourceRevision & {
  /** The key of the series; keys of its occurrences append `:` and the recurrence. */
  readonly key: string;
  /** The first and last recurrence of the period, both inclusive: days or UTC timestamps. */
  readonly first: string;
  readonly last: string;
};

/** A club account. */
export type User = {
  readonly id: number;
  readonly name: string;
  /** The IANA name of the club's time zone; empty if it is unknown here or not stored yet. */
  readonly zone: string;
  readonly createdAt: string;
  readonly events: number;
  readonly keys: number;
  /** True if an assistant may propose changes. */
  readonly assistantProposes: boolean;
} & ClubNumbers;

/** The stored data of a key; the key itself is never stored. */
export type Key = {
  readonly id: number;
  readonly user: string;
  /** The IANA name of the club's time zone; empty if it is unknown here or not stored yet. */
  readonly zone: string;
  readonly label: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** The base URL of the mirrored service that made this key; null for a key made here. */
  readonly baseUrl: string | null;
};

/** The change of a single event. */
export type EventChange = {
  readonly kind: 'added' | 'changed' | 'removed';
  readonly id: number;
  /** The name and date before the change, or those of a new event. */
  readonly name: string;
  readonly date: string;
  /** The fields of a changed event; an unknown value is undefined. */
  readonly fields: readonly {
    readonly field: EditableField;
    readonly before?: StoredEvent[EditableField];
    readonly after?: StoredEvent[EditableField];
  }[];
};

/**
 * Limits of the proposals of assistants for a club: those that wait, those that are many at once, and
 * the days until one ends without an answer.
 */
export const assistantLimits = { waiting: 100, many: 10, days: 14 } as const;

/** The change of a setting of a club, with its values as text. */
export type SettingChange = {
  readonly setting: 'name' | 'zone' | ClubNumber | 'assistantProposes' | 'daysOff' | 'team';
  /** A calendar of days off and a team are JSON, null for none; a permission is 0 or 1. */
  readonly before: string | null;
  readonly after: string | null;
};

/** An import, an edit by hand, a sync or an undo in the history. */
export type Batch = {
  readonly id: number;
  readonly kind: 'import' | 'undo' | 'edit' | 'sync';
  /** The names of the files, or the host of a sync; empty for an edit and its undo. */
  readonly source: string;
  readonly createdAt: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** The batch that this one undid. */
  readonly undoes: number | null;
  /** The batch that undid this one. */
  readonly undoneBy: number | null;
  /** The change of an edit or its undo, if it changed one event only. */
  readonly change: EventChange | null;
  /** The change of a setting; of days off and teams, only their names. Null for none. */
  readonly setting: SettingChange | null;
  /** The number of events that an import left out and that nobody imported since; null for none. */
  readonly leftOut: number | null;
};
