import { updateTotals } from './event-digest.ts';
import {
  applicationId,
  connection,
  explainSqlite,
  inTransaction,
  latestVersion,
  migrations,
  readSchemaVersion,
  type Writer,
} from './open.ts';
import { indexEvents } from './search.ts';

/** Runs the next migration. Returns false if the database is up to date. */
function migrateOnce(db: Writer, complete: (db: Writer) => void): boolean {
  return inTransaction(db, (sqlite) => {
    // Read inside the transaction: another program that starts at the same time may have run this
    // migration while this one waited for the lock.
    const version = readSchemaVersion(sqlite);
    const migration = migrations[version];
    if (migration === undefined) return false;
    sqlite.exec(migration);
    sqlite.pragma(`application_id = ${applicationId}`);
    sqlite.pragma(`user_version = ${version + 1}`);
    if (version + 1 === latestVersion) {
      indexEvents(sqlite);
      updateTotals(sqlite);
      complete(db);
    }
    return true;
  });
}

/** Returns true if a database has an older schema; false for an empty one. */
export function needsMigration(db: Writer): boolean {
  const version = readSchemaVersion(connection(db));
  return version > 0 && version < latestVersion;
}

/**
 * Migrates a database to the latest version, each migration in its own transaction; `complete` is
 * called in that of the last one. After a StoreError, the database has the version of the last
 * migration that succeeded.
 */
export function migrate(db: Writer, complete: (db: Writer) => void = () => undefined): void {
  const sqlite = connection(db);
  try {
    while (readSchemaVersion(sqlite) < latestVersion && migrateOnce(db, complete));
  } catch (error) {
    throw explainSqlite(error, sqlite.name);
  }
}
