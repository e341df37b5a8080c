import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { findPageProblems } from './check.ts';
import { connect } from './connection.ts';
import { keyReads } from './keys.ts';
import type { Source } from './mirror-model.ts';
import type { Key } from './model.ts';
import {
  explainSqlite,
  latestVersion,
  readSchemaVersion,
  requireLogOfDatabase,
  StoreError,
} from './open.ts';

export const inspectionReads = {
  mirrors: `SELECT users.name AS user, known_zone(zone) AS zone, base_url AS url, paused IS NOT NULL AS isPaused, state
    FROM sources JOIN users ON users.id = user_id ORDER BY sources.id`,
  counts: `SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM events) AS events,
    (SELECT max(created_at) FROM batches) AS newestChange`,
  keyByDigest: `SELECT users.name AS user, known_zone(zone) AS zone, keys.expires_at AS expiresAt,
      keys.revoked_at AS revokedAt,
      EXISTS (SELECT 1 FROM events WHERE events.user_id = users.id) AS hasEvents
    FROM keys JOIN users ON users.id = keys.user_id WHERE digest = @digest LIMIT 1`,
  unknownZones: `SELECT name AS user, zone FROM users
    WHERE zone <> '' AND known_zone(zone) = '' ORDER BY id`,
} as const;

/** A stored key, also an expired or revoked one. */
type FoundKey = Pick<Key, 'user' | 'zone' | 'expiresAt' | 'revokedAt'> & {
  readonly hasEvents: 0 | 1;
};

/** A copy of an online service. */
type InspectedMirror = Pick<Source, 'problem' | 'question' | 'succeededAt'> & {
  readonly user: string;
  readonly zone: string;
  readonly url: string;
  readonly isPaused: 0 | 1;
};

/** The state of a database that can be opened. */
export type Inspection = {
  readonly users: number;
  readonly events: number;
  /** The time of the newest entry of the history; null if there is none. */
  readonly newestChange: string | null;
  readonly keys: readonly Key[];
  /** The key with the given digest. */
  readonly foundKey: FoundKey | undefined;
  readonly mirrors: readonly InspectedMirror[];
  /** The clubs whose time zone this machine does not know. */
  readonly unknownZones: readonly Pick<Key, 'user' | 'zone'>[];
  /** The first problem of the pages; undefined if there is none. */
  readonly damage: string | undefined;
};

/** Milliseconds to wait for a lock: a diagnosis is shown at once. */
const busyTimeoutMs = 500;

/**
 * Reads the state of a database without migrating or recovering it. Checks its pages, but not its
 * indexes. Throws a StoreError, as `openReader` does.
 */
export function inspectStore(path: string, digest?: Uint8Array): Inspection {
  if (!existsSync(path)) throw new StoreError('missing', path);
  let sqlite: Database.Database | undefined;
  try {
    const options = { readonly: true, fileMustExist: true, timeout: busyTimeoutMs };
    requireLogOfDatabase(path);
    sqlite = connect(path, options);
    if (readSchemaVersion(sqlite) < latestVersion) throw new StoreError('older', path);
    type Counts = Pick<Inspection, 'users' | 'events' | 'newestChange'>;
    const counts = sqlite.prepare<[], Counts>(inspectionReads.counts).get() as Counts;
    const keys = sqlite.prepare<[], Key>(keyReads.all).all();
    const findKey = sqlite.prepare<object, FoundKey>(inspectionReads.keyByDigest);
    const foundKey = digest && findKey.get({ digest });
    type MirrorRow = Pick<InspectedMirror, 'user' | 'zone' | 'url' | 'isPaused'> & {
      state: string;
    };
    const mirrors = sqlite
      .prepare<[], MirrorRow>(inspectionReads.mirrors)
      .all()
      .map(({ state, ...row }) => ({ ...(JSON.parse(state) as Source), ...row }));
    const unknownZones = sqlite
      .prepare<[], Pick<Key, 'user' | 'zone'>>(inspectionReads.unknownZones)
      .all();
    const [damage] = findPageProblems(sqlite, 'quick_check', 1);
    return { ...counts, keys, foundKey, mirrors, unknownZones, damage };
  } catch (error) {
    throw explainSqlite(error, path);
  } finally {
    sqlite?.close();
  }
}
