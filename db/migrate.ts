import { connection, inTransaction, requireOurs, type Writer } from './open.ts';
import { explainSqlite } from './problem.ts';
import { applicationId, latestVersion, migrations } from './schema.ts';
import { indexEvents } from './search.ts';

/** Runs the next migration, if there is one; false when the database is up to date. */
function migrateOnce(db: Writer): boolean {
  return inTransaction(db, (sqlite) => {
    // Read inside the transaction: of two programs that start at once, the second waits for the
    // first and must then find the work done.
    const { version } = requireOurs(sqlite);
    const migration = migrations[version];
    if (migration === undefined) return false;
    sqlite.exec(migration);
    sqlite.pragma(`application_id = ${applicationId}`);
    sqlite.pragma(`user_version = ${version + 1}`);
    if (version + 1 === latestVersion) indexEvents(sqlite);
    return true;
  });
}

/**
 * Brings a database up to date, one transaction a migration; writes nothing when it is. Throws a
 * StoreError, after which the database is at the last version that was reached whole.
 */
export function migrate(db: Writer): void {
  const sqlite = connection(db);
  try {
    while (requireOurs(sqlite).version < latestVersion && migrateOnce(db));
  } catch (error) {
    throw explainSqlite(error, sqlite.name);
  }
}
