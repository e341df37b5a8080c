import type { User } from './model.ts';
import { connection, inTransaction, type Reader, type Writer } from './open.ts';
import { indexEvents } from './search.ts';

export const userReads = {
  idByName: 'SELECT id FROM users WHERE name = @name LIMIT 1',
  byId: 'SELECT id FROM users WHERE id = @id LIMIT 1',
  uidBase: 'SELECT uid_base AS uidBase FROM users WHERE id = @id LIMIT 1',
  countEvents: 'SELECT count(*) AS count FROM events WHERE user_id = @id LIMIT 1',
  all: `SELECT id, name, created_at AS createdAt,
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
  countEvents(id: number): number;
  /** Returns all users by name. */
  all(): User[];
};

export function prepareUserReads(db: Reader): UserReads {
  const sqlite = connection(db);
  const idByName = sqlite.prepare<{ name: string }, { id: number }>(userReads.idByName);
  const byId = sqlite.prepare<{ id: number }, { id: number }>(userReads.byId);
  const uidBase = sqlite.prepare<{ id: number }, { uidBase: string }>(userReads.uidBase);
  const countEvents = sqlite.prepare<{ id: number }, number>(userReads.countEvents).pluck();
  const all = sqlite.prepare<[], User>(userReads.all);
  return {
    idByName: (name) =>
      idByName.get({ name })?.id ??
      all.all().find((user) => user.name.normalize('NFC') === name)?.id,
    exists: (id) => byId.get({ id }) !== undefined,
    uidBase: (id) => uidBase.get({ id })?.uidBase ?? '',
    countEvents: (id) => countEvents.get({ id }) ?? 0,
    all: () => all.all(),
  };
}

export const revisionReads = {
  revision: `SELECT epoch || '.' || ifnull((SELECT revision FROM users WHERE id = +@userId), 0)
    FROM revision_epoch WHERE id = 1 LIMIT 1`,
} as const;

export const revisionWrites = {
  raise: 'UPDATE users SET revision = revision + 1 WHERE id = @userId',
} as const;

/**
 * Prepares the read of the revision of a user's events, which changes with every change of them.
 * Read it in the transaction that reads the events.
 */
export function prepareRevision(db: Reader): (userId: number) => string {
  const revision = connection(db).prepare<object, string>(revisionReads.revision).pluck();
  return (userId) => revision.get({ userId }) as string;
}

export const userWrites = {
  add: 'INSERT INTO users (name, created_at) VALUES (@name, @createdAt)',
  rename: 'UPDATE users SET name = @name WHERE id = @userId',
  removeEvents: 'DELETE FROM events WHERE user_id = @userId',
  removeKeys: 'DELETE FROM keys WHERE user_id = @userId',
  remove: 'DELETE FROM users WHERE id = @userId',
} as const;

/** Adds a user. Returns the new id, or undefined if the name is taken. */
export function insertUser(db: Writer, name: string, createdAt: string): number | undefined {
  return inTransaction(db, (sqlite) => {
    if (prepareUserReads(db).idByName(name) !== undefined) return undefined;
    return Number(sqlite.prepare(userWrites.add).run({ name, createdAt }).lastInsertRowid);
  });
}

/** Renames a user. Returns false if another user has the name. */
export function updateUserName(db: Writer, userId: number, name: string): boolean {
  return inTransaction(db, (sqlite) => {
    const owner = prepareUserReads(db).idByName(name);
    if (owner !== undefined && owner !== userId) return false;
    sqlite.prepare(userWrites.rename).run({ userId, name });
    return true;
  });
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
