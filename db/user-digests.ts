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

/**
 * Computes the digests of the events in a database file; undefined in an older schema, whose events
 * may have other members. Throws a StoreError.
 */
export function readUserDigests(path: string, onStep?: OnStep): UserDigests | undefined {
  let db: Reader | undefined;
  try {
    db = openReader(path);
    const reader = db;
    const users = prepareUserReads(db).all();
    const digests = users.map(({ id }) => {
      onStep?.();
      return [id, digestOf(eachEvent(reader, id))] as const;
    });
    return Object.fromEntries(digests);
  } catch (error) {
    if (error instanceof StoreError && error.problem === 'older') return undefined;
    throw explainSqlite(error, path);
  } finally {
    if (db !== undefined) closeStore(db);
  }
}
