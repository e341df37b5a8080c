import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { beginEventImport } from '../../../db/event-import.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { latestVersion } from '../../../db/open.ts';
import { insertUser } from '../../../db/users.ts';
import { type Home, homeAt, prepareHome } from '../../../server/base/home.ts';
import { examine } from '../../../server/doctor/doctor.ts';
import { networkTypeOf, probePlace } from '../../../server/doctor/files.ts';
import type { Case, Surroundings } from '../../../server/doctor/finding.ts';
import { readKeyText } from '../../../server/doctor/key-probes.ts';
import { findPortOwner, listeningInodes } from '../../../server/doctor/port-owner.ts';
import { challengeHeader, composeProofs } from '../../../server/http/health-proof.ts';
import en from '../../../server/messages/en.json' with { type: 'json' };
import { createBackup } from '../../../server/store/backup-files.ts';
import { type Backup, backupPath, rememberProof } from '../../../server/store/backup-records.ts';
import { withWriter } from '../../../server/store/store.ts';
import { callCommand, runCommand, startServe } from '../../support/command.ts';
import {
  addEvents,
  addMember,
  createdAt,
  holdLog,
  makeEvent,
  makeTestFolder,
  makeTestHome,
  prepareDatabase,
  revokeKeysOf,
} from '../../support/home.ts';
import { openMirror } from '../../support/mirror.ts';
import { performHere } from '../../support/perform.ts';
import {
  findOuterAddress,
  findUnprivileged,
  lacking,
  mountSmall,
  type Need,
  requirePlace,
} from '../../support/place.ts';
import { findFreePort } from '../../support/port.ts';
import { relayTo, serveForTest } from '../../support/service.ts';
import { faults } from '../../support/upstream.ts';

const dayMs = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);

/** The codes of all findings in these tests. */
const seen = new Set<string>();

const oneEvent = makeEvent(1) as StoredEvent;

const quiet: Surroundings = { env: {}, platform: process.platform, now: new Date() };

type Given = Partial<Surroundings> & { readonly url?: string; readonly key?: string };

async function diagnose(home: Home, { url, key, ...more }: Given = {}) {
  const args = { ...(url && { url }), ...(key !== undefined && { key }) };
  const { findings } = await examine(args, home, { ...quiet, now: new Date(), ...more });
  for (const { code } of findings) seen.add(code);
  return findings;
}

/** Compares the folders for backups. */
const tick = (home: Home) =>
  performHere('backup folder tick', {}, { home, onProgress: () => undefined });

/** Returns the findings as `level code`. */
async function find(home: Home, given?: Given): Promise<string[]> {
  return (await diagnose(home, given)).map(({ level, code }) => `${level} ${code}`);
}

/** Skips a test of findings that cannot be created on this machine. */
function requireHere(context: TestContext, need: Need, ...codes: string[]): void {
  if (lacking(need) !== undefined) for (const code of codes) seen.add(code);
  requirePlace(context, need);
}

async function makeClub(): Promise<Home> {
  const home = makeTestHome();
  await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]);
  return home;
}

async function createKey(home: Home, ...more: string[]): Promise<string> {
  const args = ['--home', home.directory, 'key', 'create', '--user', 'Chess', ...more];
  return (await callCommand(args)).stdout.trim();
}

/** Listens on a free port of an address for the running test; returns the port. */
async function listenForTest(server: net.Server, address = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function register(home: Home, entry: object): void {
  prepareHome(home);
  const url = 'http://127.0.0.1:9';
  const whole = { baseUrl: url, localUrl: url, demo: false, secret: 'secret', ...entry };
  writeFileSync(home.registration, JSON.stringify(whole), { mode: 0o600 });
}

function change(home: Home, sql: string): void {
  const sqlite = new Database(home.database);
  sqlite.exec(sql);
  sqlite.close();
}

function backUp(home: Home, date: Date, more: { elsewhere?: Date } = {}): Backup {
  const backup = createBackup(home, 'daily', date);
  if (more.elsewhere) {
    const at = more.elsewhere.toISOString();
    writeFileSync(join(home.backups, 'elsewhere.json'), JSON.stringify({ at }), { mode: 0o600 });
  }
  return backup;
}

describe('the service', () => {
  it('is found in order, with a key and events', async () => {
    const home = await makeClub();
    const { baseUrl } = await serveForTest(home);
    backUp(home, inDays(-1), { elsewhere: inDays(-2) });
    const key = await createKey(home);
    const findings = await find(home, { url: baseUrl, key });
    expect(findings).toEqual([
      'ok service_runs',
      'ok address_answers',
      'ok localhost_safe',
      'ok proxy_none',
      'ok keys_valid',
      'ok key_valid',
      'ok request_answered',
      'ok clock_fine',
      'ok database_sound',
      'ok backup_recent',
      'ok files_private',
      expect.stringMatching(/^(ok disk_space|warning disk_low)$/),
      'ok home_local',
    ]);
  });

  it('does not run', async () => {
    expect(await find(await makeClub())).toContain('problem service_none');
  });

  it('left service.json behind', async () => {
    const home = await makeClub();
    const { pid } = spawnSync(process.execPath, ['--version']);
    register(home, { pid });
    expect(await find(home)).toContain('problem service_stale');
    // The number belongs to another process by now.
    register(home, { pid: process.pid, localUrl: `http://127.0.0.1:${await findFreePort()}` });
    expect(await find(home)).toContain('problem service_stale');
  });

  it('wrote a service.json that is damaged now', async () => {
    const home = await makeClub();
    for (const text of ['{', '[]', '{"localUrl":"file:///etc"}']) {
      writeFileSync(home.registration, text, { mode: 0o600 });
      expect(await find(home)).toContain('problem registration_unreadable');
    }
  });

  it('does not answer, and doctor says so', { tags: 'long' }, async (context) => {
    requirePlace(context, 'signals');
    const home = await makeClub();
    const serving = await startServe(['--home', home.directory, '--port', '0']);
    process.kill(serving.pid, 'SIGSTOP');
    const findings = await find(home, { url: serving.firstLine, key: 'ce_unknown' });
    expect(findings).toContain('problem service_silent');
    expect(findings).not.toContain('problem port_program');
  });

  it('does not answer while the database is locked, and doctor says so', {
    tags: 'long',
  }, async () => {
    const home = await makeClub();
    const port = await listenForTest(net.createServer(() => undefined));
    const url = `http://127.0.0.1:${port}`;
    register(home, { pid: process.pid, baseUrl: url, localUrl: url });
    const lock = new Database(home.database);
    onTestFinished(() => void lock.close());
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
    const findings = await diagnose(home, { url: 'http://127.0.0.1:9', key: 'ce_unknown' });
    expect(findings.map(({ code }) => code)).toContain('service_silent');
    const unusable = findings.find(({ code }) => code === 'database_unusable');
    expect(unusable?.values['reason']).toMatchObject({ key: 'problem:database_busy' });
  });

  it('runs twice', { tags: 'long' }, async () => {
    const home = await makeClub();
    await serveForTest(home);
    await startServe(['--home', home.directory, '--port', '0']);
    expect(await find(home)).toContain('warning service_several');
  });

  it('runs for the demo club alone', async () => {
    const home = await makeClub();
    const demo = makeTestHome();
    await serveForTest(home, { home: demo.directory, demoOf: home.directory });
    expect(await find(home)).toContain('problem service_demo');
  });

  it('runs at another port than usual', async () => {
    const home = await makeClub();
    await serveForTest(home);
    expect(await find(home)).toContain('warning service_other_port');
  });

  it('has a public URL with the usual port, but not the usual port on this computer', async () => {
    const home = await makeClub();
    const publicUrl = new URL('http://10.0.0.5:28470');
    const { port } = await serveForTest(home, { host: '0.0.0.0', publicUrl });
    const findings = await diagnose(home);
    const other = findings.find(({ code }) => code === 'service_other_port');
    expect(other?.values).toEqual({ url: `http://127.0.0.1:${port}`, port: 28_470 });
  });

  it('sends keys through the network unencrypted unless its public URL is one of https', async () => {
    for (const [url, isReported] of [
      ['http://10.0.0.5:28470', true],
      ['https://events.example.org', false],
    ] as const) {
      const home = await makeClub();
      await serveForTest(home, { host: '0.0.0.0', publicUrl: new URL(url) });
      expect((await find(home)).includes('warning public_unencrypted')).toBe(isReported);
    }
  });

  it('has another version', async () => {
    const home = await makeClub();
    const answer: RequestListener = ({ headers, socket }, response) => {
      const end = { address: socket.localAddress, port: socket.localPort };
      const proofs = composeProofs('secret', String(headers[challengeHeader]), end);
      response.setHeaders(new Map(Object.entries(proofs)));
      response.end('{"service":"club-events","version":"9.9.9"}');
    };
    const url = `http://127.0.0.1:${await listenForTest(createServer(answer))}`;
    register(home, { pid: process.pid, baseUrl: url, localUrl: url });
    expect(await find(home, { url })).toContain('warning service_other_version');
  });
});

describe('the address of the script', () => {
  it('is not that of the service', async () => {
    const home = await makeClub();
    await serveForTest(home);
    const url = `http://127.0.0.1:${await findFreePort()}/v1/events`;
    expect(await find(home, { url })).toContain('problem address_elsewhere');
  });

  it('has an unknown name', async () => {
    const home = await makeClub();
    const findings = await find(home, { url: 'http://club.invalid:28470' });
    expect(findings).toContain('problem address_unknown');
  });

  it('begins with https', async () => {
    const home = await makeClub();
    const { port } = await serveForTest(home);
    const findings = await find(home, { url: `https://127.0.0.1:${port}` });
    expect(findings).toContain('problem address_https');
  });

  it('is behind a firewall', async (context) => {
    const home = await makeClub();
    await serveForTest(home);
    // An address for documentation (RFC 5737), to which the system then refuses connections.
    const address = '203.0.113.7';
    const route = (act: string) => execFileSync('ip', ['route', act, 'prohibit', `${address}/32`]);
    try {
      route('add');
    } catch (error) {
      // Otherwise, the last test would miss it.
      seen.add('address_blocked');
      return context.skip(`only root on Linux can block an address: ${(error as Error).message}`);
    }
    onTestFinished(() => void route('del'));
    expect(await find(home, { url: `http://${address}:28470` })).toContain(
      'problem address_blocked',
    );
  });

  it('has a name that the service refuses', async (context) => {
    requireHere(context, 'a second loopback address', 'host_refused');
    const home = await makeClub();
    const publicUrl = new URL('http://club.example');
    const { port } = await serveForTest(home, { host: '0.0.0.0', publicUrl });
    const findings = await find(home, { url: `http://127.0.0.2:${port}` });
    expect(findings).toContain('problem host_refused');
  });

  it('is another one than localhost', async (context) => {
    requireHere(context, 'a second loopback address', 'localhost_elsewhere');
    const home = await makeClub();
    await serveForTest(home, { host: '127.0.0.2', port: await findFreePort() });
    expect(await find(home)).toContain('warning localhost_elsewhere');
  });

  /** Lets a server listen on [::1] for the running test, or skips the test. */
  async function listenOnIpv6(context: TestContext, server: net.Server, port: number) {
    requireHere(context, 'the address [::1]', 'localhost_taken');
    await once(server.listen(port, '::1'), 'listening');
    onTestFinished(() => void server.close());
  }

  const pretender: RequestListener = (_, response) =>
    void response.end('{"service":"club-events","version":"0.1.0"}');

  it('is not safe as localhost while another program answers at [::1]', {
    tags: 'long',
  }, async (context) => {
    for (const create of [
      () => createServer(pretender),
      () => net.createServer(() => undefined),
      (port: number) => createServer(relayTo(port)),
    ]) {
      const home = await makeClub();
      const port = await findFreePort();
      const server = create(port);
      await listenOnIpv6(context, server, port);
      const { baseUrl } = await serveForTest(home, { port }, undefined, { warn: () => undefined });
      const findings = await diagnose(home);
      const taken = findings.find(({ code }) => code === 'localhost_taken');
      expect(taken).toMatchObject({
        level: 'problem',
        values: { address: `[::1]:${port}`, url: baseUrl },
      });
      expect(findings.map(({ code }) => code)).not.toContain('localhost_safe');
    }
  });

  it('belongs to a program that passes requests on to the service', async () => {
    const home = await makeClub();
    const service = await serveForTest(home);
    const port = await listenForTest(createServer(relayTo(service.port)));
    const findings = await diagnose(home, { url: `http://127.0.0.1:${port}` });
    expect(findings.map(({ code }) => code)).not.toContain('address_answers');
    expect(findings).toContainEqual(
      expect.objectContaining({
        level: 'problem',
        code: 'localhost_taken',
        values: { address: `127.0.0.1:${port}`, url: service.baseUrl },
      }),
    );
  });

  it('may be that of a proxy on another computer', async (context) => {
    requirePlace(context, 'an outer address');
    const home = await makeClub();
    const service = await serveForTest(home);
    const proxy = createServer(relayTo(service.port));
    const port = await listenForTest(proxy, findOuterAddress());
    const findings = await find(home, { url: `http://${findOuterAddress()}:${port}` });
    expect(findings).toContain('ok address_answers');
  });

  it('is safe as localhost while the service answers at 127.0.0.1 and at [::1]', async (context) => {
    await listenOnIpv6(context, net.createServer(), await findFreePort());
    const home = await makeClub();
    const publicUrl = new URL('https://events.example.org');
    await serveForTest(home, { host: '::', publicUrl });
    expect(await find(home)).toContain('ok localhost_safe');
  });

  it('belongs to a program that is no web server', async () => {
    const home = await makeClub();
    const port = await listenForTest(net.createServer((socket) => void socket.end('hello\r\n')));
    const given = { url: `http://127.0.0.1:${port}` };
    const program = (await diagnose(home, given)).find(({ code }) => code === 'port_program');
    expect(program?.level).toBe('problem');
    const name =
      lacking('/proc') === undefined ? 'node' : { key: 'value:another_program', values: {} };
    expect(program?.values).toEqual({ port, program: name });
  });

  it('belongs to another web server, whose name only Linux reports', async () => {
    const home = await makeClub();
    const port = await listenForTest(createServer((_, response) => void response.end('{}')));
    const findings = await diagnose(home, { url: `http://127.0.0.1:${port}`, platform: 'darwin' });
    expect(findings.find(({ code }) => code === 'port_program')?.values).toEqual({
      port,
      program: { key: 'value:another_program', values: {} },
    });
  });

  it('belongs to the service of another data directory', async () => {
    const { baseUrl } = await serveForTest(await makeClub());
    const home = await makeClub();
    expect(await find(home, { url: baseUrl })).toContain('problem port_other_data');
    await serveForTest(home);
    expect(await find(home, { url: baseUrl })).toContain('problem port_other_data');
  });

  it.each(['http_proxy', 'HTTP_PROXY', 'ALL_PROXY'])('goes through %s', async (variable) => {
    const home = await makeClub();
    const env = { [variable]: 'http://user:password@proxy.example:3128' };
    const findings = await diagnose(home, { env });
    const proxy = findings.find(({ code }) => code === 'proxy_set');
    expect(proxy).toMatchObject({ level: 'warning', values: { variable } });
    expect(JSON.stringify(findings)).not.toContain('password');
    for (const NO_PROXY of ['localhost, 127.0.0.1', '*']) {
      expect(await find(home, { env: { ...env, NO_PROXY } })).toContain('ok proxy_none');
    }
  });
});

describe('the owner of a port', () => {
  it('is not guessed where there is no /proc', async () => {
    expect(await findPortOwner(80, 'win32')).toBeUndefined();
    expect(await findPortOwner(80, 'darwin')).toBeUndefined();
  });

  it('is found among listening sockets only', () => {
    const row = (local: string, state: string, inode: number) =>
      `  1: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  0  0 ${inode} 1 0 100`;
    const rows = [
      row('0100007F:6F36', '0A', 7),
      row('0100007F:6F36', '01', 8),
      row('0:0050', '0A', 9),
    ];
    expect(listeningInodes(rows.join('\n'), 28_470)).toEqual(['7']);
  });
});

describe('keys', () => {
  it('are missing, like clubs', async () => {
    const home = makeTestHome();
    expect(await find(home)).toContain('problem club_none');
    expect(existsSync(home.directory)).toBe(false);
    prepareDatabase(home);
    expect(await find(home)).toContain('problem club_none');
    await withWriter(home, (db) => insertUser(db, 'Chess', createdAt));
    expect(await find(home)).toContain('problem key_none');
  });

  it('are all revoked or expired', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    await addMember(home, 'Rowing', [], { expiresAt: createdAt });
    await revokeKeysOf(home, 'Chess');
    expect(await find(home)).toContain('problem key_none_valid');
  });

  it('expire within 14 days', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [], { expiresAt: inDays(15).toISOString() });
    expect(await find(home)).not.toContain('warning key_expiring');
    await addMember(home, 'Rowing', [], { expiresAt: inDays(13).toISOString() });
    expect(await find(home)).toContain('warning key_expiring');
  });
});

describe('the key of a script', () => {
  it('is judged by its form, its club and its dates, and never shown', async () => {
    const home = await makeClub();
    const service = await serveForTest(home);
    const key = await createKey(home);
    const { key: expired } = await addMember(home, 'Rowing', [], { expiresAt: createdAt });
    const revoked = await createKey(home);
    await callCommand(['--home', home.directory, 'key', 'revoke', '4']);
    await addMember(home, 'Empty');
    const other = key.at(-1) === '0' ? '1' : '0';
    const unknown = await createKey(await makeClub());
    const cases: readonly (readonly [text: string, ...codes: string[]])[] = [
      ['', 'problem key_empty'],
      ['\n', 'problem key_empty'],
      [`${key}\n`, 'ok key_valid', 'ok request_answered'],
      [`"${key}"\n`, 'problem key_decorated', 'ok key_valid'],
      [`Bearer ${key}`, 'problem key_decorated', 'ok key_valid'],
      [`${key.slice(0, 10)}\n${key.slice(10)}`, 'problem key_decorated', 'ok key_valid'],
      [`${key.slice(0, -1)}${other}`, 'problem key_typo', 'problem request_refused'],
      [key.slice(0, -1), 'problem key_malformed', 'problem request_refused'],
      ['päßwort', 'problem key_malformed'],
      [unknown, 'problem key_not_here', 'problem request_refused'],
      [expired, 'problem key_expired', 'problem request_refused'],
      [revoked, 'problem key_revoked', 'problem request_refused'],
      ['key-of-Empty', 'ok key_valid', 'warning key_without_events', 'ok request_answered'],
    ];
    for (const [text, ...codes] of cases) {
      const findings = await diagnose(home, { url: service.baseUrl, key: text });
      const own = findings.filter(({ probe }) => probe === 'givenKey' || probe === 'request');
      const found = own.map(({ level, code }) => `${level} ${code}`);
      expect(found, `a text of ${text.length} characters`).toEqual(expect.arrayContaining(codes));
      const shown = JSON.stringify(findings);
      for (let at = 3; at + 6 <= key.length; at += 1) {
        expect(shown).not.toContain(key.slice(at, at + 6));
      }
    }
    const log = readFileSync(join(home.logs, 'service.log'), 'utf8');
    expect(log).not.toContain(key.slice(3, 9));
  });

  it.each([
    ['KEY', []],
    ['KEY\r\n', []],
    ['KEY\n\n', ['line_break']],
    ['K\nEY', ['line_break']],
    [' KEY', ['spaces']],
    ["'KEY'", ['quotes']],
    ['„KEY“', ['quotes']],
    ['bearer  KEY', ['bearer']],
    ['"Authorization: Bearer KEY"', ['quotes', 'bearer']],
    ['Bearer "KEY"', ['quotes', 'bearer']],
  ])('is read from %j', (text, extras) => {
    const read = readKeyText(text);
    expect(read.key).toBe('KEY');
    expect(read.extras.map(({ key }) => key)).toEqual(extras.map((name) => `value:${name}`));
  });

  it('is sent to no program but the service of this data directory', async () => {
    const home = await makeClub();
    const received: (string | undefined)[] = [];
    const spy = createServer(({ headers }, response) => {
      received.push(headers.authorization);
      response.end('{"service":"club-events","version":"0.1.0"}');
    });
    const url = `http://127.0.0.1:${await listenForTest(spy)}`;
    register(home, { pid: process.pid, baseUrl: url, localUrl: url });
    await find(home, { url, key: await createKey(home) });
    expect(received.length).toBeGreaterThan(0);
    expect(received.filter((header) => header !== undefined)).toEqual([]);
  });

  it('is refused by a service with another clock', async () => {
    const home = await makeClub();
    await serveForTest(home, {}, () => inDays(3));
    const key = await createKey(home, '--expires', inDays(2).toISOString());
    const findings = await find(home, { key });
    expect(findings).toContain('ok key_valid');
    expect(findings).toContain('problem request_refused');
  });
});

describe('the clock', () => {
  it('was never set', async () => {
    const now = new Date('2020-01-01');
    expect(await find(await makeClub(), { now })).toContain('problem clock_unset');
  });

  it('is behind the files', async () => {
    const home = await makeClub();
    utimesSync(home.database, inDays(1), inDays(1));
    expect(await find(home)).toContain('problem clock_behind_files');
  });

  it('is behind the history', async () => {
    const home = await makeClub();
    await withWriter(home, (db) => {
      const batch = beginEventImport(db, { userId: 1, now: inDays(1).toISOString(), source: '' });
      batch.apply(makeEvent(3));
      batch.commit();
    });
    expect(await find(home)).toContain('problem clock_behind_history');
  });
});

describe('files', () => {
  it('are open to other accounts', async (context) => {
    requireHere(context, 'file modes', 'file_open');
    const home = await makeClub();
    chmodSync(home.database, 0o644);
    expect(await find(home)).toContain('warning file_open');
    chmodSync(home.database, 0o600);
    expect(await find(home)).not.toContain('warning file_open');
    chmodSync(home.directory, 0o777);
    expect(await find(home)).toContain('warning file_open');
  });

  it('may not be used by this account', { tags: 'long' }, async (context) => {
    requireHere(context, 'an unprivileged account', 'file_unusable');
    const user = findUnprivileged(context);
    const home = await makeClub();
    chmodSync(join(home.directory, '..'), 0o755);
    chmodSync(home.directory, 0o755);
    chmodSync(home.database, 0o400);
    const { status, stdout } = await runCommand(
      ['--home', home.directory, '--json', 'doctor'],
      user,
    );
    expect(status).toBe(1);
    const { findings } = JSON.parse(stdout) as { findings: { code: string; detail: string }[] };
    const unusable = findings.filter(({ code }) => code === 'file_unusable');
    expect(unusable.map(({ detail }) => detail)).toContain(
      `Your account may not read and write ${home.database}.`,
    );
    for (const { code } of findings) seen.add(code);
  });

  it('are in a place where no folder can be', async () => {
    const home = await makeClub();
    writeFileSync(join(home.directory, 'backups'), '', { mode: 0o600 });
    expect(await find(home)).toContain('problem not_examined');
  });
});

describe('the disk', () => {
  it('is full or nearly full', async (context) => {
    requireHere(context, 'a small disk', 'disk_full', 'disk_low');
    for (const [kibibytes, finding] of [
      [4_000, 'problem disk_full'],
      [100_000, 'warning disk_low'],
    ] as const) {
      const small = mountSmall(context, kibibytes);
      const home = homeAt(join(small.folder, 'home'));
      await addMember(home, 'Chess');
      expect(await find(home)).toContain(finding);
    }
  });

  it('is read-only', async (context) => {
    requireHere(context, 'a small disk', 'disk_read_only');
    const small = mountSmall(context, 4_000);
    const home = homeAt(join(small.folder, 'home'));
    await addMember(home, 'Chess');
    execFileSync('mount', ['-o', 'remount,ro', small.folder]);
    expect(await find(home)).toContain('problem disk_read_only');
  });

  it('is synchronised by another program', async () => {
    const home = homeAt(join(makeTestFolder(), 'OneDrive - Chess Club', 'data'));
    await addMember(home, 'Chess');
    const findings = await diagnose(home);
    const synchronised = findings.find(({ code }) => code === 'home_synchronised');
    expect(synchronised).toMatchObject({ level: 'warning', values: { service: 'OneDrive' } });
  });

  const mounts = [
    'overlay / overlay rw 0 0',
    'server:/clubs /mnt/clubs nfs4 rw 0 0',
    '//server/a\\040b /mnt/a\\040b cifs rw 0 0',
    'sshfs /mnt/ssh fuse.sshfs rw 0 0',
    '/dev/sdb1 /mnt/stick fuseblk rw 0 0',
    'tmpfs /mnt/clubs/local tmpfs rw 0 0',
  ].join('\n');

  it.each([
    ['/home/a', undefined],
    ['/mnt/clubs/chess', 'nfs4'],
    ['/mnt/clubs/local/chess', undefined],
    ['/mnt/clubs2', undefined],
    ['/mnt/a b/chess', 'cifs'],
    ['/mnt/ssh', 'fuse.sshfs'],
    ['/mnt/stick/chess', undefined],
  ])('of %s is that of a network: %s', (path, type) => {
    expect(networkTypeOf(path, mounts)).toBe(type);
  });

  it('is one of a server for a path of Windows', async () => {
    const home = { ...homeAt('/'), directory: '\\\\server\\clubs\\chess' };
    const place = await probePlace({ home, platform: 'win32' } as Case);
    expect(place).toMatchObject([{ level: 'warning', code: 'home_on_network' }]);
    for (const { code } of place) seen.add(code);
    const local = { ...home, directory: 'C:\\chess' };
    expect(await probePlace({ home: local, platform: 'win32' } as Case)).toEqual([]);
  });
});

describe('the database', () => {
  it('is damaged', async () => {
    const home = await makeClub();
    const bytes = readFileSync(home.database);
    bytes.fill(0xa5, 4096 * 3);
    writeFileSync(home.database, bytes);
    const findings = await diagnose(home);
    const damaged = findings.find(({ code }) => code === 'pages_damaged');
    expect(damaged?.level).toBe('problem');
    expect(JSON.stringify(damaged)).not.toMatch(/\\n|\*\*\*/);
  });

  it('is of a newer version', async () => {
    const home = await makeClub();
    change(home, `PRAGMA user_version = ${latestVersion + 1}`);
    expect(await find(home)).toContain('problem database_newer');
  });

  it('is another file', async () => {
    const home = await makeClub();
    rmSync(home.database);
    writeFileSync(home.database, 'This is a text. '.repeat(100), { mode: 0o600 });
    expect(await find(home)).toContain('problem database_unusable');
  });

  it('has the log of another state', async () => {
    const [source, home] = [await makeClub(), makeTestHome()];
    prepareHome(home);
    copyFileSync(source.database, home.database);
    await addEvents(source, 1, [makeEvent(3)]);
    const reader = holdLog(source.database);
    await addEvents(source, 1, [makeEvent(4)]);
    copyFileSync(`${source.database}-wal`, `${home.database}-wal`);
    reader.close();
    const unusable = (await diagnose(home)).find(({ code }) => code === 'database_unusable');
    expect(unusable?.values['reason']).toMatchObject({ key: 'problem:database_stale_log' });
  });

  it('is missing or empty beside backups', async () => {
    const home = await makeClub();
    backUp(home, new Date());
    truncateSync(home.database);
    expect(await find(home)).toContain('problem database_empty');
    rmSync(home.database);
    const findings = await find(home);
    expect(findings).toContain('problem database_gone');
    expect(findings).not.toContain('problem club_none');
  });

  it('has the journal of an interrupted change', async () => {
    const [source, home] = [await makeClub(), makeTestHome()];
    prepareHome(home);
    const sqlite = new Database(source.database);
    sqlite.pragma('journal_mode = DELETE');
    sqlite.pragma('cache_size = 1');
    sqlite.exec('BEGIN; UPDATE events SET description = hex(zeroblob(50000))');
    copyFileSync(source.database, home.database);
    copyFileSync(`${source.database}-journal`, `${home.database}-journal`);
    sqlite.exec('ROLLBACK');
    sqlite.close();
    expect(await find(home)).toContain('warning journal_left');
    expect(statSync(`${home.database}-journal`).size).toBeGreaterThan(0);
  });
});

describe('backups', () => {
  it('are missing or old, or have not left the disk', async () => {
    const home = await makeClub();
    expect(await find(home)).toContain('warning backup_none');
    backUp(home, inDays(-8));
    const old = await find(home);
    expect(old).toContain('warning backup_old');
    expect(old).toContain('warning backup_not_elsewhere');
    backUp(home, inDays(-6), { elsewhere: inDays(-31) });
    const late = await find(home);
    expect(late).toContain('ok backup_recent');
    expect(late).toContain('warning backup_not_elsewhere');
    backUp(home, inDays(-6), { elsewhere: inDays(-29) });
    expect(await find(home)).not.toContain('warning backup_not_elsewhere');
  });

  it('are also in a folder on another disk, or have not arrived there', async (context) => {
    requireHere(
      context,
      'a small disk',
      'backup_folder_fine',
      'backup_folder_old',
      'backup_folder_failed',
    );
    const disk = mountSmall(context, 8_000);
    const home = await makeClub();
    const add = ['backup', 'folder', 'add', disk.folder];
    await callCommand(['--home', home.directory, ...add]);
    backUp(home, inDays(-1));
    await tick(home);
    // All have arrived, however long ago that was.
    const fine = await find(home, { now: inDays(40) });
    expect(fine).toContain('ok backup_folder_fine');
    expect(fine).not.toContain('warning backup_not_elsewhere');
    execFileSync('mount', ['-o', 'remount,ro', disk.folder]);
    backUp(home, new Date());
    expect(await find(home, { now: inDays(29) })).toContain('ok backup_folder_fine');
    expect(await find(home, { now: inDays(31) })).toContain('warning backup_folder_old');
    await tick(home);
    const failed = (await diagnose(home)).find(({ code }) => code === 'backup_folder_failed');
    expect(failed?.values).toMatchObject({
      folder: disk.folder,
      reason: { key: 'problem:file_read_only', values: { path: disk.folder } },
    });
    writeFileSync(home.backupFolders, '{');
    expect(await find(home)).toContain('problem not_examined');
  });

  it('were proven, but not on a day that is ahead of the clock', async () => {
    const home = await makeClub();
    const backup = backUp(home, inDays(-1));
    expect(await find(home)).not.toContain('ok backup_proven');
    rememberProof(home, backup, inDays(3).toISOString());
    expect(await find(home)).not.toContain('ok backup_proven');
    const date = inDays(-1).toISOString();
    rememberProof(home, backup, date);
    const findings = await diagnose(home);
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'backup_proven', values: { date, count: 2 } }),
    );
  });

  it('are ahead of the clock, or cannot be restored', async () => {
    const home = await makeClub();
    backUp(home, inDays(-1));
    const { name } = backUp(home, inDays(3), { elsewhere: inDays(3) });
    const findings = await find(home);
    expect(findings).toContain('warning backup_ahead');
    expect(findings).toContain('warning backup_not_elsewhere');
    const path = backupPath(home, name);
    const bytes = readFileSync(path);
    bytes[5_000] = (bytes[5_000] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect(await find(home)).toContain('problem backup_bad');
  });
});

describe('a copy of an online service', () => {
  it('is synced, fails, waits for a decision, or is paused', { tags: 'long' }, async () => {
    const { upstream, home, perform, connection } = await openMirror({ events: [oneEvent] });
    await perform('mirror set', connection);
    expect(await find(home)).toContain('ok mirror_synced');
    upstream.fault = () => faults['401'];
    await perform('mirror sync');
    expect(await find(home)).toContain('warning mirror_failed');
    upstream.fault = () => undefined;
    upstream.events.set(1, { ...oneEvent, createdAt: '2026-02-02T00:00:00.000Z' });
    await perform('mirror sync');
    expect(await find(home)).toContain('warning mirror_waits');
    await perform('mirror sync', { acceptReset: true });
    expect(await find(home)).toContain('ok mirror_synced');
    const { name } = await perform('backup');
    await perform('restore', { name });
    expect(await find(home)).toContain('warning mirror_paused');
  });
});

it('names a club whose time zone this computer does not know', async () => {
  const home = await makeClub();
  const sqlite = new Database(home.database);
  sqlite.exec("UPDATE users SET zone = 'Europe/Newtown'");
  sqlite.close();
  expect(await diagnose(home)).toContainEqual(
    expect.objectContaining({
      ...{ level: 'warning', code: 'zone_unknown' },
      values: { user: 'Chess', zone: 'Europe/Newtown' },
    }),
  );
});

/** Returns the name, content and time of each file, except SQLite's index of the log. */
function snapshot({ directory }: Home): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(shm|wal)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${statSync(path).mtimeMs} ${readFileSync(path, 'base64')}`);
}

it('changes no file, with and without a service', async () => {
  const home = await makeClub();
  backUp(home, inDays(-8));
  const key = await createKey(home);
  const quietly = snapshot(home);
  await find(home, { key });
  expect(snapshot(home)).toEqual(quietly);
  await serveForTest(home);
  const serving = snapshot(home);
  await find(home, { key });
  expect(snapshot(home)).toEqual(serving);
});

describe('the command', () => {
  const ownHome = (home: Home) => ['--home', home.directory];

  it('groups the findings with their remedies and ends with a sentence', async () => {
    const home = await makeClub();
    const { status, stdout, stderr } = await callCommand([...ownHome(home), 'doctor']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toMatch(/^Why can't my script connect\?\n(?:[✓!✗ ].*\n)+\nIs my data safe\?\n/);
    expect(stdout).toContain('✗ No service runs');
    expect(stdout).toContain('  → Start it with "club-events serve"');
    expect(stdout).toMatch(/\n\n(One problem|\d+ problems) must be solved\.\n$/);
  });

  it('ends with status 0 after warnings alone', async () => {
    const home = await makeClub();
    const { baseUrl } = await serveForTest(home);
    const args = [...ownHome(home), 'doctor', '--url', baseUrl];
    const { status, stdout } = await callCommand(args);
    expect(stdout).toContain('! There is no backup.');
    expect(status).toBe(0);
  });

  it('reads the key from standard input, and prints the list as JSON', async () => {
    const home = await makeClub();
    const { baseUrl } = await serveForTest(home);
    const key = await createKey(home);
    const args = [...ownHome(home), '--json', 'doctor', '--key-stdin', '--url', baseUrl];
    const { status, stdout, stderr } = await callCommand(args, `${key}\n`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toContain(key.slice(3));
    expect(JSON.parse(stdout).findings).toContainEqual({
      question: 'connection',
      probe: 'request',
      level: 'ok',
      code: 'request_answered',
      detail: 'A request with this key is answered: there are 2 events.',
      remedy: null,
    });
  });

  it('refuses an address that is none', async () => {
    const { status, stderr } = await callCommand([
      ...ownHome(makeTestHome()),
      'doctor',
      '--url',
      'x',
    ]);
    expect(status).toBe(2);
    expect(stderr).toBe(
      '--url: This is not the address of a service; write it like https://events.example.org or http://127.0.0.1:28470.\n',
    );
  });
});

it('creates every finding', { tags: 'long' }, (context) => {
  requirePlace(context, '/proc');
  const codes = Object.keys(en.finding).map((key) => key.replace(/_(one|other)$/, ''));
  expect([...new Set(codes)].filter((code) => !seen.has(code))).toEqual([]);
});
