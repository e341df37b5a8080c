import { readFileSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import pg from 'pg';
import { asUsage, commandProblem, fileError, Problem } from '../base/errors.ts';
import { isLoopback } from '../base/settings.ts';
import type { CommandCode, ProblemCode } from '../messages/message.ts';

/** A connection to a server of PostgreSQL. */
export type Connection = {
  readonly address: RecordServer;
  /** The server, as messages name it. */
  readonly server: string;
  /** True for a replica, which can only be read. */
  readonly isReplica: boolean;
  /** The number of the timeline: each promotion of a replica begins a new one. */
  readonly timeline: number;
  /** False for a connection to another machine without TLS. */
  readonly isPrivate: boolean;
  /** The major version of the server. */
  readonly version: number;
  /** Returns rows as objects. `limit` is in milliseconds. */
  query<Row extends object>(
    text: string,
    values?: readonly unknown[],
    limit?: number,
  ): Promise<Row[]>;
  /** Returns rows as lists of their columns. */
  queryLists<Row extends readonly unknown[]>(
    text: string,
    values?: readonly unknown[],
    limit?: number,
  ): Promise<Row[]>;
  /**
   * Runs several statements, which the server gets at once: it waits for nobody between them. Returns
   * the rows of the first one that has any.
   */
  run<Row extends object>(text: string, limit?: number): Promise<Row[]>;
  end(): Promise<void>;
  /** Ends the connection without a word to the server, which may not answer any more. */
  destroy(): void;
};

export type RecordServer = { readonly host: string; readonly port: number };

const defaultPort = 5432;

/** Variables of libpq that would change where or how to connect, and have no effect here. */
const unsupported = [
  'PGHOSTADDR',
  'PGSERVICE',
  'PGSSLCRL',
  'PGSSLCRLDIR',
  'PGREQUIREAUTH',
  'PGSSLNEGOTIATION',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

function settingError(name: string, value: string): Problem {
  return asUsage(commandProblem('hub_setting_invalid', { name, value }));
}

/**
 * Returns the servers that `PGHOST` and `PGPORT` list, as libpq does. Throws `hub_setting_invalid` and
 * `hub_setting_unsupported`.
 */
export function readServers(env: Environment = process.env): RecordServer[] {
  for (const name of unsupported) {
    if (env[name]) throw asUsage(commandProblem('hub_setting_unsupported', { name }));
  }
  const hosts = (env['PGHOST'] ?? '').split(',').map((host) => host.trim() || 'localhost');
  const text = env['PGPORT'] ?? '';
  const ports = text.split(',').map((part) => Number(part.trim() || defaultPort));
  const isPort = (port: number) => Number.isInteger(port) && port >= 1 && port <= 65_535;
  const fits = ports.length === 1 || ports.length === hosts.length;
  if (!fits || !ports.every(isPort)) throw settingError('PGPORT', text);
  return hosts.map((host, index) => ({ host, port: (ports[index] ?? ports[0]) as number }));
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof sslModes)[number];

/** Returns a file of the folder in which libpq looks by default. */
function defaultFile(name: string, env: Environment): string {
  const { APPDATA } = env;
  return process.platform === 'win32' && APPDATA
    ? join(APPDATA, 'postgresql', name)
    : join(homedir(), '.postgresql', name);
}

/** Reads a file that a variable names, or the default one if it is there. Throws a problem. */
function readNamed(name: string, file: string, env: Environment): string | undefined {
  const named = env[name];
  const path = named || defaultFile(file, env);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!named && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(error, path);
  }
}

/** Throws `hub_file_exposed` for a file with a secret that other accounts can read. */
function requireSecret(path: string): void {
  if (process.platform === 'win32') return;
  const { mode, uid } = statSync(path);
  // libpq lets the group read a key that belongs to root.
  const open = uid === 0 && process.getuid?.() !== 0 ? 0o037 : 0o077;
  if ((mode & open) !== 0) throw commandProblem('hub_file_exposed', { path });
}

/** A way to connect with TLS, or without. */
type Transport = ConnectionOptions | false;

/**
 * Returns the ways to connect that `PGSSLMODE` allows, in their order, as libpq does (PostgreSQL manual,
 * "SSL Support"). Throws a problem for a value that does not exist and for files that cannot be read.
 */
function listTransports({ host }: RecordServer, env: Environment): Transport[] {
  const text = env['PGSSLMODE'] || 'prefer';
  const mode = sslModes.find((known) => known === text);
  if (mode === undefined) throw settingError('PGSSLMODE', text);
  // Not over a socket of this machine.
  if (mode === 'disable' || host.startsWith('/')) return [false];
  const secure = readTls(host, mode, env);
  const both: Partial<Record<SslMode, Transport[]>> = {
    allow: [false, secure],
    prefer: [secure, false],
  };
  return both[mode] ?? [secure];
}

function readTls(host: string, mode: SslMode, env: Environment): ConnectionOptions {
  const isSystem = env['PGSSLROOTCERT'] === 'system';
  const ca = isSystem ? undefined : readNamed('PGSSLROOTCERT', 'root.crt', env);
  const isChecked = mode.startsWith('verify') || isSystem || ca !== undefined;
  if (mode.startsWith('verify') && ca === undefined && !isSystem)
    throw asUsage(commandProblem('hub_root_missing', { mode }));
  const cert = readNamed('PGSSLCERT', 'postgresql.crt', env);
  const key = cert === undefined ? undefined : readNamed('PGSSLKEY', 'postgresql.key', env);
  if (key !== undefined) requireSecret(env['PGSSLKEY'] || defaultFile('postgresql.key', env));
  const checksName = mode === 'verify-full' || isSystem;
  return {
    rejectUnauthorized: isChecked,
    checkServerIdentity: (_name, found) =>
      checksName ? checkServerIdentity(host, found) : undefined,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}

/** Splits a line of the password file; `\` takes the special meaning of a colon or backslash away. */
function fieldsOf(line: string): string[] {
  const fields = line.match(/(?:\\.|[^:\\])*(?::|$)/gs) ?? [];
  return fields.map((field) => field.replace(/:$/, '').replace(/\\(.)/gs, '$1'));
}

/**
 * Finds the password in `PGPASSWORD` or the password file (PostgreSQL manual, "The Password File"): lines
 * of host, port, database, user and password, of which `*` is any value. Throws `hub_password_missing`.
 */
export function findPassword(
  asked: { readonly host: string; readonly port: number; database: string; user: string },
  env: Environment = process.env,
): string {
  const { host, port, database, user } = asked;
  if (env['PGPASSWORD']) return env['PGPASSWORD'];
  const { PGPASSFILE, APPDATA } = env;
  const usual =
    process.platform === 'win32' && APPDATA
      ? join(APPDATA, 'postgresql', 'pgpass.conf')
      : join(homedir(), '.pgpass');
  const path = PGPASSFILE || usual;
  const missing = () =>
    commandProblem('hub_password_missing', { server: `${host}:${port}`, user, database, path });
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw missing();
    throw fileError(error, path);
  }
  requireSecret(path);
  // A socket of this machine has the name `localhost` in the file.
  const wanted = [host.startsWith('/') ? 'localhost' : host, `${port}`, database, user];
  const [, , , , password] =
    text
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map(fieldsOf)
      .find((fields) => wanted.every((value, at) => fields[at] === '*' || fields[at] === value)) ??
    [];
  if (password === undefined) throw missing();
  return password;
}

/** Limits in milliseconds. */
const limits = { connect: 3_000, query: 120_000, farewell: 1_000 } as const;

/** Reads all integers as numbers: ids are at most 2^53 - 1. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
}

// A replica knows its timeline by the last checkpoint or by what it has to replay at a start; the
// name of a file of the log is that of the present one, on a primary alone.
const stateQuery = `SELECT pg_is_in_recovery() AS "isReplica",
    current_setting('server_version_num')::integer / 10000 AS version,
    CASE WHEN pg_is_in_recovery()
      THEN greatest((SELECT timeline_id FROM pg_control_checkpoint()),
        (SELECT min_recovery_end_timeline FROM pg_control_recovery()))
      ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer
    END AS timeline`;

const oldestVersion = 16;

/** Returns true if a server refuses connections with TLS, or without it, for this account. */
function isTransportRefused(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  return error.code === 'hub_tls_missing' || (error.cause as { code?: string })?.code === '28000';
}

/** Connects to a server, with TLS as `PGSSLMODE` says. Throws a problem. */
export async function connectTo(
  server: RecordServer,
  env: Environment = process.env,
): Promise<Connection> {
  const [first = false, second] = listTransports(server, env);
  try {
    return await connectBy(server, first, env);
  } catch (error) {
    if (second === undefined || !isTransportRefused(error)) throw error;
    return await connectBy(server, second, env).catch(() => {
      // The first reason is the one to know.
      throw error;
    });
  }
}

async function connectBy(
  address: RecordServer,
  ssl: Transport,
  env: Environment,
): Promise<Connection> {
  const { host, port } = address;
  const server = `${host}:${port}`;
  const socket = new Socket();
  const client = new pg.Client({
    host,
    port,
    ssl,
    stream: () => socket,
    connectionTimeoutMillis: limits.connect,
    application_name: 'club-events',
    keepAlive: true,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    password: () =>
      findPassword({ host, port, database: client.database ?? '', user: client.user ?? '' }, env),
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
  async function ask<Row>(config: object, limit: number): Promise<Row[]> {
    const asked = { ...config, query_timeout: limit } as unknown as pg.QueryConfig;
    const answer = await explained<unknown>(client.query(asked));
    const results = (Array.isArray(answer) ? answer : [answer]) as { readonly rows: Row[] }[];
    return results.find(({ rows }) => rows.length > 0)?.rows ?? [];
  }
  const query: Connection['query'] = (text, values = [], limit = limits.query) =>
    ask({ text, values: [...values] }, limit);
  const connection = {
    server,
    query,
    queryLists: (text: string, values: readonly unknown[] = [], limit: number = limits.query) =>
      ask({ text, values: [...values], rowMode: 'array' }, limit),
    run: (text: string, limit: number = limits.query) => ask({ text }, limit),
    async end() {
      const timer = setTimeout(() => socket.destroy(), limits.farewell);
      await client.end().catch(() => undefined);
      clearTimeout(timer);
    },
    destroy: () => void socket.destroy(),
  } as Pick<Connection, 'server' | 'query' | 'queryLists' | 'run' | 'end' | 'destroy'>;
  try {
    await explained(client.connect());
    const [state] = await query<Pick<Connection, 'isReplica' | 'version' | 'timeline'>>(
      stateQuery,
      [],
      limits.connect,
    );
    const { isReplica, version, timeline } = state as typeof state & object;
    if (version < oldestVersion) throw commandProblem('hub_postgres_old', { server, version });
    const isPrivate = ssl !== false || host.startsWith('/') || isLoopback(host);
    return { ...connection, address, isReplica, version, timeline, isPrivate };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Codes of Node.js for a certificate that was not accepted, and for other failures of TLS. */
const tlsCode = /^(ERR_(SSL|TLS)_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_)/;

/** Codes of PostgreSQL (manual, appendix A) and what they mean here. */
const problemOfState: readonly (readonly [RegExp, ProblemCode | CommandCode])[] = [
  [/^(28|3D)/, 'hub_login_refused'],
  [/^(3F000|42P01|42703)$/, 'hub_not_initialised'],
  [/^42501$/, 'hub_forbidden'],
  [/^(22|23)/, 'hub_row_refused'],
  [/^(55P03|57014|25P0[34])$/, 'hub_busy'],
  [/^53100$/, 'hub_disk_full'],
  [/^53300$/, 'hub_connections_full'],
  [/^57P0/, 'hub_stopping'],
  [/^(08|E[A-Z]+$)/, 'hub_unreachable'],
];

/** Converts errors of PostgreSQL and of the network to problems. Returns other errors unchanged. */
function explainRecord(error: unknown, server: string): unknown {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof Problem)
    return error;
  const { code = '', constraint } = error as { code?: string; constraint?: string };
  const explained = (found: ProblemCode | CommandCode) =>
    new Problem(found, { server, reason: error.message || code }, error);
  if (constraint === 'clubs_name_key') return explained('hub_name_taken');
  if (/does not support SSL/.test(error.message)) return explained('hub_tls_missing');
  if (tlsCode.test(code)) return explained('hub_tls_refused');
  // `pg` has no code for a connection that ended or did not answer in time.
  const isCut = code === '' && /terminated|timeout|closed/i.test(error.message);
  const [, known = isCut ? 'hub_unreachable' : 'hub_failed'] =
    problemOfState.find(([states]) => states.test(code)) ?? [];
  return explained(known);
}
