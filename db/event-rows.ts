import { formatDigest, hashEvent } from './event-hash.ts';
import { type EditableField, editableFields, type StoredEvent } from './model.ts';
import { connection, type Reader, type Writer } from './open.ts';

/** An id below every event's, as the start of a walk by id. */
export const beforeEveryId = Number.MIN_SAFE_INTEGER - 1;

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

export function prepareEventReads(db: Reader) {
  const byId = connection(db).prepare<object, EventRow>(eventReads.byId);
  return {
    byId(userId: number, id: number): StoredEvent | undefined {
      const row = byId.get({ userId, id });
      return row && eventOfRow(row);
    },
  };
}

/** A snapshot of an event, with the columns that only the store uses. */
export type EventImage = {
  readonly event: StoredEvent;
  /** The key of the event in a source without ids; null if the source gave an id. */
  readonly sourceKey: string | null;
  /** The revision of the event in its source: SEQUENCE and time; see `SourceRevision`. */
  readonly sourceSequence: number | null;
  readonly sourceStamp: number | null;
  readonly edits: Edits;
};

/** Values of columns that an import gave fields which people then changed. */
export type Edits = Readonly<Partial<Record<EditableField, string | number | null>>>;

export const noEdits: Edits = {};

type StoredColumns = EventRow & Omit<EventImage, 'event' | 'edits'>;

/** Returns the value of the column `registration_open`: 1, 0, or null if no source gave one. */
function flagOf({ registrationOpen }: StoredEvent): number | null {
  return registrationOpen === undefined ? null : +registrationOpen;
}

function columnsOf({ event, sourceKey, sourceSequence, sourceStamp }: EventImage) {
  return { sourceKey, sourceSequence, sourceStamp, ...event, registrationOpen: flagOf(event) };
}

function imageOf(
  // Images of earlier versions have no stamp.
  { sourceKey, sourceSequence, sourceStamp = null, ...row }: StoredColumns,
  edits: Edits = noEdits,
): EventImage {
  return { sourceKey, sourceSequence, sourceStamp, edits, event: eventOfRow(row) };
}

/** Serialises an image for the history, as a JSON object of its columns and its edits, if any. */
export function writeImage(image: EventImage | null): string | null {
  if (image === null) return null;
  const { edits } = image;
  const columns = columnsOf(image);
  return JSON.stringify(Object.keys(edits).length === 0 ? columns : { ...columns, edits });
}

export function readImage(text: string | null): EventImage | null {
  if (text === null) return null;
  const { edits, ...columns } = JSON.parse(text) as StoredColumns & { edits?: Edits };
  return imageOf(columns, edits);
}

/** Returns the value of a field as its column has it. */
export function columnValue(event: Partial<StoredEvent>, field: EditableField) {
  const value = event[field];
  return typeof value === 'boolean' ? +value : (value ?? null);
}

/**
 * Begins the source key of an event that was added by hand. The key marks its id as assigned here,
 * so that another event with this id in a file does not overwrite it.
 */
export const handPrefix = 'hand:';

/** Begins the source keys of the events of followed calendars. */
export const followedPrefix = 'calendar:';

/** Values of an event; an undefined `registrationOpen` removes it. */
export type EventValues = Partial<Pick<StoredEvent, Exclude<EditableField, 'registrationOpen'>>> & {
  readonly registrationOpen?: boolean | undefined;
};
const recordColumns = `row, source_key AS sourceKey, source_sequence AS sourceSequence,
  source_stamp AS sourceStamp,
  (SELECT json_group_object(field, imported) FROM edits WHERE edits.row = events.row
    HAVING count(*) > 0) AS edits,
  ${eventColumns}`;

const insertedColumns = `user_id, id, name, date, location, description, status, event_type,
  registration_open, created_at`;

export const eventWrites = {
  byId: `SELECT ${recordColumns} FROM events WHERE user_id = @userId AND id = @id LIMIT 1`,
  bySource: `SELECT ${recordColumns} FROM events
    WHERE user_id = @userId AND source_key = @sourceKey LIMIT 1`,
  sourceKeys: `SELECT source_key FROM events
    WHERE user_id = @userId AND source_key > @after AND source_key <= @last ORDER BY source_key`,
  insert: `INSERT INTO events (${insertedColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  insertFromSource: `INSERT INTO events (${insertedColumns}, source_key, source_sequence,
      source_stamp)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  update: `UPDATE events SET id = @id, source_key = @sourceKey, source_sequence = @sourceSequence,
      source_stamp = @sourceStamp, name = @name, date = @date, location = @location, description = @description,
      status = @status, event_type = @eventType, registration_open = @registrationOpen,
      created_at = @createdAt
    WHERE row = @row`,
  // Columns of the contract would count as changed, even with the same values.
  revise: `UPDATE events SET source_key = @sourceKey, source_sequence = @sourceSequence,
      source_stamp = @sourceStamp
    WHERE row = @row`,
  ofUser: `SELECT ${recordColumns} FROM events WHERE user_id = @userId ORDER BY id LIMIT 1000000`,
  remove: 'DELETE FROM events WHERE row = @row',
  addEdit: `INSERT INTO edits (row, field, imported) VALUES (@row, @field, @imported)
    ON CONFLICT (row, field) DO UPDATE SET imported = excluded.imported`,
  removeEdit: 'DELETE FROM edits WHERE row = @row AND field = @field',
  lastRow: 'SELECT max(row) AS row FROM events LIMIT 1',
  totals: `SELECT event_count AS count, event_digest AS digest FROM users
    WHERE id = @userId AND digest_revision = revision LIMIT 1`,
} as const;

export type EventRecord = EventImage & { readonly row: number };

type RecordRow = StoredColumns & { readonly row: number; readonly edits: string | null };

function recordOfRow({ row, edits, ...columns }: RecordRow): EventRecord {
  return { row, ...imageOf(columns, edits === null ? noEdits : JSON.parse(edits)) };
}

/** The number and digest of all events of a user. */
export type EventTotals = { readonly count: number; readonly digest: string };

/** Returns the values of `insertedColumns` without the user; binding by name is far slower. */
function valuesOf(event: StoredEvent) {
  const { id, name, date, location, description, status, eventType, createdAt } = event;
  return [id, name, date, location, description, status, eventType, flagOf(event), createdAt];
}

export type EventWrites = {
  byId(id: number): EventRecord | undefined;
  bySource(sourceKey: string): EventRecord | undefined;
  /** Returns the source keys above `after` and up to `last`, in ascending order. */
  sourceKeys(after: string, last: string): string[];
  insert(image: EventImage): void;
  /** Writes `image`, including its id and edits, to the row of `record`. */
  update(record: EventRecord, image: EventImage): void;
  /** Returns all events of the user, by their ids. */
  all(): EventRecord[];
  /** Writes the source and the edits of `image`, whose event is that of `record`. */
  revise(record: EventRecord, image: EventImage): void;
  remove(record: EventRecord): void;
  /** Returns the highest row of all users; added events get higher ones. */
  lastRow(): number;
  /** Returns the totals after all changes; undefined if another program changed events before. */
  totals(): EventTotals | undefined;
};

/** Prepares statements on the events of a user; use them inside a transaction. */
export function prepareEventWrites(db: Writer, userId: number): EventWrites {
  const sqlite = connection(db);
  const byId = sqlite.prepare<object, RecordRow>(eventWrites.byId);
  const bySource = sqlite.prepare<object, RecordRow>(eventWrites.bySource);
  const sourceKeys = sqlite.prepare<object, string>(eventWrites.sourceKeys).pluck();
  const insert = sqlite.prepare(eventWrites.insert);
  const insertFromSource = sqlite.prepare(eventWrites.insertFromSource);
  const update = sqlite.prepare(eventWrites.update);
  const revise = sqlite.prepare(eventWrites.revise);
  const remove = sqlite.prepare(eventWrites.remove);
  const addEdit = sqlite.prepare(eventWrites.addEdit);
  const removeEdit = sqlite.prepare(eventWrites.removeEdit);
  const ofUser = sqlite.prepare<object, RecordRow>(eventWrites.ofUser);
  const lastRow = sqlite.prepare<[], { row: number | null }>(eventWrites.lastRow);
  const before = sqlite.prepare<object, EventTotals>(eventWrites.totals).get({ userId });
  // The changes of the totals.
  let count = 0;
  let sum = 0n;

  function saveEdits(row: number | bigint, before: Edits, after: Edits): void {
    if (before === after) return;
    for (const field of Object.keys(before)) {
      if (!Object.hasOwn(after, field)) removeEdit.run({ row, field });
    }
    for (const [field, imported] of Object.entries(after)) addEdit.run({ row, field, imported });
  }

  return {
    byId(id) {
      const row = byId.get({ userId, id });
      return row && recordOfRow(row);
    },
    bySource(sourceKey) {
      const row = bySource.get({ userId, sourceKey });
      return row && recordOfRow(row);
    },
    sourceKeys: (after, last) => sourceKeys.all({ userId, after, last }),
    insert({ event, sourceKey, sourceSequence, sourceStamp, edits }) {
      const values = valuesOf(event);
      // Binding a value takes a twentieth of the time of the insert.
      const { lastInsertRowid } =
        sourceKey === null && sourceSequence === null
          ? insert.run(userId, ...values)
          : insertFromSource.run(userId, ...values, sourceKey, sourceSequence, sourceStamp);
      count += 1;
      sum += hashEvent(event);
      saveEdits(lastInsertRowid, noEdits, edits);
    },
    update({ row, edits, event }, image) {
      update.run({ row, ...columnsOf(image) });
      sum += hashEvent(image.event) - hashEvent(event);
      saveEdits(row, edits, image.edits);
    },
    all: () => ofUser.all({ userId }).map(recordOfRow),
    revise({ row, edits }, { sourceKey, sourceSequence, sourceStamp, edits: later }) {
      revise.run({ row, sourceKey, sourceSequence, sourceStamp });
      saveEdits(row, edits, later);
    },
    remove({ row, event }) {
      remove.run({ row });
      count -= 1;
      sum -= hashEvent(event);
    },
    lastRow: () => lastRow.get()?.row ?? 0,
    totals() {
      if (before === undefined) return undefined;
      const digest = formatDigest(BigInt(`0x${before.digest}`) + sum);
      return { count: before.count + count, digest };
    },
  };
}

export function withValues(event: StoredEvent, values: EventValues): StoredEvent {
  const { registrationOpen, ...others } = { ...event, ...values };
  return { ...others, ...(registrationOpen !== undefined && { registrationOpen }) };
}

/** Returns the edits of an imported event after a change by hand. */
function editsAfter({ event: before, edits, sourceKey }: EventRecord, after: StoredEvent): Edits {
  if (sourceKey?.startsWith(handPrefix)) return edits;
  const result: Record<string, string | number | null> = { ...edits };
  for (const field of editableFields) {
    if (before[field] === after[field]) continue;
    const imported = field in edits ? (edits[field] ?? null) : columnValue(before, field);
    if (columnValue(after, field) === imported) delete result[field];
    else result[field] = imported;
  }
  return result;
}

/** Returns an event after a change by hand; undefined if it has these values already. */
export function imageAfterEdit(record: EventRecord, values: EventValues): EventImage | undefined {
  const event = withValues(record.event, values);
  const isChanged = editableFields.some((field) => event[field] !== record.event[field]);
  return isChanged ? { ...record, event, edits: editsAfter(record, event) } : undefined;
}
