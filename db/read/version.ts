import type Database from 'better-sqlite3';
import { connection, type Reader } from '../open.ts';

/** A number that is another one after another connection has changed the database. */
export type Version = () => number;

/** Asks SQLite each time (`PRAGMA data_version`). */
export function readVersion(sqlite: Database.Database): Version {
  const statement = sqlite.prepare<[], number>('PRAGMA data_version').pluck();
  return () => statement.get() as number;
}

const versionsOfTurns = new WeakMap<Database.Database, Version>();

/**
 * Asks once in a turn of the event loop, for all who ask: what a later turn hears of was sent after
 * the answers of an earlier one, so that no request is answered by what was known before it began.
 */
export function versionOfTurn(db: Reader): Version {
  const sqlite = connection(db);
  const known = versionsOfTurns.get(sqlite);
  if (known !== undefined) return known;
  const version = createVersionOfTurn(readVersion(sqlite));
  versionsOfTurns.set(sqlite, version);
  return version;
}

function createVersionOfTurn(read: Version): Version {
  let known: number | undefined;
  const forget = () => {
    known = undefined;
  };
  return () => {
    if (known === undefined) {
      known = read();
      setImmediate(forget);
    }
    return known;
  };
}
