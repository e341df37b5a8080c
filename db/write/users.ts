import { inTransaction, type Writer } from '../open.ts';
import { indexEvents } from '../search.ts';

export const userWrites = {
  add: `INSERT INTO users (name, created_at) VALUES (@name, @createdAt)
    ON CONFLICT (name) DO NOTHING`,
  removeEvents: 'DELETE FROM events WHERE user_id = @userId',
  removeKeys: 'DELETE FROM keys WHERE user_id = @userId',
  remove: 'DELETE FROM users WHERE id = @userId',
} as const;

/** Adds a user. Returns the new id, or undefined if the name is taken. */
export function insertUser(db: Writer, name: string, createdAt: string): number | undefined {
  return inTransaction(db, (sqlite) => {
    const added = sqlite.prepare(userWrites.add).run({ name, createdAt });
    return added.changes === 1 ? Number(added.lastInsertRowid) : undefined;
  });
}

export type RemovedUser = { readonly events: number; readonly keys: number };

export function deleteUser(db: Writer, userId: number): RemovedUser {
  return inTransaction(db, (sqlite) => {
    const events = sqlite.prepare(userWrites.removeEvents).run({ userId }).changes;
    const keys = sqlite.prepare(userWrites.removeKeys).run({ userId }).changes;
    sqlite.prepare(userWrites.remove).run({ userId });
    indexEvents(sqlite);
    return { events, keys };
  });
}
