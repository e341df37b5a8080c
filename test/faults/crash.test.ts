import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { applicationId, migrations } from '../../db/open.ts';
import { homeAt } from '../../server/home.ts';
import { createService } from '../../server/main.ts';
import {
  type ClubCommand,
  changes,
  copyHome,
  makeFaultClub,
  readClub,
} from '../support/fault-club.ts';
import { createdAt, makeTestFolder, removeFolder } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { printFigure } from '../support/print.ts';
import { createRandom } from '../support/random.ts';
import {
  buildShim,
  chooseKill,
  commandLine,
  eachOf,
  type Fault,
  readOperations,
  runWithShim,
} from '../support/shim.ts';

/** Starts the service on a data directory and stops it. Throws if the start is refused. */
async function startOnce(home: string): Promise<void> {
  const settings = { home, host: '127.0.0.1', port: 0, allowedOrigins: [] };
  const warn = (problem: Error) => {
    throw problem;
  };
  const service = createService(settings, { now: () => new Date(), warn });
  await service.run();
  await service.stop();
}

const emptyHome = (home: string) => {
  rmSync(home, { recursive: true });
  mkdirSync(home);
};

/** The commands of a first start. */
const firstStarts: readonly ClubCommand[] = [
  { name: 'first start', prepare: emptyHome, args: () => ['user', 'add', 'First'] },
  { name: 'first serve', prepare: emptyHome, args: () => ['serve', '--port', '0'], endless: true },
];

/** Writes a database of an earlier schema, with events. */
function writeEarlier(home: string, version: number): void {
  emptyHome(home);
  const sqlite = new Database(homeAt(home).database);
  sqlite.pragma('journal_mode = WAL');
  sqlite.exec(migrations[0] as string);
  sqlite.exec(
    `INSERT INTO users (name, created_at) VALUES ('Chess', '${createdAt}'), ('Rowing', '${createdAt}')`,
  );
  const insert = sqlite.prepare(`INSERT INTO events
    (user_id, id, name, date, location, status, created_at) VALUES (?, ?, ?, ?, ?, 'active', ?)`);
  for (let id = 1; id <= 150; id += 1)
    insert.run((id % 2) + 1, id, `Match ${id}`, '2026-05-01T18:00:00.000Z', 'Hall', createdAt);
  for (const migration of migrations.slice(1, version)) sqlite.exec(migration);
  sqlite.pragma(`application_id = ${applicationId}`);
  sqlite.pragma(`user_version = ${version}`);
  sqlite.close();
}

const migrationOf = (version: number): ClubCommand => ({
  name: `migration of version ${version}`,
  prepare: (home) => writeEarlier(home, version),
  args: () => ['user', 'list'],
});

/** Kills a command at random operations; each time, the club must be as before or as after. */
async function killOften(
  library: string,
  commands: readonly ClubCommand[],
  kills: number,
): Promise<string> {
  const folder = makeTestFolder();
  const club = await makeFaultClub(folder);
  const random = createRandom(18);
  const found = { killed: 0, ended: 0, before: 0, after: 0 };

  async function run(
    { prepare, args, endless = false, ...command }: ClubCommand,
    name: string,
    fault?: Fault,
  ) {
    const trial = join(folder, name);
    const home = copyHome(club.home, trial);
    await prepare?.(home);
    const paths = { season: club.season, output: join(trial, 'output') };
    const log = join(trial, 'log');
    const settings = { library, folder: home, ...(fault === undefined ? { log } : { fault }) };
    const ended = await runWithShim(commandLine(home, args(paths)), settings, { endless });
    return { ...command, trial, home, log, ended };
  }

  async function readAfter(home: string): Promise<string> {
    await startOnce(home);
    return readClub(home);
  }
  const prepared = await Promise.all(
    commands.map(async (command) => {
      const whole = await run(command, `whole ${command.name}`);
      expect(whole.ended).toMatchObject({
        status: 0,
        stderr: expect.not.stringContaining('  at '),
      });
      const operations = readOperations(whole.log);
      const untouched = copyHome(club.home, join(folder, `untouched ${command.name}`));
      await command.prepare?.(untouched);
      return {
        command,
        operations,
        before: await readAfter(untouched),
        after: await readAfter(whole.home),
      };
    }),
  );
  const trials = Array.from({ length: kills }, (_, index) => {
    const each = prepared[index % prepared.length] as (typeof prepared)[number];
    return { ...each, fault: chooseKill(each.operations, random) };
  });
  await eachOf(trials, 3, async ({ command, before, after, fault }, index) => {
    const { home, trial, ended } = await run(command, `trial ${index}`, fault);
    const title = `${command.name}, ${JSON.stringify(fault)}`;
    if (ended.signal === 'SIGKILL') found.killed += 1;
    else found.ended += 1;
    const state = await readAfter(home).catch((error: unknown) => {
      throw new Error(`${title}: ${error}`);
    });
    // A result on stdout acknowledges the change.
    const expected = ended.stdout === '' && state === before ? before : after;
    expect(state, title).toBe(expected);
    found[state === after ? 'after' : 'before'] += 1;
    removeFolder(trial);
  });
  expect(found.killed).toBeGreaterThan(kills * 0.9);
  return JSON.stringify(found);
}

it('leaves a club as before or as after a command that is killed', async (context) => {
  const shim = buildShim(makeTestFolder());
  if (typeof shim === 'string') return context.skip(shim);
  const commands = [...changes, ...firstStarts];
  const kills = choose(1_000, 21);
  const found = await killOften(shim.library, commands, kills);
  printFigure(`${kills} kills in ${commands.length} commands: ${found}; 0 lost, torn or refused`);
}, 7_200_000);

it('leaves a database of an earlier schema whole when its migration is killed', async (context) => {
  const shim = buildShim(makeTestFolder());
  if (typeof shim === 'string') return context.skip(shim);
  const all = migrations.slice(1).map((_, index) => index + 1);
  const versions = choose(all, [1, 5, all.length]);
  const kills = versions.length * choose(100, 3);
  const found = await killOften(shim.library, versions.map(migrationOf), kills);
  printFigure(
    `${kills} kills in migrations of ${versions.length} schemas: ${found}; 0 lost or torn`,
  );
}, 7_200_000);
