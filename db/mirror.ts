import type { Database } from 'better-sqlite3';
import { finishEvents } from './event-digest.ts';
import { prepareEventIds } from './event-ids.ts';
import {
  type EventImage,
  type EventRow,
  eventColumns,
  eventOfRow,
  noEdits,
  prepareEventWrites,
} from './event-rows.ts';
import { prepareBatchLog } from './history.ts';
import { prepareKeyReads } from './keys.ts';
import {
  confirmEntry,
  coveredSince,
  createSource,
  type MirrorEntry,
  nameOfSource,
  type Operation,
  type Registration,
  type Source,
  showsRegistration,
  type Write,
} from './mirror-model.ts';
import { eventMembers, type KeyStore, type StoredEvent } from './model.ts';
import {
  beginTransaction,
  connection,
  inTransaction,
  type Reader,
  rollBack,
  type Writer,
} from './open.ts';
import { revisionWrites } from './users.ts';

/** An online service, or a file that another computer keeps up to date. */
export type SourceKind = 'service' | 'file';

/** A mirrored service or file. */
export type MirrorSource = {
  readonly id: number;
  readonly userId: number;
  readonly user: string;
  /** The time zone of the user; empty if it is unknown here or not stored yet. */
  readonly zone: string;
  readonly kind: SourceKind;
  /** The base URL of a service; the URL of a file, also with the scheme `file:`. */
  readonly baseUrl: string;
  /** Without a meaning for a file, which has no key. */
  readonly keyStore: KeyStore;
  /** The reason for which no sync begins until a person resumes it. */
  readonly paused: 'restored' | null;
};

/** The stored state of a mirror, without a sync in progress. */
export type StoredMirror = {
  readonly source: Source;
  readonly entries: Map<number, MirrorEntry>;
  /** Ids that the upstream does not have, with its time of the proof. */
  readonly notFound: Map<number, number>;
};

const sourceColumns = `sources.id, sources.user_id AS userId, users.name AS user,
  known_zone(users.zone) AS zone, sources.kind, sources.base_url AS baseUrl, sources.key_store AS keyStore, sources.paused`;

const stateColumns = 'base_url AS baseUrl, coverage, listed, listed_at AS listedAt, state';

const entryColumns = `confirmed_at AS confirmedAt, registration_at AS registrationAt,
  list_registration AS listRegistration, by_id_registration AS byIdRegistration,
  suspected_at AS suspectedAt, suspected_locally_at AS suspectedLocallyAt,
  suspected_by AS suspectedBy`;

// With the `+`, SQLite plans a statement once; otherwise, it would again for every other value.
export const mirrorReads = {
  all: `SELECT ${sourceColumns} FROM sources JOIN users ON users.id = sources.user_id
    ORDER BY sources.user_id`,
  byUser: `SELECT ${sourceColumns} FROM sources JOIN users ON users.id = sources.user_id
    WHERE sources.user_id = +@userId LIMIT 1`,
  next: `SELECT id, user_id AS userId, kind, base_url AS baseUrl, state ->> 'nextAt' AS nextAt,
      state ->> 'attemptedAt' AS attemptedAt
    FROM sources WHERE paused IS NULL`,
  state: `SELECT user_id AS userId, paused, ${stateColumns} FROM sources WHERE id = +@sourceId LIMIT 1`,
  entries: `SELECT ${eventColumns}, ${entryColumns} FROM confirmations
    JOIN events ON events.row = confirmations.row WHERE source_id = +@sourceId`,
  entry: `SELECT ${eventColumns}, ${entryColumns} FROM events
    JOIN confirmations ON confirmations.row = events.row
    WHERE user_id = +@userId AND id = +@id LIMIT 1`,
  notFound: `SELECT event_id AS id, absent_at AS notFoundAt FROM absences
    WHERE source_id = +@sourceId`,
  creationTimes: 'SELECT id, created_at AS createdAt FROM events WHERE user_id = +@userId',
  batchOfRun: `SELECT id FROM batches WHERE id = (
      SELECT max(id) FROM batches WHERE user_id = +@userId
    ) AND run = +@run AND NOT EXISTS (
      SELECT 1 FROM changes WHERE batch_id = batches.id
        AND event_id IN (SELECT value FROM json_each(@ids))
    ) LIMIT 1`,
} as const;

export const mirrorWrites = {
  // A random id: after a restore, the next number could be that of a source with a stored key, and
  // the key would go to another service.
  add: `INSERT INTO sources
      (id, user_id, kind, base_url, key_store, created_at, coverage, listed, listed_at, state)
    VALUES (abs(random() % 9007199254740991), @userId, @kind, @baseUrl, @keyStore, @createdAt,
      @coverage, @listed, @listedAt, @state)`,
  remove: 'DELETE FROM sources WHERE id = +@sourceId',
  setKeyStore: 'UPDATE sources SET key_store = @keyStore WHERE id = +@sourceId',
  move: 'UPDATE sources SET base_url = @baseUrl WHERE id = +@sourceId',
  resume: 'UPDATE sources SET paused = NULL WHERE id = +@sourceId',
  saveState: `UPDATE sources SET coverage = @coverage, listed = @listed, listed_at = @listedAt,
      state = @state WHERE id = +@sourceId`,
  saveEntry: `INSERT INTO confirmations (row, source_id, confirmed_at, registration_at,
      list_registration, by_id_registration, suspected_at, suspected_locally_at, suspected_by)
    SELECT row, @sourceId, @confirmedAt, @registrationAt,
      @listRegistration, @byIdRegistration, @suspectedAt, @suspectedLocallyAt, @suspectedBy
    FROM events WHERE user_id = +@userId AND id = +@id
    ON CONFLICT (row) DO UPDATE SET source_id = excluded.source_id,
      confirmed_at = excluded.confirmed_at, registration_at = excluded.registration_at,
      list_registration = excluded.list_registration,
      by_id_registration = excluded.by_id_registration,
      suspected_at = excluded.suspected_at,
      suspected_locally_at = excluded.suspected_locally_at, suspected_by = excluded.suspected_by`,
  addNotFound: `INSERT INTO absences (source_id, event_id, absent_at) VALUES (@sourceId, @id, @at)
    ON CONFLICT (source_id, event_id) DO UPDATE SET absent_at = excluded.absent_at`,
  removeNotFound: 'DELETE FROM absences WHERE source_id = +@sourceId AND event_id = +@id',
  addKey: `INSERT INTO keys (user_id, digest, created_at, source_id)
    SELECT user_id, @digest, @now, id FROM sources WHERE id = +@sourceId
    ON CONFLICT (digest) DO UPDATE SET revoked_at = NULL WHERE keys.source_id = excluded.source_id`,
  closeKey: `UPDATE keys SET revoked_at = @now
    WHERE digest = @digest AND source_id = @sourceId AND revoked_at IS NULL`,
} as const;

/** Returns the sources of all users, by the id of the user. */
export function readSources(db: Reader): MirrorSource[] {
  return connection(db).prepare<[], MirrorSource>(mirrorReads.all).all();
}

type NextSync = Pick<MirrorSource, 'id' | 'userId' | 'kind' | 'baseUrl'> & {
  /** Local times in ms. */
  readonly nextAt: number;
  readonly attemptedAt: number | null;
};

/** Reads the times of the next syncs of all sources that are not paused. */
export function readNextSyncs(db: Reader): NextSync[] {
  return connection(db).prepare<[], NextSync>(mirrorReads.next).all();
}

/** Returns the source of a user; undefined for an ordinary user. */
export function findSource(db: Reader, userId: number): MirrorSource | undefined {
  return connection(db).prepare<object, MirrorSource>(mirrorReads.byUser).get({ userId });
}

/** A source as SQLite returns it: JSON, apart from what the columns say. */
type SourceRow = Pick<MirrorSource, 'userId' | 'paused'> & {
  readonly baseUrl: string;
  readonly coverage: string;
  readonly listed: string;
  readonly listedAt: number | null;
  readonly state: string;
};

function sourceOfRow({ baseUrl, coverage, listed, listedAt, state }: SourceRow): Source {
  const others = JSON.parse(state) as Omit<Source, 'baseUrl' | 'coverage' | 'listed' | 'listedAt'>;
  return {
    ...createSource(baseUrl, 0),
    ...others,
    coverage: JSON.parse(coverage),
    listed: JSON.parse(listed),
    listedAt,
  };
}

function columnsOfSource({ baseUrl: _, coverage, listed, listedAt, ...others }: Source) {
  return {
    coverage: JSON.stringify(coverage),
    listed: JSON.stringify(listed),
    listedAt,
    state: JSON.stringify(others),
  };
}

/** The columns of a confirmation: a `registrationOpen` is 0 or 1, 2 if omitted, null if never sent. */
export type EntryColumns = {
  readonly confirmedAt: number;
  readonly registrationAt: number;
  readonly listRegistration: number | null;
  readonly byIdRegistration: number | null;
  readonly suspectedAt: number | null;
  readonly suspectedLocallyAt: number | null;
  readonly suspectedBy: Operation | null;
};

type EntryRow = EventRow & EntryColumns;

const omitted = 2;

function columnOfRegistration(value: boolean | null | undefined): number | null {
  if (value === undefined) return null;
  return value === null ? omitted : +value;
}

export function registrationOfColumns(
  columns: Pick<EntryColumns, 'listRegistration' | 'byIdRegistration'>,
): Registration {
  const { listRegistration: list, byIdRegistration: byId } = columns;
  return {
    ...(list !== null && { list: list === omitted ? null : list === 1 }),
    ...(byId !== null && { byId: byId === omitted ? null : byId === 1 }),
  };
}

function entryOfRow(row: EntryRow): MirrorEntry {
  const {
    confirmedAt,
    registrationAt,
    listRegistration,
    byIdRegistration,
    suspectedAt: since,
    suspectedLocallyAt: localSince,
    suspectedBy: by,
    ...event
  } = row;
  return {
    event: eventOfRow(event),
    confirmedAt,
    registrationAt,
    registration: registrationOfColumns({ listRegistration, byIdRegistration }),
    suspect:
      since === null || localSince === null || by === null ? null : { since, localSince, by },
  };
}

function columnsOfEntry(entry: MirrorEntry): EntryColumns {
  const { confirmedAt, registrationAt, registration, suspect } = entry;
  return {
    confirmedAt,
    registrationAt,
    listRegistration: columnOfRegistration(registration.list),
    byIdRegistration: columnOfRegistration(registration.byId),
    suspectedAt: suspect?.since ?? null,
    suspectedLocallyAt: suspect?.localSince ?? null,
    suspectedBy: suspect?.by ?? null,
  };
}

/** A use of a source that was removed, or paused by a restore, while a sync was in progress. */
export class SourceUnavailable extends Error {
  readonly reason: 'removed' | 'restored';

  constructor(sourceId: number, reason: SourceUnavailable['reason']) {
    super(`The source ${sourceId} was ${reason}.`);
    this.name = 'SourceUnavailable';
    this.reason = reason;
  }
}

function readSourceRow(sqlite: Database, sourceId: number): SourceRow {
  const row = sqlite.prepare<object, SourceRow>(mirrorReads.state).get({ sourceId });
  if (row === undefined) throw new SourceUnavailable(sourceId, 'removed');
  return row;
}

/** Reads everything that is known about a source. Throws `SourceUnavailable`. */
export function readMirror(db: Reader, sourceId: number): StoredMirror {
  const sqlite = connection(db);
  const read = sqlite.transaction((): StoredMirror => {
    const source = sourceOfRow(readSourceRow(sqlite, sourceId));
    const rows = sqlite.prepare<object, EntryRow>(mirrorReads.entries).all({ sourceId });
    type NotFound = { readonly id: number; readonly notFoundAt: number };
    const notFound = sqlite.prepare<object, NotFound>(mirrorReads.notFound).all({ sourceId });
    return {
      source,
      entries: new Map(rows.map((row) => [row.id, entryOfRow(row)])),
      notFound: new Map(notFound.map(({ id, notFoundAt }) => [id, notFoundAt])),
    };
  });
  return read();
}

/**
 * Removes a source with its confirmations and the digests of its keys. The events stay, as those of
 * an ordinary user.
 */
export function deleteSource(db: Writer, sourceId: number): void {
  inTransaction(db, (sqlite) => sqlite.prepare(mirrorWrites.remove).run({ sourceId }));
}

/** Records another place of the upstream key. */
export function setKeyStore(db: Writer, sourceId: number, keyStore: KeyStore): void {
  inTransaction(db, (sqlite) =>
    sqlite.prepare(mirrorWrites.setKeyStore).run({ sourceId, keyStore }),
  );
}

/** Records another place of a followed file. */
export function moveSource(db: Writer, sourceId: number, baseUrl: string): void {
  inTransaction(db, (sqlite) => sqlite.prepare(mirrorWrites.move).run({ sourceId, baseUrl }));
}

/** Reads the ids of all events of a user. */
export function readEventIds(db: Reader, userId: number): number[] {
  type Times = { readonly id: number };
  return connection(db)
    .prepare<object, Times>(mirrorReads.creationTimes)
    .all({ userId })
    .map(({ id }) => id);
}

/** Resumes a source that a restore has paused. */
export function resumeSource(db: Writer, sourceId: number): void {
  inTransaction(db, (sqlite) => sqlite.prepare(mirrorWrites.resume).run({ sourceId }));
}

function addKey(db: Writer, sourceId: number, digest: Uint8Array, now: Date): boolean {
  const sqlite = connection(db);
  sqlite.prepare(mirrorWrites.addKey).run({ sourceId, digest, now: now.toISOString() });
  const { userId } = readSourceRow(sqlite, sourceId);
  return prepareKeyReads(db).byDigest(digest)?.userId === userId;
}

/**
 * Adds the SHA-256 digest of an upstream key, which from then on opens the events here too; renews
 * one that was revoked. Returns false for the key of another user.
 */
export function addSourceKey(db: Writer, sourceId: number, digest: Uint8Array, now: Date): boolean {
  return inTransaction(db, () => addKey(db, sourceId, digest, now));
}

/** Revokes an upstream key by its SHA-256 digest. */
export function closeSourceKey(db: Writer, sourceId: number, digest: Uint8Array, now: Date): void {
  const values = { sourceId, digest, now: now.toISOString() };
  inTransaction(db, (sqlite) => sqlite.prepare(mirrorWrites.closeKey).run(values));
}

/** An event before and after a transaction. */
type ImageChange = { readonly before: EventImage | null; readonly after: EventImage | null };

/** Prepares the changes of events in a transaction, which ends with `finish`. */
function prepareEventChanges(db: Writer, userId: number) {
  const events = prepareEventWrites(db, userId);
  const ids = prepareEventIds(db, userId);
  const changes = new Map<number, ImageChange>();

  function noteChange(id: number, before: EventImage | null, after: EventImage | null): void {
    const first = changes.get(id);
    changes.set(id, { before: first === undefined ? before : first.before, after });
  }

  return {
    /** Adds or updates an event; returns false if it had these values. */
    store(event: StoredEvent): boolean {
      const before = events.byId(event.id);
      const after: EventImage = {
        event,
        sourceKey: null,
        sourceSequence: null,
        sourceStamp: null,
        edits: noEdits,
      };
      if (before === undefined) {
        events.insert(after);
        ids.register(event.id);
        noteChange(event.id, null, after);
        return true;
      }
      const isSame = eventMembers.every((member) => before.event[member] === event[member]);
      // An event from before the mirror may have the key of another source and edits by hand.
      const isOwn = before.sourceKey === null && before.edits === noEdits;
      if (!isSame || !isOwn) events.update(before, after);
      if (!isSame) noteChange(event.id, before, after);
      return !isSame;
    },
    remove(id: number): void {
      const before = events.byId(id);
      if (before === undefined) return;
      events.remove(before);
      ids.reserve();
      noteChange(id, before, null);
    },
    /** Writes the history and the search index; returns the batch, or undefined without a change. */
    finish(batch: Omit<SyncBatch, 'userId'>): number | undefined {
      finishEvents(db, userId, events);
      if (changes.size === 0) return undefined;
      ids.save();
      return writeReceipt(db, { ...batch, userId }, changes);
    },
  };
}

type SyncBatch = {
  readonly userId: number;
  readonly baseUrl: string;
  readonly createdAt: string;
  readonly run: number | null;
};

/** Writes changes to the last batch of their sync, or to a new one if it has one of the events. */
function writeReceipt(
  db: Writer,
  { baseUrl, ...batch }: SyncBatch,
  changes: ReadonlyMap<number, ImageChange>,
): number | undefined {
  const { userId, run } = batch;
  const ids = JSON.stringify([...changes.keys()]);
  const batchOfRun = connection(db).prepare<object, number>(mirrorReads.batchOfRun).pluck();
  const log = prepareBatchLog(
    db,
    { ...batch, kind: 'sync', source: nameOfSource(baseUrl), undoes: null },
    batchOfRun.get({ userId, run, ids }),
  );
  for (const [id, { before, after }] of changes) {
    if (before !== null || after !== null) log.note(id, before, after);
  }
  return log.finish();
}

/** Prepares the reads and writes of the sync metadata of events. */
function prepareEntries(db: Writer, { sourceId, userId }: Record<'sourceId' | 'userId', number>) {
  const sqlite = connection(db);
  const find = sqlite.prepare<object, EntryRow>(mirrorReads.entry);
  const save = sqlite.prepare(mirrorWrites.saveEntry);
  const addNotFound = sqlite.prepare(mirrorWrites.addNotFound);
  const removeNotFound = sqlite.prepare(mirrorWrites.removeNotFound);
  return {
    find(id: number): MirrorEntry | undefined {
      const row = find.get({ userId, id });
      return row && entryOfRow(row);
    },
    save(entry: MirrorEntry): void {
      save.run({ sourceId, userId, id: entry.event.id, ...columnsOfEntry(entry) });
    },
    addNotFound: (id: number, at: number) => addNotFound.run({ sourceId, id, at }),
    removeNotFound: (id: number) => removeNotFound.run({ sourceId, id }),
  };
}

/** Applies writes within a transaction; returns the batch of their receipt. */
function applyWrites(
  db: Writer,
  sourceId: number,
  writes: readonly Write[],
  createdAt: string,
): number | undefined {
  const sqlite = connection(db);
  const row = readSourceRow(sqlite, sourceId);
  const { userId, paused, baseUrl } = row;
  // The state that the writes continue is no longer there.
  if (paused !== null) throw new SourceUnavailable(sourceId, paused);
  const entries = prepareEntries(db, { sourceId, userId });
  const hasEvents = writes.some(({ kind }) => kind === 'store' || kind === 'remove');
  const events = hasEvents ? prepareEventChanges(db, userId) : undefined;
  let source = sourceOfRow(row);
  let run: number | null = null;
  /** True if an answer changes although no event does. */
  let hasVisibleChange = false;

  for (const write of writes) {
    switch (write.kind) {
      case 'store': {
        const { event, registration } = write.entry;
        const before = entries.find(event.id)?.registration ?? {};
        if (!events?.store(event)) hasVisibleChange ||= isOtherMask(before, registration);
        entries.save(write.entry);
        entries.removeNotFound(event.id);
        break;
      }
      case 'confirm':
        for (const id of write.ids) {
          const entry = entries.find(id);
          if (entry !== undefined) entries.save(confirmEntry(entry, write.at, write.operation));
        }
        break;
      case 'suspect': {
        const entry = entries.find(write.id);
        if (entry !== undefined) entries.save({ ...entry, suspect: write.suspect });
        break;
      }
      case 'remove':
        events?.remove(write.id);
        entries.addNotFound(write.id, write.at);
        break;
      case 'not_found':
        entries.addNotFound(write.id, write.at);
        break;
      case 'source':
        source = { ...source, ...write.values };
        break;
      case 'receipt':
        run = write.run;
        break;
    }
  }

  const columns = columnsOfSource(source);
  sqlite.prepare(mirrorWrites.saveState).run({ sourceId, ...columns });
  const before = coveredSince(JSON.parse(row.coverage));
  hasVisibleChange ||= columns.listed !== row.listed || coveredSince(source.coverage) !== before;
  if (hasVisibleChange) sqlite.prepare(revisionWrites.raise).run({ userId });
  return events?.finish({ baseUrl, createdAt, run });
}

/** Returns true if an operation shows a `registrationOpen` that it hid before, or the reverse. */
function isOtherMask(before: Registration, after: Registration): boolean {
  return (['list', 'byId'] as const).some(
    (operation) => showsRegistration(before, operation) !== showsRegistration(after, operation),
  );
}

/**
 * Stores the writes of one call of the planner in one transaction. Returns the batch of their
 * receipt in the history; the receipts of one sync share a batch. Throws `SourceUnavailable`.
 */
export function writeMirror(
  db: Writer,
  sourceId: number,
  writes: readonly Write[],
  createdAt: string,
): number | undefined {
  if (writes.length === 0) return undefined;
  return inTransaction(db, () => applyWrites(db, sourceId, writes, createdAt));
}

type NewMirror = {
  readonly userId: number;
  readonly kind?: SourceKind;
  readonly baseUrl: string;
  readonly keyStore: KeyStore;
  readonly now: Date;
  /** SHA-256 of the upstream key; undefined for a file. */
  readonly digest: Uint8Array | undefined;
  /** The writes of the first sync. */
  readonly writes: readonly Write[];
  /** Stores the key before the commit: a mirror whose program is killed must not lack its key. */
  readonly storeKey?: (sourceId: number) => void;
};

type NewMirrorOutcome =
  | { readonly kind: 'stored'; readonly sourceId: number; readonly batch: number | undefined }
  /** The user follows a service already. */
  | { readonly kind: 'mirrored'; readonly baseUrl: string }
  | { readonly kind: 'key taken' }
  /** Events of the user that the service does not have, or has with another creation time. */
  | { readonly kind: 'other events'; readonly ids: readonly number[] };

/** Adds a source with its first sync and its key in one transaction, or changes nothing. */
export function insertMirror(db: Writer, mirror: NewMirror): NewMirrorOutcome {
  const { userId, kind = 'service', baseUrl, keyStore, digest, writes, now, storeKey } = mirror;
  const createdAt = now.toISOString();
  beginTransaction(db);
  try {
    const outcome = add();
    if (outcome.kind === 'stored') {
      storeKey?.(outcome.sourceId);
      connection(db).exec('COMMIT');
    } else rollBack(db);
    return outcome;
  } catch (error) {
    rollBack(db);
    throw error;
  }

  function add(): NewMirrorOutcome {
    const sqlite = connection(db);
    const present = findSource(db, userId);
    if (present !== undefined) return { kind: 'mirrored', baseUrl: present.baseUrl };
    const ids = findOtherEvents(db, userId, writes);
    if (ids.length > 0) return { kind: 'other events', ids };
    const columns = columnsOfSource(createSource(baseUrl, now.getTime()));
    const values = { userId, kind, baseUrl, keyStore, createdAt, ...columns };
    const sourceId = Number(sqlite.prepare(mirrorWrites.add).run(values).lastInsertRowid);
    if (digest !== undefined && !addKey(db, sourceId, digest, now)) return { kind: 'key taken' };
    return { kind: 'stored', sourceId, batch: applyWrites(db, sourceId, writes, createdAt) };
  }
}

/** Returns the ids of a user's events that the writes do not store with their creation times. */
function findOtherEvents(db: Reader, userId: number, writes: readonly Write[]): number[] {
  type Times = { readonly id: number; readonly createdAt: string };
  const stored = new Map<number, string>();
  for (const write of writes) {
    if (write.kind === 'store') stored.set(write.entry.event.id, write.entry.event.createdAt);
  }
  return connection(db)
    .prepare<object, Times>(mirrorReads.creationTimes)
    .all({ userId })
    .filter(({ id, createdAt }) => stored.get(id) !== createdAt)
    .map(({ id }) => id);
}
