import { type EventRow, eventColumns, eventOfRow } from './event-rows.ts';
import { recordedRevisions } from './migrations/012-event-changes.ts';
import type { StoredEvent } from './model.ts';
import { connection, type Reader } from './open.ts';

export { recordedRevisions };

/** A revision of a user's events, or a position among the changes of the revision after it. */
export type Revision = {
  readonly epoch: string;
  readonly number: number;
  /** The last id before the position; without one, all changes of the revision are before it. */
  readonly id?: number;
};

export const revisionPattern = String.raw`^([0-9a-f]{16})\.(\d+)(?:\.(-?\d+))?$`;
const revisionForm = new RegExp(revisionPattern);

/** Parses a revision in the form of `Events-Revision`, or of the link to the next changes. */
export function parseRevision(text: string): Revision | undefined {
  const [, epoch, number, id] = revisionForm.exec(text) ?? [];
  if (epoch === undefined) return undefined;
  const revision = { epoch, number: Number(number) };
  return id === undefined ? revision : { ...revision, id: Number(id) };
}

export const eventChangeReads = {
  // A club of a hub has an epoch for each revision.
  epoch: `SELECT epoch FROM hub_revisions WHERE user_id = +@userId AND revision = +@number LIMIT 1`,
  page: `SELECT event_id AS changedId, revision,
      (SELECT epoch FROM hub_revisions WHERE hub_revisions.user_id = event_changes.user_id
        AND hub_revisions.revision = event_changes.revision) AS epoch,
      ${eventColumns}
    FROM event_changes INDEXED BY event_changes_by_revision
    LEFT JOIN events ON events.user_id = event_changes.user_id AND events.id = event_id
    WHERE event_changes.user_id = +@userId AND (revision, event_id) > (+@number, +@id)
    ORDER BY revision, event_id LIMIT +@limit`,
} as const;

/** Changes after a revision. Each id is in one of the lists, and once in all pages. */
export type EventChanges = {
  readonly events: readonly StoredEvent[];
  readonly removed: readonly number[];
  /** The position of the last change, if more follow. */
  readonly next?: string;
};

type Nullable<Row> = { readonly [Name in keyof Row]: Row[Name] | null };
type ChangeRow = Nullable<EventRow> & {
  readonly changedId: number;
  readonly revision: number;
  readonly epoch: string | null;
};

/** Prepares the test that all changes from an earlier revision to the present one are recorded. */
export function prepareIsRecorded(
  db: Reader,
): (userId: number, earlier: Revision, present: Revision) => boolean {
  const readEpoch = connection(db).prepare<object, string>(eventChangeReads.epoch).pluck();
  return (userId, { epoch, number }, present) => {
    const age = present.number - number;
    const isRecorded = age >= 0 && age <= recordedRevisions;
    return isRecorded && epoch === (readEpoch.get({ userId, number }) ?? present.epoch);
  };
}

/** The last change of an event, in the order of changes. Without `event`, the event was removed. */
type OrderedChange = {
  readonly id: number;
  readonly event?: StoredEvent;
  /** The revision of the change, and the position after it. */
  readonly revision: string;
  readonly position: string;
};

type ChangeRead<Result> = (userId: number, since: Revision, limit: number) => Result;

/** Prepares the read of at most `limit` changes after a revision, in their order. */
export function prepareOrderedChanges(db: Reader): ChangeRead<OrderedChange[]> {
  const page = connection(db).prepare<object, ChangeRow>(eventChangeReads.page);
  return (userId, { epoch, number, id = Number.MAX_SAFE_INTEGER }, limit) =>
    page.all({ userId, number, id, limit }).map((row) => {
      const revision = `${row.epoch ?? epoch}.${row.revision}`;
      const change = { id: row.changedId, revision, position: `${revision}.${row.changedId}` };
      return hasEvent(row) ? { ...change, event: toEvent(row) } : change;
    });
}

/** Prepares the read of at most `limit` changes after a revision. */
export function prepareEventChanges(db: Reader): ChangeRead<EventChanges> {
  const read = prepareOrderedChanges(db);
  return (userId, since, limit) => {
    // One more than requested, to know whether another page follows.
    const found = read(userId, since, limit + 1);
    const changes = found.slice(0, limit);
    const events = changes.flatMap(({ event }) => event ?? []);
    const removed = changes.filter(({ event }) => event === undefined).map(({ id }) => id);
    const last = changes.at(-1);
    if (found.length === changes.length || last === undefined) return { events, removed };
    return { events, removed, next: last.position };
  };
}

/** Returns true for a change that left an event, false for a removal. */
function hasEvent(row: ChangeRow): row is ChangeRow & EventRow {
  return row.id !== null;
}

function toEvent({
  changedId: _,
  revision: __,
  epoch: ___,
  ...row
}: ChangeRow & EventRow): StoredEvent {
  return eventOfRow(row);
}
