import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { Problem } from '../../../server/base/errors.ts';
import type { Home } from '../../../server/base/home.ts';
import { callCommand, runCommand, startServe } from '../../support/command.ts';
import { damageEvents } from '../../support/damage.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { expectClosed, requirePlace } from '../../support/place.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';
import { buildShim, commandLine, readOperations, runWithShim } from '../../support/shim.ts';

const run = (home: Home, ...args: readonly string[]) =>
  callCommand(['--home', home.directory, ...args]);

it('stops answers and changes until a backup is restored, and keeps the damaged file', {
  tags: 'long',
}, async () => {
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
    .toContain(`Restore the newest good backup, of ${day}, with "club-events restore FILE".`);

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

  // Windows renames no file that is open.
  await expectClosed(service.pid, home.database);
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

/** Makes a club with a backup and a damaged page of events. */
async function makeDamaged() {
  const home = makeTestHome();
  const events = Array.from({ length: 1_500 }, (_, index) => makeEvent(index + 1));
  const { key } = await addMember(home, 'Chess', events);
  await run(home, 'backup');
  const [backup = ''] = readdirSync(home.backups).filter((name) => name.endsWith('.sqlite'));
  damageEvents(home.database);
  return { home, backup, key };
}

async function serveDamaged() {
  const { home, backup, key } = await makeDamaged();
  const warnings: Problem['code'][] = [];
  const warn = ({ code }: Problem) => void warnings.push(code);
  const service = await serveForTest(home, {}, undefined, { warn });
  const statusOf = async (path: string) => (await fetchWithKey(service, path, key)).status;
  return { home, backup, warnings, statusOf };
}

it('closes a database when a read finds damage, and opens the restored one', {
  tags: 'long',
}, async () => {
  const { home, backup, warnings, statusOf } = await serveDamaged();
  expect(await statusOf('/v1/events/1')).toBe(200);
  expect(await statusOf('/v1/events/750')).toBe(503);
  expect(await statusOf('/v1/events/1')).toBe(503);
  expect(await statusOf('/health')).toBe(200);
  await expectClosed(process.pid, home.database);
  // This writes into the file, which stays damaged.
  expect((await run(home, 'key', 'create', '--user', 'Chess')).status).toBe(0);
  const countLooks = async () => {
    expect(await statusOf('/v1/events/1')).toBe(503);
    const log = readFileSync(join(home.logs, 'service.log'), 'utf8');
    return log.match(/the database is damaged/g)?.length;
  };
  await expect.poll(countLooks).toBe(2);
  await expectClosed(process.pid, home.database);
  expect((await run(home, 'restore', backup)).status).toBe(0);
  await expect.poll(() => statusOf('/v1/events/750')).toBe(200);
  expect(warnings).toEqual(['database_damaged']);
});

it('restores a damaged database that is served where no open file is renamed', {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'file operations that fail');
  const { home, backup, statusOf } = await serveDamaged();
  expect(await statusOf('/v1/events/750')).toBe(503);
  const fault = { at: 0, kind: 'open' } as const;
  const settings = { library: buildShim(makeTestFolder()), folder: home.directory, fault };
  const restored = await runWithShim(commandLine(home.directory, ['restore', backup]), settings);
  expect(restored).toMatchObject({ status: 0 });
  await expect.poll(() => statusOf('/v1/events/750')).toBe(200);
});

it('renames a damaged database, which waits for readers on Windows, before it removes a file', {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'file operations that fail');
  const { home, backup } = await makeDamaged();
  const reader = new Database(home.database, { readonly: true });
  onTestFinished(() => void reader.close());
  reader.prepare('SELECT * FROM users').all();
  const folder = makeTestFolder();
  const log = join(folder, 'operations');
  const settings = { library: buildShim(folder), folder: home.directory, log };
  const restored = await runWithShim(commandLine(home.directory, ['restore', backup]), settings);
  expect(restored).toMatchObject({ status: 0 });
  const changes = readOperations(log).flatMap(({ kind, path }) =>
    path.startsWith(home.database) && 'RU'.includes(kind)
      ? [kind + path.slice(home.database.length)]
      : [],
  );
  expect(changes).toEqual(['R', 'U-wal', 'U-shm']);
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

it('warns of events that another program has deleted, and serves the others', {
  tags: 'long',
}, async () => {
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
