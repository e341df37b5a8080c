import { existsSync } from 'node:fs';
import { z } from 'zod';
import { readPushTimeline } from '../../db/hub.ts';
import { digestOfKey } from '../../db/keys.ts';
import { commandProblem, explain, packProblem, problem } from '../base/errors.ts';
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
import type { PackedProblem } from '../messages/message.ts';
import { withReader } from '../store/store.ts';
import type { Connection } from './postgres.ts';
import { warnOfClearText } from './push.ts';
import {
  type AskedServer,
  choosePrimary,
  connectAll,
  connectRecord,
  inChange,
  type KnownRecord,
  newChangeId,
  nodeName,
  requireSchema,
  staleAfter,
  withRecord,
} from './record.ts';
import { migrations } from './schema.ts';

/** Returns what this home knows of the record, by its pushes. */
async function knownTo({ home }: ActionTools): Promise<KnownRecord> {
  if (!existsSync(home.database)) return { timeline: 0 };
  return { timeline: await withReader(home, readPushTimeline) };
}

/** Runs `use` with a connection to the record. */
async function withKnownRecord<Result>(
  tools: ActionTools,
  use: (record: Connection) => Promise<Result>,
): Promise<Result> {
  return await withRecord(await knownTo(tools), (record) => {
    warnOfClearText(record, tools.warn);
    return use(record);
  });
}

export const InitHub = z.strictObject({});

type InitReport = {
  readonly server: string;
  /** The versions of the schema before and after; 0 for none. */
  readonly before: number;
  readonly version: number;
};

/** Creates the schema of the record, or migrates it. */
export async function initHub(_: unknown, tools: ActionTools): Promise<InitReport> {
  const record = await connectRecord({ ...(await knownTo(tools)), isWritable: true });
  const { server } = record;
  const version = migrations.length;
  try {
    // The lock of all changes, which a node cannot take.
    const [head] = await record.run<{ version: number }>(`BEGIN;
      SET LOCAL lock_timeout = '30s';
      CREATE SCHEMA IF NOT EXISTS club_events;
      CREATE TABLE IF NOT EXISTS club_events.head (
        id integer PRIMARY KEY CHECK (id = 1), number bigint NOT NULL, version integer NOT NULL);
      INSERT INTO club_events.head VALUES (1, 0, 0) ON CONFLICT (id) DO NOTHING;
      SELECT version FROM club_events.head FOR UPDATE`);
    const before = head?.version ?? 0;
    if (before > version) throw problem('hub_newer', { server });
    for (const migration of migrations.slice(before)) await record.run(migration);
    await record.query('UPDATE club_events.head SET version = $1', [version]);
    await record.run('COMMIT');
    return { server, before, version };
  } finally {
    await record.end();
  }
}

export const RemoveHubClub = z.strictObject({
  user: UserName,
  /** True if a person knows what is lost. */
  confirm: z.boolean().default(false),
});

/**
 * Removes a club from the record with all its events and keys. Its home keeps its events. Throws
 * `hub_remove_unconfirmed`, with the counts, until a person confirms it.
 */
export function removeHubClub(
  { user: name, confirm }: z.output<typeof RemoveHubClub>,
  tools: ActionTools,
): Promise<{ name: string; events: number; keys: number }> {
  return withKnownRecord(tools, async (record) => {
    let removed = { events: 0, keys: 0 };
    await inChange(record, async () => {
      const { id: club } = await requireClub(record, name);
      const [counts] = await record.query<typeof removed>(
        `WITH gone AS (DELETE FROM club_events.removed WHERE club = $1),
          events AS (DELETE FROM club_events.events WHERE club = $1 RETURNING id),
          keys AS (DELETE FROM club_events.keys WHERE club = $1 RETURNING id)
        SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM keys) AS keys`,
        [club],
      );
      const { events = 0, keys = 0 } = counts ?? {};
      removed = { events, keys };
      // The connection ends, and with it the transaction.
      if (!confirm) throw commandProblem('hub_remove_unconfirmed', { user: name, events, keys });
      await record.query('DELETE FROM club_events.clubs WHERE id = $1', [club]);
      return { id: newChangeId(), club, kind: 'club' };
    });
    return { name, ...removed };
  });
}

export const CreateHubKey = CreateKey;

type Club = { readonly id: number; readonly name: string; readonly zone: string };

async function requireClub(record: Connection, name: string): Promise<Club> {
  const [club] = await record.query<Club>(
    'SELECT id, name, zone FROM club_events.clubs WHERE name = $1',
    [name],
  );
  if (club === undefined) throw problem('hub_club_unknown', { user: name });
  return club;
}

/** Creates a key in the record, which opens the events of a club on every node. */
export function createHubKey(
  { user, label: text, expires }: z.output<typeof CreateHubKey>,
  tools: ActionTools,
): Promise<CreatedKey> {
  const label = text ?? null;
  const now = tools.now();
  const createdAt = now.toISOString();
  const key = makeKey(tools.randomInt);
  return withKnownRecord(tools, async (record) => {
    const { id: club, zone: timeZone } = await requireClub(record, user);
    const expiresAt = expires === undefined ? null : parseExpiry(expires, timeZone, now);
    const [created] = await record.query<{ id: number }>(
      `WITH key AS (
          INSERT INTO club_events.keys (digest, club, label, created_at, expires_at)
          VALUES ($1, $2, $3, $4, $5) RETURNING id
        ), head AS (UPDATE club_events.head SET number = number + 1 RETURNING number)
        INSERT INTO club_events.log (number, id, club, kind) SELECT number, $6, $2, 'key' FROM head
        RETURNING (SELECT id FROM key) AS id`,
      [digestOfKey(key), club, label, createdAt, expiresAt, newChangeId()],
    );
    const { id } = created as typeof created & object;
    return { id, user, label, createdAt, expiresAt, timeZone, key };
  });
}

export const ListHubKeys = z.strictObject({ user: UserName.optional() });

type StoredKey = Omit<CreatedKey, 'key'> & { readonly revokedAt: string | null };
type ListedKey = StoredKey & { readonly state: ReturnType<typeof stateOfKey> };

/** Lists the keys of the record, or those of a club. */
export function listHubKeys(
  { user }: z.output<typeof ListHubKeys>,
  tools: ActionTools,
): Promise<{ keys: ListedKey[] }> {
  const timestamp = tools.now().toISOString();
  return withKnownRecord(tools, async (record) => {
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
  return withKnownRecord(tools, async (record) => {
    const keys = await record.query('SELECT FROM club_events.keys WHERE id = $1', [id]);
    if (keys.length === 0) throw problem('hub_key_unknown', { id });
    // One statement, which waits for nobody but other changes.
    const changes = await record.query(
      `WITH key AS (
          UPDATE club_events.keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL
          RETURNING club
        ), head AS (
          UPDATE club_events.head SET number = number + 1 WHERE EXISTS (SELECT FROM key)
          RETURNING number
        )
        INSERT INTO club_events.log (number, id, club, kind)
        SELECT number, $3, club, 'key' FROM head, key RETURNING number`,
      [id, tools.now().toISOString(), newChangeId()],
    );
    return { id, revoked: changes.length > 0 };
  });
}

export const ReadHub = z.strictObject({});

/**
 * The role of an address: the record itself, a replica, a primary that was replaced (so keys
 * that were revoked meanwhile are valid there), or nothing that answers.
 */
type ServerRole = 'record' | 'replica' | 'former' | 'away';

type ServerState = {
  readonly server: string;
  readonly role: ServerRole;
  /** The number of its last change, and its timeline; null if it does not answer. */
  readonly number: number | null;
  readonly timeline: number | null;
  /** The age in milliseconds of the first change that a replica lacks. */
  readonly lagMs: number;
  readonly error?: PackedProblem;
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
  /** The clubs that it could not copy. */
  readonly stuck: readonly string[];
};

export type HubStatus = {
  readonly servers: readonly ServerState[];
  readonly clubs: number;
  readonly events: number;
  readonly nodes: readonly ConnectedNode[];
  /** True if every server answers, one is the record, and nothing lags or is stuck. */
  readonly isInOrder: boolean;
};

/** Reads the state of the servers of the record, and of the nodes that are connected to them. */
export async function readHub(_: unknown, tools: ActionTools): Promise<HubStatus> {
  const { timeline: known } = await knownTo(tools);
  const asked = await connectAll();
  const connected = asked.flatMap(({ connection }) => connection ?? []);
  try {
    const primary = choosePrimary(asked);
    const source = primary ?? connected[0];
    if (source === undefined) throw asked[0]?.failure;
    warnOfClearText(source, tools.warn);
    await requireSchema(source);
    const servers: ServerState[] = [];
    const nodes: ConnectedNode[] = [];
    for (const each of asked) {
      servers.push(await readServer(each, source, primary, known));
      if (each.connection === undefined) continue;
      for (const name of await listNodes(each.connection))
        nodes.push(await readNode(source, each.server, name));
    }
    const [totals] = await source.query<{ clubs: number; events: number }>(
      `SELECT count(*) AS clubs, coalesce(sum(event_count), 0)::bigint AS events
        FROM club_events.clubs`,
    );
    const isInOrder =
      servers.filter(({ role }) => role === 'record').length === 1 &&
      servers.every(
        ({ role, lagMs }) => !['former', 'away'].includes(role) && lagMs <= staleAfter,
      ) &&
      nodes.every(({ lagMs, stuck }) => lagMs <= staleAfter && stuck.length === 0);
    return { servers, clubs: 0, events: 0, ...totals, nodes, isInOrder };
  } finally {
    for (const record of connected) await record.end();
  }
}

async function readServer(
  { server, connection, failure }: AskedServer,
  source: Connection,
  primary: Connection | undefined,
  known: number,
): Promise<ServerState> {
  if (connection === undefined) {
    const error = explain(failure) ?? commandProblem('internal', { reason: String(failure) });
    const away = { role: 'away', number: null, timeline: null, lagMs: 0 } as const;
    return { server, ...away, error: packProblem(error) };
  }
  const [head] = await connection.query<{ number: number }>('SELECT number FROM club_events.head');
  const number = head?.number ?? 0;
  const { isReplica, timeline } = connection;
  const isRecord = connection === primary && timeline >= known;
  const role = isReplica ? 'replica' : isRecord ? 'record' : 'former';
  const { lagMs } = isReplica ? await readLag(source, number) : { lagMs: 0 };
  return { server, role, number, timeline, lagMs };
}

async function listNodes(connection: Connection): Promise<string[]> {
  const nodes = await connection.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND starts_with(application_name, $1)
      ORDER BY application_name`,
    [nodeName.prefix],
  );
  return nodes.map(({ name }) => name);
}

/** Reads how many changes follow a number, and the age of the first of them. */
async function readLag(
  record: Connection,
  number: number,
): Promise<{ readonly behind: number; readonly lagMs: number }> {
  const [lag] = await record.query<{ behind: number; lagMs: number }>(
    `SELECT count(*) AS behind,
        coalesce(extract(epoch FROM clock_timestamp() - min(time)) * 1000, 0)::bigint AS "lagMs"
      FROM club_events.log WHERE number > $1`,
    [number],
  );
  return { behind: 0, lagMs: 0, ...lag };
}

async function readNode(
  record: Connection,
  server: string,
  applicationName: string,
): Promise<ConnectedNode> {
  const { name, number, stuck: ids } = nodeName.read(applicationName);
  const clubs = await record.query<{ name: string }>(
    'SELECT name FROM club_events.clubs WHERE id = ANY ($1) ORDER BY name',
    [ids],
  );
  const stuck = clubs.map((club) => club.name);
  return { name, server, number, stuck, ...(await readLag(record, number ?? 0)) };
}
