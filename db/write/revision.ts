import type Database from 'better-sqlite3';
import { revisionOfAdded } from '../migrations/008-revisions.ts';

/**
 * The number of added events after which an import does without the trigger: the revision is
 * another one by then, and any trigger makes an INSERT half as slow again. Smaller imports keep it,
 * as without it all connections have to read the schema again.
 */
const enoughAdded = 1_000;

export type AddedRevision = {
  /** Call after each event that is added. */
  note(): void;
  /** Call before the transaction is committed; a rollback restores the trigger by itself. */
  finish(): void;
};

/** Raises the revision of a user's events for those that one transaction adds. */
export function prepareAddedRevision(sqlite: Database.Database): AddedRevision {
  let added = 0;
  return {
    note() {
      added += 1;
      if (added === enoughAdded) sqlite.exec('DROP TRIGGER revision_of_added');
    },
    finish() {
      if (added >= enoughAdded) sqlite.exec(revisionOfAdded);
    },
  };
}
