import { createHash } from 'node:crypto';
import { digestOf } from './event-hash.ts';
import { eachEvent } from './event-list.ts';
import {
  closeStore,
  explainSqlite,
  type OnStep,
  openReader,
  type Reader,
  StoreError,
} from './open.ts';
import { prepareUserReads } from './users.ts';

/** The digests of all events of each user, by the id of the user. */
export type UserDigests = Readonly<Record<string, string>>;

/** Returns one digest of the digests of all users: SHA-256, in hexadecimal digits. */
export function combineDigests(digests: UserDigests): string {
  // Members that are whole numbers are always in their order.
  return createHash('sha256').update(JSON.stringify(digests)).digest('hex');
}

/**
 * Computes the digest of all events in a database file; undefined in an older schema, whose events
 * may have other members. Throws a StoreError.
 */
export function readContentDigest(path: string, onStep?: OnStep): string | undefined {
  let db: Reader | undefined;
  try {
    db = openReader(path);
    const reader = db;
    const users = prepareUserReads(db).all();
    const digests = users.map(({ id }) => {
      onStep?.();
      return [id, digestOf(eachEvent(reader, id))] as const;
    });
    return combineDigests(Object.fromEntries(digests));
  } catch (error) {
    if (error instanceof StoreError && error.problem === 'older') return undefined;
    throw explainSqlite(error, path);
  } finally {
    if (db !== undefined) closeStore(db);
  }
}
