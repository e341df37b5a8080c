import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callCommand, startServe } from '../../support/command.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { performHere } from '../../support/perform.ts';
import { fetchWithKey } from '../../support/service.ts';

async function makeClub() {
  const home = makeTestHome();
  const member = await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]);
  const call = (...args: string[]) => callCommand(['--home', home.directory, ...args]);
  return { home, call, ...member };
}

describe('backup and restore on the command line', () => {
  it('backup and restore on the command line make, list and restore a backup, and say how to undo that', async () => {
    const { home, call } = await makeClub();
    const made = await call('backup');
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expect(made.stdout).toMatch(/-hand\.sqlite: 1 club and 2 events, verified\.\n$/);
    const { name } = JSON.parse((await call('backup', '--json')).stdout);
    expect(existsSync(join(home.backups, name))).toBe(true);
    const listed = await call('backup', 'list');
    expect(listed.stdout).toMatch(/^NAME +MADE +REASON +CLUBS +EVENTS +BYTES +PROVEN\n/);
    expect(listed.stdout.split('\n')[1]).toMatch(/ hand +1 +2 +\d+ +not yet$/);

    await performHere('backup prove', {}, { home, onProgress: () => undefined });
    const proven = (await call('backup', 'list')).stdout.split('\n')[1];
    expect(proven).toMatch(/ hand +1 +2 +\d+ +\S+Z, 2 of 2 events$/);

    await call('event', 'remove', '2', '--user', 'Chess');
    const restored = await call('restore', name);
    expect(restored).toMatchObject({
      status: 0,
      stdout: `Restored ${name}: 1 club and 2 events.\n`,
    });
    const [, replaced = ''] =
      /^"club-events restore (\S+)" undoes this\.\n$/.exec(restored.stderr) ?? [];
    const undone = await call('restore', replaced, '--json');
    expect(JSON.parse(undone.stdout)).toMatchObject({
      restored: replaced,
      counts: { users: 1, events: 1 },
      damaged: null,
    });
    expect((await call('check')).status).toBe(0);
  });

  it('backup and restore on the command line write a file elsewhere, with its record', async () => {
    const { call } = await makeClub();
    const folder = makeTestFolder();
    const output = join(folder, 'stick.sqlite');
    const { stdout, status } = await call('backup', '--output', output);
    expect({ stdout, status }).toEqual({
      stdout: `${output}: 1 club and 2 events, verified.\n`,
      status: 0,
    });
    expect(readdirSync(folder).toSorted()).toEqual(['stick.sqlite', 'stick.sqlite.json']);
    expect((await call('backup', 'list')).stdout).toMatch(/^There is no backup yet/);
    // Another computer.
    const other = makeTestHome();
    const restored = await callCommand(['--home', other.directory, 'restore', output]);
    expect(restored).toEqual({
      status: 0,
      stdout: 'Restored stick.sqlite: 1 club and 2 events.\n',
      stderr: '',
    });
  });

  it('backup and restore on the command line refuse what is not a backup in one sentence, and wrong usage', async () => {
    const { call } = await makeClub();
    const file = join(makeTestFolder(), 'season.csv');
    writeFileSync(file, 'name,date');
    expect(await call('restore', file)).toEqual({
      status: 2,
      stdout: '',
      stderr: `${file} is a file of events, not a backup. Add its events with "club-events import FILE --user NAME"; nothing was changed.\n`,
    });
    const json = JSON.parse((await call('restore', file, '--json')).stdout);
    expect(json.error.code).toBe('file_is_table');
    expect((await call('restore')).status).toBe(2);
    expect((await call('backup', 'lost')).status).toBe(2);
    expect((await call('backup', '--help')).stdout).toContain('--output <file>');
    const empty = await callCommand(['--home', makeTestHome().directory, 'backup']);
    expect(empty.status).toBe(1);
    expect(empty.stderr).toMatch(/^There is no database at /);
  });

  it('backup and restore on the command line warn if the backup of the day fails, and make the change', async () => {
    const { home, call } = await makeClub();
    writeFileSync(home.backups, 'a file in the way');
    const added = await call('user', 'add', 'Rowing');
    expect(added).toMatchObject({ status: 0, stdout: 'Added club "Rowing".\n' });
    expect(added.stderr).toMatch(/^No backup could be made\. .*backups.*\.\n$/);
    const removed = await call('user', 'remove', 'Rowing');
    expect(removed.status).toBe(1);
    expect(removed.stderr).toMatch(/Nothing was changed, because no backup could be made first\./);
  });

  it('backup and restore on the command line work while a service runs, which answers from the restored events at once', async () => {
    const { home, call, key } = await makeClub();
    const serving = await startServe(['--home', home.directory, '--port', '0']);
    const port = Number(new URL(serving.firstLine).port);
    const total = async () =>
      (await fetchWithKey({ port }, '/v1/events', key)).headers.get('Total-Count');
    const { name } = JSON.parse((await call('backup', '--json')).stdout);
    await call('event', 'remove', '2', '--user', 'Chess');
    expect(await total()).toBe('1');
    await call('restore', name);
    expect(await total()).toBe('2');
    expect(await serving.end('SIGTERM')).toBe(0);
  });
});
