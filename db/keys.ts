import { hash } from 'node:crypto';
import type { Key } from './model.ts';
import { connection, inTransaction, type Reader, type Writer } from './open.ts';

/** Returns the SHA-256 of a key (32 bytes), which is stored and looked up instead of the key. */
export function digestOfKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

const columns = `keys.id, users.name AS user, known_zone(users.zone) AS zone, keys.label, keys.created_at AS createdAt,
  keys.expires_at AS expiresAt, keys.revoked_at AS revokedAt, sources.base_url AS baseUrl`;

const tables = `keys JOIN users ON users.id = keys.user_id
  LEFT JOIN sources ON sources.id = keys.source_id`;

const accountColumns = `users.id AS userId, users.name, users.uid_base AS uidBase, known_zone(users.zone) AS zone,
  ifnull(users.epoch, revision_epoch.epoch) || '.' || users.revision AS revision`;

export const keyReads = {
  byDigest: `SELECT ${accountColumns}, keys.expires_at AS expiresAt FROM keys
    JOIN users ON users.id = keys.user_id JOIN revision_epoch ON revision_epoch.id = 1
    WHERE digest = +@digest AND revoked_at IS NULL LIMIT 1`,
  byUser: `SELECT ${accountColumns} FROM users JOIN revision_epoch ON revision_epoch.id = 1
    WHERE users.id = +@userId LIMIT 1`,
  byId: `SELECT ${columns} FROM ${tables}
    WHERE keys.id = @id LIMIT 1`,
  all: `SELECT ${columns} FROM ${tables} ORDER BY keys.id`,
} as const;

/** The account that a request may read. */
export type Account = {
  readonly userId: number;
  readonly name: string;
  /** The part of calendar UIDs that belongs to this user. */
  readonly uidBase: string;
  /** The IANA name of the club's time zone; empty if it is unknown here or not stored yet. */
  readonly zone: string;
  /** Differs after every change of the user's events. */
  readonly revision: string;
};

/** The account of a key, which ends at a time or never. */
export type KeyAccount = Account & { readonly expiresAt: string | null };

type KeyReads = {
  /** Returns the account of the key with this SHA-256 digest, unless it is unknown or revoked. */
  byDigest(digest: Uint8Array): KeyAccount | undefined;
  byUser(userId: number): Account | undefined;
  byId(id: number): Key | undefined;
  all(): Key[];
};

export function prepareKeyReads(db: Reader): KeyReads {
  const sqlite = connection(db);
  const byDigest = sqlite.prepare<{ digest: Uint8Array }, KeyAccount>(keyReads.byDigest);
  const byUser = sqlite.prepare<{ userId: number }, Account>(keyReads.byUser);
  const byId = sqlite.prepare<{ id: number }, Key>(keyReads.byId);
  const all = sqlite.prepare<[], Key>(keyReads.all);
  return {
    byDigest: (digest) => byDigest.get({ digest }),
    byUser: (userId) => byUser.get({ userId }),
    byId: (id) => byId.get({ id }),
    all: () => all.all(),
  };
}

export const keyWrites = {
  add: `INSERT INTO keys (user_id, digest, label, created_at, expires_at)
    VALUES (@userId, @digest, @label, @createdAt, @expiresAt)`,
  revoke: 'UPDATE keys SET revoked_at = @now WHERE id = @id AND revoked_at IS NULL',
} as const;

type NewKey = {
  readonly userId: number;
  /** SHA-256 of the key. */
  readonly digest: Uint8Array;
  readonly label: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
};

export function insertKey(db: Writer, key: NewKey): number {
  return inTransaction(db, (sqlite) =>
    Number(sqlite.prepare(keyWrites.add).run(key).lastInsertRowid),
  );
}

/** Revokes a key. Returns false if there is none with this id or it was already revoked. */
export function revokeKey(db: Writer, id: number, now: string): boolean {
  return inTransaction(
    db,
    (sqlite) => sqlite.prepare(keyWrites.revoke).run({ id, now }).changes === 1,
  );
}
