import { createHash } from 'node:crypto';
import { calculateTotals } from './event-digest.ts';
import type { OnStep } from './open.ts';
import { withFile } from './replace-database.ts';

/** The digests of all events of each user, by the id of the user. */
export type UserDigests = Readonly<Record<string, string>>;

/** Returns one digest of the digests of all users: SHA-256, in hexadecimal digits. */
export function combineDigests(digests: UserDigests): string {
  // Members that are whole numbers are always in their order.
  return createHash('sha256').update(JSON.stringify(digests)).digest('hex');
}

/**
 * The first schema whose digests are comparable with those of today: no later migration and no change
 * of `hashEvent` gave an event other members. One that does sets its own version here.
 */
export const firstComparableSchema = 12;

export const backupDigestReads = { users: 'SELECT id FROM users' } as const;

/** Computes the digest of all events in a database file of any schema. Throws a StoreError. */
export function readContentDigest(path: string, onStep?: OnStep): string {
  return withFile(path, (sqlite) => {
    const ids = sqlite.prepare<[], number>(backupDigestReads.users).pluck().all();
    const digests = ids.map((id) => {
      onStep?.();
      return [id, calculateTotals(sqlite, id).digest] as const;
    });
    return combineDigests(Object.fromEntries(digests));
  });
}
