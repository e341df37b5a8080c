import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { applicationId, migrations } from '../../db/open.ts';
import { homeAt } from '../../server/home.ts';
import {
  type ClubCommand,
  changes,
  emptyHome,
  firstStarts,
  makeFaultClub,
  prepareTrial,
  type Recording,
  readClub,
  recordCommand,
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
  faultText,
  runWithShim,
} from '../support/shim.ts';

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

/** Kills commands at random operations; each time, the club must be as before or as after. */
async function killOften(
  library: string,
  commands: readonly ClubCommand[],
  kills: number,
): Promise<string> {
  const club = await makeFaultClub(makeTestFolder());
  const random = createRandom(18);
  const found = { killed: 0, ended: 0, before: 0, after: 0 };
  const recordings = await Promise.all(
    commands.map((command) => recordCommand(library, club, command)),
  );
  const trials = Array.from({ length: kills }, (_, index) => {
    const recording = recordings[index % recordings.length] as Recording;
    return { ...recording, fault: chooseKill(recording.operations, random) };
  });
  await eachOf(trials, 3, async ({ command, before, after, fault }, index) => {
    const { folder, home, args } = await prepareTrial(club, command, `trial ${index}`);
    const settings = { library, folder, fault };
    const ended = await runWithShim(commandLine(home, args), settings, command);
    found[ended.signal === 'SIGKILL' ? 'killed' : 'ended'] += 1;
    const title = `${command.name}, ${faultText(fault)}`;
    const state = await readClub(home, command).catch((error: unknown) => {
      throw new Error(`${title}: ${error}`);
    });
    // A result on stdout acknowledges the change.
    const expected = ended.stdout === '' && state === before ? before : after;
    expect(state, title).toBe(expected);
    found[state === after ? 'after' : 'before'] += 1;
    removeFolder(folder);
  });
  expect(found.killed).toBeGreaterThan(kills * 0.9);
  return JSON.stringify(found);
}

it('leaves a club as before or as after a command that is killed', async (context) => {
  const shim = buildShim(makeTestFolder());
  if (typeof shim === 'string') return context.skip(shim);
  const commands = [...changes, ...firstStarts];
  const kills = choose(1_000, 18);
  const found = await killOften(shim.library, commands, kills);
  printFigure(`${kills} kills in ${commands.length} commands: ${found}; 0 lost, torn or refused`);
}, 7_200_000);

it('leaves a database of an earlier schema whole when its migration is killed', async (context) => {
  const shim = buildShim(makeTestFolder());
  if (typeof shim === 'string') return context.skip(shim);
  const all = migrations.slice(1).map((_, index) => index + 1);
  const versions = choose(all, [1, 5, all.length]);
  const kills = versions.length * choose(100, 2);
  const found = await killOften(shim.library, versions.map(migrationOf), kills);
  printFigure(
    `${kills} kills in migrations of ${versions.length} schemas: ${found}; 0 lost or torn`,
  );
}, 7_200_000);
