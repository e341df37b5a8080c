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
      stdout: 'Renamed club "Ches" to "Chess".\n',
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

describe('the settings of a user', () => {
  it('change, are in the history and can be undone', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1)]);
    const call = (...args: readonly string[]) => callCommand(['--home', home.directory, ...args]);
    const settings = async () => {
      const { stdout } = await call('--json', 'user', 'list');
      const { name, zone, usualLength, seasonStart } = JSON.parse(stdout).users[0];
      return { name, zone, usualLength, seasonStart };
    };
    const before = await settings();
    expect(before).toMatchObject({ usualLength: 120, seasonStart: 7 });
    await call('user', 'length', 'Chess', '90');
    await call('user', 'season', 'Chess', '8');
    await call('user', 'zone', 'Chess', 'Asia/Tokyo');
    await call('user', 'rename', 'Chess', 'Rovers');
    expect(await settings()).toEqual({
      name: 'Rovers',
      zone: 'Asia/Tokyo',
      usualLength: 90,
      seasonStart: 8,
    });
    const { stdout } = await call('history', '--user', 'Rovers');
    expect(stdout.match(/(?:Usual length|Season begins in|Name|Time zone): .*/g)).toEqual([
      'Name: Chess → Rovers',
      `Time zone: ${before.zone} → Asia/Tokyo`,
      'Season begins in: 7 → 8',
      'Usual length: 120 → 90',
    ]);
    const numbers = [...stdout.matchAll(/^(\d+) .*→/gm)].map(([, number]) => number ?? '');
    for (const number of numbers) expect((await call('undo', number)).status).toBe(0);
    expect(await settings()).toEqual(before);
    expect((await call('check')).status).toBe(0);
  });

  it.each([
    ['length', '0', 'between 1 and 1440'],
    ['length', 'long', 'between 1 and 1440'],
    ['season', '13', 'from 1 to 12'],
  ])('user %s refuses %s and changes nothing', async (command, value, reason) => {
    const home = makeTestHome();
    await addMember(home, 'Chess', []);
    const refused = await callCommand(['--home', home.directory, 'user', command, 'Chess', value]);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain(reason);
  });
});
