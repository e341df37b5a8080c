import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listBackups } from '../../../server/store/backup-records.ts';
import { callCommand, runCommand, startServe } from '../../support/command.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { findUnprivileged, mountHanging } from '../../support/place.ts';

async function makeClub() {
  const home = makeTestHome();
  await addMember(home, 'Chess', [makeEvent(1)]);
  const call = (...args: string[]) => callCommand(['--home', home.directory, ...args]);
  const addEvent = (name: string) =>
    call('event', 'add', '--user', 'Chess', '--name', name, '--date', '2026-12-01');
  const folder = makeTestFolder();
  const list = async () => JSON.parse((await call('backup', 'folder', 'list', '--json')).stdout);
  const copies = (path = folder) =>
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.sqlite'))
      .map((name) => name.split(/[\\/]/).at(-1))
      .toSorted();
  const atHome = () =>
    listBackups(home)
      .map(({ name }) => name)
      .toSorted();
  return { home, call, addEvent, folder, list, copies, atHome };
}

describe('the folders for backups on the command line', () => {
  it('are added, listed and removed, and get the backup of each command', async () => {
    const { home, call, addEvent, folder, list, copies, atHome } = await makeClub();
    expect((await call('backup', 'folder', 'list')).stdout).toMatch(
      /^No folder gets the backups; /,
    );
    await call('backup');
    const added = await call('backup', 'folder', 'add', folder);
    const [, path = ''] =
      /^(.+): 1 backup, verified\. Each new one goes there as soon as the folder is there\.\n$/.exec(
        added.stdout,
      ) ?? [];
    expect(dirname(path)).toBe(folder);
    expect(added.stderr).toMatch(/^This folder is on the disk of the data\. .+\.\n$/);
    expect(added.status).toBe(0);
    expect(await call('backup')).toMatchObject({ status: 0, stderr: '' });
    expect(copies()).toEqual(atHome());
    rmSync(home.backups, { recursive: true });
    // The backup of the day.
    expect((await addEvent('Cup')).status).toBe(0);
    expect(atHome()).toHaveLength(1);
    expect(copies()).toHaveLength(3);
    const listed = await call('backup', 'folder', 'list');
    expect(listed.stdout.split('\n').map((line) => line.trim())).toEqual([
      path,
      'Up to date.',
      expect.stringMatching(/^3 backups, the last of .+, arrived .+\.$/),
      expect.stringMatching(/^This folder is on the disk of the data/),
      '',
    ]);
    const restored = await call('restore', join(path, copies()[0] ?? ''));
    expect(restored).toMatchObject({ status: 0 });
    expect(await list()).toMatchObject({ folders: [{ folder, state: 'current', failure: null }] });
    const removed = await call('backup', 'folder', 'remove', folder);
    expect(removed).toEqual({
      status: 0,
      stdout: `${folder} gets no more backups. Those in ${path} stay.\n`,
      stderr: '',
    });
    expect(existsSync(path)).toBe(true);
    const again = await call('backup', 'folder', 'remove', folder);
    expect(again).toMatchObject({ status: 1, stderr: `${folder} does not get the backups.\n` });
    expect((await call('backup', 'folder', 'add')).status).toBe(2);
  });

  it('delay no command while they are gone, and get the backups later', async () => {
    const { call, addEvent, folder, list, copies, atHome } = await makeClub();
    await call('backup', 'folder', 'add', folder);
    const away = `${folder} away`;
    onTestFinished(() => rmSync(away, { recursive: true, force: true }));
    renameSync(folder, away);
    expect(await call('backup')).toMatchObject({ status: 0, stderr: '' });
    expect(await addEvent('Cup')).toMatchObject({ status: 0 });
    expect((await list()).folders[0].state).toBe('waiting');
    expect((await call('backup', 'folder', 'list')).stdout).toContain(`Waits until ${folder} is`);
    renameSync(away, folder);
    await call('backup');
    expect(copies()).toEqual(atHome());
  });

  it('are named when they fail, and no command fails with them', {
    tags: 'long',
  }, async (context) => {
    const { home, call, folder } = await makeClub();
    const user = findUnprivileged(context);
    if (user.uid !== undefined) {
      for (const path of [folder, home.directory, dirname(home.directory)]) {
        chownSync(path, user.uid, user.uid);
      }
      for (const name of readdirSync(home.directory)) {
        chownSync(join(home.directory, name), user.uid, user.uid);
      }
    }
    const run = (...args: string[]) => runCommand(['--home', home.directory, ...args], user);
    chmodSync(folder, 0o555);
    const refused = await run('backup', 'folder', 'add', folder);
    const sentence = `${folder} may not be used by this account; check its permissions.\n`;
    expect(refused).toEqual({ status: 1, stdout: '', stderr: sentence });
    chmodSync(folder, 0o755);
    expect(await run('backup', 'folder', 'add', folder)).toMatchObject({ status: 0 });
    const [own = ''] = readdirSync(folder);
    chmodSync(join(folder, own), 0o555);
    const made = await run('backup');
    expect(made).toMatchObject({ status: 0, stderr: sentence });
    const listed = (await run('backup', 'folder', 'list')).stdout;
    expect(listed).toContain('Not up to date since');
    expect(listed).toContain(sentence.trim());
    expect((await call('doctor')).stdout).toContain(`The backups in ${folder} are not up to date.`);
    chmodSync(join(folder, own), 0o755);
  });

  it('get the backups of a running service within seconds, which ends while one of them hangs', {
    tags: 'long',
  }, async (context) => {
    const disk = mountHanging(context);
    const { home, call, addEvent, folder, copies, atHome, list } = await makeClub();
    const output = join(makeTestFolder(), 'dates.ics');
    await call('publish', 'add', '--user', 'Chess', '--to', output);
    await call('backup', 'folder', 'add', disk.folder);
    await call('backup', 'folder', 'add', folder);
    const service = await startServe(['--home', home.directory, '--port', '0']);
    await call('backup');
    await expect.poll(() => copies(disk.folder)).toEqual(atHome());
    disk.hang();
    await addEvent('Cup');
    await call('backup');
    await expect.poll(() => copies()).toEqual(atHome());
    await expect.poll(() => readFileSync(output, 'utf8')).toContain('Cup');
    expect(await service.end('SIGTERM')).toBe(0);
    // The service did not wait until the disk counts as silent.
    expect((await list()).folders).toMatchObject([{ failure: null }, { state: 'current' }]);
    const run = (...args: string[]) => runCommand(['--home', home.directory, ...args]);
    const named = await run('backup');
    expect(named).toMatchObject({ status: 0 });
    expect(named.stderr).toContain(`${disk.folder} does not answer.`);
    disk.answer();
    expect(await run('backup')).toMatchObject({ status: 0, stderr: '' });
    expect((await list()).folders[0].state).toBe('current');
    expect(copies(disk.folder)).toEqual(atHome());
  });
});
