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

/** A key that is not revoked; it may have expired. */
export type UnrevokedKey = { readonly userId: number; readonly expiresAt: string | null };

export type KeyReads = {
  /** Finds a key by its SHA-256 digest, unless it is revoked. */
  byDigest(digest: Uint8Array): UnrevokedKey | undefined;
  byId(id: number): Key | undefined;
  all(): Key[];
};

export function prepareKeyReads(db: Reader): KeyReads {
  const sqlite = connection(db);
  const byDigest = sqlite.prepare<{ digest: Uint8Array }, UnrevokedKey>(keyReads.byDigest);
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
