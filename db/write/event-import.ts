import { hash } from 'node:crypto';
import {
  type EventDraft,
  type EventOrigin,
  eventMembers,
  type SeriesRevision,
  type StoredEvent,
} from '../model.ts';
import { beginTransaction, connection, rollBack, type Writer } from '../open.ts';
import { indexEvents } from '../search.ts';
import { prepareBatchLog } from './batches.ts';
import { prepareEventIds } from './event-ids.ts';
import { type EventRecord, prepareEventWrites } from './events.ts';
import { prepareSeenRows } from './seen-rows.ts';

export type ChangedEvent = {
  readonly kind: 'changed';
  readonly before: StoredEvent;
  readonly event: StoredEvent;
};

/**
 * What became of a draft. `outdated` is left out, as a newer revision is stored; the last three are
 * refusals. For none of these four was anything written.
 */
export type DraftOutcome =
  | { readonly kind: 'added'; readonly event: StoredEvent }
  | ChangedEvent
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'outdated' }
  | { readonly kind: 'repeated'; readonly first: StoredEvent }
  | { readonly kind: 'taken'; readonly by: StoredEvent }
  | { readonly kind: 'exhausted' };

export type NewImport = {
  readonly userId: number;
  /** When new events that do not tell it were created. */
  readonly now: string;
  /** The names of the files, for the history. */
  readonly source: string;
};

/** One import: a transaction that is open until `commit` or `rollback`. */
export type EventImport = {
  /** Starts the next file; an id may come once in each. */
  beginFile(): void;
  /** Adds or updates one event; `origin` is what a source without ids knows it by. */
  apply(draft: EventDraft, origin?: EventOrigin): DraftOutcome;
  /**
   * Cancels the occurrences of earlier revisions that this one no longer has; to be called after
   * those that it has. Returns the events that were not cancelled before.
   */
  cancelMissing(revision: SeriesRevision): ChangedEvent[];
  /** Ends the import; returns its number in the history, or nothing when it changed nothing. */
  commit(): number | undefined;
  rollback(): void;
};

/** The name of an occurrence: a day or a UTC timestamp. */
const recurrenceForm = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/;

const untold = { location: '', description: null, status: 'active', eventType: null } as const;

function isSame(left: StoredEvent, right: StoredEvent): boolean {
  return eventMembers.every((member) => left[member] === right[member]);
}

/**
 * Begins an import for a user. Holds the write lock: call `commit` or `rollback` whatever happens.
 */
export function beginEventImport(db: Writer, { userId, now, source }: NewImport): EventImport {
  const sqlite = connection(db);
  const seen = prepareSeenRows(db);
  beginTransaction(db);
  // The connection may have served an import before.
  seen.forget();
  const events = prepareEventWrites(db, userId);
  const ids = prepareEventIds(db, userId);
  const log = prepareBatchLog(db, { userId, kind: 'import', source, createdAt: now, undoes: null });
  const lastRow = events.lastRow();
  let fileStart = lastRow;
  let anyAdded = false;

  function add(draft: EventDraft, id: number, origin: EventOrigin | null): DraftOutcome {
    const event = { ...untold, createdAt: now, ...draft, id };
    const image = {
      event,
      sourceKey: origin?.key ?? null,
      sourceSequence: origin?.sequence ?? null,
    };
    events.insert(image);
    anyAdded = true;
    return { kind: 'added', event };
  }

  function update(
    record: EventRecord,
    draft: EventDraft,
    origin: EventOrigin | null,
  ): DraftOutcome {
    const event = { ...record.event, ...draft };
    const sourceSequence = origin?.sequence ?? record.sourceSequence;
    const image = { ...record, event, sourceSequence };
    if (isSame(event, record.event)) {
      // A later revision without news: it is kept that an earlier one is outdated, and no more.
      const isLater = (sourceSequence ?? 0) !== (record.sourceSequence ?? 0);
      if (isLater) events.update(record, image);
      return { kind: 'unchanged' };
    }
    events.update(record, image);
    // What this import added is noted at its end, as it is then.
    if (record.row <= lastRow) log.note(event.id, record, image);
    return { kind: 'changed', before: record.event, event };
  }

  function moveAway(record: EventRecord): boolean {
    const moved = ids.next();
    if (moved === undefined) return false;
    events.update(record, { ...record, event: { ...record.event, id: moved } });
    return true;
  }

  function applyWithId(draft: EventDraft, id: number): DraftOutcome {
    const record = ids.note(id) ? undefined : events.byId(id);
    if (record === undefined) return add(draft, id, null);
    if (id > ids.last && record.sourceKey !== null) {
      // Given in this very import, to a row without an id that stood before this one.
      return moveAway(record) ? add(draft, id, null) : { kind: 'exhausted' };
    }
    // Added by this file, or met in it before.
    if (record.row > fileStart || seen.note(id) > 1) {
      return { kind: 'repeated', first: record.event };
    }
    if (record.sourceKey === null) return update(record, draft, null);
    // An id given here may be another event's id elsewhere: with neither name nor date in common
    // it is not an edit, and overwriting would lose an event.
    const { event } = record;
    if (event.name !== draft.name && event.date !== draft.date) return { kind: 'taken', by: event };
    return update(record, draft, null);
  }

  /** The origin of a row that has neither id nor origin: its name and date. */
  function originOf({ name, date }: EventDraft): EventOrigin {
    const key = `row:${hash('sha256', JSON.stringify([name, date]), 'base64url')}`;
    // Rows that share name and date are told apart by their turn, so that none is lost.
    return { key: `${key}:${seen.note(key)}`, sequence: 0 };
  }

  function applyByOrigin(draft: EventDraft, origin: EventOrigin): DraftOutcome {
    const record = events.bySource(origin.key);
    if (record !== undefined) {
      const stored = record.sourceSequence ?? 0;
      if (origin.sequence < stored) return { kind: 'outdated' };
      // A later revision replaces the event (RFC 5546, section 2.1.4): it is no longer cancelled.
      const isBack = origin.sequence > stored && record.event.status === 'cancelled';
      return update(record, isBack ? { status: 'active', ...draft } : draft, origin);
    }
    const id = ids.next();
    return id === undefined ? { kind: 'exhausted' } : add(draft, id, origin);
  }

  function cancelMissing({ key, sequence, first, last }: SeriesRevision): ChangedEvent[] {
    const occurrences = events.sourceKeys(`${key}:`, `${key}:${last}`);
    const keys = [...occurrences].filter((each) => {
      const recurrence = each.slice(key.length + 1);
      return recurrenceForm.test(recurrence) && recurrence >= first;
    });
    // A series that was a single event before has its date among the others now, and the reverse.
    return [key, ...keys].flatMap((each) => {
      const record = events.bySource(each);
      if (record === undefined || (record.sourceSequence ?? 0) >= sequence) return [];
      const draft = { ...record.event, status: 'cancelled' } as const;
      const outcome = update(record, draft, { key: each, sequence });
      return outcome.kind === 'changed' && record.event.status !== 'cancelled' ? [outcome] : [];
    });
  }

  return {
    cancelMissing,
    beginFile() {
      seen.forget();
      fileStart = events.lastRow();
    },
    apply: (draft, origin) =>
      draft.id === undefined
        ? applyByOrigin(draft, origin ?? originOf(draft))
        : applyWithId(draft, draft.id),
    commit() {
      ids.keep();
      if (anyAdded) log.noteAdded(lastRow);
      const batchId = log.finish();
      indexEvents(sqlite);
      sqlite.exec('COMMIT');
      return batchId;
    },
    rollback: () => rollBack(db),
  };
}
