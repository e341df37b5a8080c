import { SqliteError } from 'better-sqlite3';
import { formatDigest, hashEvent } from './event-hash.ts';
import { prepareEventReads } from './event-rows.ts';
import {
  beginTransaction,
  connection,
  inTransaction,
  type Reader,
  rollBack,
  type Writer,
} from './open.ts';
import { indexEvents } from './search.ts';
import type { StoredTeam } from './teams.ts';

export const hubReads = {
  node: `SELECT number, change_id AS changeId, confirmed_at AS confirmedAt, timeline FROM hub_node
    WHERE id = 1 LIMIT 1`,
  stuck: 'SELECT club, since, reason FROM hub_stuck ORDER BY club LIMIT 1000000',
  total: 'SELECT event_digest AS digest FROM users WHERE id = @id LIMIT 1',
  count: 'SELECT count(*) FROM events WHERE user_id = @id LIMIT 1',
  anyUser: 'SELECT id FROM users WHERE id > 0 LIMIT 1',
  all: 'SELECT id, epoch, revision FROM users ORDER BY id',
  revisions: `SELECT id, epoch, revision FROM users
    WHERE id IN (SELECT value FROM json_each(@ids)) LIMIT +@limit`,
  pushes: `SELECT push, revision, name, zone, keys FROM hub_pushes
    WHERE user_id = @userId ORDER BY push LIMIT 100`,
  timeline: 'SELECT max(timeline) FROM hub_pushes LIMIT 1',
  clubs: `SELECT users.id AS userId, name, zone, uid_base AS uidBase,
      epoch.epoch || '.' || revision AS revision,
      iif(digest_revision = revision, event_count, NULL) AS count,
      iif(digest_revision = revision, event_digest, NULL) AS digest
    FROM users JOIN revision_epoch AS epoch ON epoch.id = 1 WHERE users.id > 0 ORDER BY users.id`,
  allPushes: `SELECT user_id AS userId, push, revision, name, zone, keys FROM hub_pushes
    ORDER BY user_id, push`,
  keys: `SELECT lower(hex(digest)) AS digest, label, created_at AS createdAt, expires_at AS expiresAt,
      revoked_at AS revokedAt
    FROM keys WHERE user_id = @userId ORDER BY id LIMIT 100000`,
  allKeys: `SELECT user_id AS userId, lower(hex(digest)) AS digest, label, created_at AS createdAt,
      expires_at AS expiresAt, revoked_at AS revokedAt
    FROM keys ORDER BY user_id, id`,
} as const;

/** The last change of the record that a node has: its number and random id. */
export type RecordPosition = { readonly number: number; readonly changeId: string };

/** The state of a node. Without a position, it has never been filled. */
type NodeState = {
  readonly position: RecordPosition | undefined;
  /** The last stored time at which the record had no later change, in milliseconds since 1970. */
  readonly confirmedAt: number;
  /** The highest timeline of the record that the node has met. */
  readonly timeline: number;
};

type NodeRow = {
  readonly timeline: number;
  readonly number: number | null;
  readonly changeId: string | null;
  readonly confirmedAt: number;
};

/** Returns the state of the node that a database belongs to; undefined for an ordinary one. */
export function readNode(db: Reader): NodeState | undefined {
  const row = connection(db).prepare<[], NodeRow>(hubReads.node).get();
  if (row === undefined) return undefined;
  const { number, changeId, confirmedAt, timeline } = row;
  const isFilled = number !== null && changeId !== null;
  return { position: isFilled ? { number, changeId } : undefined, confirmedAt, timeline };
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
  /** Its teams, each with the revision of its last change. */
  readonly teams: readonly StoredTeam[];
};

/** A club that could not be copied: since when, in milliseconds since 1970, and why. */
export type StuckClub = { readonly club: number; readonly since: number; readonly reason: string };

/** Returns the clubs of a node that are not as the record has them. */
export function readStuckClubs(db: Reader): StuckClub[] {
  return connection(db).prepare<[], StuckClub>(hubReads.stuck).all();
}

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
  position: 'UPDATE hub_node SET number = @number, change_id = @changeId WHERE id = 1',
  contact: 'UPDATE hub_node SET confirmed_at = @confirmedAt, timeline = @timeline WHERE id = 1',
  putStuck: `INSERT INTO hub_stuck (club, since, reason) VALUES (@club, @since, @reason)
    ON CONFLICT (club) DO UPDATE SET reason = excluded.reason`,
  removeStuck: 'DELETE FROM hub_stuck WHERE club = @club',
  removeTeams: 'DELETE FROM teams WHERE user_id = @id',
  putTeam: `INSERT INTO teams (user_id, id, name, letters, colour, words, without, place, event_type,
      position, revision)
    VALUES (@userId, @id, @name, @letters, @colour, @words, @without, @place, @eventType, @position,
      @revision)`,
  // The state of another club that takes its own name later in the same transaction.
  freeName: `UPDATE users SET name = name || char(10) || id WHERE name = @name AND id <> @id`,
  // Triggers count up from here and record the counts as revisions, which `putChange` replaces. Below
  // zero, they never outdate a change.
  putClub: `INSERT INTO users (id, name, created_at, zone, uid_base)
    VALUES (@id, @name, '', @zone, @uidBase)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, zone = excluded.zone,
      uid_base = excluded.uid_base`,
  startEvents: 'UPDATE users SET revision = -1000000000000 WHERE id = @id',
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
  putPush: `INSERT INTO hub_pushes (user_id, push, revision, name, zone, keys, timeline)
    VALUES (@userId, @push, @revision, @name, @zone, @keys, @timeline)
    ON CONFLICT (user_id, push) DO UPDATE SET revision = excluded.revision, name = excluded.name,
      zone = excluded.zone, keys = excluded.keys, timeline = excluded.timeline`,
  removePush: 'DELETE FROM hub_pushes WHERE user_id = @userId AND push = @push',
  lowerTimeline: 'UPDATE hub_pushes SET timeline = @timeline WHERE timeline > @timeline',
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

/** A club whose events are not those that the record counts. */
class DifferentEvents extends Error {}

/** Returns why a club cannot be copied; undefined for a failure that is not one of its rows. */
function reasonOfClub(error: unknown): string | undefined {
  if (error instanceof DifferentEvents) return error.message;
  const isRow =
    error instanceof SqliteError && /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(error.code);
  return isRow || error instanceof RangeError ? error.message : undefined;
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
  /**
   * Ends the changes of the club: it has the revision of the record. Returns the reason if it could not
   * be copied: then it stays as it was, but for its keys.
   */
  endClub(): string | undefined;
  /** Removes a club that the record does not have. */
  removeClub(id: number): void;
  /** Notes that a club is not as the record has it, or that it is again. */
  noteClub(club: number, stuck: Omit<StuckClub, 'club'> | undefined): void;
  /** Commits, with the position of the record whose state this is; without one, it is a part. */
  commit(position: RecordPosition | undefined): void;
  rollback(): void;
};

/** Events after which the full-text table is updated: to update it for all at once stops the service. */
const indexEvery = 2_000;

type NodeUpdates = {
  begin(): NodeUpdate;
  /** Stores the time of the last contact with the record, and its timeline. */
  noteContact(confirmedAt: number, timeline: number): void;
};

/** Prepares the updates of a node's database. */
export function prepareNodeUpdates(db: Writer): NodeUpdates {
  const sqlite = connection(db);
  // The savepoint of a club has all pages that its events change. In memory they are a list, through
  // which SQLite walks after each row: 30,000 changed events kept the node from answering for minutes.
  sqlite.pragma('temp_store = FILE');
  const prepare = (sql: string) => sqlite.prepare<unknown[]>(sql);
  type Statements = Record<keyof typeof hubWrites, ReturnType<typeof prepare>>;
  const prepared = Object.entries(hubWrites).map(([name, sql]) => [name, prepare(sql)]);
  const statements = Object.fromEntries(prepared) as Statements;
  const events = prepareEventReads(db);
  const readDigest = sqlite.prepare<object, string | null>(hubReads.total).pluck();
  const countEvents = sqlite.prepare<object, number>(hubReads.count).pluck();

  /** Puts the club and its keys. A key that was revoked is refused, whatever its events are. */
  function putKeys({ club, keys }: ClubChanges): void {
    const { id, name, zone, uidBase } = club;
    statements.freeName.run({ id, name });
    statements.putClub.run({ id, name, zone, uidBase });
    statements.removeKeys.run({ id });
    for (const key of keys) statements.putKey.run(id, ...key);
  }
  function beginEvents({ club, isWhole, revisions }: ClubChanges): void {
    const { id } = club;
    statements.startEvents.run({ id });
    if (isWhole) {
      statements.removeEvents.run({ id });
      // Also those that the triggers have just recorded.
      statements.removeChanges.run({ id });
      statements.removeRevisions.run({ id });
    }
    for (const revision of revisions) statements.putRevision.run(id, ...revision);
    statements.removeTeams.run({ id });
    for (const team of club.teams) statements.putTeam.run({ userId: id, ...team });
  }
  function hashOf(userId: number, id: unknown): bigint {
    const event = events.byId(userId, id as number);
    return event === undefined ? 0n : hashEvent(event);
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
    noteContact: (confirmedAt, timeline) => void statements.contact.run({ confirmedAt, timeline }),
    begin() {
      beginTransaction(db);
      let current: HubClub | undefined;
      let reason: string | undefined;
      let unindexed = 0;
      /** The id of the event that is stored just now. */
      let event: unknown;
      /** The sum of the hashes of the club's events (see `digestOf`). */
      let sum = 0n;

      /** Undoes the events of the club after a failure in one of its rows. */
      function attempt(work: (club: HubClub) => void): void {
        if (reason !== undefined) return;
        try {
          work(current as HubClub);
        } catch (error) {
          const found = reasonOfClub(error);
          if (found === undefined) throw error;
          reason = event === undefined ? found : `event ${event}: ${found}`;
          sqlite.exec('ROLLBACK TO club');
        }
      }
      function putEvents({ id }: HubClub, rows: readonly HubEventRow[]): void {
        for (const row of rows) {
          event = row[0];
          sum -= hashOf(id, event);
          putEvent(id, row);
          sum += hashOf(id, event);
        }
        event = undefined;
        unindexed += rows.length;
        if (unindexed < indexEvery) return;
        indexEvents(sqlite);
        unindexed = 0;
      }
      function requireSame({ id, eventCount, eventDigest }: HubClub): void {
        const [count, digest] = [countEvents.get({ id }), formatDigest(sum)];
        if (count !== eventCount || digest !== eventDigest)
          throw new DifferentEvents(
            `the node has ${count} events with the digest ${digest}, the record ${eventCount} with ${eventDigest}`,
          );
      }
      return {
        beginClub(changes) {
          const { club, isWhole, removed } = changes;
          current = club;
          [reason, event] = [undefined, undefined];
          sqlite.exec('SAVEPOINT club');
          attempt(() => putKeys(changes));
          if (reason === undefined) sqlite.exec('RELEASE club; SAVEPOINT club');
          attempt(() => {
            sum = isWhole ? 0n : BigInt(`0x${readDigest.get({ id: club.id }) ?? 0}`);
            beginEvents(changes);
            for (const [event, revision] of removed) {
              sum -= hashOf(club.id, event);
              statements.removeEvent.run(club.id, event);
              statements.putChange.run(club.id, event, revision);
            }
          });
        },
        putEvents: (rows) => attempt((club) => putEvents(club, rows)),
        endClub() {
          attempt((club) => {
            requireSame(club);
            const { teams: _, ...state } = club;
            statements.finishClub.run(state);
          });
          sqlite.exec('RELEASE club');
          return reason;
        },
        removeClub(id) {
          statements.removeEvents.run({ id });
          statements.removeKeys.run({ id });
          statements.removeClub.run({ id });
        },
        noteClub(club, stuck) {
          if (stuck === undefined) statements.removeStuck.run({ club });
          else statements.putStuck.run({ club, ...stuck });
        },
        commit(position) {
          indexEvents(sqlite);
          const { number = null, changeId = null } = position ?? {};
          statements.position.run({ number, changeId });
          sqlite.exec('COMMIT');
        },
        rollback: () => rollBack(db),
      };
    },
  };
}

/**
 * A push of this home: its random id, the revision of the events here that it stored, and what the
 * record had afterwards, as far as it is known: name and zone of the club, and the digest of the keys.
 */
export type Push = {
  readonly push: string;
  readonly revision: string;
  readonly name: string | null;
  readonly zone: string | null;
  readonly keys: string | null;
};

/** Returns the pushes of a user, of which one is the last that was committed. */
export function readPushes(db: Reader, userId: number): Push[] {
  return connection(db).prepare<object, Push>(hubReads.pushes).all({ userId });
}

/** Returns the highest timeline of the record that a push of this home has met; 0 for none. */
export function readPushTimeline(db: Reader): number {
  return connection(db).prepare<[], number | null>(hubReads.timeline).pluck().get() ?? 0;
}

/** Forgets later timelines of the record than one that a person has accepted. */
export function lowerPushTimeline(db: Writer, timeline: number): void {
  inTransaction(db, (sqlite) => sqlite.prepare(hubWrites.lowerTimeline).run({ timeline }));
}

/** Stores a push, before it is committed in the record or when more is known about it. */
export function putPush(db: Writer, userId: number, push: Push, timeline: number): void {
  inTransaction(db, (sqlite) =>
    sqlite.prepare(hubWrites.putPush).run({ userId, ...push, timeline }),
  );
}

/** Stores a push that was committed, and forgets those that it replaced. */
export function settlePush(
  db: Writer,
  userId: number,
  push: Push,
  { timeline, replaced }: { readonly timeline: number; readonly replaced: readonly Push[] },
): void {
  inTransaction(db, (sqlite) => {
    const remove = sqlite.prepare(hubWrites.removePush);
    for (const { push: id } of replaced) remove.run({ userId, push: id });
    sqlite.prepare(hubWrites.putPush).run({ userId, ...push, timeline });
  });
}

/** A key of a club as a push brings it along. */
export type PushedKey = {
  /** SHA-256 of the key, in hexadecimal digits. */
  readonly digest: string;
  readonly label: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
};

export function readPushedKeys(db: Reader, userId: number): PushedKey[] {
  return connection(db).prepare<object, PushedKey>(hubReads.keys).all({ userId });
}

/** A club of this home, with its pushes and keys. */
export type HomeState = {
  readonly userId: number;
  readonly name: string;
  readonly zone: string;
  readonly uidBase: string;
  readonly revision: string;
  /** The number and digest of its events; null after a change by another program. */
  readonly count: number | null;
  readonly digest: string | null;
  readonly pushes: readonly Push[];
  readonly keys: readonly PushedKey[];
};

/** Reads the state of all clubs at once, to find those that have changed since their last push. */
export function readHomeStates(db: Reader): HomeState[] {
  const sqlite = connection(db);
  const group = <Row>(sql: string) => {
    type Owned = Row & { readonly userId: number };
    const rows = sqlite.prepare<[], Owned>(sql).all();
    return Map.groupBy(
      rows.map(({ userId, ...row }) => ({ userId, row: row as unknown as Row })),
      ({ userId }) => userId,
    );
  };
  const pushes = group<Push>(hubReads.allPushes);
  const keys = group<PushedKey>(hubReads.allKeys);
  const clubs = sqlite.prepare<[], Omit<HomeState, 'pushes' | 'keys'>>(hubReads.clubs).all();
  return clubs.map((club) => ({
    ...club,
    pushes: (pushes.get(club.userId) ?? []).map(({ row }) => row),
    keys: (keys.get(club.userId) ?? []).map(({ row }) => row),
  }));
}
