import type { Key } from '../model.ts';
import { connection, type Reader } from '../open.ts';
import { eachRow, pageSize } from './pages.ts';

const columns = `keys.id, users.name AS user, keys.label, keys.created_at AS createdAt,
  keys.expires_at AS expiresAt, keys.revoked_at AS revokedAt`;

const accountColumns = `users.id AS userId, users.uid_base AS uidBase,
  revision_epoch.epoch || '.' || users.revision AS revision`;

export const keyReads = {
  byDigest: `SELECT ${accountColumns}, keys.expires_at AS expiresAt FROM keys
    JOIN users ON users.id = keys.user_id JOIN revision_epoch ON revision_epoch.id = 1
    WHERE digest = +@digest AND revoked_at IS NULL LIMIT 1`,
  byUser: `SELECT ${accountColumns} FROM users JOIN revision_epoch ON revision_epoch.id = 1
    WHERE users.id = +@userId LIMIT 1`,
  byId: `SELECT ${columns} FROM keys JOIN users ON users.id = keys.user_id
    WHERE keys.id = @id LIMIT 1`,
  page: `SELECT ${columns} FROM keys JOIN users ON users.id = keys.user_id
    WHERE keys.id > @after ORDER BY keys.id LIMIT ${pageSize}`,
} as const;

/** The account that a request may read. */
export type Account = {
  readonly userId: number;
  /** The part of calendar UIDs that belongs to this user. */
  readonly uidBase: string;
  /** Differs after every change of the user's events. */
  readonly revision: string;
};

export type KeyReads = {
  /** Returns the account of the key with this SHA-256 digest, unless it is unknown or revoked. */
  byDigest(digest: Uint8Array): (Account & { readonly expiresAt: string | null }) | undefined;
  byUser(userId: number): Account | undefined;
  byId(id: number): Key | undefined;
  all(): Key[];
};

export function prepareKeyReads(db: Reader): KeyReads {
  const sqlite = connection(db);
  type WithExpiry = Account & { readonly expiresAt: string | null };
  const byDigest = sqlite.prepare<{ digest: Uint8Array }, WithExpiry>(keyReads.byDigest);
  const byUser = sqlite.prepare<{ userId: number }, Account>(keyReads.byUser);
  const byId = sqlite.prepare<{ id: number }, Key>(keyReads.byId);
  const page = sqlite.prepare<{ after: number }, Key>(keyReads.page);
  return {
    byDigest: (digest) => byDigest.get({ digest }),
    byUser: (userId) => byUser.get({ userId }),
    byId: (id) => byId.get({ id }),
    all: () => [
      ...eachRow(
        0,
        (after) => page.all({ after }),
        (key) => key.id,
      ),
    ],
  };
}
