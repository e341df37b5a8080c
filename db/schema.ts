import { createUsersKeysEvents } from './migrations/001-users-keys-events.ts';
import { createHistory } from './migrations/002-history.ts';
import { createSearch } from './migrations/003-search.ts';
import { createCounts } from './migrations/004-counts.ts';
import { createNewest } from './migrations/005-newest.ts';
import { createUidBase } from './migrations/006-uid-base.ts';
import { createSingleSearch } from './migrations/007-single-search.ts';
import { createRevisions } from './migrations/008-revisions.ts';

/** `PRAGMA application_id` of Club Events databases: "ClEv" in ASCII. */
export const applicationId = 0x436c4576;

/** All migrations, oldest first; the n-th, counted from 1, migrates from version n-1 to n. */
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

/** `PRAGMA user_version` of a fully migrated database. */
export const latestVersion = migrations.length;
