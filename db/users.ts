import { clubNumberNames, clubNumbers } from './club-settings.ts';
import type { User } from './model.ts';
import { connection, inTransaction, type Reader, type Writer } from './open.ts';
import { indexEvents } from './search.ts';

/** The columns of the settings with a number. */
export const numberColumns = clubNumberNames
  .map((name) => `${clubNumbers[name].column} AS ${name}`)
  .join(', ');

export const userReads = {
  idByName: 'SELECT id FROM users WHERE name = @name LIMIT 1',
  // All others are in NFC.
  notAscii: "SELECT id, name FROM users WHERE name GLOB '*[^ -~]*'",
  byId: 'SELECT id FROM users WHERE id = @id LIMIT 1',
  idByUidBase: 'SELECT id FROM users WHERE uid_base = @uidBase LIMIT 1',
  uidBase: 'SELECT uid_base AS uidBase FROM users WHERE id = @id LIMIT 1',
  zone: 'SELECT known_zone(zone) FROM users WHERE id = @id LIMIT 1',
  countEvents: 'SELECT count(*) AS count FROM events WHERE user_id = @id LIMIT 1',
  all: `SELECT id, name, known_zone(zone) AS zone, assistant_proposes AS assistantProposes, ${numberColumns},
      created_at AS createdAt,
      (SELECT count(*) FROM events WHERE events.user_id = users.id) AS events,
      (SELECT count(*) FROM keys WHERE keys.user_id = users.id) AS keys
    FROM users ORDER BY name`,
} as const;

type UserReads = {
  /** Finds a user by a name in NFC. Earlier versions stored names as they were typed. */
  idByName(name: string): number | undefined;
  exists(id: number): boolean;
  /** Returns the part of calendar UIDs that is unique to this user. */
  uidBase(id: number): string;
  idByUidBase(uidBase: string): number | undefined;
  /**
   * Returns the IANA name of the time zone; empty for one that this machine does not know, and until
   * a writer has opened the database.
   */
  zone(id: number): string;
  countEvents(id: number): number;
  /** Returns all users by name. */
  all(): User[];
};

export function prepareUserReads(db: Reader): UserReads {
  const sqlite = connection(db);
  const idByName = sqlite.prepare<{ name: string }, { id: number }>(userReads.idByName);
  const notAscii = sqlite.prepare<[], Pick<User, 'id' | 'name'>>(userReads.notAscii);
  const byId = sqlite.prepare<{ id: number }, { id: number }>(userReads.byId);
  const uidBase = sqlite.prepare<{ id: number }, { uidBase: string }>(userReads.uidBase);
  const idByUidBase = sqlite.prepare<object, number>(userReads.idByUidBase).pluck();
  const zone = sqlite.prepare<{ id: number }, string>(userReads.zone).pluck();
  const countEvents = sqlite.prepare<{ id: number }, number>(userReads.countEvents).pluck();
  const all = sqlite.prepare<[], Omit<User, 'assistantProposes'> & { assistantProposes: number }>(
    userReads.all,
  );
  return {
    idByName: (name) =>
      idByName.get({ name })?.id ??
      notAscii.all().find((user) => user.name.normalize('NFC') === name)?.id,
    exists: (id) => byId.get({ id }) !== undefined,
    uidBase: (id) => uidBase.get({ id })?.uidBase ?? '',
    idByUidBase: (base) => idByUidBase.get({ uidBase: base }),
    zone: (id) => zone.get({ id }) ?? '',
    countEvents: (id) => countEvents.get({ id }) ?? 0,
    all: () =>
      all.all().map((user) => ({ ...user, assistantProposes: user.assistantProposes === 1 })),
  };
}

export const revisionReads = {
  state: `SELECT ifnull(users.epoch, revision_epoch.epoch) || '.' || ifnull(revision, 0) AS revision,
      iif(digest_revision = revision, event_count, NULL) AS count,
      iif(digest_revision = revision, event_digest, NULL) AS digest
    FROM revision_epoch LEFT JOIN users ON users.id = +@userId
    WHERE revision_epoch.id = 1 LIMIT 1`,
} as const;

export const revisionWrites = {
  // The same events have the same digest.
  raise: `UPDATE users SET revision = revision + 1,
      digest_revision = iif(digest_revision = revision, revision + 1, digest_revision)
    WHERE id = @userId`,
} as const;

/** The state of all events of a user. */
export type EventsState = {
  /** Changes with every change of the events. */
  readonly revision: string;
  /** The number and digest of the events; null after a change by another program. */
  readonly count: number | null;
  readonly digest: string | null;
};

/** Prepares the read of the state of a user's events, in the transaction that reads the events. */
export function prepareEventsState(db: Reader): (userId: number) => EventsState {
  const state = connection(db).prepare<object, EventsState>(revisionReads.state);
  return (userId) => state.get({ userId }) as EventsState;
}

export const userWrites = {
  add: 'INSERT INTO users (name, created_at, zone) VALUES (@name, @createdAt, @zone)',
  rename: 'UPDATE users SET name = @name WHERE id = @userId',
  removeEvents: 'DELETE FROM events WHERE user_id = @userId',
  removeKeys: 'DELETE FROM keys WHERE user_id = @userId',
  remove: 'DELETE FROM users WHERE id = @userId',
} as const;

/** Adds a user. Returns the new id, or undefined if the name is taken. */
export function insertUser(
  db: Writer,
  name: string,
  createdAt: string,
  zone = '',
): number | undefined {
  return inTransaction(db, (sqlite) => {
    if (prepareUserReads(db).idByName(name) !== undefined) return undefined;
    return Number(sqlite.prepare(userWrites.add).run({ name, createdAt, zone }).lastInsertRowid);
  });
}

/** Renames a user, in the transaction of the caller. Returns false if another user has the name. */
export function updateUserName(db: Writer, userId: number, name: string): boolean {
  const owner = prepareUserReads(db).idByName(name);
  if (owner !== undefined && owner !== userId) return false;
  connection(db).prepare(userWrites.rename).run({ userId, name });
  return true;
}

/** Statements for the users without a time zone, which a writer gives one. */
export const zoneStatements = {
  anyMissing: "SELECT id FROM users WHERE zone = '' LIMIT 1",
  fill: "UPDATE users SET zone = @zone WHERE zone = ''",
} as const;

/**
 * Stores a time zone for the users that have none, in the transaction of the caller if there is one;
 * calls `chooseZone` only if there are such users.
 */
export function fillUserZones(db: Writer, chooseZone: () => string | undefined): void {
  const sqlite = connection(db);
  if (sqlite.prepare(zoneStatements.anyMissing).get() === undefined) return;
  const zone = chooseZone();
  if (zone === undefined) return;
  const fill = () => sqlite.prepare(zoneStatements.fill).run({ zone });
  if (sqlite.inTransaction) fill();
  else inTransaction(db, fill);
}

/** Deletes a user with all events and keys; returns their numbers. */
export function deleteUser(db: Writer, userId: number): { events: number; keys: number } {
  return inTransaction(db, (sqlite) => {
    const events = sqlite.prepare(userWrites.removeEvents).run({ userId }).changes;
    const keys = sqlite.prepare(userWrites.removeKeys).run({ userId }).changes;
    sqlite.prepare(userWrites.remove).run({ userId });
    indexEvents(sqlite);
    return { events, keys };
  });
}
