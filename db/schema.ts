import { createUsersKeysEvents } from './migrations/001-users-keys-events.ts';
import { createHistory } from './migrations/002-history.ts';
import { createSearch } from './migrations/003-search.ts';
import { createCounts } from './migrations/004-counts.ts';
import { createNewest } from './migrations/005-newest.ts';
import { createUidBase } from './migrations/006-uid-base.ts';
import { createSingleSearch } from './migrations/007-single-search.ts';
import { createRevisions } from './migrations/008-revisions.ts';

/** `PRAGMA application_id` of our files: "ClEv" in ASCII. */
export const applicationId = 0x436c4576;

/** Every migration, oldest first: the n-th (from 1) brings a database from version n-1 to n. */
export const migrations: readonly string[] = [
  createUsersKeysEvents,
  createHistory,
  createSearch,
  createCounts,
  createNewest,
  createUidBase,
  createSingleSearch,
  createRevisions,
];

/** `PRAGMA user_version` of a database that this program reads and writes. */
export const latestVersion = migrations.length;
