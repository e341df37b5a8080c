import { hash } from 'node:crypto';
import { finishEvents } from './event-digest.ts';
import { prepareEventIds } from './event-ids.ts';
import {
  columnValue,
  type Edits,
  type EventImage,
  type EventRecord,
  type EventValues,
  followedPrefix,
  handPrefix,
  imageAfterEdit,
  noEdits,
  prepareEventWrites,
} from './event-rows.ts';
import { prepareBatchLog } from './history.ts';
import {
  type EventDraft,
  type EventOrigin,
  editableFields,
  eventMembers,
  type KeptEdit,
  type SeriesRevision,
  type SourceRevision,
  type StoredEvent,
} from './model.ts';
import { beginTransaction, connection, type Reader, rollBack, type Writer } from './open.ts';

/** The values of a new event whose source has none. */
export const eventDefaults = {
  location: '',
  description: null,
  status: 'active',
  eventType: null,
} as const;

/** The recurrence of an occurrence: a day or a UTC timestamp. */
const recurrence = '\\d{4}-\\d\\d-\\d\\d(?:T[\\d:.]+Z)?';
const recurrenceForm = new RegExp(`^${recurrence}$`);
const recurrenceAtEnd = new RegExp(`:${recurrence}$`);

/** Returns true for the key of one date of a series in a calendar. */
export const isRecurrence = (key: string) => recurrenceAtEnd.test(key);

const seriesOf = (key: string | null) => key?.replace(recurrenceAtEnd, '');

type ChangedEvent = {
  readonly kind: 'changed';
  readonly before: StoredEvent;
  readonly event: StoredEvent;
  readonly kept?: readonly KeptEdit[];
};

type UnchangedEvent = {
  readonly kind: 'unchanged';
  readonly event: StoredEvent;
  readonly kept?: readonly KeptEdit[];
};

/**
 * The outcome of a draft. `kept` has the edits that the draft contradicts. `outdated` means that a newer revision is stored; `repeated`, `taken` and
 * `exhausted` are refusals. For these four, nothing was written.
 */
export type DraftOutcome =
  | { readonly kind: 'added'; readonly event: StoredEvent }
  | ChangedEvent
  | UnchangedEvent
  | { readonly kind: 'outdated' }
  | { readonly kind: 'repeated'; readonly first: StoredEvent }
  | { readonly kind: 'taken'; readonly by: StoredEvent }
  | { readonly kind: 'exhausted' };

type NewImport = {
  readonly userId: number;
  /** The default `createdAt` of new events. */
  readonly now: string;
  /** The names of the files, or of a calendar, for the history. */
  readonly source: string;
  /** A sync cannot be undone, as the next one would repeat it. */
  readonly kind?: 'import' | 'sync' | undefined;
  /** The ids of events whose edits give way to other values in the file; by default, none. */
  readonly overwrite?: 'all' | ReadonlySet<number> | undefined;
  /** The earlier import whose events that were left out are added now. */
  readonly restOf?: number | undefined;
};

/** An event that an import left out, with its origin; without one, its id identifies it. */
export type LeftOutEvent = { readonly draft: EventDraft; readonly origin?: EventOrigin };

/** The identity of a draft without an id, and the event that has it. */
export type Identity = {
  readonly origin: EventOrigin;
  readonly record: EventRecord | undefined;
  /** Another event that the draft is, which takes over the origin; null for a new one. */
  readonly as?: EventRecord | null | undefined;
};

/** An event that is here before a file, with the values that its source gave. */
export type EarlierEvent = {
  readonly record: EventRecord;
  readonly name: string;
  readonly date: string;
  readonly place: string;
  readonly number: string | undefined;
  /** False for an event that was added by hand, and for one that this import added or changed. */
  readonly isImported: boolean;
};

/** An import: a transaction that stays open until `commit` or `rollback`. */
export type EventImport = {
  /** Starts the next file; an id may occur once in each. */
  beginFile(): void;
  /**
   * Returns the identity of a draft without an id, once for each draft of a file: by its `origin` in
   * a source without ids, or by its name and date; `number` is that of the file.
   */
  identify(draft: EventDraft, origin?: EventOrigin, number?: string): Identity;
  /**
   * Adds or updates an event by its id or an identity. With `takesPlace`, the file no longer cancels
   * it: it is active again, unless it was cancelled by hand.
   */
  apply(draft: EventDraft, identity?: Identity, takesPlace?: boolean): DraftOutcome;
  /** Returns the events that are here, with those of the files before. */
  earlier(): readonly EarlierEvent[];
  /** Returns the earlier imports of one file, by the ids of the events that they added. */
  earlierImports(): ReadonlyMap<number, number>;
  /** Leaves an event out. The history keeps it, so that it can be imported later. */
  leaveOut(draft: EventDraft, origin?: EventOrigin): void;
  countLeftOut(): number;
  /** Returns an event as it is now, with the changes of this import. */
  read(id: number): StoredEvent | undefined;
  /** Returns an event as it is now, with the values that its source gave. */
  find(id: number): EventRecord | undefined;
  /** Changes an event that was here before, as by hand; returns false if nothing changed. */
  change(id: number, values: EventValues): boolean;
  /**
   * Cancels occurrences of earlier revisions that this one lacks. Call it after applying those that
   * it has. Returns the newly cancelled events, and those with another status by hand.
   */
  cancelMissing(revision: SeriesRevision): (ChangedEvent | UnchangedEvent)[];
  /** Commits; returns the id of the import in the history, or undefined if nothing changed. */
  commit(): number | undefined;
  rollback(): void;
};

/** Begins an import for a user, which holds the write lock until `commit` or `rollback`. */
export function beginEventImport(
  db: Writer,
  { userId, now, source, kind = 'import', overwrite = new Set(), restOf }: NewImport,
): EventImport {
  const sqlite = connection(db);
  const seen = prepareSeenRows(db);
  beginTransaction(db);
  // An earlier import on this connection may have left rows.
  seen.clear();
  const events = prepareEventWrites(db, userId);
  const ids = prepareEventIds(db, userId);
  const log = prepareBatchLog(db, { userId, kind, source, createdAt: now, undoes: null });
  const lastRow = events.lastRow();
  let fileStart = lastRow;
  let hasAdded = false;
  const leftOut: LeftOutEvent[] = [];
  let hasUpdated = false;

  const changed = new Set<number>();

  function write(record: EventRecord, image: EventImage): void {
    hasUpdated = true;
    changed.add(record.row);
    events.update(record, image);
  }

  function add(draft: EventDraft, id: number, origin: EventOrigin | null): DraftOutcome {
    const event = { ...eventDefaults, createdAt: now, ...draft, id };
    const image = {
      event,
      sourceKey: origin?.key ?? null,
      sourceSequence: origin?.sequence ?? null,
      sourceStamp: origin?.stamp ?? null,
      edits: noEdits,
    };
    hasAdded = true;
    events.insert(image);
    return { kind: 'added', event };
  }

  function update(
    record: EventRecord,
    given: Partial<StoredEvent>,
    origin: EventOrigin | null,
  ): ChangedEvent | UnchangedEvent {
    const draft = keepForms(given, record.event);
    const isOverwritten = overwrite === 'all' || overwrite.has(record.event.id);
    const isByHand = origin !== null && record.sourceKey?.startsWith(handPrefix) === true;
    const known = isByHand ? { ...record, edits: editsOf(record.event, draft) } : record;
    const respected = respectEdits(known, draft, isOverwritten);
    const { values, edits } = respected;
    const kept = isByHand ? keptOf(record.event, draft, edits) : respected.kept;
    const event = { ...record.event, ...values };
    // Without a key, an id from elsewhere identifies the event.
    // One of a followed calendar stays with it, whatever file has it, too.
    const isFollowed = kind === 'import' && record.sourceKey?.startsWith(followedPrefix) === true;
    const isKeyKept = record.sourceKey === null || isFollowed;
    const sourceKey = isKeyKept ? record.sourceKey : (origin?.key ?? record.sourceKey);
    const revision = isFollowed ? null : origin;
    const sourceSequence = revision?.sequence ?? record.sourceSequence;
    const sourceStamp = revision?.stamp ?? record.sourceStamp;
    const image = { ...record, event, sourceKey, sourceSequence, sourceStamp, edits };
    const outcome = kept.length > 0 ? { event, kept } : { event };
    if (eventMembers.every((member) => event[member] === record.event[member])) {
      // A later revision with the same values: store it, so that earlier ones are outdated.
      const isLater = origin !== null && compareToStored(origin, record) > 0;
      if (isLater || sourceKey !== record.sourceKey || edits !== record.edits) {
        hasUpdated = true;
        events.revise(record, image);
      }
      return { kind: 'unchanged', ...outcome };
    }
    write(record, image);
    // `noteAdded` records the events that this import added.
    if (record.row <= lastRow) log.note(event.id, record, image);
    return { kind: 'changed', before: record.event, ...outcome };
  }

  function assignNewId(record: EventRecord): boolean {
    const id = ids.assign();
    if (id === undefined) return false;
    write(record, { ...record, event: { ...record.event, id } });
    return true;
  }

  function applyWithId(draft: EventDraft, id: number, takesPlace: boolean): DraftOutcome {
    const record = ids.register(id) ? undefined : events.byId(id);
    if (record === undefined) return add(draft, id, null);
    if (id > ids.last && record.sourceKey !== null) {
      // This import assigned the id to an earlier row without one.
      return assignNewId(record) ? add(draft, id, null) : { kind: 'exhausted' };
    }
    // The id occurred earlier in this file.
    if (record.row > fileStart || seen.count(id) > 1) {
      return { kind: 'repeated', first: record.event };
    }
    const next = withActive(draft, record, takesPlace);
    if (record.sourceKey === null) return update(record, next, null);
    // This database assigned the id, so it may belong to another event elsewhere. Without a common
    // name or date this is not an edit, and overwriting would lose an event.
    const { event, edits } = record;
    const values = keepForms(draft, event);
    const isOther = (field: 'name' | 'date') =>
      values[field] !== event[field] && values[field] !== edits[field];
    if (isOther('name') && isOther('date')) return { kind: 'taken', by: event };
    return update(record, next, null);
  }

  /** Returns an origin for a row without id and origin, derived from its name and date. */
  function originOf({ name, date }: EventDraft, number?: string): EventOrigin {
    const keyOf = (text: string) =>
      `row:${hash('sha256', JSON.stringify([text, date]), 'base64url')}`;
    const key = keyOf(name.normalize('NFC'));
    // Rows with the same name and date are distinguished by their order, so that none is lost.
    const ending = `:${seen.count(key)}`;
    // Earlier versions derived the key from the name as the file has it.
    const decomposed = name.normalize('NFD');
    const earlier = decomposed === name ? undefined : keyOf(decomposed) + ending;
    const isEarlier =
      earlier !== undefined &&
      events.bySource(key + ending) === undefined &&
      events.bySource(earlier) !== undefined;
    const own = isEarlier ? earlier : key + ending;
    return { key: own + (number ? numberMark + number : ''), sequence: 0, stamp: null };
  }

  function identify(draft: EventDraft, given?: EventOrigin, number?: string): Identity {
    const origin = given ?? originOf(draft, number);
    return { origin, record: events.bySource(origin.key) };
  }

  /** Updates an event that is known by an identity, or that takes it over. */
  function applyTo(
    record: EventRecord,
    draft: EventDraft,
    origin: EventOrigin,
    takesPlace: boolean,
  ): DraftOutcome {
    const isSame = record.sourceKey === origin.key;
    const isOfSeries = seriesOf(record.sourceKey) === seriesOf(origin.key);
    const order = isOfSeries ? compareToStored(origin, record) : 0;
    if (order < 0) return { kind: 'outdated' };
    // A later revision replaces the event (RFC 5546, section 2.1.4), and a new date calls for it:
    // it is no longer cancelled. That of the file may be the old one of an event that a hand moved.
    const known = record.edits.date ?? record.event.date;
    const isRevised = order > 0 || (!isSame && draft.date !== known);
    return update(record, withActive(draft, record, isRevised || takesPlace), origin);
  }

  function applyByOrigin(
    draft: EventDraft,
    { origin, record, as = record }: Identity,
    takesPlace: boolean,
  ): DraftOutcome {
    if (as === record && record !== undefined) return applyTo(record, draft, origin, takesPlace);
    const holder = as === undefined ? undefined : events.bySource(origin.key);
    // Its own key would go into the history, and stay after an undo.
    if (holder !== undefined && holder.event.id !== as?.event.id) {
      hasUpdated = true;
      events.revise(holder, { ...holder, sourceKey: keyAfter(origin.key, holder.event.id) });
    }
    const target = as && events.byId(as.event.id);
    if (target) return applyTo(target, draft, origin, takesPlace);
    const id = ids.assign();
    return id === undefined ? { kind: 'exhausted' } : add(draft, id, origin);
  }

  function cancelMissing({
    key,
    first,
    last,
    ...revision
  }: SeriesRevision): (ChangedEvent | UnchangedEvent)[] {
    const keys = events.sourceKeys(`${key}:`, `${key}:${last}`).filter((sourceKey) => {
      const own = sourceKey.slice(key.length + 1);
      return recurrenceForm.test(own) && own >= first;
    });
    // With the key of the series: a single event may have become a series, or the reverse.
    return [key, ...keys].flatMap((sourceKey) => {
      const record = events.bySource(sourceKey);
      if (record === undefined || compareToStored(revision, record) <= 0) return [];
      const outcome = update(record, { status: 'cancelled' }, { key: sourceKey, ...revision });
      return outcome.kind === 'changed' || outcome.kept ? [outcome] : [];
    });
  }

  return {
    cancelMissing,
    beginFile() {
      seen.clear();
      fileStart = events.lastRow();
    },
    identify,
    apply: (draft, identity, takesPlace = false) =>
      draft.id === undefined
        ? applyByOrigin(draft, identity ?? identify(draft), takesPlace)
        : applyWithId(draft, draft.id, takesPlace),
    earlier: () =>
      events
        .all()
        .map((record) => earlierEvent(record, record.row > lastRow || changed.has(record.row))),
    earlierImports: () => readEarlierImports(db, userId),
    leaveOut(draft, origin) {
      // Counts the row, so that later rows with the same name and date keep their origins.
      const own = draft.id === undefined ? (origin ?? originOf(draft)) : undefined;
      leftOut.push({ draft, ...(own && { origin: own }) });
    },
    countLeftOut: () => leftOut.length,
    read: (id) => events.byId(id)?.event,
    find: (id) => events.byId(id),
    change(id, values) {
      const record = events.byId(id);
      const image = record && imageAfterEdit(record, values);
      if (record === undefined || image === undefined) return false;
      write(record, image);
      if (record.row <= lastRow) log.note(id, record, image);
      return true;
    },
    commit() {
      const take = (batchId: number | undefined) =>
        sqlite.prepare(leftOutWrites.take).run({ batchId, restOf });
      if (!hasAdded && !hasUpdated) {
        if (restOf === undefined) {
          rollBack(db);
        } else {
          // All of them were imported meanwhile, so nothing is left to offer.
          take(restOf);
          sqlite.exec('COMMIT');
        }
        return undefined;
      }
      ids.save();
      if (hasAdded) log.noteAdded(lastRow);
      const batchId = log.finish();
      if (batchId !== undefined && leftOut.length > 0) {
        const row = { batchId, number: leftOut.length, events: JSON.stringify(leftOut) };
        sqlite.prepare(leftOutWrites.add).run(row);
      }
      if (restOf !== undefined) take(batchId);
      finishEvents(db, userId, events);
      sqlite.exec('COMMIT');
      return batchId;
    },
    rollback: () => rollBack(db),
  };
}

export const leftOutReads = {
  byBatch: `SELECT events, batches.source FROM left_out JOIN batches ON batches.id = batch_id
    WHERE batch_id = @batchId AND user_id = @userId LIMIT 1`,
} as const;

export const leftOutWrites = {
  add: 'INSERT INTO left_out (batch_id, number, events) VALUES (@batchId, @number, @events)',
  take: 'UPDATE left_out SET imported_by = @batchId WHERE batch_id = @restOf',
} as const;

export const importReads = {
  added: `SELECT event_id AS id, batches.id AS batch FROM batches
    CROSS JOIN changes ON changes.batch_id = batches.id AND before IS NULL
    WHERE user_id = @userId AND kind = 'import' AND source NOT LIKE '%, %' LIMIT 1000000`,
} as const;

/** Reads the earlier imports of one file, by the ids of the events that they added. */
export function readEarlierImports(db: Reader, userId: number): ReadonlyMap<number, number> {
  type Row = { readonly id: number; readonly batch: number };
  const rows = connection(db).prepare<object, Row>(importReads.added).all({ userId });
  return new Map(rows.map(({ id, batch }) => [id, batch]));
}

/** Reads the events that an import left out, and the names of its files; undefined without any. */
export function readLeftOut(
  db: Reader,
  userId: number,
  batchId: number,
): { readonly source: string; readonly events: readonly LeftOutEvent[] } | undefined {
  type Row = { readonly source: string; readonly events: string };
  const statement = connection(db).prepare<object, Row>(leftOutReads.byBatch);
  const row = statement.get({ userId, batchId });
  return row && { source: row.source, events: JSON.parse(row.events) };
}

/**
 * Compares a revision with that of a stored event: positive if it is later. A known time is later
 * than an unknown stored one; an unknown time is taken for the stored one.
 */
function compareToStored(
  { sequence, stamp }: SourceRevision,
  { sourceSequence, sourceStamp }: EventRecord,
): number {
  const order = sequence - (sourceSequence ?? 0);
  if (order !== 0 || stamp === null || stamp === sourceStamp) return order;
  return stamp > (sourceStamp ?? Number.NEGATIVE_INFINITY) ? 1 : -1;
}

/** Returns a draft without a status as that of an active event, if the stored one is cancelled. */
function withActive(draft: EventDraft, { event }: EventRecord, isActive: boolean): EventDraft {
  return isActive && event.status === 'cancelled' ? { status: 'active', ...draft } : draft;
}

/** Returns a draft with the stored texts in place of those that differ only in their Unicode form. */
function keepForms(draft: Partial<StoredEvent>, event: StoredEvent): Partial<StoredEvent> {
  const equal = (['name', 'location', 'description'] as const).filter((field) => {
    const text = draft[field];
    if (typeof text !== 'string' || text === event[field]) return false;
    return text.normalize('NFC') === event[field]?.normalize('NFC');
  });
  if (equal.length === 0) return draft;
  return { ...draft, ...Object.fromEntries(equal.map((field) => [field, event[field]])) };
}

/** Separates the number that a file gives an event from the rest of its key. */
const numberMark = '#';

/** Returns the key of an event whose own key another event takes over; a row keeps its number. */
function keyAfter(key: string, id: number): string {
  const [head = '', ...number] = key.startsWith('row:') ? key.split(numberMark) : [key];
  return [`${head}~${id}`, ...number].join(numberMark);
}

function earlierEvent(record: EventRecord, isTouched: boolean): EarlierEvent {
  const { event, edits, sourceKey } = record;
  const { name, date, location } = { ...event, ...edits } as StoredEvent;
  const isImported = !isTouched && !sourceKey?.startsWith(handPrefix);
  const isRow = sourceKey?.startsWith('row:');
  const number = isRow ? sourceKey?.split(numberMark).slice(1).join(numberMark) : '';
  return { record, name, date, place: location, number: number || undefined, isImported };
}

/**
 * Returns the values of an event that was added by hand as edits, when a file has the event too. Its
 * moment is that of the file, as a day without a time has none.
 */
function editsOf(event: StoredEvent, draft: Partial<StoredEvent>): Edits {
  const fields = editableFields.filter(
    (field) => field in draft && field !== 'date' && (columnValue(event, field) ?? '') !== '',
  );
  const values = Object.fromEntries(fields.map((field) => [field, columnValue(draft, field)]));
  // A file without a status does not cancel the event, and so cannot withdraw what a hand did.
  const isDefault = event.status === eventDefaults.status;
  return isDefault ? values : { status: eventDefaults.status, ...values };
}

const keptOf = (event: StoredEvent, draft: Partial<StoredEvent>, edits: Edits): KeptEdit[] =>
  editableFields
    .filter((field) => field in edits && field in draft)
    .map((field) => ({ field, edited: event[field], fromFile: draft[field] }));

/**
 * Returns the values of a draft without those that edits replace, the edits that remain, and those
 * that differ from a new value of the file.
 */
function respectEdits(
  { event, edits }: EventRecord,
  draft: Partial<StoredEvent>,
  isOverwritten: boolean,
): {
  readonly values: Partial<StoredEvent>;
  readonly edits: Edits;
  readonly kept: readonly KeptEdit[];
} {
  // Nearly always.
  if (edits === noEdits) return { values: draft, edits, kept: [] };
  const values = { ...draft };
  const remaining = { ...edits };
  const kept: KeptEdit[] = [];
  for (const field of editableFields) {
    if (!(field in edits) || !(field in draft)) continue;
    const value = columnValue(draft, field);
    const isSame = value === columnValue(event, field);
    // An event that was cancelled by hand stays so when a file that agreed no longer cancels it.
    if (isSame && value === 'cancelled') remaining[field] = value;
    else if (isSame) delete remaining[field];
    else if (value === edits[field]) delete values[field];
    else if (isOverwritten) delete remaining[field];
    else {
      delete values[field];
      kept.push({ field, edited: event[field], fromFile: draft[field] });
    }
  }
  const isSame = editableFields.every((field) => remaining[field] === edits[field]);
  return { values, edits: isSame ? edits : remaining, kept };
}

export const seenRowStatements = {
  create: `CREATE TEMP TABLE IF NOT EXISTS seen_rows (
      key NOT NULL PRIMARY KEY, times INTEGER NOT NULL
    ) WITHOUT ROWID`,
  clear: 'DELETE FROM temp.seen_rows',
  // RETURNING would double the time of this insert, and hardly any key occurs twice.
  add: 'INSERT INTO temp.seen_rows (key, times) VALUES (@key, 1) ON CONFLICT (key) DO NOTHING',
  addAgain: 'UPDATE temp.seen_rows SET times = times + 1 WHERE key = @key RETURNING times',
} as const;

/** Counts the keys that occur in a file, in a temporary table so that memory stays bounded. */
function prepareSeenRows(db: Writer) {
  const sqlite = connection(db);
  sqlite.exec(seenRowStatements.create);
  const clear = sqlite.prepare(seenRowStatements.clear);
  const add = sqlite.prepare(seenRowStatements.add);
  const addAgain = sqlite.prepare<object, number>(seenRowStatements.addAgain).pluck();
  return {
    clear: () => void clear.run(),
    /** Adds an occurrence of a key; returns their number, including this one. */
    count: (key: number | string): number =>
      add.run({ key }).changes === 1 ? 1 : (addAgain.get({ key }) ?? 1),
  };
}

export const stagedRowStatements = {
  create: `CREATE TEMP TABLE IF NOT EXISTS staged_rows (
      id INTEGER PRIMARY KEY, file INTEGER NOT NULL, rows TEXT NOT NULL
    )`,
  clear: 'DELETE FROM temp.staged_rows',
  add: 'INSERT INTO temp.staged_rows (file, rows) VALUES (@file, @rows)',
  next: `SELECT id, rows FROM temp.staged_rows WHERE id > @previous AND file = @file
    ORDER BY id LIMIT 1`,
} as const;

/** The number of rows per JSON text. */
const chunkLength = 500;

/**
 * The rows of files between reading and storing. A temporary table bounds memory, and does not lock
 * out other programs while files are read.
 */
export type StagedRows<Row> = {
  /** Adds a row of the file with this index. */
  add(file: number, row: Row): void;
  /** Iterates over the rows of a file in the order in which they were added. */
  each(file: number): Generator<Row>;
  clear(): void;
};

/** Prepares the staging of rows, which must be JSON values. */
export function prepareStagedRows<Row>(db: Writer): StagedRows<Row> {
  const sqlite = connection(db);
  sqlite.exec(stagedRowStatements.create);
  const add = sqlite.prepare(stagedRowStatements.add);
  const next = sqlite.prepare<object, { id: number; rows: string }>(stagedRowStatements.next);
  const clear = sqlite.prepare(stagedRowStatements.clear);
  let pending: { readonly file: number; readonly rows: Row[] } | undefined;

  function flush(): void {
    if (pending === undefined) return;
    add.run({ file: pending.file, rows: JSON.stringify(pending.rows) });
    pending = undefined;
  }
  return {
    add(file, row) {
      if (pending?.file !== file) flush();
      pending ??= { file, rows: [] };
      if (pending.rows.push(row) === chunkLength) flush();
    },
    *each(file) {
      flush();
      // One by one, as SQLite refuses writes while a statement is iterated.
      let chunk = next.get({ file, previous: 0 });
      while (chunk !== undefined) {
        yield* JSON.parse(chunk.rows) as Row[];
        chunk = next.get({ file, previous: chunk.id });
      }
    },
    clear() {
      pending = undefined;
      clear.run();
    },
  };
}
