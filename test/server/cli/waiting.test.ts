import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { homeAt } from '../../../server/base/home.ts';
import { callCommand, runCommand, startCommand } from '../../support/command.ts';
import { addMember, makeTestFolder } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';

/**
 * A home with a club and a key. A command that might have to wait for another one is run, in a
 * process of its own: a call would hold up this one.
 */
async function makeHome() {
  const folder = makeTestFolder();
  const home = homeAt(join(folder, 'home'));
  await addMember(home, 'Chess');
  const at = ['--home', home.directory];
  const run = (...args: readonly string[]) => runCommand([...at, ...args]);
  const start = (...args: readonly string[]) => startCommand([...at, ...args]);
  const call = (...args: readonly string[]) => callCommand([...at, ...args]);
  return { folder, run, start, call, database: home.database };
}

/** Opens a pipe as a shell does for `<(command)`, and returns its name and its other end. */
async function openPipe(folder: string) {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const writer = await open(path, 'r+');
  return { pipe: `/dev/fd/${writer.fd}`, writer };
}

const waiting = 'Another program is changing the data; waiting until it is done.\n';

describe('a command beside a transaction of another program', () => {
  it('a command waits for a transaction of another program and reports it once', {
    tags: 'long',
  }, async () => {
    const { start, call, database } = await makeHome();
    const holder = new Database(database);
    onTestFinished(() => void holder.close());
    holder.exec('BEGIN IMMEDIATE');
    const revoked = start('key', 'revoke', '1');
    const added = start('user', 'add', 'Rowing');
    // A slow machine takes long to start them.
    await expect.poll(() => [revoked.stderr(), added.stderr()]).toEqual([waiting, waiting]);
    // Longer than SQLite itself would wait.
    await delay(5_500);
    // Reading needs no lock.
    expect((await call('user', 'list')).status).toBe(0);
    holder.exec('ROLLBACK');
    const done = { status: 0, stdout: 'Revoked key 1.\n', stderr: waiting };
    expect(await revoked.finished).toEqual(done);
    expect(await added.finished).toMatchObject({ status: 0, stderr: waiting });
  });

  it('reports nothing when no other program writes', async () => {
    const { call } = await makeHome();
    expect((await call('user', 'add', 'Rowing')).stderr).toBe('');
  });
});

describe('an import from a pipe', { tags: 'long' }, () => {
  it('an import from a pipe does not lock the data while it reads a pipe', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'named pipes');
    const { folder, run, call } = await makeHome();
    const { pipe, writer } = await openPipe(folder);
    const imported = call('import', pipe, '--user', 'Chess', '--format', 'csv');
    await writer.write('Titel;Datum\nFest;1.5.2026\n');
    expect(await run('key', 'revoke', '1')).toMatchObject({ status: 0, stderr: '' });
    await writer.write('Ball;2.5.2026\n');
    await writer.close();
    expect(await imported).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+: 2 events added\.\n$/),
    });
  });

  it('refuses an import from an endless pipe', { tags: 'long' }, async (context) => {
    requirePlace(context, 'device files');
    const { call } = await makeHome();
    const result = await call('import', '/dev/zero', '--user', 'Chess', '--format', 'csv');
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).toMatch(/^zero: more than 256 MB .*save it as a file first/);
  });
});

describe('an import whose club is removed in the meantime', () => {
  it('reports that the club was removed and stores nothing', { tags: 'long' }, async (context) => {
    requirePlace(context, 'named pipes');
    const { folder, run, call } = await makeHome();
    const { pipe, writer } = await openPipe(folder);
    const imported = call('import', pipe, '--user', 'Chess', '--format', 'csv');
    await run('user', 'remove', 'Chess');
    await writer.write('Titel;Datum\nFest;1.5.2026\n');
    await writer.close();
    const result = await imported;
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).toMatch(/The club was removed while its file was read/);
  });
});
