import { digestOf } from './event-hash.ts';
import { eachEvent } from './event-list.ts';
import { closeStore, explainSqlite, openReader, type Reader, StoreError } from './open.ts';
import { prepareUserReads } from './users.ts';

/** The digests of all events of each user, by the id of the user. */
export type UserDigests = Readonly<Record<string, string>>;

/**
 * Computes the digests of the events in a database file; undefined in an older schema, whose events
 * may have other members. Throws a StoreError.
 */
export function readUserDigests(path: string): UserDigests | undefined {
  let db: Reader | undefined;
  try {
    db = openReader(path);
    const reader = db;
    const users = prepareUserReads(db).all();
    return Object.fromEntries(users.map(({ id }) => [id, digestOf(eachEvent(reader, id))]));
  } catch (error) {
    if (error instanceof StoreError && error.problem === 'older') return undefined;
    throw explainSqlite(error, path);
  } finally {
    if (db !== undefined) closeStore(db);
  }
}
