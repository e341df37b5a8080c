import { randomBytes } from 'node:crypto';
import type { Problem } from '../base/errors.ts';
import { commandProblem, problem } from '../base/errors.ts';
import { type Connection, connectTo, type RecordServer, readServers } from './postgres.ts';
import { migrations } from './schema.ts';

/** The state of a node as its `application_name` tells it. */
type NodeName = {
  readonly name: string;
  /** The number of its last change; null before it is filled. */
  readonly number: number | null;
  /** The ids of clubs that it could not copy, as many as fit. */
  readonly stuck: readonly number[];
};

/** The `application_name` of nodes, by which `hub status` finds them without a table to write to. */
export const nodeName = {
  prefix: 'club-events node ',
  /** PostgreSQL keeps the first 63 bytes. */
  compose({ name, number, stuck }: NodeName): string {
    const marked = stuck.slice(0, 3).map((club) => `!${club}`);
    const start = [`club-events node ${number ?? '-'}`, ...marked].join(' ');
    return `${start} ${name}`.slice(0, 63);
  },
  read(applicationName: string): NodeName {
    const [, number, marks = '', name = ''] =
      /^club-events node (\S+)((?: !\d+)*) (.*)$/.exec(applicationName) ?? [];
    const stuck = (marks.match(/\d+/g) ?? []).map(Number);
    return { name, number: Number.isNaN(Number(number)) ? null : Number(number), stuck };
  },
};

/** The knowledge of a program about the record before it connects. */
export type KnownRecord = {
  /** The highest timeline that this data directory has met; a server with a lower one is refused. */
  readonly timeline: number;
  /** True if a person has said that the record may have a lower one, after a restore. */
  readonly isAccepted?: boolean;
};

/** An address of the record: its connection, or the reason for which there is none. */
export type AskedServer = {
  readonly server: string;
  readonly connection?: Connection;
  readonly failure?: unknown;
};

/** Connects to all addresses of the record. */
export async function connectAll(
  servers: readonly RecordServer[] = readServers(),
): Promise<AskedServer[]> {
  const asked = await Promise.allSettled(servers.map((server) => connectTo(server)));
  return asked.map((each, index) => {
    const { host, port } = servers[index] as RecordServer;
    const server = `${host}:${port}`;
    return each.status === 'fulfilled'
      ? { server, connection: each.value }
      : { server, failure: each.reason };
  });
}

const byTimeline = (one: Connection, other: Connection) => other.timeline - one.timeline;

/** Returns the writable server with the highest timeline: that of the last promotion. */
export function choosePrimary(asked: readonly AskedServer[]): Connection | undefined {
  const connected = asked.flatMap(({ connection }) => connection ?? []);
  return connected.filter(({ isReplica }) => !isReplica).toSorted(byTimeline)[0];
}

type RecordChoice = KnownRecord & {
  /** True to accept no replica. */
  readonly isWritable: boolean;
};

/**
 * Asks all addresses and connects to the record: the writable server with the highest timeline; if no
 * server can be written, a replica may do. Throws `hub_record_older` if that timeline is lower than the
 * known one, and otherwise the problem of the first server.
 */
export async function connectRecord(choice: RecordChoice): Promise<Connection> {
  const { isWritable, timeline: known, isAccepted = false } = choice;
  const asked = await connectAll();
  const connected = asked.flatMap(({ connection }) => connection ?? []);
  const primary = choosePrimary(asked);
  const found = primary ?? (isWritable ? undefined : connected.toSorted(byTimeline)[0]);
  for (const each of connected) if (each !== found) void each.end();
  if (found === undefined) {
    const [replica] = connected;
    if (replica !== undefined) throw problem('hub_read_only', { server: replica.server });
    throw asked[0]?.failure;
  }
  if (found.timeline < known && !isAccepted && !found.isReplica) {
    found.destroy();
    throw olderProblem(found, known);
  }
  return found;
}

/** Returns the problem of a server that is on an earlier timeline than one that was met before. */
export function olderProblem({ server, timeline }: Connection, known: number): Problem {
  return commandProblem('hub_record_older', { server, timeline, known });
}

/** Throws a problem if the record has another version of the schema than this program. */
export async function requireSchema(record: Connection): Promise<void> {
  const [head] = await record.query<{ version: number }>('SELECT version FROM club_events.head');
  const version = head?.version ?? 0;
  const { server } = record;
  if (version > migrations.length) throw problem('hub_newer', { server });
  if (version < migrations.length) throw problem('hub_older', { server });
}

/** Runs `use` with a connection to the server that can be written. */
export async function withRecord<Result>(
  known: KnownRecord,
  use: (record: Connection) => Promise<Result>,
): Promise<Result> {
  const record = await connectRecord({ ...known, isWritable: true });
  try {
    await requireSchema(record);
    return await use(record);
  } finally {
    await record.end();
  }
}

/** Milliseconds without contact from which a node is not ready, and a lag is one. */
export const staleAfter = 5_000;

/** Returns the id of a new change: random, so that two with the same number can be told apart after a loss. */
export const newChangeId = (): string => randomBytes(8).toString('hex');

/** The entry of a change in the log. */
export type LogEntry = {
  /** See `newChangeId`. */
  readonly id: string;
  readonly club: number;
  readonly kind: 'events' | 'club' | 'key';
  /** The revision of the club that a push of events made. */
  readonly revision?: number;
};

/**
 * Returns the statement that gives a change its number and writes the log. It locks the row `head`
 * until the commit, so that numbers have no gaps and are in the order of the commits. So it is the
 * last one of its transaction, and the server gets the commit with it: a program that stands still
 * cannot keep the lock of all changes.
 */
export function logStatement({ id, club, kind, revision }: LogEntry): string {
  const isSound = /^[0-9a-f]{16}$/.test(id) && [club, revision ?? 0].every(Number.isSafeInteger);
  if (!isSound) throw new TypeError('This is not the entry of a change.');
  return `WITH head AS (UPDATE club_events.head SET number = number + 1 RETURNING number)
    INSERT INTO club_events.log (number, id, club, kind, revision)
    SELECT number, '${id}', ${club}, '${kind}', ${revision ?? 'NULL'} FROM head
    RETURNING number`;
}

/** The limits of a change: a program that stands still must not keep the lock of its club either. */
const changeLimits = { lock_timeout: '10s', idle_in_transaction_session_timeout: '10s' } as const;

/** The limit of a whole change, for servers that know one (PostgreSQL 17). */
const wholeLimit = '300s';

/**
 * Runs `work` in a transaction, and commits it as one numbered change if `work` returns an entry of the
 * log. Nothing in `work` may lock the row `head`. Returns the number of the change.
 */
export async function inChange(
  record: Connection,
  work: () => Promise<LogEntry | undefined>,
): Promise<number | undefined> {
  const settings = Object.entries({
    ...changeLimits,
    ...(record.version >= 17 && { transaction_timeout: wholeLimit }),
  }).map(([name, value]) => `SET LOCAL ${name} = '${value}';`);
  try {
    // Local to the transaction: a pool of connections refuses settings of a session.
    await record.run(`BEGIN; ${settings.join(' ')}`);
    const entry = await work();
    if (entry === undefined) {
      await record.run('ROLLBACK');
      return undefined;
    }
    // What is checked late is checked before the lock.
    await record.run('SET CONSTRAINTS ALL IMMEDIATE');
    const [change] = await record.run<{ number: number }>(`${logStatement(entry)}; COMMIT`);
    return (change as typeof change & object).number;
  } catch (error) {
    // The server ends the transaction, or has committed it.
    record.destroy();
    throw error;
  }
}
