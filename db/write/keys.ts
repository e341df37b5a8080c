import { inTransaction, type Writer } from '../open.ts';

export const keyWrites = {
  add: `INSERT INTO keys (user_id, digest, label, created_at, expires_at)
    VALUES (@userId, @digest, @label, @createdAt, @expiresAt)`,
  revoke: 'UPDATE keys SET revoked_at = @now WHERE id = @id AND revoked_at IS NULL',
} as const;

export type NewKey = {
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
