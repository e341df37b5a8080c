import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import net from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callCommand, installCommand, runCommand, startServe } from '../../support/command.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { patience } from '../../support/patience.ts';
import { requirePlace } from '../../support/place.ts';
import { findFreePort } from '../../support/port.ts';
import { serveForTest } from '../../support/service.ts';
import { certificatePath } from '../../support/upstream.ts';

// What the page "On a server" shows, with the real programs. test/electron/packaging has the package.

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('server/service/on-a-server.md');

/** Returns the blocks of code in a language. */
function codeIn(language: string): readonly string[] {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...blocks].map(([, code = '']) => code);
}

const settings = codeIn('ini').filter((code) => code.startsWith('OPTIONS='));
const units = codeIn('ini').filter((code) => code.startsWith('['));
const unit = read('electron/packaging/server-deb/service');

describe('behind a proxy', () => {
  /** Serves more than a page of events under the name of the test certificate. */
  async function serve() {
    const home = makeTestHome();
    const service = await serveForTest(home, { publicUrl: new URL('https://club.test') });
    const events = Array.from({ length: 201 }, (_, at) => makeEvent(at + 1));
    return { ...service, ...(await addMember(home, 'club', events)) };
  }

  /** Starts a proxy for the running test, and returns once it listens. */
  async function startProxy(
    port: number,
    program: string,
    args: readonly string[],
    folder: string,
  ) {
    const proxy = spawn(program, args, { env: { ...process.env, HOME: folder }, stdio: 'pipe' });
    const output = text(proxy.stderr);
    const ended = once(proxy, 'exit');
    onTestFinished(async () => {
      proxy.kill();
      await ended;
    });
    const listens = vi.waitFor(() => once(net.connect(port, '127.0.0.1'), 'connect'), {
      timeout: patience,
      interval: 100,
    });
    const failed = ended.then(async () => {
      throw new Error(await output);
    });
    failed.catch(() => undefined);
    await Promise.race([listens, failed]);
  }

  /** Expects the first page of the list through a proxy, with a link to the next one. */
  async function expectList(port: number, key: string) {
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/v1/events',
      servername: 'club.test',
      ca: readFileSync(certificatePath('authority')),
      headers: { Host: 'club.test', Authorization: `Bearer ${key}` },
    });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await text(answer);
    expect(answer.statusCode, body).toBe(200);
    expect(JSON.parse(body).events).toHaveLength(200);
    expect(answer.headers['link']).toMatch(/^<https:\/\/club\.test\/v1\/events\?/);
  }

  it('answers through Caddy, as the page configures it', async (context) => {
    requirePlace(context, 'Caddy');
    const service = await serve();
    const port = await findFreePort();
    const folder = makeTestFolder();
    const [site = ''] = codeIn('caddyfile');
    const certificate = `\ttls ${certificatePath('valid')} ${certificatePath('key')}\n`;
    const own = site
      .replace('events.example.org {\n', `club.test:${port} {\n${certificate}`)
      .replace('127.0.0.1:28470', `127.0.0.1:${service.port}`);
    expect(own).toContain(certificate);
    const configuration = join(folder, 'Caddyfile');
    writeFileSync(configuration, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${own}`);
    const args = ['run', '--adapter', 'caddyfile', '--config', configuration];
    await startProxy(port, 'caddy', args, folder);
    await expectList(port, service.key);
  });

  it('answers through nginx, as the page configures it', async (context) => {
    requirePlace(context, 'nginx');
    const service = await serve();
    const port = await findFreePort();
    const folder = makeTestFolder();
    const [server = ''] = codeIn('nginx');
    const own = server
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace(/^.*\[::\].*\n/m, '')
      .replace('events.example.org', 'club.test')
      .replace(/\/etc\/ssl\/certs\/\S+(?=;)/, certificatePath('valid'))
      .replace(/\/etc\/ssl\/private\/\S+(?=;)/, certificatePath('key'))
      .replace('127.0.0.1:28470', `127.0.0.1:${service.port}`);
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`);
    const configuration = join(folder, 'nginx.conf');
    writeFileSync(
      configuration,
      `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr;
events {}
http { access_log off; ${paths.join(' ')}\n${own} }\n`,
    );
    await startProxy(port, '/usr/sbin/nginx', ['-e', 'stderr', '-c', configuration], folder);
    await expectList(port, service.key);
  });
});

it('has units that systemd accepts', async (context) => {
  requirePlace(context, 'systemd-analyze');
  const folder = makeTestFolder();
  const [override = '', backup = '', timer = '', ...others] = units;
  expect(others).toEqual([]);
  const command = installCommand();
  const write = (name: string, code: string) =>
    writeFileSync(
      join(folder, name),
      code.replace('/usr/bin/club-events-server', command).replace(/^User=.*\n/m, ''),
    );
  write('club-events-server.service', unit);
  mkdirSync(join(folder, 'club-events-server.service.d'));
  write('club-events-server.service.d/override.conf', override);
  write('club-events-backup.service', backup);
  write('club-events-backup.timer', timer);
  const names = ['club-events-server.service', 'club-events-backup.timer'];
  const paths = names.map((name) => join(folder, name));
  // Where a folder is named, only the units in it are read.
  const env = { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` };
  const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', ...paths], { env });
  // The machine may have other units with faults.
  expect(stderr).not.toContain('club-events');
});

it('has only commands that the command line accepts', async () => {
  const { directory } = makeTestHome();
  const backups = makeTestFolder();
  const inUnits = units.flatMap((code) => code.match(/^ExecStart=.*$/gm) ?? []);
  const lines = [...codeIn('sh'), ...inUnits]
    .join('\n')
    .matchAll(/\bclub-events-server ([a-z].*)$/gm);
  const commands = [...lines].map(([, line = '']) => line);
  expect(commands.length).toBeGreaterThan(6);
  for (const line of commands) {
    const filled = line
      .replace('/srv/season.csv', join(root, 'server/import/examples/season.csv'))
      .replace('/srv/backups', backups);
    const words = [...filled.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word,
    );
    const { status, stderr } = await callCommand(['--home', directory, ...(words as string[])]);
    // Without a service, `doctor` finds a problem.
    expect(status, stderr).toBe(line === 'doctor' ? 1 : 0);
  }
});

it('names settings that the unit reads, and options that "serve" accepts', {
  tags: 'long',
}, async () => {
  expect(unit).toContain('\nEnvironmentFile=-/etc/default/club-events-server\n');
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/club-events-server serve \$OPTIONS$/m);
  const defaults = read('electron/packaging/server-deb/default');
  const names = settings.flatMap((code) => code.match(/^\w+(?==)/gm) ?? []);
  expect([...new Set(names)]).toEqual(['OPTIONS', 'PGHOST', 'PGDATABASE', 'PGUSER']);
  for (const name of names) expect(defaults).toMatch(new RegExp(`^#?${name}=`, 'm'));
  const [first = '', node = ''] = settings.map((code) => /^OPTIONS=(.*)$/m.exec(code)?.[1] ?? '');
  const start = (line: string) =>
    startServe(['--home', makeTestHome().directory, '--port', '0', ...line.split(' ')]);
  expect((await start(first)).firstLine).toBe('https://events.example.org');
  // It goes on without its record.
  expect((await start(node)).firstLine).toBe('https://events.example.org');
});

it('has a container whose command serves, and whose check knows it', { tags: 'long' }, async () => {
  const [file = ''] = codeIn('dockerfile');
  const argumentsOf = (instruction: string): string[] =>
    JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(file)?.[1] ?? '');
  expect(file.trim().split('\n')).toHaveLength(10);
  expect(argumentsOf('ENTRYPOINT')).toEqual(['club-events-server']);
  const [first, ...options] = argumentsOf('CMD');
  expect(first).toBe('serve');
  const home = ['--home', makeTestHome().directory];
  const serving = await startServe([...home, '--port', '0', ...options]);
  expect(serving.firstLine).toBe('https://events.example.org');
  const [program, ...check] = argumentsOf('HEALTHCHECK CMD');
  expect(program).toBe('club-events-server');
  expect((await runCommand([...check, ...home])).status).toBe(0);
  expect(await serving.end('SIGTERM')).toBe(0);
  expect((await runCommand([...check, ...home])).status).toBe(1);
});
