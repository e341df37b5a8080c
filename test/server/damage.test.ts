import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { Home } from '../../server/home.ts';
import { callCommand, runCommand, startServe } from '../support/command.ts';
import { damageEvents } from '../support/damage.ts';
import { addMember, makeEvent, makeTestHome } from '../support/home.ts';
import { choose } from '../support/long.ts';

const run = (home: Home, ...args: readonly string[]) =>
  callCommand(['--home', home.directory, ...args]);

it('stops answers and changes until a backup is restored, and keeps the damaged file', async () => {
  const home = makeTestHome();
  const events = Array.from({ length: 1_500 }, (_, index) => makeEvent(index + 1));
  const { key } = await addMember(home, 'Chess', events);
  expect((await run(home, 'backup')).status).toBe(0);
  const [backup] = readdirSync(home.backups).filter((name) => name.endsWith('.sqlite'));
  damageEvents(home.database);
  const damaged = readFileSync(home.database);

  const service = await startServe(['--port', '0', '--home', home.directory]);
  const get = (path: string) =>
    fetch(`${service.firstLine}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  const codeOf = async () => {
    const answer = await get('/v1/events?limit=1');
    return answer.status === 200 ? 'ok' : ((await answer.json()) as { code: string }).code;
  };
  await expect.poll(codeOf).toBe('database_damaged');
  expect((await get('/v1/events/1')).status).toBe(503);
  expect((await get('/health')).status).toBe(200);
  const day = new Date().toLocaleDateString('en', { dateStyle: 'long' });
  await expect
    .poll(service.stderr)
    .toContain(`Restore the newest good backup, of ${day}, with "club-events restore".`);

  const commands = [
    ['event', 'add', '--user', 'Chess', '--name', 'Final', '--date', '2026-06-01'],
    ['user', 'add', 'Rowing'],
    ['backup'],
  ];
  for (const command of choose(commands, commands.slice(0, 1))) {
    // In a process of its own, which has not written before.
    const { status, stdout, stderr } = await runCommand(['--home', home.directory, ...command]);
    expect(stderr).toMatch(/events\.sqlite is damaged\. Leave it as it is; restore a backup/);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  }
  expect(readFileSync(home.database)).toEqual(damaged);

  const { stderr } = await run(home, 'restore', backup as string);
  expect(stderr).toMatch(/^The damaged database is kept as events\.damaged-/);
  await expect.poll(codeOf).toBe('ok');
  const kept = readdirSync(home.directory).filter((name) => name.startsWith('events.damaged-'));
  expect(kept).toEqual([expect.stringMatching(/^events\.damaged-[0-9TZ-]+\.sqlite$/)]);
  expect(readFileSync(`${home.directory}/${kept[0]}`)).toEqual(damaged);
  expect((await run(home, 'check')).status).toBe(0);
  const { events: restored } = (await (await get('/v1/events/1500')).json()) as {
    events?: unknown;
  };
  expect(restored).toBeUndefined();
  expect((await get('/v1/events/750')).status).toBe(200);
});

it('takes an empty or missing database beside a backup or a log for lost, not for a new club', async () => {
  const home = makeTestHome();
  await addMember(home, 'Chess', [makeEvent(1)]);
  await run(home, 'backup');
  const [backup] = readdirSync(home.backups).filter((name) => name.endsWith('.sqlite'));
  writeFileSync(home.database, '');
  for (const command of [['user', 'list'], ['user', 'add', 'Rowing'], ['check']]) {
    const { status, stderr } = await run(home, ...command);
    expect(stderr).toMatch(/is empty or missing, although there is a backup or a log of it/);
    expect(status).toBe(1);
  }
  expect(readFileSync(home.database)).toHaveLength(0);
  expect((await run(home, 'restore', backup as string)).status).toBe(0);
  expect((await run(home, 'user', 'list')).stdout).toContain('Chess');
});

it('warns of events that another program has deleted, and serves the others', async () => {
  const home = makeTestHome();
  const { key } = await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]);
  const sqlite = new Database(home.database);
  sqlite.exec('DELETE FROM events WHERE id = 2');
  sqlite.close();
  const service = await startServe(['--port', '0', '--home', home.directory]);
  await expect
    .poll(service.stderr)
    .toMatch(/do not fit their history: missing events that the history has: 1, such as 2\./);
  const headers = { Authorization: `Bearer ${key}` };
  expect((await fetch(`${service.firstLine}/v1/events/1`, { headers })).status).toBe(200);
});
