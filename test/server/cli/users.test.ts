import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { callCommand } from '../../support/command.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';

const composed = 'Café';
const decomposed = composed.normalize('NFD');

async function makeClub(name: string) {
  const home = makeTestHome();
  await addMember(home, name, [makeEvent(1)]);
  const call = (...args: readonly string[]) => callCommand(['--home', home.directory, ...args]);
  const list = async () => JSON.parse((await call('user', 'list', '--json')).stdout).users;
  return { home, call, list };
}

describe('the name of a user', () => {
  it('the name of a user is one name with composed and with decomposed letters', async () => {
    const { call, list } = await makeClub('Chess');
    expect(await call('user', 'add', decomposed)).toMatchObject({ status: 0 });
    expect(await call('user', 'add', composed)).toMatchObject({ status: 1 });
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual([composed, 'Chess']);
    for (const name of [composed, decomposed]) {
      expect(await call('history', '--user', name)).toMatchObject({ status: 0 });
    }
  });

  it('the name of a user is found as an earlier version stored it', async () => {
    const { home, call } = await makeClub('Chess');
    const sqlite = new Database(home.database);
    sqlite.prepare('UPDATE users SET name = ?').run(decomposed);
    sqlite.close();
    expect(await call('user', 'add', composed)).toMatchObject({ status: 1 });
    const exported = await call('export', '--user', composed, '--format', 'json');
    expect(exported.stdout).toContain('Event 1');
    expect(await call('user', 'rename', composed, composed)).toMatchObject({ status: 0 });
    expect((await call('user', 'list', '--json')).stdout).toContain(`"${composed}"`);
  });
});

describe('user rename', () => {
  it('keeps the id, the keys, the events and the calendar of the user', async () => {
    const { call, list } = await makeClub('Ches');
    const calendar = async (user: string) => {
      const { stdout } = await call('export', '--user', user, '--format', 'ics');
      return stdout.match(/^UID:.*$/gm);
    };
    const [before] = await list();
    const uids = await calendar('Ches');
    expect(await call('user', 'rename', 'Ches', 'Chess')).toEqual({
      status: 0,
      stdout: 'Renamed user "Ches" to "Chess".\n',
      stderr: '',
    });
    expect(await list()).toEqual([{ ...before, name: 'Chess' }]);
    expect(await calendar('Chess')).toEqual(uids);
    expect((await call('user', 'rename', 'Ches', 'Go')).stderr).toContain('"Ches"');
  });

  it('refuses the name of another user, an invalid name and a missing one', async () => {
    const { call, list } = await makeClub('Chess');
    await call('user', 'add', composed);
    const before = await list();
    expect(await call('user', 'rename', 'Chess', decomposed)).toMatchObject({ status: 1 });
    expect(await call('user', 'rename', 'Chess', ' ')).toMatchObject({ status: 2 });
    expect(await call('user', 'rename', 'Chess')).toMatchObject({ status: 2 });
    expect(await list()).toEqual(before);
  });
});
