import type { Key } from '../model.ts';
import { connection, type Reader } from '../open.ts';
import { eachRow, pageSize } from './pages.ts';

const columns = `keys.id, users.name AS user, keys.label, keys.created_at AS createdAt,
  keys.expires_at AS expiresAt, keys.revoked_at AS revokedAt`;

export const keyReads = {
  byDigest: `SELECT user_id AS userId, expires_at AS expiresAt FROM keys
    WHERE digest = +@digest AND revoked_at IS NULL LIMIT 1`,
  byId: `SELECT ${columns} FROM keys JOIN users ON users.id = keys.user_id
    WHERE keys.id = @id LIMIT 1`,
  page: `SELECT ${columns} FROM keys JOIN users ON users.id = keys.user_id
    WHERE keys.id > @after ORDER BY keys.id LIMIT ${pageSize}`,
} as const;

/** A key that was not revoked: whose it is, and until when, if it ends. */
export type Opening = { readonly userId: number; readonly expiresAt: string | null };

export type KeyReads = {
  /** What the key with this SHA-256 digest opens, unless it is unknown or revoked. */
  byDigest(digest: Uint8Array): Opening | undefined;
  byId(id: number): Key | undefined;
  /** Every key, oldest first. */
  all(): Key[];
};

export function prepareKeyReads(db: Reader): KeyReads {
  const sqlite = connection(db);
  const byDigest = sqlite.prepare<{ digest: Uint8Array }, Opening>(keyReads.byDigest);
  const byId = sqlite.prepare<{ id: number }, Key>(keyReads.byId);
  const page = sqlite.prepare<{ after: number }, Key>(keyReads.page);
  return {
    byDigest: (digest) => byDigest.get({ digest }),
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
