import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeAt } from '../../../server/base/home.ts';
import { callCommand, runCommand, startServe } from '../../support/command.ts';
import { crashAfterCommit } from '../../support/crash.ts';
import { makeTestFolder, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';

async function done(home: string, ...command: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await callCommand(['--home', home, ...command]);
  expect(`${status} ${stderr}`).toMatch(/^0/);
  return stdout;
}

/** Writes a file with events of a season. */
function writeSeason(count: number): string {
  const path = join(makeTestFolder(), 'season.csv');
  const rows = Array.from({ length: count }, (_, index) => `Match ${index},2026-05-01 18:00`);
  writeFileSync(path, `name,date\n${rows.join('\n')}\n`);
  return path;
}

const readAll = async (home: string) => [
  await done(home, 'user', 'list', '--json'),
  await done(home, 'key', 'list', '--json'),
  await done(home, 'export', '--user', 'Chess', '--format', 'json'),
  await done(home, 'history', '--user', 'Chess', '--json'),
];

it('keeps everything in the one file after each command, while a service runs', {
  tags: 'long',
}, async () => {
  const { directory, database } = makeTestHome();
  await done(directory, 'user', 'add', 'Chess');
  await startServe(['--port', '0', '--home', directory]);
  const commands = [
    ['import', writeSeason(500), '--user', 'Chess', '--time-zone', 'UTC'],
    ['key', 'create', '--user', 'Chess'],
    ['event', 'add', '--user', 'Chess', '--name', 'Final', '--date', '2026-06-01'],
    ['undo', '1'],
    ['user', 'add', 'Rowing'],
    ['user', 'remove', 'Rowing'],
  ];
  for (const command of choose(commands, commands.slice(0, 3))) {
    await done(directory, ...command);
    expect(statSync(`${database}-wal`).size, command.join(' ')).toBe(0);
    const copy = makeTestHome();
    await done(copy.directory, 'user', 'add', 'Temporary');
    copyFileSync(database, copy.database);
    expect(await readAll(copy.directory)).toEqual(await readAll(directory));
    expect(await done(copy.directory, 'check')).toContain('in order');
  }
});

it('refuses the log of the earlier database beside a copy that was put back', {
  tags: 'long',
}, async () => {
  const { directory, database } = makeTestHome();
  await done(directory, 'user', 'add', 'Chess');
  const service = await startServe(['--port', '0', '--home', directory]);
  const backup = join(makeTestFolder(), 'backup.sqlite');
  copyFileSync(database, backup);
  await done(directory, 'import', writeSeason(500), '--user', 'Chess', '--time-zone', 'UTC');
  // A crash right after its commit leaves the log of a command.
  await crashAfterCommit(directory, 'Rowing');
  await service.end('SIGTERM');
  expect(statSync(`${database}-wal`).size).toBeGreaterThan(0);
  copyFileSync(backup, database);
  const log = readFileSync(`${database}-wal`);

  for (const command of [['user', 'list'], ['user', 'add', 'Tennis'], ['check'], ['serve']]) {
    const perform = command[0] === 'serve' ? runCommand : callCommand;
    const { status, stdout, stderr } = await perform(['--home', directory, ...command]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/events\.sqlite was replaced by a copy, but the files events/);
  }
  expect(readFileSync(database)).toEqual(readFileSync(backup));
  expect(readFileSync(`${database}-wal`)).toEqual(log);

  for (const suffix of ['-wal', '-shm']) rmSync(database + suffix);
  expect(await done(directory, 'user', 'list')).toContain('Chess');
  expect(await done(directory, 'check')).toContain('in order');
  expect(existsSync(homeAt(directory).registration)).toBe(false);
});

it('leaves a damaged file and its log as they are when a change is refused', {
  tags: 'long',
}, async () => {
  const { directory, database } = makeTestHome();
  await done(directory, 'user', 'add', 'Chess');
  await done(directory, 'import', writeSeason(500), '--user', 'Chess', '--time-zone', 'UTC');
  await crashAfterCommit(directory, 'Rowing');
  // Elsewhere: this process has checked the first one.
  const damaged = makeTestHome();
  mkdirSync(damaged.directory);
  const bytes = readFileSync(database);
  writeFileSync(damaged.database, bytes.subarray(0, bytes.length - 8 * 4096));
  copyFileSync(`${database}-wal`, `${damaged.database}-wal`);
  const readFiles = () => ['', '-wal'].map((suffix) => readFileSync(damaged.database + suffix));
  const before = readFiles();
  const refused = await callCommand(['--home', damaged.directory, 'user', 'add', 'Tennis']);
  expect(refused.status).toBe(1);
  expect(readFiles()).toEqual(before);
});
