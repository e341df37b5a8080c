import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { beforeEach } from 'vitest';
import { installCommand } from '../support/command.ts';
import { markOfRun } from '../support/guard-run.ts';
import { makeFolder, removeFolder } from '../support/home.ts';
import { lacking, requirePlace } from '../support/place.ts';
import { findFreePort } from '../support/port.ts';
import { createPostgres, type Postgres, recordPassword } from '../support/postgres.ts';
import { type Lab, type Machine, testRunbook } from '../support/runbook.ts';
import { certificatePath } from '../support/upstream.ts';

// The machines are processes on 127.0.0.1, each with a folder as its home and with ports of its own.

const season = join(import.meta.dirname, '../../server/import/examples/season.csv');

/** Returns the reason for which the programs of PostgreSQL do not fit a server. */
function findReason(version: number): string | undefined {
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  const found = Number(/\) (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
  return found >= version
    ? undefined
    : `needs pg_dump and pg_restore of PostgreSQL ${version}; ${found === 0 ? 'there are none' : `those of ${found} refuse it`}`;
}

async function openLab(): Promise<Lab> {
  const folder = makeFolder();
  const path = `${dirname(installCommand(folder))}:${process.env['PATH']}`;
  const first = await findFreePort(7);
  const ports = Object.fromEntries(
    ['node1', 'node2', 'proxy', 'db1', 'db2'].map((name, index) => [name, first + index]),
  ) as Record<Machine, number>;
  const metrics = { node1: first + 5, node2: first + 6 } as Record<string, number>;
  const servers = new Map<Machine, Postgres>();
  const services = new Map<Machine, { stop(): Promise<number | null> }>();
  const removed: Postgres[] = [];
  let variables: Record<string, string> = {};
  let lastSettings = '';
  const portOf = (machine: Machine) => servers.get(machine)?.port ?? ports[machine];
  const homeOf = (machine: Machine) => join(folder, machine);
  const serverOf = (machine: Machine) => servers.get(machine) as Postgres;

  function fill(code: string): string {
    const certificate = `tls ${certificatePath('valid')} ${certificatePath('key')}`;
    return [
      ["'…'", `'${recordPassword}'`],
      ["listen_addresses = '*'", "listen_addresses = '127.0.0.1'"],
      ['10.0.0.0/8', '127.0.0.0/8'],
      ['10.0.0.11:28470', `127.0.0.1:${ports.node1}`],
      ['10.0.0.11:9100', `127.0.0.1:${metrics['node1']}`],
      ['node1:28470', `127.0.0.1:${ports.node1}`],
      ['node2:28470', `127.0.0.1:${ports.node2}`],
      ['PGHOST=db1,db2', 'PGHOST=127.0.0.1'],
      ['/etc/ssl/certs/events-authority.pem', certificatePath('authority')],
      ['/srv/season.csv', season],
      ['https://events.example.org', `https://club.test:${ports.proxy}`],
      ['events.example.org {', `club.test:${ports.proxy} {\n\t${certificate}`],
    ].reduce((filled, [own = '', other = '']) => filled.replaceAll(own, other), code);
  }

  function environment(machine: Machine): Record<string, string> {
    return {
      ...{ PATH: path, HOME: homeOf(machine), TZ: 'UTC', ...markOfRun() },
      CLUB_EVENTS_HOME: join(homeOf(machine), 'data'),
      ...variables,
      PGPORT: `${portOf('db1')},${portOf('db2')}`,
      PGUSER: machine.startsWith('node') ? 'club_events_node' : 'club_events_push',
    };
  }

  function spawnShell(machine: Machine, line: string): ChildProcess {
    const options = { cwd: homeOf(machine), env: environment(machine), detached: true } as const;
    return spawn('sh', ['-ec', line], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  function start(machine: Machine, line: string) {
    // The shell becomes the program, which gets the signal.
    const shell = spawnShell(machine, `exec ${line}`);
    const ended = once(shell, 'exit');
    let output = '';
    for (const stream of [shell.stdout, shell.stderr])
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        output += piece;
      });
    const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
      if (shell.exitCode === null && shell.signalCode === null) shell.kill(signal);
      const [status] = await ended;
      return status as number | null;
    };
    return { output: () => output, stop };
  }

  async function replaceService(machine: Machine, line: string): Promise<void> {
    await services.get(machine)?.stop();
    services.set(machine, start(machine, line));
  }

  const certificates = 'resolve = "club.test:PORT:127.0.0.1"\ncacert = "AUTHORITY"\n'
    .replace('PORT', `${ports.proxy}`)
    .replace('AUTHORITY', certificatePath('authority'));
  for (const machine of ['node1', 'node2', 'proxy', 'home1', 'home2'] as const) {
    mkdirSync(homeOf(machine));
    writeFileSync(join(homeOf(machine), '.curlrc'), certificates);
  }

  return {
    fill,
    setVariables(lines) {
      variables = Object.fromEntries(
        lines
          .trim()
          .split('\n')
          .map((line) => line.split('=', 2)),
      );
      variables['PGHOST'] = '127.0.0.1,127.0.0.1';
    },
    async run(machine, line) {
      const shell = spawnShell(machine, line);
      const [ended, stdout, stderr] = await Promise.all([
        once(shell, 'close'),
        text(shell.stdout as NonNullable<ChildProcess['stdout']>),
        text(shell.stderr as NonNullable<ChildProcess['stderr']>),
      ]);
      return { status: ended[0] as number | null, stdout, stderr };
    },
    start,
    async createServer(machine, access, settings) {
      const former = servers.get(machine);
      if (former !== undefined) removed.push(former);
      const server = await createPostgres();
      servers.set(machine, server);
      lastSettings = settings;
      const own = 'host all,replication postgres 127.0.0.1/32 scram-sha-256\n';
      writeFileSync(join(server.data, 'pg_hba.conf'), `${own}${access}`);
      appendFileSync(join(server.data, 'postgresql.conf'), settings);
      await server.start();
      for (const each of ['node1', 'node2', 'home1', 'home2'] as const)
        copyFileSync(server.env['PGPASSFILE'] ?? '', join(homeOf(each), '.pgpass'));
    },
    async createReplica() {
      // The PostgreSQL of npm has no pg_basebackup.
      const primary = serverOf('db1');
      await primary.stop();
      const root = certificatePath('authority');
      const password = recordPassword.replaceAll('\\', '\\\\\\\\');
      const source = `host=127.0.0.1 port=${primary.port} user=replica password=''${password}'' sslmode=verify-full sslrootcert=${root}`;
      const replica = await primary.createReplica(`${lastSettings}primary_conninfo = '${source}'`);
      servers.set('db2', replica);
      await primary.start();
      await replica.start();
    },
    startServer: (machine) => serverOf(machine).start(),
    stopServer: (machine) => serverOf(machine).stop(),
    query: (machine, database, sql) => serverOf(machine).inDatabase(database).query(sql),
    async startNode(machine, settings) {
      const options = settings
        .replace('OPTIONS=', '')
        .replace('--host 10.0.0.11', `--host 127.0.0.1 --port ${ports[machine]}`)
        .replace('10.0.0.11:9100', `127.0.0.1:${metrics[machine]}`);
      await replaceService(machine, `club-events serve ${fill(options)}`);
    },
    async lose(machine) {
      await (services.get(machine) as ReturnType<typeof start>).stop('SIGKILL');
      rmSync(join(homeOf(machine), 'data'), { recursive: true });
    },
    async startProxy(caddyfile) {
      const file = join(homeOf('proxy'), 'Caddyfile');
      writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${caddyfile}`);
      await replaceService('proxy', `caddy run --adapter caddyfile --config ${file}`);
    },
    lacks: { programs: findReason(18), caddy: lacking('Caddy') },
    async close() {
      for (const service of services.values()) await service.stop();
      for (const server of [...removed, ...servers.values()]) await server.remove();
      removeFolder(folder);
    },
  };
}

const needs = ['a PostgreSQL', 'a Unix shell', 'signals', 'curl'] as const;
beforeEach((context) => requirePlace(context, ...needs));
testRunbook(needs, openLab);
