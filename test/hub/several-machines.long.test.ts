import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach } from 'vitest';
import { version } from '../../server/base/version.ts';
import type { Finished } from '../support/command.ts';
import { markOfRun } from '../support/guard-run.ts';
import { makeFolder, removeFolder } from '../support/home.ts';
import { requirePlace } from '../support/place.ts';
import { recordPassword } from '../support/postgres.ts';
import { type Lab, type Machine, openDocument, testRunbook } from '../support/runbook.ts';
import { makeServerDebs } from '../support/server-deb.ts';

// Each machine is a fresh Debian with processes and a network of its own; a bridge connects them. They
// have the names and addresses of the document.

const addresses: Readonly<Record<Machine, string>> = {
  db1: '10.0.0.1',
  db2: '10.0.0.2',
  node1: '10.0.0.11',
  node2: '10.0.0.12',
  proxy: '10.0.0.20',
  home1: '10.0.0.31',
  home2: '10.0.0.32',
};
const machines = Object.keys(addresses) as Machine[];
const unit = 'usr/lib/systemd/system/club-events-server.service';
const data = '/var/lib/club-events';
const account = ['setpriv', '--reuid=club-events', '--regid=club-events', '--init-groups'];
const season = join(import.meta.dirname, '../../server/import/examples/season.csv');
const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', TZ: 'UTC' };

const runHere = (program: string, ...args: readonly string[]) =>
  execFileSync(program, [...args], { stdio: 'pipe', encoding: 'utf8' });

/** Makes an authority, and certificates that it has signed. */
function makeCertificates(folder: string): (name: string, ...names: string[]) => void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const file = (name: string) => join(folder, name);
  const own = ['-keyout', file('ca.key'), '-out', file('ca.pem'), '-subj', '/CN=authority'];
  runHere('openssl', 'req', '-x509', ...key, ...own);
  return (name, ...names) => {
    const asked = ['-keyout', file(`${name}.key`), '-out', file(`${name}.csr`), '-subj', '/CN=x'];
    runHere('openssl', 'req', ...key, ...asked);
    writeFileSync(file('names'), `subjectAltName=${names.map((each) => `DNS:${each}`)}`);
    const signer = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial'];
    const signed = ['-extfile', file('names'), '-out', file(`${name}.crt`)];
    runHere('openssl', 'x509', '-req', '-in', file(`${name}.csr`), ...signer, ...signed);
  };
}

/** Makes the system that all machines have when they are new. */
async function makeSystem(folder: string): Promise<string> {
  const system = join(folder, 'debian');
  const include = '--include=postgresql,caddy,curl,sudo,adduser,init-system-helpers';
  const options = ['--variant=minbase', '--aptopt=Acquire::Check-Valid-Until "false"', include];
  // The oldest one with a PostgreSQL that a hub takes.
  runHere('mmdebstrap', ...options, 'trixie', system);
  const [deb = ''] = await makeServerDebs(folder, [version]);
  copyFileSync(deb, join(system, 'tmp/own.deb'));
  runHere('chroot', system, 'dpkg', '--install', '/tmp/own.deb');
  copyFileSync(season, join(system, 'srv/season.csv'));
  const hosts = machines.map((machine) => `${addresses[machine]} ${machine}\n`);
  const site = `${addresses.proxy} events.example.org\n`;
  writeFileSync(join(system, 'etc/hosts'), `127.0.0.1 localhost\n${hosts.join('')}${site}`);
  return system;
}

/** Starts a process with namespaces of its own, and waits until it has printed a line. */
async function startApart(options: readonly string[], script: string): Promise<ChildProcess> {
  const child = spawn('unshare', [...options, 'sh', '-ec', script], {
    env: { ...environment, ...markOfRun() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`It ended: ${script}`)));
  ended.catch(() => undefined);
  await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), ended]);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function openLab(): Promise<Lab> {
  const folder = makeFolder();
  const sign = makeCertificates(folder);
  sign('record', 'db1', 'db2');
  sign('site', 'events.example.org');
  const system = await makeSystem(folder);
  const [postgres = ''] = readdirSync(join(system, 'usr/lib/postgresql'));
  const bridge = 'ip link add br0 type bridge; ip link set br0 up; echo; exec sleep infinity';
  const network = await startApart(['--net'], bridge);
  const running = new Map<Machine, { child: ChildProcess; pid: string }>();
  let variables: string[] = [];
  let own = { access: '', settings: '' };

  const ip = (pid: string | number | undefined, ...args: readonly string[]) =>
    runHere('nsenter', `--net=/proc/${pid}/ns/net`, 'ip', ...args);
  const at = (machine: Machine, path: string) =>
    join(`/proc/${running.get(machine)?.pid}/root`, path);

  /** Starts a machine, which keeps its files until it is replaced. */
  async function boot(machine: Machine): Promise<void> {
    const [upper, work, root] = ['upper', 'work', 'root'].map((name) => {
      const path = join(folder, machine, name);
      mkdirSync(path, { recursive: true });
      return path;
    });
    const layers = `lowerdir=${system},upperdir=${upper},workdir=${work}`;
    const child = await startApart(
      ['--net', '--pid', '--uts', '--ipc', '--mount', '--fork', '--kill-child'],
      `mount -t overlay -o ${layers} overlay ${root}; mount -t proc proc ${root}/proc
      mount -t tmpfs -o mode=1777 tmpfs ${root}/dev/shm; hostname ${machine}; echo
      exec chroot ${root} sh -c 'sleep infinity & wait'`,
    );
    const pid = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
    running.set(machine, { child, pid });
    const cable = ['link', 'add', machine, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', pid];
    ip(network.pid, ...cable);
    ip(network.pid, 'link', 'set', machine, 'master', 'br0', 'up');
    ip(pid, 'address', 'add', `${addresses[machine]}/8`, 'dev', 'eth0');
    for (const device of ['eth0', 'lo']) ip(pid, 'link', 'set', device, 'up');
    copyFileSync(join(folder, 'ca.pem'), at(machine, 'etc/ssl/certs/events-authority.pem'));
    const certificate = 'cacert = "/etc/ssl/certs/events-authority.pem"\n';
    writeFileSync(at(machine, 'root/.curlrc'), certificate);
    const password = recordPassword.replaceAll(/[\\:]/g, '\\$&');
    for (const path of ['root/.pgpass', 'pgpass'])
      writeFileSync(at(machine, path), `*:*:*:*:${password}\n`, { mode: 0o600 });
    await must(machine, openDocument('server/service/on-a-server.md').take(/\.pgpass$/));
    await must(machine, 'install -o postgres -m 600 pgpass /var/lib/postgresql/.pgpass');
  }

  function enter(machine: Machine, args: readonly string[], env: readonly string[] = []) {
    const { pid } = running.get(machine) as { pid: string };
    const spaces = ['--net', '--pid', '--uts', '--ipc', '--mount', '--root', '--wd'];
    const all = ['--target', pid, ...spaces, '--', 'env', ...env, ...args];
    const child = spawn('nsenter', all, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    return { child, ended: once(child, 'close') as Promise<[status: number | null]> };
  }

  async function execute(
    machine: Machine,
    args: readonly string[],
    env?: readonly string[],
  ): Promise<Finished> {
    const { child, ended } = enter(machine, args, env);
    const [[status], stdout, stderr] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { status, stdout, stderr };
  }

  /** Runs a line of shell that must succeed. */
  async function must(machine: Machine, line: string, env?: readonly string[]): Promise<void> {
    const { status, stdout, stderr } = await execute(machine, ['sh', '-ec', line], env);
    if (status !== 0) throw new Error(`${machine}: ${line}\n${stdout}${stderr}`);
  }

  const clientOf = (machine: Machine) => [
    `CLUB_EVENTS_HOME=${data}`,
    ...variables,
    `PGUSER=${machine.startsWith('node') ? 'club_events_node' : 'club_events_push'}`,
  ];

  function start(machine: Machine, line: string) {
    const script = `echo $$ > /run/started; exec ${line}`;
    const { child, ended } = enter(machine, ['sh', '-ec', script], clientOf(machine));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        output += piece;
      });
    return {
      output: () => output,
      async stop() {
        await must(machine, 'kill $(cat /run/started)');
        const [status] = await ended;
        return status;
      },
    };
  }

  const control = (machine: Machine, action: string) =>
    must(machine, `pg_ctlcluster ${postgres} main ${action}`);

  function configure(machine: Machine): void {
    const settings = `etc/postgresql/${postgres}/main`;
    appendFileSync(at(machine, `${settings}/pg_hba.conf`), own.access);
    appendFileSync(at(machine, `${settings}/postgresql.conf`), own.settings);
  }

  for (const machine of machines) await boot(machine);

  return {
    fill: (code) =>
      code
        .replaceAll("'…'", `'${recordPassword}'`)
        .replace('events.example.org {', '$&\n\ttls /etc/caddy/site.crt /etc/caddy/site.key'),
    setVariables(lines) {
      variables = lines.trim().split('\n');
    },
    run: (machine, line) => execute(machine, ['sh', '-ec', line], clientOf(machine)),
    start,
    async createServer(machine, access, settings) {
      own = { access, settings };
      await must(machine, `pg_dropcluster --stop ${postgres} main`);
      await must(machine, `pg_createcluster ${postgres} main`);
      configure(machine);
      const folderOfData = `var/lib/postgresql/${postgres}/main`;
      for (const kind of ['crt', 'key'])
        copyFileSync(join(folder, `record.${kind}`), at(machine, `${folderOfData}/server.${kind}`));
      const files = `/${folderOfData}/server.*`;
      await must(machine, `chown postgres: ${files}; chmod 600 ${files}`);
      await control(machine, 'start');
    },
    async createReplica(command) {
      configure('db2');
      await must('db2', `rm -r /var/lib/postgresql/${postgres}/main`);
      await must('db2', `runuser --user postgres -- ${command}`, variables);
      await control('db2', 'start');
    },
    startServer: (machine) => control(machine, 'start'),
    stopServer: (machine) => control(machine, 'stop'),
    async query(machine, database, sql) {
      const psql = ['psql', '--set=ON_ERROR_STOP=1', `--dbname=${database}`, `--command=${sql}`];
      const ended = await execute(machine, ['runuser', '--user', 'postgres', '--', ...psql]);
      if (ended.status !== 0) throw new Error(`${sql}\n${ended.stderr}`);
    },
    async startNode(machine, settings) {
      if (running.has(machine)) await execute(machine, ['pkill', '--uid', 'club-events']);
      else await boot(machine);
      const options = settings.replaceAll(addresses.node1, addresses[machine]);
      const lines = [...options.trim().split('\n'), ...variables, 'PGUSER=club_events_node'];
      writeFileSync(at(machine, 'etc/default/club-events-server'), `${lines.join('\n')}\n`);
      const [, command] = /^ExecStart=(.*)$/m.exec(readFileSync(join(system, unit), 'utf8')) ?? [];
      const service = [...account, '--no-new-privs', 'sh', '-ec', `umask 077; exec ${command}`];
      const { child } = enter(machine, service, [...lines, `HOME=${data}`]);
      for (const stream of [child.stdout, child.stderr]) stream.resume();
    },
    async lose(machine) {
      const { child } = running.get(machine) as { child: ChildProcess };
      running.delete(machine);
      await end(child);
      removeFolder(join(folder, machine));
    },
    async startProxy(caddyfile) {
      for (const kind of ['crt', 'key'])
        copyFileSync(join(folder, `site.${kind}`), at('proxy', `etc/caddy/site.${kind}`));
      writeFileSync(at('proxy', 'etc/caddy/Caddyfile'), caddyfile);
      start('proxy', 'caddy run --config /etc/caddy/Caddyfile');
    },
    lacks: {},
    async close() {
      for (const { child } of running.values()) await end(child);
      await end(network);
      removeFolder(folder);
    },
  };
}

const needs = ['a fresh Debian', 'packages for Linux', 'networks of its own'] as const;
beforeEach((context) => requirePlace(context, ...needs));
testRunbook(needs, openLab);
