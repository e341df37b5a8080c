import type { Key } from '../model.ts';
import { connection, type Reader } from '../open.ts';
import { eachRow, pageSize } from './pages.ts';

const columns = `keys.id, users.name AS user, keys.label, keys.created_at AS createdAt,
  keys.expires_at AS expiresAt, keys.revoked_at AS revokedAt`;

export const keyReads = {
  validUser: `SELECT user_id AS userId FROM keys
    WHERE digest = @digest AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > @now)
    LIMIT 1`,
  byId: `SELECT ${columns} FROM keys JOIN users ON users.id = keys.user_id
    WHERE keys.id = @id LIMIT 1`,
  page: `SELECT ${columns} FROM keys JOIN users ON users.id = keys.user_id
    WHERE keys.id > @after ORDER BY keys.id LIMIT ${pageSize}`,
} as const;

export type KeyReads = {
  /** The user of the key with this SHA-256 digest, unless it is unknown, revoked or expired. */
  validUser(digest: Uint8Array, now: string): number | undefined;
  byId(id: number): Key | undefined;
  /** Every key, oldest first. */
  all(): Key[];
};

export function prepareKeyReads(db: Reader): KeyReads {
  const sqlite = connection(db);
  const validUser = sqlite.prepare<{ digest: Uint8Array; now: string }, { userId: number }>(
    keyReads.validUser,
  );
  const byId = sqlite.prepare<{ id: number }, Key>(keyReads.byId);
  const page = sqlite.prepare<{ after: number }, Key>(keyReads.page);
  return {
    validUser: (digest, now) => validUser.get({ digest, now })?.userId,
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
