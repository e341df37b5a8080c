import {
  beginTransaction,
  connection,
  inTransaction,
  type Reader,
  rollBack,
  type Writer,
} from './open.ts';
import { indexEvents } from './search.ts';

export const hubReads = {
  node: `SELECT number, change_id AS changeId, confirmed_at AS confirmedAt FROM hub_node
    WHERE id = 1 LIMIT 1`,
  anyUser: 'SELECT id FROM users WHERE id > 0 LIMIT 1',
  all: 'SELECT id, epoch, revision FROM users ORDER BY id',
  revisions: `SELECT id, epoch, revision FROM users
    WHERE id IN (SELECT value FROM json_each(@ids)) LIMIT +@limit`,
  pushes: `SELECT push, revision FROM hub_pushes WHERE user_id = @userId ORDER BY push LIMIT 2`,
} as const;

/** The last change of the record that a node has: its number and random id. */
export type RecordPosition = { readonly number: number; readonly changeId: string };

/** The state of a node. Without a position, it has never been filled. */
type NodeState = {
  readonly position: RecordPosition | undefined;
  /** The last stored time at which the record had no later change, in milliseconds since 1970. */
  readonly confirmedAt: number;
};

type NodeRow = {
  readonly number: number | null;
  readonly changeId: string | null;
  readonly confirmedAt: number;
};

/** Returns the state of the node that a database belongs to; undefined for an ordinary one. */
export function readNode(db: Reader): NodeState | undefined {
  const row = connection(db).prepare<[], NodeRow>(hubReads.node).get();
  if (row === undefined) return undefined;
  const { number, changeId, confirmedAt } = row;
  const isFilled = number !== null && changeId !== null;
  return { position: isFilled ? { number, changeId } : undefined, confirmedAt };
}

/** A club of the record, by its revision. `epoch` is the id of the push that made the revision. */
type ClubRevision = {
  readonly id: number;
  readonly epoch: string | null;
  readonly revision: number;
};

/** A club of the record. */
export type HubClub = ClubRevision & {
  readonly epoch: string;
  readonly name: string;
  readonly zone: string;
  readonly uidBase: string;
  readonly eventCount: number;
  readonly eventDigest: string;
};

/** The columns of an event of the record, in the order of `hubWrites.putEvent`, and its revision. */
export type HubEventRow = readonly [...columns: unknown[], revision: number];

/** The columns of a key: digest, label, creation, expiry and revocation. */
export type HubKeyRow = readonly [
  digest: Uint8Array,
  label: string | null,
  createdAt: string,
  expiresAt: string | null,
  revokedAt: string | null,
];

/** Changes of a club from the record. */
export type ClubChanges = {
  readonly club: HubClub;
  /** True if the events replace those of the node, rather than some of them. */
  readonly isWhole: boolean;
  /** All keys of the club. */
  readonly keys: readonly HubKeyRow[];
  /** Revisions and their epochs. */
  readonly revisions: readonly (readonly [revision: number, epoch: string])[];
  /** Ids of removed events, and the revisions of the removals. */
  readonly removed: readonly (readonly [id: number, revision: number])[];
};

export const hubWrites = {
  becomeNode: 'INSERT INTO hub_node (id, confirmed_at) VALUES (1, 0)',
  position: `UPDATE hub_node SET number = @number, change_id = @changeId,
      confirmed_at = max(confirmed_at, @confirmedAt)
    WHERE id = 1`,
  // The state of another club that takes its own name later in the same transaction.
  freeName: `UPDATE users SET name = name || char(10) || id WHERE name = @name AND id <> @id`,
  // Triggers count up from here and record the counts as revisions, which `putChange` replaces. Below
  // zero, they never outdate a change.
  putClub: `INSERT INTO users (id, name, created_at, zone, uid_base, revision)
    VALUES (@id, @name, '', @zone, @uidBase, -1000000000000)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, zone = excluded.zone,
      uid_base = excluded.uid_base, revision = excluded.revision`,
  finishClub: `UPDATE users SET epoch = @epoch, revision = @revision, event_count = @eventCount,
      event_digest = @eventDigest, digest_revision = @revision
    WHERE id = @id`,
  removeClub: 'DELETE FROM users WHERE id = @id',
  removeKeys: 'DELETE FROM keys WHERE user_id = @id',
  removeEvents: 'DELETE FROM events WHERE user_id = @id',
  removeChanges: 'DELETE FROM event_changes WHERE user_id = @id',
  removeRevisions: 'DELETE FROM hub_revisions WHERE user_id = @id',
  putKey: `INSERT INTO keys (user_id, digest, label, created_at, expires_at, revoked_at)
    VALUES (?, ?, ?, ?, ?, ?)`,
  putRevision: `INSERT INTO hub_revisions (user_id, revision, epoch) VALUES (?, ?, ?)
    ON CONFLICT (user_id, revision) DO UPDATE SET epoch = excluded.epoch`,
  freeSourceKey: `UPDATE events SET source_key = NULL
    WHERE user_id = ? AND source_key = ? AND id <> ?`,
  putEvent: `INSERT INTO events (user_id, id, name, date, location, description, status, event_type,
      registration_open, created_at, source_key)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (user_id, id) DO UPDATE SET name = excluded.name, date = excluded.date,
      location = excluded.location, description = excluded.description, status = excluded.status,
      event_type = excluded.event_type, registration_open = excluded.registration_open,
      created_at = excluded.created_at, source_key = excluded.source_key`,
  removeEvent: 'DELETE FROM events WHERE user_id = ? AND id = ?',
  putChange: `INSERT INTO event_changes (user_id, event_id, revision) VALUES (?, ?, ?)
    ON CONFLICT (user_id, event_id) DO UPDATE SET revision = excluded.revision`,
  addPush: `INSERT INTO hub_pushes (user_id, push, revision) VALUES (@userId, @push, @revision)
    ON CONFLICT (user_id, push) DO UPDATE SET revision = excluded.revision`,
  removeOtherPushes: `DELETE FROM hub_pushes
    WHERE user_id = @userId AND push <> @push AND push IS NOT @base`,
} as const;

/** Makes an empty database that of a node. Returns false if it has users and belongs to none. */
export function becomeNode(db: Writer): boolean {
  return inTransaction(db, (sqlite) => {
    if (readNode(db) !== undefined) return true;
    if (sqlite.prepare(hubReads.anyUser).get() !== undefined) return false;
    sqlite.prepare(hubWrites.becomeNode).run();
    return true;
  });
}

/** Returns the revisions of some clubs that the database has, or of all. */
export function readClubRevisions(db: Reader, ids?: readonly number[]): ClubRevision[] {
  const sqlite = connection(db);
  if (ids === undefined) return sqlite.prepare<[], ClubRevision>(hubReads.all).all();
  const some = sqlite.prepare<object, ClubRevision>(hubReads.revisions);
  return some.all({ ids: JSON.stringify(ids), limit: ids.length });
}

/**
 * Changes of a node's database in one transaction, which stays open while they are read from the
 * record. Nobody else writes to this database.
 */
export type NodeUpdate = {
  /** Begins the changes of a club, all but its events. */
  beginClub(changes: ClubChanges): void;
  /** Adds events to the club, or replaces them. */
  putEvents(rows: readonly HubEventRow[]): void;
  /** Ends the changes of the club: it has the revision of the record. */
  endClub(): void;
  /** Removes a club that the record does not have. */
  removeClub(id: number): void;
  /** Commits, with the position of the record whose state this is; without one, it is a part. */
  commit(position: RecordPosition | undefined, confirmedAt: number): void;
  rollback(): void;
};

/** Events after which the full-text table is updated: to update it for all at once stops the service. */
const indexEvery = 2_000;

/** Prepares the updates of a node's database. */
export function prepareNodeUpdates(db: Writer): { begin(): NodeUpdate } {
  const sqlite = connection(db);
  const prepare = (sql: string) => sqlite.prepare<unknown[]>(sql);
  type Statements = Record<keyof typeof hubWrites, ReturnType<typeof prepare>>;
  const prepared = Object.entries(hubWrites).map(([name, sql]) => [name, prepare(sql)]);
  const statements = Object.fromEntries(prepared) as Statements;

  function beginClub({ club, isWhole, keys, revisions, removed }: ClubChanges): void {
    const { id } = club;
    statements.freeName.run({ id, name: club.name });
    statements.putClub.run(club);
    statements.removeKeys.run({ id });
    for (const key of keys) statements.putKey.run(id, ...key);
    if (isWhole) {
      statements.removeEvents.run({ id });
      // Also those that the triggers have just recorded.
      statements.removeChanges.run({ id });
      statements.removeRevisions.run({ id });
    }
    for (const revision of revisions) statements.putRevision.run(id, ...revision);
    for (const [event, revision] of removed) {
      statements.removeEvent.run(id, event);
      statements.putChange.run(id, event, revision);
    }
  }
  function putEvent(club: number, row: HubEventRow): void {
    const columns = row.slice(0, -1);
    const [id, sourceKey] = [columns[0], columns.at(-1)];
    // An event that had the key before comes later in this transaction.
    if (sourceKey !== null) statements.freeSourceKey.run(club, sourceKey, id);
    statements.putEvent.run(club, ...columns);
    statements.putChange.run(club, id, row.at(-1));
  }

  return {
    begin() {
      beginTransaction(db);
      let current: HubClub | undefined;
      const idOfCurrent = () => (current as HubClub).id;
      let unindexed = 0;
      return {
        beginClub(changes) {
          current = changes.club;
          beginClub(changes);
        },
        putEvents(rows) {
          for (const row of rows) putEvent(idOfCurrent(), row);
          unindexed += rows.length;
          if (unindexed < indexEvery) return;
          indexEvents(sqlite);
          unindexed = 0;
        },
        endClub() {
          statements.finishClub.run(current as HubClub);
        },
        removeClub(id) {
          statements.removeEvents.run({ id });
          statements.removeKeys.run({ id });
          statements.removeClub.run({ id });
        },
        commit(position, confirmedAt) {
          indexEvents(sqlite);
          const { number = null, changeId = null } = position ?? {};
          statements.position.run({ number, changeId, confirmedAt });
          sqlite.exec('COMMIT');
        },
        rollback: () => rollBack(db),
      };
    },
  };
}

/** A push of this home: its random id, and the revision of the events here that it stored. */
export type Push = { readonly push: string; readonly revision: string };

/** Returns the pushes of a user, of which one is the last that was committed. */
export function readPushes(db: Reader, userId: number): Push[] {
  return connection(db).prepare<object, Push>(hubReads.pushes).all({ userId });
}

/**
 * Stores a push and forgets all others but `base`. It is stored with the last committed one as its base
 * before it is committed, and alone afterwards.
 */
export function savePush(db: Writer, userId: number, push: Push, base?: Push): void {
  inTransaction(db, (sqlite) => {
    sqlite.prepare(hubWrites.addPush).run({ userId, ...push });
    const row = { userId, push: push.push, base: base?.push ?? null };
    sqlite.prepare(hubWrites.removeOtherPushes).run(row);
  });
}
