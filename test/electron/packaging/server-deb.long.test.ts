import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { version } from '../../../server/base/version.ts';
import { readHomeAnswers, unpackHome } from '../../db/homes.ts';
import { makeFolder, removeFolder } from '../../support/home.ts';
import { lacking, requirePlace } from '../../support/place.ts';
import { makeServerDebs } from '../../support/server-deb.ts';

// The deb without the window in a fresh Debian without systemd: the tests follow one another.

const root = join(import.meta.dirname, '../../..');
const folder = makeFolder();
const debian = join(folder, 'debian');
const inDebian = (path: string) => join(debian, path);
const data = '/var/lib/club-events';
afterAll(() => removeFolder(folder));
const needs = ['a fresh Debian', 'packages for Linux'] as const;
const isLacking = needs.some((need) => lacking(need) !== undefined);

const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', TERM: 'dumb' };

/** Runs a program in the Debian as root, and returns its output. */
function run(...args: readonly string[]): string {
  return execFileSync('chroot', [debian, ...args], {
    encoding: 'utf8',
    env: environment,
    stdio: 'pipe',
  });
}

/** Runs a line of shell in the Debian; returns both outputs, and the status at their end. */
const shell = (line: string) => run('sh', '-c', `exec 2>&1; ${line}; echo "status $?"`);

const install = (deb: string) => run('dpkg', '--install', `/tmp/${deb}.deb`);
const listClubs = () => JSON.parse(run('club-events-server', 'user', 'list', '--json'));

/** Lists what belongs to another account than that of the service. */
const strangers = () => run('find', data, '-not', '-user', 'club-events');

/** Starts the command of the unit as its account, and returns the first line that it prints. */
async function startUnit(options: string) {
  const unit = readFileSync(inDebian('usr/lib/systemd/system/club-events-server.service'), 'utf8');
  const readUnit = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  const account = readUnit('User');
  const script = `umask ${readUnit('UMask')}; OPTIONS='${options}'; exec ${readUnit('ExecStart')}`;
  const setpriv = ['setpriv', `--reuid=${account}`, `--regid=${account}`, '--init-groups'];
  const args = [debian, ...setpriv, '--no-new-privs', 'sh', '-c', script];
  const service = spawn('chroot', args, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) =>
    service.on('exit', (code, signal) => resolve(signal ?? code)),
  );
  onTestFinished(() => void service.kill('SIGKILL'));
  const baseUrl = await new Promise<string>((resolve, reject) => {
    createInterface(service.stdout).once('line', resolve);
    ended.then((status) => reject(new Error(`It ended with ${status}.`)));
  });
  return {
    baseUrl,
    stop() {
      service.kill('SIGTERM');
      return ended;
    },
  };
}

describe('the deb without the window', () => {
  beforeEach((context) => requirePlace(context, ...needs));
  beforeAll(async () => {
    if (isLacking) return;
    const [former = '', own = ''] = await makeServerDebs(folder, ['0.0.9', version]);
    // The oldest one with the C library that the package asks for. A mirror can be behind.
    const options = ['--variant=minbase', '--aptopt=Acquire::Check-Valid-Until "false"'];
    execFileSync('mmdebstrap', [...options, 'bookworm', debian], { stdio: 'pipe' });
    copyFileSync(former, inDebian('tmp/former.deb'));
    copyFileSync(own, inDebian('tmp/own.deb'));
    execFileSync('mount', ['-t', 'proc', 'proc', inDebian('proc')]);
  });
  afterAll(() => {
    if (!isLacking) execFileSync('umount', [inDebian('proc')]);
  });

  it('is installed in a small Debian, which has everything that it needs', () => {
    const args = ['--yes', '--no-install-recommends', '/tmp/former.deb'];
    const output = run('apt-get', 'install', ...args);
    const added = [...output.matchAll(/^Setting up (\S+) /gm)].map(([, name]) => name);
    expect(added).toEqual(['club-events-server']);
    expect(run('stat', '--format', '%U:%G %a', data)).toBe('club-events:club-events 700\n');
    expect(run('getent', 'passwd', 'club-events')).toMatch(/:\/var\/lib\/club-events:.*nologin\n$/);
    const enabled = 'etc/systemd/system/multi-user.target.wants/club-events-server.service';
    expect(run('readlink', `/${enabled}`)).toContain('/systemd/system/club-events-server.service');
  });

  it('is updated over a former version, keeps its data, and makes a backup of it before a migration', async () => {
    unpackHome(5, inDebian(data));
    run('chown', '--recursive', 'club-events:', data);
    const before = readFileSync(inDebian(`${data}/events.sqlite`));
    writeFileSync(inDebian('etc/default/club-events-server'), 'OPTIONS=--port 0\n');
    expect(install('own')).toContain(`(${version}) over (0.0.9)`);
    expect(readFileSync(inDebian(`${data}/events.sqlite`))).toEqual(before);
    expect(readFileSync(inDebian('etc/default/club-events-server'), 'utf8')).toBe(
      'OPTIONS=--port 0\n',
    );
    const service = await startUnit('--port 0');
    const health = await (await fetch(`${service.baseUrl}/health`)).json();
    expect(health).toEqual({ service: 'club-events', version });
    expect(run('club-events-server', 'url')).toBe(`${service.baseUrl}\n`);
    expect(await service.stop()).toBe(0);
    const { answers } = readHomeAnswers(5);
    const names = (list: unknown) =>
      (list as { users: readonly { name: string }[] }).users.map(({ name }) => name);
    expect(names(listClubs())).toEqual(names(Object.values(answers)[0]?.['user list']));
    const { backups } = JSON.parse(run('club-events-server', 'backup', 'list', '--json'));
    expect(backups.map(({ reason }: { reason: string }) => reason)).toContain('migration');
    expect(strangers()).toBe('');
  });

  it('runs commands of root as its account, so that no file belongs to root', () => {
    copyFileSync(join(root, 'server/import/examples/season.csv'), inDebian('srv/season.csv'));
    const page = readFileSync(join(root, 'server/service/on-a-server.md'), 'utf8');
    const lines = page.match(/(?<=^sudo )(club-events-server|install -d) .*$/gm) ?? [];
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) {
      // Without a service, `doctor` finds a problem.
      const status = line.endsWith('doctor') ? 1 : 0;
      expect(shell(line), line).toMatch(new RegExp(`status ${status}\n$`));
    }
    expect(shell('cd /root; umask 022; club-events-server backup')).toContain('status 0');
    expect(strangers()).toBe('');
  });

  it('says which account may not read a file, and lets no other one read the data', () => {
    run('install', '-m', '600', '/srv/season.csv', '/root/season.csv');
    const command = 'club-events-server import season.csv --user "Chess Club"';
    expect(shell(`cd /root; ${command}`)).toBe(
      'season.csv may not be used by this account; check its permissions.\nstatus 1\n',
    );
    const other = 'setpriv --reuid=65534 --regid=65534 --clear-groups club-events-server';
    expect(shell(`${other} --version`)).toBe(`${version}\nstatus 0\n`);
    expect(shell(`${other} user list`)).toMatch(/may not be used by this account.*\nstatus 1\n$/);
  });

  it('is also "club-events", unless the deb with the window is there', () => {
    expect(run('club-events', '--version')).toBe(`${version}\n`);
    const window = ['/usr/bin/club-events', 'club-events', '/bin/true'];
    run('update-alternatives', '--install', ...window, '100');
    expect(run('club-events', '--version')).not.toContain(version);
    run('update-alternatives', '--remove', 'club-events', '/bin/true');
    expect(run('club-events', '--version')).toBe(`${version}\n`);
  });

  it('is removed and installed again without a change of its data', () => {
    const clubs = listClubs();
    run('dpkg', '--remove', 'club-events-server');
    for (const path of ['lib/club-events-server', 'bin/club-events', 'bin/club-events-server']) {
      const stats = lstatSync(inDebian(`usr/${path}`), { throwIfNoEntry: false });
      expect(stats, path).toBeUndefined();
    }
    expect(existsSync(inDebian('etc/default/club-events-server'))).toBe(true);
    install('own');
    expect(listClubs()).toEqual(clubs);
  });

  it('keeps the events when it is purged, says so, and finds them when it returns', () => {
    const clubs = listClubs();
    const copy = join(folder, 'copy');
    cpSync(inDebian(data), copy, { recursive: true });
    expect(run('dpkg', '--purge', 'club-events-server')).toContain(
      `The events stay in ${data}. To delete them for good: rm -r ${data}\n`,
    );
    expect(execFileSync('diff', ['--recursive', copy, inDebian(data)]).toString()).toBe('');
    const left = shell(
      'find / -xdev -name "*club-events*" -not -path "/proc/*" -not -path "/tmp/*"',
    );
    expect(left).toBe(`${data}\nstatus 0\n`);
    install('own');
    expect(listClubs()).toEqual(clubs);
  });

  it('leaves no data directory if there are no events', () => {
    run('sh', '-c', `rm -r ${data} && install -d -m 700 -o club-events ${data}`);
    expect(run('dpkg', '--purge', 'club-events-server')).not.toContain('events stay');
    expect(existsSync(inDebian(data))).toBe(false);
  });
});
