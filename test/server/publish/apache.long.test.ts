import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, type TestContext, vi } from 'vitest';
import { makeTestFolder } from '../../support/home.ts';
import { patience } from '../../support/patience.ts';
import { mountSmall, requirePlace } from '../../support/place.ts';
import { findFreePort } from '../../support/port.ts';
import { printFigure } from '../../support/print.ts';
import { createRandom } from '../../support/random.ts';
import { openClub } from './open-club.ts';

const account = 'maria';
const password = 'pass-that-nobody-shows';

/** The account "www-data" of Debian, as which Apache runs. */
const wwwData = 33;

const modules = ['mpm_event', 'authn_core', 'authn_file', 'auth_basic', 'authz_core', 'authz_user'];

/** Starts Apache with `mod_dav` on a folder of a small disk, for the running test. */
async function startApache(context: TestContext) {
  requirePlace(context, 'Apache');
  const { folder: disk } = mountSmall(context, 512);
  const folder = makeTestFolder();
  const port = await findFreePort();
  const root = join(disk, 'files');
  const locks = join(disk, 'locks');
  for (const each of [root, locks]) {
    mkdirSync(each);
    chownSync(each, wwwData, wwwData);
  }
  const digest = createHash('sha1').update(password).digest('base64');
  const users = join(disk, 'users');
  writeFileSync(users, `${account}:{SHA}${digest}\n`);
  const configuration = join(folder, 'apache.conf');
  writeFileSync(
    configuration,
    [
      ...[...modules, 'dav', 'dav_fs'].map(
        (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
      ),
      `Listen 127.0.0.1:${port}`,
      `PidFile ${join(folder, 'pid')}`,
      `ErrorLog ${join(folder, 'errors')}`,
      'ServerName localhost',
      `User #${wwwData}`,
      `Group #${wwwData}`,
      `DocumentRoot ${root}`,
      `DavLockDB ${join(locks, 'db')}`,
      `<Directory ${root}>`,
      'Dav On',
      'AuthType Basic',
      'AuthName files',
      `AuthUserFile ${users}`,
      'Require valid-user',
      '</Directory>',
      '',
    ].join('\n'),
  );
  const apache = spawn('/usr/sbin/apache2', ['-f', configuration, '-D', 'FOREGROUND']);
  onTestFinished(async () => {
    const ended = once(apache, 'exit');
    apache.kill();
    await ended;
  });
  await vi.waitFor(() => once(net.connect(port, '127.0.0.1'), 'connect'), {
    timeout: patience,
    interval: 100,
  });
  return { port, root, disk };
}

/** Stands before Apache, and cuts the next connection that sends a file after some of its bytes. */
async function startCutter(port: number) {
  const cutter = { port: 0, after: undefined as number | undefined };
  const server = net.createServer((client: Socket) => {
    const upstream = net.connect(port, '127.0.0.1');
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    upstream.pipe(client);
    client.on('data', (bytes: Buffer) => {
      const start = bytes.indexOf('\r\n\r\n') + 4;
      const isSent = cutter.after !== undefined && bytes.subarray(0, 4).equals(Buffer.from('PUT '));
      if (!isSent) return void upstream.write(bytes);
      const { after = 0 } = cutter;
      cutter.after = undefined;
      upstream.write(bytes.subarray(0, start + Math.floor(after * (bytes.length - start))), end);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  cutter.port = (server.address() as AddressInfo).port;
  return cutter;
}

it('keeps a file of Apache whole after each of 1,000 changes with cuts, a full disk and refusals', async (context) => {
  const { port, root, disk } = await startApache(context);
  const cutter = await startCutter(port);
  const { clock, perform, user, addEvent, tick, only } = await openClub();
  const id = await addEvent('Match', '2026-11-28T15:00');
  const url = `http://127.0.0.1:${cutter.port}/dates.ics`;
  await perform('publish add', { user, url, account, password });
  const path = join(root, 'dates.ics');
  const text = () => readFileSync(path, 'utf8');
  const isWhole = () => /^BEGIN:VCALENDAR[\s\S]*END:VCALENDAR\r\n$/.test(text());
  const pick = createRandom(34);
  const figures = { changes: 1_000, cuts: 0, parts: 0, full: 0, refused: 0 };
  const codes = new Map<string, number>();
  const users = join(disk, 'users');
  const accounts = readFileSync(users);
  const ballast = join(disk, 'ballast');
  for (let step = 1; step <= figures.changes; step += 1) {
    await perform('event edit', { user, id, changes: { location: `Place ${step}` } });
    clock.now += 3_000;
    const kind = pick(10);
    if (kind < 3) {
      cutter.after = pick(100) / 100;
      figures.cuts += 1;
    } else if (kind === 3) {
      figures.full += 1;
      try {
        writeFileSync(ballast, Buffer.alloc(1e6));
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
      }
    } else if (kind === 4) {
      figures.refused += 1;
      writeFileSync(users, `${account}:{SHA}x\n`);
    }
    await tick();
    if (!isWhole()) figures.parts += 1;
    const { state, failure } = await only();
    if (kind > 4) {
      expect([state, text().includes(`LOCATION:Place ${step}\r\n`)]).toEqual(['current', true]);
      continue;
    }
    const code = failure?.problem.code ?? state;
    codes.set(code, (codes.get(code) ?? 0) + 1);
    cutter.after = undefined;
    rmSync(ballast, { force: true });
    writeFileSync(users, accounts);
    const next = failure?.nextAt;
    if (next) clock.now = Date.parse(next);
    await tick();
    expect(await only()).toMatchObject({ state: 'current', failure: null });
    expect(isWhole()).toBe(true);
    expect(text()).toContain(`LOCATION:Place ${step}\r\n`);
  }
  printFigure(`Apache: ${JSON.stringify({ ...figures, ...Object.fromEntries(codes) })}`);
  expect(figures.parts).toBe(0);
  expect(readdirSync(root)).toEqual(['dates.ics']);
});
