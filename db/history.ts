import type { Database } from 'better-sqlite3';
import { finishEvents } from './event-digest.ts';
import { prepareEventIds } from './event-ids.ts';
import {
  beforeEveryId,
  type Edits,
  type EventImage,
  type EventRecord,
  type EventWrites,
  prepareEventWrites,
  readImage,
  writeImage,
} from './event-rows.ts';
import {
  type Batch,
  type EventChange,
  editableFields,
  eventMembers,
  type SettingChange,
  type StoredEvent,
} from './model.ts';
import { connection, inTransaction, type Reader, type Writer } from './open.ts';
import { applySetting, isStillSet } from './settings.ts';

export const historyReads = {
  newest: `SELECT batches.id, kind, source, created_at AS createdAt, added, changed, removed, undoes,
      (SELECT later.id FROM batches AS later WHERE later.undoes = batches.id) AS undoneBy,
      event_id AS eventId, changes.before, changes.after,
      setting, CASE WHEN setting IN ('daysOff', 'team') THEN setting_changes.before ->> '$.name'
        ELSE setting_changes.before END AS oldValue,
      CASE WHEN setting IN ('daysOff', 'team') THEN setting_changes.after ->> '$.name'
        ELSE setting_changes.after END AS newValue,
      (SELECT number FROM left_out WHERE left_out.batch_id = batches.id AND NOT EXISTS (
        SELECT 1 FROM batches AS rest WHERE rest.id = imported_by AND NOT EXISTS (
          SELECT 1 FROM batches AS later WHERE later.undoes = rest.id))) AS leftOut
    FROM batches LEFT JOIN changes ON changes.batch_id = batches.id AND batches.source = ''
      AND added + changed + removed = 1
    LEFT JOIN setting_changes ON setting_changes.batch_id = batches.id
    WHERE user_id = @userId ORDER BY batches.id DESC LIMIT +@limit`,
  changes: `SELECT before, after FROM changes WHERE batch_id = @batchId ORDER BY event_id
    LIMIT +@limit`,
  count: 'SELECT count(*) FROM batches WHERE user_id = @userId LIMIT 1',
  // Batches with several added events are few; each is searched by its key. Those of one name are a
  // series: a season has several.
  together: `SELECT events.id, batches.id AS batch FROM batches
    JOIN changes ON changes.batch_id = batches.id AND changes.before IS NULL
    JOIN events ON events.user_id = @userId AND events.id = changes.event_id
    WHERE batches.user_id = @userId AND kind = 'edit' AND added > 1
      AND EXISTS (SELECT 1 FROM changes AS own
        WHERE own.batch_id = batches.id AND own.event_id = @eventId AND own.before IS NULL
          AND own.after ->> '$.name' = changes.after ->> '$.name')
    ORDER BY batches.id DESC, events.id LIMIT 1000`,
  editedSince: `SELECT batches.id AS batch, event_id AS id FROM batches
    JOIN changes ON changes.batch_id = batches.id
    WHERE user_id = @userId AND batches.id > @batch AND kind = 'edit'
      AND added = 0 AND removed = 0 AND changed = 1
    LIMIT 100000`,
  // The newest if there are too many.
  since: `SELECT event_id AS id, batches.id AS batch, created_at AS at, before, after FROM batches
    JOIN changes ON changes.batch_id = batches.id
    WHERE user_id = @userId AND batches.id > @batch AND created_at >= @time
    ORDER BY batches.id DESC LIMIT 100000`,
  times: `SELECT event_id AS id, created_at AS at FROM batches
    CROSS JOIN changes ON changes.batch_id = batches.id
    WHERE user_id = @userId ORDER BY batches.id`,
  ofEvent: `SELECT event_id AS id, batches.id AS batch, created_at AS at, before, after, kind, source
    FROM batches
    CROSS JOIN changes ON changes.batch_id = batches.id AND event_id = @eventId
    WHERE user_id = @userId AND kind <> 'undo' ORDER BY batches.id LIMIT 1000`,
  first: `SELECT id, created_at AS at FROM batches WHERE id = ifnull(
    (SELECT id FROM batches WHERE user_id = @userId AND kind IN ('import', 'sync')
      ORDER BY id LIMIT 1),
    (SELECT id FROM batches WHERE user_id = @userId ORDER BY id LIMIT 1)) LIMIT 1`,
  last: `SELECT id, created_at AS at FROM batches WHERE user_id = @userId AND created_at <= @time
    ORDER BY id DESC LIMIT 1`,
  zones: `SELECT batch_id AS batch, before FROM setting_changes
    JOIN batches ON batches.id = batch_id
    WHERE user_id = @userId AND setting = 'zone' ORDER BY batches.id LIMIT 1000`,
  undoneBy: 'SELECT id FROM batches WHERE undoes = @batch LIMIT 1',
  cancellation: `SELECT before, after FROM batches
    CROSS JOIN changes ON changes.batch_id = batches.id AND event_id = @eventId
    WHERE user_id = @userId AND after ->> '$.status' = 'cancelled'
      AND before ->> '$.status' <> 'cancelled'
    ORDER BY batches.id DESC LIMIT 1`,
} as const;

type Images = { readonly before: string | null; readonly after: string | null };

/** Describes the change of an event; null if it has no images. */
function describeChange(images: Images): EventChange | null {
  const before = readImage(images.before)?.event ?? null;
  const after = readImage(images.after)?.event ?? null;
  const event = before ?? after;
  if (event === null) return null;
  const { id, name, date } = event;
  if (before === null) return { kind: 'added', id, name, date, fields: [] };
  if (after === null) return { kind: 'removed', id, name, date, fields: [] };
  const fields = editableFields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, before: before[field], after: after[field] }));
  return { kind: 'changed', id, name, date, fields };
}

/** Default number of batches in a list. */
export const historyLimit = 1_000;

/** Reads the newest batches of a user, newest first. */
export function readHistory(db: Reader, userId: number, limit = historyLimit): Batch[] {
  type SettingRow = {
    readonly setting: SettingChange['setting'] | null;
    readonly oldValue: string | null;
    readonly newValue: string | null;
  };
  type Row = Omit<Batch, 'change' | 'setting'> & ChangeRow & SettingRow;
  const rows = connection(db).prepare<object, Row>(historyReads.newest).all({ userId, limit });
  return rows.map(
    ({ eventId: _, before, after, setting, oldValue, newValue, ...batch }): Batch => ({
      ...batch,
      change: describeChange({ before, after }),
      setting: setting === null ? null : { setting, before: oldValue, after: newValue },
    }),
  );
}

/** Reads the first changes of a batch, except those of imported events. */
export function readChanges(db: Reader, batchId: number, limit: number): EventChange[] {
  const rows = connection(db).prepare<object, Images>(historyReads.changes).all({ batchId, limit });
  return rows.flatMap((images) => describeChange(images) ?? []);
}

/** An event that was added together with others; it `isEdited` if it was then changed alone. */
type AddedTogether = { readonly id: number; readonly isEdited: boolean };

/** Returns a function that tells whether a batch is undone now: the undo of an undo brings it back. */
export function prepareUndone(db: Reader): (batch: number) => boolean {
  const undoneBy = connection(db).prepare<object, number>(historyReads.undoneBy).pluck();
  return function isUndone(batch): boolean {
    const by = undoneBy.get({ batch });
    return by !== undefined && !isUndone(by);
  };
}

type Cancellation = { readonly before: StoredEvent; readonly after: StoredEvent };

/** Prepares the read of an event before and after its last cancellation. */
export function prepareCancellations(
  db: Reader,
  userId: number,
): (eventId: number) => Cancellation | undefined {
  const read = connection(db).prepare<object, Images>(historyReads.cancellation);
  return (eventId) => {
    const images = read.get({ userId, eventId });
    const before = readImage(images?.before ?? null)?.event;
    const after = readImage(images?.after ?? null)?.event;
    return before && after && { before, after };
  };
}

/** A change of an event; an event that an import added has neither image. */
export type DatedChange = {
  readonly id: number;
  readonly batch: number;
  readonly at: string;
  readonly before: StoredEvent | null;
  readonly after: StoredEvent | null;
};

/** Reads the changes of a user's events after a batch and from a time on, oldest first. */
export function readChangesSince(
  db: Reader,
  userId: number,
  { batch = -1, time = '' }: { readonly batch?: number; readonly time?: string },
): DatedChange[] {
  const rows = connection(db).prepare<object, DatedRow>(historyReads.since);
  return rows.all({ userId, batch, time }).toReversed().map(toDatedChange);
}

/** Reads the times of the last changes of a user's events, by id. */
export function readChangeTimes(db: Reader, userId: number): ReadonlyMap<number, string> {
  type Row = Pick<DatedChange, 'id' | 'at'>;
  const rows = connection(db).prepare<object, Row>(historyReads.times).all({ userId });
  return new Map(rows.map(({ id, at }) => [id, at]));
}

type DatedRow = Images & Pick<DatedChange, 'id' | 'batch' | 'at'>;

const toDatedChange = <Row extends DatedRow>({ before, after, ...change }: Row) => ({
  ...change,
  before: readImage(before)?.event ?? null,
  after: readImage(after)?.event ?? null,
});

/** A change of an event, with what made it: files, a service, or a person; then `source` is empty. */
export type EventHistoryEntry = DatedChange & Pick<Batch, 'kind' | 'source'>;

/** Reads the changes of an event that were not undone, oldest first. */
export function readEventHistory(db: Reader, userId: number, eventId: number): EventHistoryEntry[] {
  type Row = DatedRow & Pick<Batch, 'kind' | 'source'>;
  const rows = connection(db).prepare<object, Row>(historyReads.ofEvent);
  const isUndone = prepareUndone(db);
  const changes = rows.all({ userId, eventId }).map(toDatedChange);
  return changes.filter(({ batch }) => !isUndone(batch));
}

/** Reads the batches that changed the zone of a user, with the zone before each. */
export function readZoneChanges(
  db: Reader,
  userId: number,
): { readonly batch: number; readonly before: string }[] {
  type Row = { readonly batch: number; readonly before: string };
  return connection(db).prepare<object, Row>(historyReads.zones).all({ userId });
}

/** A batch of a user by its number and time. */
type BatchTime = { readonly id: number; readonly at: string };

/** Reads the first import or sync of a user, or else the first batch; undefined without any. */
export function readFirstBatch(db: Reader, userId: number): BatchTime | undefined {
  return connection(db).prepare<object, BatchTime>(historyReads.first).get({ userId });
}

/** Reads the newest batch of a user up to a time; undefined without any. */
export function readLastBatch(db: Reader, userId: number, time = '~'): BatchTime | undefined {
  return connection(db).prepare<object, BatchTime>(historyReads.last).get({ userId, time });
}

type AddedEvent = { readonly id: number; readonly batch: number };

/** Returns the events that were added by hand together with one, and are still there. */
export function readAddedTogether(db: Reader, userId: number, eventId: number): AddedTogether[] {
  const sql = connection(db);
  const added = sql.prepare<object, AddedEvent>(historyReads.together).all({ userId, eventId });
  const batch = added[0]?.batch;
  if (batch === undefined) return [];
  const isUndone = prepareUndone(db);
  const edits = sql.prepare<object, AddedEvent>(historyReads.editedSince).all({ userId, batch });
  const ids = new Set(added.map(({ id }) => id));
  const edited = new Set(
    edits.filter((edit) => ids.has(edit.id) && !isUndone(edit.batch)).map(({ id }) => id),
  );
  return added.map(({ id }) => ({ id, isEdited: edited.has(id) }));
}

/** Counts all batches of a user. */
export function countBatches(db: Reader, userId: number): number {
  return connection(db).prepare<object, number>(historyReads.count).pluck().get({ userId }) ?? 0;
}

export const batchStatements = {
  begin: `INSERT INTO batches (user_id, kind, source, created_at, undoes, run)
    VALUES (@userId, @kind, @source, @createdAt, @undoes, @run)`,
  // Only the newest batch: a later one may have changed the same event. And none that members know,
  // as they would seem to know the further change, too.
  continuable: `SELECT 1 FROM changes JOIN batches ON batches.id = changes.batch_id
    WHERE changes.batch_id = @batch AND changes.event_id = @eventId AND batches.kind = 'edit'
      AND added + changed + removed = 1 AND changed = 1
      AND batches.id = (SELECT max(id) FROM batches WHERE user_id = @userId)
      AND NOT EXISTS (SELECT 1 FROM told_states WHERE user_id = @userId AND (batch >= @batch
        OR EXISTS (SELECT 1 FROM json_each(others) WHERE value ->> '$.batch' = @batch)))
    LIMIT 1`,
  finish: `UPDATE batches SET added = @added, changed = @changed, removed = @removed
    WHERE id = @id`,
  note: `INSERT INTO changes (batch_id, event_id, before, after)
    VALUES (@batchId, @eventId, @before, @after)
    ON CONFLICT (batch_id, event_id) DO UPDATE SET after = excluded.after`,
  noteSetting: `INSERT INTO setting_changes (batch_id, setting, before, after)
    VALUES (@batchId, @setting, @before, @after)`,
  // Without images, which would double an import's writes: an undo derives the added events.
  noteAdded: `INSERT INTO changes (batch_id, event_id)
    SELECT @batchId, id FROM events WHERE row > @lastRow AND user_id = @userId`,
  count: `SELECT count(*) FILTER (WHERE before IS NULL) AS added,
      count(*) FILTER (WHERE before IS NOT NULL AND after IS NOT NULL) AS changed,
      count(*) FILTER (WHERE before IS NOT NULL AND after IS NULL) AS removed
    FROM changes WHERE batch_id = @batchId LIMIT 1`,
} as const;

type NewBatch = Pick<Batch, 'kind' | 'source' | 'createdAt' | 'undoes'> & {
  readonly userId: number;
  /** The sync that makes the batch. */
  readonly run?: number | null;
};

/** An edit of one event that a further change of this event may continue. */
export type EarlierEdit = { readonly batch: number; readonly eventId: number };

/** Checks that an edit is the user's newest batch and changed nothing but its event. */
export function canContinue(db: Writer, userId: number, earlier: EarlierEdit): boolean {
  const statement = connection(db).prepare(batchStatements.continuable);
  return statement.get({ userId, ...earlier }) !== undefined;
}

/** The history of one transaction: its changed events, before and after. */
type BatchLog = {
  /** Records a change of an event; several changes are merged into one with the first `before`. */
  note(eventId: number, before: EventImage | null, after: EventImage | null): void;
  /** Records the change of a setting, one in each batch. */
  noteSetting(change: SettingChange): void;
  /** Records every event of the user in a row above `lastRow` as added. */
  noteAdded(lastRow: number): void;
  /** Writes the totals. Returns the id of the batch, or undefined if nothing changed. */
  finish(): number | undefined;
  /** Returns the id of the batch; undefined before the first change. */
  id(): number | undefined;
};

/**
 * Prepares the log of a transaction. Its batch is inserted at the first change, unless `earlier` is
 * the id of one to continue.
 */
export function prepareBatchLog(db: Writer, batch: NewBatch, earlier?: number): BatchLog {
  const sqlite = connection(db);
  const note = sqlite.prepare(batchStatements.note);
  const noteAdded = sqlite.prepare(batchStatements.noteAdded);
  let batchId = earlier;
  const begin = (): number => {
    batchId ??= Number(
      sqlite.prepare(batchStatements.begin).run({ run: null, ...batch }).lastInsertRowid,
    );
    return batchId;
  };
  return {
    note(eventId, before, after) {
      const images = { before: writeImage(before), after: writeImage(after) };
      note.run({ batchId: begin(), eventId, ...images });
    },
    noteSetting(change) {
      sqlite.prepare(batchStatements.noteSetting).run({ batchId: begin(), ...change });
    },
    noteAdded(lastRow) {
      noteAdded.run({ batchId: begin(), lastRow, userId: batch.userId });
    },
    finish() {
      if (batchId === undefined) return undefined;
      const counts = sqlite.prepare<object, object>(batchStatements.count).get({ batchId });
      sqlite.prepare(batchStatements.finish).run({ id: batchId, ...counts });
      return batchId;
    },
    id: () => batchId,
  };
}

export const undoStatements = {
  batch: `SELECT id, user_id AS userId, kind, source,
      (SELECT base_url FROM sources WHERE sources.user_id = batches.user_id) AS baseUrl,
      (SELECT name FROM users WHERE users.id = batches.user_id) AS user,
      (SELECT later.id FROM batches AS later WHERE later.undoes = batches.id) AS undoneBy
    FROM batches WHERE id = @id LIMIT 1`,
  added: `SELECT added AS removed,
      (SELECT count(*) FROM events WHERE events.user_id = batches.user_id) AS total
    FROM batches WHERE id = @id LIMIT 1`,
  setting: 'SELECT setting, before, after FROM setting_changes WHERE batch_id = @id LIMIT 1',
  change: `SELECT event_id AS eventId, before, after FROM changes
    WHERE batch_id = +@batchId AND event_id > +@previous ORDER BY event_id LIMIT 1`,
  laterChange: `SELECT changes.before FROM batches
    JOIN changes ON changes.batch_id = batches.id AND changes.event_id = @eventId
    WHERE batches.user_id = @userId AND batches.id > @batchId ORDER BY batches.id LIMIT 1`,
} as const;

/** Reads the number of events that the undo of a batch removes, and that of all the user's events. */
export function readAddedEvents(db: Reader, id: number): { removed: number; total: number } {
  type Counts = { removed: number; total: number };
  const counts = connection(db).prepare<object, Counts>(undoStatements.added).get({ id });
  return counts ?? { removed: 0, total: 0 };
}

/** An event with a later change that an undo would lose. */
export type UndoConflict = {
  readonly id: number;
  readonly name: string;
  /** The field that was changed later, or the later change itself. */
  readonly laterChange: keyof StoredEvent | 'removed' | 'added again';
};

type UndoOutcome =
  | {
      readonly kind: 'undone';
      readonly batch: number;
      readonly removed: number;
      readonly restored: number;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'undone before'; readonly by: number }
  | { readonly kind: 'sync'; readonly source: string }
  /** A setting that was changed again since, or a name that another user has now. */
  | { readonly kind: 'set since' }
  | { readonly kind: 'mirrored'; readonly user: string; readonly baseUrl: string }
  | { readonly kind: 'conflict'; readonly conflicts: number; readonly first: UndoConflict };

type UndoneBatch = Pick<Batch, 'id' | 'kind' | 'source' | 'undoneBy'> & {
  readonly userId: number;
  readonly user: string;
  /** The service that the user's events follow, if any. */
  readonly baseUrl: string | null;
};

/**
 * Undoes exactly the changes of a batch, in a new batch. Changes nothing for a sync or a mirrored
 * user, or if later changes of the same fields would be lost.
 */
export function undoBatch(db: Writer, id: number, createdAt: string): UndoOutcome {
  return inTransaction(db, (sqlite): UndoOutcome => {
    const batch = sqlite.prepare<object, UndoneBatch>(undoStatements.batch).get({ id });
    if (batch === undefined) return { kind: 'missing' };
    if (batch.undoneBy !== null) return { kind: 'undone before', by: batch.undoneBy };
    const { userId, user, source, baseUrl } = batch;
    if (batch.kind === 'sync') return { kind: 'sync', source };
    const change = sqlite.prepare<object, SettingChange>(undoStatements.setting).get({ id });
    // The settings of a mirrored user are its own.
    if (baseUrl !== null && change === undefined) return { kind: 'mirrored', user, baseUrl };
    if (change !== undefined && !isStillSet(db, userId, change)) return { kind: 'set since' };
    const events = prepareEventWrites(db, userId);
    const eachChange = prepareChanges(sqlite, batch, events);
    let conflicts = 0;
    let first: UndoConflict | undefined;
    for (const change of eachChange()) {
      const laterChange = findConflict(change);
      if (laterChange === undefined) continue;
      conflicts += 1;
      const { eventId, before, after, current, reimported } = change;
      const name = (current ?? after ?? before)?.event.name ?? '';
      first ??= { id: reimported?.event.id ?? eventId, name, laterChange };
    }
    if (first !== undefined) return { kind: 'conflict', conflicts, first };
    const log = prepareBatchLog(db, { userId, kind: 'undo', source, createdAt, undoes: id });
    if (change !== undefined) {
      const undone = { ...change, before: change.after, after: change.before };
      if (!applySetting(db, userId, undone)) return { kind: 'set since' };
      log.noteSetting(undone);
    }
    const ids = prepareEventIds(db, userId);
    let removed = 0;
    let restored = 0;
    for (const change of eachChange()) {
      log.note(change.eventId, change.current ?? null, revert(events, change));
      if (change.before === null) removed += 1;
      else restored += 1;
    }
    if (removed > 0) ids.reserve();
    ids.save();
    finishEvents(db, userId, events);
    return { kind: 'undone', batch: log.finish() ?? id, removed, restored };
  });
}

/** A change of an event by a batch, and the event as it is now. */
type Change = {
  readonly eventId: number;
  readonly before: EventImage | null;
  readonly after: EventImage | null;
  readonly current: EventRecord | undefined;
  /** The event that a source added again, with another id, after this one was removed. */
  readonly reimported: EventRecord | undefined;
};

type ChangeRow = Images & { readonly eventId: number };

/** Prepares a function that iterates over the changes of a batch; it can be called repeatedly. */
function prepareChanges(
  sqlite: Database,
  { id: batchId, userId }: UndoneBatch,
  events: EventWrites,
): () => Generator<Change> {
  const changes = sqlite.prepare<object, ChangeRow>(undoStatements.change);
  const laterChanges = sqlite.prepare<object, { before: string | null }>(
    undoStatements.laterChange,
  );

  /**
   * Derives the image of an added event after its import, as its change has none: the image before
   * the next batch that changed the event, or else the current one.
   */
  function readAddedImage(eventId: number, current: EventRecord | undefined): EventImage | null {
    const later = laterChanges.get({ batchId, userId, eventId });
    return later === undefined ? (current ?? null) : readImage(later.before);
  }

  return function* eachChange() {
    // One by one, as SQLite refuses writes while a statement is iterated.
    let row = changes.get({ batchId, previous: beforeEveryId });
    while (row !== undefined) {
      const { eventId, before, after } = row;
      const current = events.byId(eventId);
      const hasImage = before !== null || after !== null;
      const afterImage = hasImage ? readImage(after) : readAddedImage(eventId, current);
      const beforeImage = readImage(before);
      const sourceKey = current === undefined ? beforeImage?.sourceKey : null;
      const reimported = sourceKey ? events.bySource(sourceKey) : undefined;
      yield { eventId, before: beforeImage, after: afterImage, current, reimported };
      row = changes.get({ batchId, previous: eventId });
    }
  };
}

/** Returns the later change that prevents the undo of a change, if any. */
function findConflict({
  before,
  after,
  current,
  reimported,
}: Change): UndoConflict['laterChange'] | undefined {
  if (current === undefined && reimported !== undefined) return 'added again';
  if (current === undefined) return before !== null && after === null ? undefined : 'removed';
  if (after === null) return 'added again';
  return eventMembers.find(
    (member) =>
      (before === null || before.event[member] !== after.event[member]) &&
      current.event[member] !== after.event[member],
  );
}

/** Reverts a change; returns the resulting event, or null if it was removed. */
function revert(events: EventWrites, { before, after, current }: Change): EventImage | null {
  if (before === null) {
    if (current !== undefined) events.remove(current);
    return null;
  }
  if (current === undefined || after === null) {
    events.insert(before);
    return before;
  }
  const isOtherRevision =
    before.sourceSequence !== after.sourceSequence || before.sourceStamp !== after.sourceStamp;
  const { sourceSequence, sourceStamp } = isOtherRevision ? before : current;
  const image = {
    ...before,
    sourceSequence,
    sourceStamp,
    event: restoreFields(before.event, after.event, current.event),
    edits: restoreEdits(before.edits, after.edits, current.edits),
  };
  events.update(current, image);
  return image;
}

/** Returns the current event with the fields that a batch changed reset to their earlier values. */
function restoreFields(before: StoredEvent, after: StoredEvent, current: StoredEvent): StoredEvent {
  const restored: Record<string, unknown> = {};
  for (const member of ['id', ...eventMembers] as const) {
    const value = before[member] === after[member] ? current[member] : before[member];
    if (value !== undefined) restored[member] = value;
  }
  return restored as StoredEvent;
}

/** Returns the current edits with those that a batch added or removed reset to the earlier state. */
function restoreEdits(before: Edits, after: Edits, current: Edits): Edits {
  const restored: Record<string, string | number | null> = {};
  for (const field of editableFields) {
    const value = before[field] === after[field] ? current[field] : before[field];
    if (value !== undefined) restored[field] = value;
  }
  return restored;
}
