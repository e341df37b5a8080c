import type Database from 'better-sqlite3';
import { connection, type Reader } from '../open.ts';

/** Returns a number that changes whenever another connection changes the database. */
export type Version = () => number;

/** Prepares a read of `PRAGMA data_version`, which queries SQLite at each call. */
export function readVersion(sqlite: Database.Database): Version {
  const statement = sqlite.prepare<[], number>('PRAGMA data_version').pluck();
  return () => statement.get() as number;
}

const versionsPerTick = new WeakMap<Database.Database, Version>();

/**
 * Reads `data_version` at most once per tick of the event loop, for all callers. A
 * request sent after a response is handled in a later tick, which reads the version again.
 */
export function versionPerTick(db: Reader): Version {
  const sqlite = connection(db);
  const existing = versionsPerTick.get(sqlite);
  if (existing !== undefined) return existing;
  const version = createVersionPerTick(readVersion(sqlite));
  versionsPerTick.set(sqlite, version);
  return version;
}

function createVersionPerTick(read: Version): Version {
  let cached: number | undefined;
  const clear = () => {
    cached = undefined;
  };
  return () => {
    if (cached === undefined) {
      cached = read();
      setImmediate(clear);
    }
    return cached;
  };
}
