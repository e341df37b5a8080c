import type Database from 'better-sqlite3';
import { prepareLazily } from './lazily.ts';

export const revisionReads = {
  revision: `SELECT epoch || '.' || ifnull((SELECT revision FROM users WHERE id = +@userId), 0)
    FROM revision_epoch WHERE id = 1 LIMIT 1`,
} as const;

/**
 * Prepares the read of the revision of a user's events, which changes with every change of them.
 * Read it in the transaction that reads the events.
 */
export function prepareRevision(sqlite: Database.Database): (userId: number) => string {
  const prepare = prepareLazily(sqlite);
  return (userId) => prepare<string>(revisionReads.revision).pluck().get({ userId }) as string;
}
