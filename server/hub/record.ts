import pg from 'pg';
import { Problem, problem } from '../base/errors.ts';
import { migrations } from './schema.ts';

/** A connection to the record, and the server that answers. */
export type RecordConnection = {
  readonly server: string;
  /** True for a replica, which can only be read. */
  readonly isReplica: boolean;
  /** Returns rows as objects. `limit` is in milliseconds. */
  query<Row extends object>(
    text: string,
    values?: readonly unknown[],
    limit?: number,
  ): Promise<Row[]>;
  /** Returns rows as lists of their columns. */
  queryLists<Row extends readonly unknown[]>(text: string, values?: unknown[]): Promise<Row[]>;
  end(): Promise<void>;
};

type RecordServer = { readonly host: string | undefined; readonly port: number | undefined };

/**
 * Returns the servers that `PGHOST` and `PGPORT` list, as libpq does; `pg` knows one only. It reads the
 * other variables, such as `PGUSER`, `PGDATABASE`, `PGPASSFILE` and `PGSSLMODE`, itself.
 */
function readServers(env: NodeJS.ProcessEnv = process.env): RecordServer[] {
  const hosts = (env['PGHOST'] ?? '').split(',').map((host) => host.trim());
  const ports = (env['PGPORT'] ?? '').split(',').map(Number);
  return hosts.map((host, index) => ({
    host: host || undefined,
    port: ports[index] || ports[0] || undefined,
  }));
}

/** Times in milliseconds. A push that lost its connection must not keep the lock of the record. */
const limits = {
  connectionTimeoutMillis: 3_000,
  query_timeout: 120_000,
  lock_timeout: 30_000,
  idle_in_transaction_session_timeout: 60_000,
} as const;

/** Reads all integers as numbers: ids are at most 2^53 - 1. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
}

/** The `application_name` of nodes, by which `hub status` finds them without a table to write to. */
export const nodeName = {
  prefix: 'club-events node ',
  /** PostgreSQL keeps the first 63 bytes. */
  compose: (number: number | undefined, name: string): string =>
    `club-events node ${number ?? '-'} ${name}`.slice(0, 63),
  read(applicationName: string): { readonly name: string; readonly number: number | null } {
    const [, number, name = ''] = /^club-events node (\S+) (.*)$/.exec(applicationName) ?? [];
    return { name, number: Number.isNaN(Number(number)) ? null : Number(number) };
  },
};

async function connectTo({ host, port }: RecordServer): Promise<RecordConnection> {
  const server = `${host ?? 'localhost'}${port === undefined ? '' : `:${port}`}`;
  const client = new pg.Client({
    ...limits,
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    application_name: 'club-events',
    keepAlive: true,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  // An error between two queries is the reason for which the next one fails.
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost ??= error;
  });
  const explained = <Result>(work: Promise<Result>) =>
    work.catch((error) => {
      throw explainRecord(lost ?? error, server);
    });
  async function query<Row extends object>(
    text: string,
    values: readonly unknown[] = [],
    limit: number = limits.query_timeout,
  ) {
    const config = { text, values: [...values], query_timeout: limit };
    const { rows } = await explained(client.query<Row>(config));
    return rows;
  }
  try {
    await explained(client.connect());
    const [row] = await query<{ isReplica: boolean }>('SELECT pg_is_in_recovery() AS "isReplica"');
    return {
      server,
      isReplica: row?.isReplica === true,
      query,
      async queryLists(text, values = []) {
        const { rows } = await explained(client.query({ text, values, rowMode: 'array' }));
        return rows as never;
      },
      end: () => client.end().catch(() => undefined),
    };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Converts errors of PostgreSQL and of the network to problems. Returns other errors unchanged. */
function explainRecord(error: unknown, server: string): unknown {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof Problem)
    return error;
  const { code = '' } = error as { readonly code?: string };
  const values = { server, reason: error.message || code };
  if (code === '23505') return problem('hub_name_taken', values, error);
  if (code === '3F000' || code === '42P01') return problem('hub_not_initialised', values, error);
  if (code === '42501') return problem('hub_forbidden', values, error);
  if (/^(28|3D)/.test(code)) return problem('hub_login_refused', values, error);
  // Shut down, starting, too many connections, a lost connection or an unknown server; `pg` has no
  // code for a connection that ended.
  const isAway = /^(08|53|55P03|57|25P0|E[A-Z]+$)/.test(code) || code === '';
  return problem(isAway ? 'hub_unreachable' : 'hub_failed', values, error);
}

type ConnectOptions = {
  /** True to skip replicas. */
  readonly isWritable: boolean;
  /** The place in the list of the first server to try. */
  readonly first?: number;
};

/** Connects to the first server that answers. Throws the problem of the last one. */
export async function connectRecord({
  isWritable,
  first = 0,
}: ConnectOptions): Promise<RecordConnection> {
  const servers = readServers();
  let failure: unknown;
  for (const index of servers.keys()) {
    try {
      const connected = await connectTo(servers[(first + index) % servers.length] as RecordServer);
      if (!isWritable || !connected.isReplica) return connected;
      failure ??= problem('hub_read_only', { server: connected.server });
      await connected.end();
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Connects to every server; those that do not answer are left out. Throws if none answers. */
export async function connectAll(): Promise<RecordConnection[]> {
  const found = await Promise.allSettled(readServers().map(connectTo));
  const connected = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const [failed] = found.filter(({ status }) => status === 'rejected');
  if (connected.length === 0 && failed?.status === 'rejected') throw failed.reason;
  return connected;
}

/** Throws a problem if the record has another version of the schema than this program. */
export async function requireSchema(record: RecordConnection): Promise<void> {
  const [head] = await record.query<{ version: number }>('SELECT version FROM club_events.head');
  const version = head?.version ?? 0;
  const { server } = record;
  if (version > migrations.length) throw problem('hub_newer', { server });
  if (version < migrations.length) throw problem('hub_older', { server });
}

/** Runs `use` with a connection to the server that can be written. */
export async function withRecord<Result>(
  use: (record: RecordConnection) => Promise<Result>,
): Promise<Result> {
  const record = await connectRecord({ isWritable: true });
  try {
    await requireSchema(record);
    return await use(record);
  } finally {
    await record.end();
  }
}

/** The entry of a change in the log. */
type LogEntry = {
  /** Random, so that two changes with the same number can be told apart after a loss. */
  readonly id: string;
  readonly club: number;
  readonly kind: 'events' | 'club' | 'key';
  /** The revision of the club that a push of events made. */
  readonly revision?: number;
};

/** A change of the record, in a transaction that holds the lock of all changes. */
export type RecordChange = {
  readonly number: number;
  /** Writes the entry of the change; without one, nothing is committed. */
  log(entry: LogEntry): Promise<void>;
};

/**
 * Runs `work` in one transaction that first locks the row `head`, so that numbers have no gaps and are
 * in the order of commits. Commits if `work` has written the log, after `beforeCommit`.
 */
export async function inChange<Result>(
  record: RecordConnection,
  work: (change: RecordChange) => Promise<Result>,
  beforeCommit: (result: Result) => Promise<void> = async () => undefined,
): Promise<Result> {
  await record.query('BEGIN');
  let isLogged = false;
  try {
    const [head] = await record.query<{ number: number }>(
      'UPDATE club_events.head SET number = number + 1 RETURNING number',
    );
    const number = head?.number as number;
    const change: RecordChange = {
      number,
      async log({ id, club, kind, revision }) {
        await record.query(
          `INSERT INTO club_events.log (number, id, club, kind, revision)
            VALUES ($1, $2, $3, $4, $5)`,
          [number, id, club, kind, revision ?? null],
        );
        isLogged = true;
      },
    };
    const result = await work(change);
    if (isLogged) await beforeCommit(result);
    await record.query(isLogged ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (error) {
    // A lost connection has ended the transaction, or has committed it.
    await record.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
