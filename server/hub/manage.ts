import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { digestOfKey } from '../../db/keys.ts';
import { problem } from '../base/errors.ts';
import {
  type CreatedKey,
  CreateKey,
  makeKey,
  parseExpiry,
  RevokeKey,
  stateOfKey,
} from '../club/key-actions.ts';
import type { ActionTools } from '../club/tools.ts';
import { UserName } from '../club/user-actions.ts';
import {
  connectAll,
  connectRecord,
  inChange,
  nodeName,
  type RecordConnection,
  requireSchema,
  withRecord,
} from './record.ts';
import { migrations } from './schema.ts';

export const InitHub = z.strictObject({});

type InitReport = {
  readonly server: string;
  /** The versions of the schema before and after; 0 for none. */
  readonly before: number;
  readonly version: number;
};

/** Creates the schema of the record, or migrates it. */
export async function initHub(): Promise<InitReport> {
  const record = await connectRecord({ isWritable: true });
  const { server } = record;
  const version = migrations.length;
  try {
    await record.query(`BEGIN;
      SELECT pg_advisory_xact_lock(hashtext('club_events'));
      CREATE SCHEMA IF NOT EXISTS club_events;
      CREATE TABLE IF NOT EXISTS club_events.head (
        id integer PRIMARY KEY CHECK (id = 1), number bigint NOT NULL, version integer NOT NULL);
      INSERT INTO club_events.head VALUES (1, 0, 0) ON CONFLICT (id) DO NOTHING;`);
    const [head] = await record.query<{ version: number }>(
      'SELECT version FROM club_events.head FOR UPDATE',
    );
    const before = head?.version ?? 0;
    if (before > version) throw problem('hub_newer', { server });
    for (const migration of migrations.slice(before)) await record.query(migration);
    await record.query('UPDATE club_events.head SET version = $1', [version]);
    await record.query('COMMIT');
    return { server, before, version };
  } finally {
    await record.end();
  }
}

export const RemoveHubClub = z.strictObject({ user: UserName });

/** Removes a club from the record with all its events and keys. Its home keeps them. */
export function removeHubClub({
  user: name,
}: z.output<typeof RemoveHubClub>): Promise<{ name: string; events: number; keys: number }> {
  return withRecord((record) =>
    inChange(record, async ({ log }) => {
      const { id: club } = await requireClub(record, name);
      const [removed] = await record.query<{ events: number; keys: number }>(
        `WITH gone AS (DELETE FROM club_events.removed WHERE club = $1),
          events AS (DELETE FROM club_events.events WHERE club = $1 RETURNING id),
          keys AS (DELETE FROM club_events.keys WHERE club = $1 RETURNING id)
        SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM keys) AS keys`,
        [club],
      );
      await record.query('DELETE FROM club_events.clubs WHERE id = $1', [club]);
      await log({ id: newId(), club, kind: 'club' });
      return { name, events: 0, keys: 0, ...removed };
    }),
  );
}

export const CreateHubKey = CreateKey;

type Club = { readonly id: number; readonly name: string; readonly zone: string };

async function requireClub(record: RecordConnection, name: string): Promise<Club> {
  const [club] = await record.query<Club>(
    'SELECT id, name, zone FROM club_events.clubs WHERE name = $1',
    [name],
  );
  if (club === undefined) throw problem('hub_club_unknown', { user: name });
  return club;
}

const newId = () => randomBytes(8).toString('hex');

/** Creates a key in the record, which opens the events of a club on every node. */
export function createHubKey(
  { user, label: text, expires }: z.output<typeof CreateHubKey>,
  tools: ActionTools,
): Promise<CreatedKey> {
  const label = text ?? null;
  const now = tools.now();
  const createdAt = now.toISOString();
  const key = makeKey(tools.randomInt);
  return withRecord((record) =>
    inChange(record, async ({ number, log }) => {
      const { id: club, zone: timeZone } = await requireClub(record, user);
      const expiresAt = expires === undefined ? null : parseExpiry(expires, timeZone, now);
      await record.query(
        `INSERT INTO club_events.keys (digest, id, club, label, created_at, expires_at)
          VALUES ($1, $2, $3, $4, $5, $6)`,
        [digestOfKey(key), number, club, label, createdAt, expiresAt],
      );
      await log({ id: newId(), club, kind: 'key' });
      return { id: number, user, label, createdAt, expiresAt, timeZone, key };
    }),
  );
}

export const ListHubKeys = z.strictObject({ user: UserName.optional() });

type StoredKey = Omit<CreatedKey, 'key'> & { readonly revokedAt: string | null };
type ListedKey = StoredKey & { readonly state: ReturnType<typeof stateOfKey> };

/** Lists the keys of the record, or those of a club. */
export function listHubKeys(
  { user }: z.output<typeof ListHubKeys>,
  { now }: ActionTools,
): Promise<{ keys: ListedKey[] }> {
  const timestamp = now().toISOString();
  return withRecord(async (record) => {
    if (user !== undefined) await requireClub(record, user);
    const keys = await record.query<StoredKey>(
      `SELECT keys.id, clubs.name AS user, label, created_at AS "createdAt",
          expires_at AS "expiresAt", revoked_at AS "revokedAt", zone AS "timeZone"
        FROM club_events.keys JOIN club_events.clubs ON clubs.id = keys.club
        WHERE $1::text IS NULL OR clubs.name = $1 ORDER BY keys.id`,
      [user ?? null],
    );
    return { keys: keys.map((key) => ({ ...key, state: stateOfKey(key, timestamp) })) };
  });
}

export const RevokeHubKey = RevokeKey;

/** Revokes a key of the record; a key that is already revoked keeps its time of revocation. */
export function revokeHubKey(
  { id }: z.output<typeof RevokeHubKey>,
  tools: ActionTools,
): Promise<{ id: number; revoked: boolean }> {
  return withRecord((record) =>
    inChange(record, async ({ log }) => {
      const [key] = await record.query<{ club: number; revokedAt: string | null }>(
        'SELECT club, revoked_at AS "revokedAt" FROM club_events.keys WHERE id = $1',
        [id],
      );
      if (key === undefined) throw problem('hub_key_unknown', { id });
      if (key.revokedAt !== null) return { id, revoked: false };
      await record.query('UPDATE club_events.keys SET revoked_at = $2 WHERE id = $1', [
        id,
        tools.now().toISOString(),
      ]);
      await log({ id: newId(), club: key.club, kind: 'key' });
      return { id, revoked: true };
    }),
  );
}

export const ReadHub = z.strictObject({});

/** A server of the record: how many changes it has. */
type ServerState = {
  readonly server: string;
  readonly isReplica: boolean;
  readonly number: number;
};

/** A node that is connected. */
type ConnectedNode = {
  readonly name: string;
  readonly server: string;
  /** The number of the last change that it has; null while it is filled for the first time. */
  readonly number: number | null;
  /** Changes of the record that it lacks, and the age of the first of them in milliseconds. */
  readonly behind: number;
  readonly lagMs: number;
};

type HubStatus = {
  readonly servers: readonly ServerState[];
  readonly clubs: number;
  readonly events: number;
  readonly nodes: readonly ConnectedNode[];
};

/** Reads the state of the servers of the record, and of the nodes that are connected to them. */
export async function readHub(): Promise<HubStatus> {
  const records = await connectAll();
  try {
    const states = await Promise.all(records.map(readServer));
    const newest = states.toSorted((left, right) => right.number - left.number)[0];
    const servers = states.map(({ server, isReplica, number }) => ({ server, isReplica, number }));
    const nodes = await Promise.all(
      states.flatMap(({ server, nodes: names }) =>
        names.map((name) => readNode((newest as typeof newest & object).record, server, name)),
      ),
    );
    const { clubs = 0, events = 0 } = newest ?? {};
    return { servers, clubs, events, nodes };
  } finally {
    for (const record of records) await record.end();
  }
}

async function readServer(record: RecordConnection) {
  await requireSchema(record);
  const { server, isReplica } = record;
  const [totals] = await record.query<{ number: number; clubs: number; events: number }>(
    `SELECT number, (SELECT count(*) FROM club_events.clubs) AS clubs,
        (SELECT coalesce(sum(event_count), 0)::bigint FROM club_events.clubs) AS events
      FROM club_events.head`,
  );
  const nodes = await record.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND starts_with(application_name, $1)
      ORDER BY application_name`,
    [nodeName.prefix],
  );
  const { number = 0, clubs = 0, events = 0 } = totals ?? {};
  return { record, server, isReplica, number, clubs, events, nodes: nodes.map(({ name }) => name) };
}

async function readNode(
  record: RecordConnection,
  server: string,
  applicationName: string,
): Promise<ConnectedNode> {
  const { name, number } = nodeName.read(applicationName);
  const [lag] = await record.query<{ behind: number; lagMs: number }>(
    `SELECT count(*) AS behind,
        coalesce(extract(epoch FROM clock_timestamp() - min(time)) * 1000, 0)::bigint AS "lagMs"
      FROM club_events.log WHERE number > $1`,
    [number ?? 0],
  );
  return { name, server, number, behind: lag?.behind ?? 0, lagMs: lag?.lagMs ?? 0 };
}
