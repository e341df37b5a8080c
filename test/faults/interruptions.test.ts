import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { applicationId, migrations } from '../../db/open.ts';
import { prepareUserReads } from '../../db/users.ts';
import { homeAt } from '../../server/base/home.ts';
import { listBackups } from '../../server/store/backup-records.ts';
import { withReader } from '../../server/store/store.ts';
import {
  type ClubCommand,
  changes,
  emptyHome,
  exporting,
  firstStarts,
  makeFaultClub,
  prepareTrial,
  type Recording,
  type RecordingTools,
  readClub,
  recordCommands,
  trialsOf,
} from '../support/fault-club.ts';
import {
  addMember,
  createdAt,
  makeEvent,
  makeFolder,
  makeTestFolder,
  prepareDatabase,
  removeFolder,
} from '../support/home.ts';
import { choose } from '../support/long.ts';
import { requirePlace } from '../support/place.ts';
import { chooseRemains, readFolder, writeAfterCut } from '../support/power-cut.ts';
import { printFigure } from '../support/print.ts';
import { createRandom } from '../support/random.ts';
import {
  buildShim,
  chooseKill,
  commandLine,
  eachOf,
  type Fault,
  faultText,
  type Operation,
  readOperations,
  runWithShim,
  startCommandRunner,
} from '../support/shim.ts';
import { serveUpstream } from '../support/upstream.ts';
import { serveWebSpace } from '../support/web-space.ts';

const folder = makeFolder();

/** Commands that write as others do; only the long form has them. */
const alike: ReadonlySet<string> = new Set(['key', 'remove', 'first serve']);

/** Commands that the short form kills: those that write most, and the first one of a club. */
const killed: ReadonlySet<string> = new Set(['import', 'restore', 'first start']);

type Club = RecordingTools & { readonly recordings: readonly Recording[] };

let club: Promise<Club> | undefined;

/** Makes a club, and records commands that change it. */
async function makeClub(): Promise<Club> {
  const library = buildShim(folder);
  const made = await makeFaultClub(folder);
  const runner = startCommandRunner(library, trialsOf(made));
  const tools = { club: made, library, runner };
  const all = [...changes, exporting, ...firstStarts];
  const commands = choose(
    all,
    all.filter(({ name }) => !alike.has(name)),
  );
  return { ...tools, recordings: await recordCommands(tools, commands) };
}

/** Returns the club of all tests; makes it for the first of them. */
function openClub(): Promise<Club> {
  club ??= makeClub();
  return club;
}

afterAll(async () => {
  (await club)?.runner.stop();
  removeFolder(folder);
});

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

/** Kills recorded commands at random operations; each time, the club must be as before or as after. */
async function killOften(
  { library, club }: RecordingTools,
  recordings: readonly Recording[],
  kills: number,
): Promise<string> {
  const random = createRandom(18);
  const found = { killed: 0, ended: 0, before: 0, after: 0 };
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

it('leaves a club as before or as after a command that is killed', {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'file operations that fail');
  const opened = await openClub();
  const changing = opened.recordings.filter(({ command }) => command !== exporting);
  // The disk also fails below each of them.
  const recordings = choose(
    changing,
    changing.filter(({ command }) => killed.has(command.name)),
  );
  const kills = choose(200, recordings.length, 1_000);
  const found = await killOften(opened, recordings, kills);
  printFigure(`${kills} kills in ${recordings.length} commands: ${found}; 0 lost, torn or refused`);
});

it('leaves a database of an earlier schema whole when its migration is killed', {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'file operations that fail');
  const opened = await openClub();
  const all = migrations.slice(1).map((_, index) => index + 1);
  const versions = choose(all, [1, all.length]);
  const recordings = await recordCommands(opened, versions.map(migrationOf));
  // A number for all schemas: each new one would make the long form two minutes longer.
  const kills = choose(200, versions.length, 1_000);
  const found = await killOften(opened, recordings, kills);
  printFigure(
    `${kills} kills in migrations of ${versions.length} schemas: ${found}; 0 lost or torn`,
  );
});

const cuts = choose(400, 14, 2_000);

it(`keeps every acknowledged change in ${cuts} power cuts`, { tags: 'long' }, async (context) => {
  requirePlace(context, 'file operations that fail');
  const { club, recordings } = await openClub();
  const random = createRandom(18);
  const found = { before: 0, after: 0 };
  for (let cut = 0; cut < cuts; cut += 1) {
    const recording = recordings[cut % recordings.length] as Recording;
    const { command, before, after, trial, operations, files } = recording;
    // In every third round, the cut comes after the acknowledgement; first, where mistakes show best.
    const round = Math.floor(cut / recordings.length);
    const count = round % 3 === 0 ? operations.length : random(operations.length);
    const remain = round === 0 ? 'none' : chooseRemains(random);
    const to = join(club.folder, `cut ${cut}`);
    writeAfterCut(files, operations.slice(0, count), { from: trial.folder, to, remain, random });
    const title = `${command.name}, ${count} of ${operations.length}, unsynced: ${remain}`;
    const state = await readClub(join(to, 'home'), command).catch((error: unknown) => {
      throw new Error(`${title}: ${error}`);
    });
    const output = join(to, basename(trial.output));
    // A file appears whole.
    if (existsSync(output)) expect(readFileSync(output), title).toEqual(readFileSync(trial.output));
    const [made, kept] = [trial.home, join(to, 'home')].map((home) => listBackups(homeAt(home)));
    // Expired ones may be there again.
    if (count === operations.length)
      expect(kept, title).toEqual(expect.arrayContaining(made ?? []));
    const isBefore = count < operations.length && state === before;
    expect(state, title).toBe(isBefore ? before : after);
    found[isBefore ? 'before' : 'after'] += 1;
    removeFolder(to);
  }
  printFigure(
    `${cuts} power cuts in ${recordings.length} commands: ${JSON.stringify(found)}; 0 lost or torn`,
  );
});

/** Cuts the power of a program that adds users; counts the acknowledged ones that are lost. */
async function countLost(synchronous?: string): Promise<number> {
  const folder = makeTestFolder();
  const { database } = prepareDatabase(homeAt(join(folder, 'home')));
  const files = readFolder(folder);
  const acknowledged = join(folder, 'acknowledged');
  const log = join(makeTestFolder(), 'log');
  const program = join(import.meta.dirname, 'acknowledge.ts');
  const args = [
    program,
    database,
    acknowledged,
    ...(synchronous === undefined ? [] : [synchronous]),
  ];
  const { status, stderr } = await runWithShim(args, { library: buildShim(folder), folder, log });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const operations = readOperations(log);
  const acknowledgements = operations.flatMap(({ kind, path }, index) =>
    kind === 'W' && path === acknowledged ? [index + 1] : [],
  );
  const random = createRandom(18);
  let lost = 0;
  for (let cut = 0; cut < choose(100, 8, 500); cut += 1) {
    // Every second cut comes right after an acknowledgement.
    const at = cut % 2 === 0 ? acknowledgements[random(acknowledgements.length)] : undefined;
    const length = at ?? random(operations.length + 1);
    const before = operations.slice(0, length);
    const count = acknowledgements.filter((index) => index <= length).length;
    const to = join(folder, `cut ${cut}`);
    const remain = chooseRemains(random);
    writeAfterCut(files, before, { from: folder, to, remain, random });
    const found = await withReader(homeAt(join(to, 'home')), (db) => prepareUserReads(db).all());
    lost += Math.max(0, count - found.length);
    removeFolder(to);
  }
  return lost;
}

describe('a user that a program has added', () => {
  it('is there after a power cut', { tags: 'long' }, async (context) => {
    requirePlace(context, 'file operations that fail');
    expect(await countLost()).toBe(0);
  });

  it('can be lost in a power cut with the setting synchronous = NORMAL', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'file operations that fail');
    const lost = await countLost('NORMAL');
    printFigure(`power cuts with synchronous = NORMAL, the control: ${lost} lost`);
    expect(lost).toBeGreaterThan(0);
  });
});
it('keeps live files, passwords, keys and the first position that were acknowledged', {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'file operations that fail');
  const trial = makeTestFolder();
  const home = homeAt(join(trial, 'home'));
  await addMember(home, 'Chess', [makeEvent(1)]);
  await addMember(home, 'Rowing');
  const library = buildShim(makeTestFolder());
  const space = await serveWebSpace();
  const upstream = await serveUpstream({ events: [] });
  const publish = ['publish', 'add', '--user', 'Chess'];
  const dav = [...publish, '--dav', space.url, '--account', space.account];
  const mirror = ['mirror', 'set', '--user', 'Rowing', '--url', upstream.baseUrl];
  const follow = join(import.meta.dirname, '../../server/club/follow.ts');
  const position = `import { openPosition } from ${JSON.stringify(follow)};
    const { save, close } = await openPosition(${JSON.stringify(home)}, { user: 'Chess', name: '' });
    save('first');
    close();`;
  const steps: readonly (readonly [args: readonly string[], input?: string])[] = [
    [commandLine(home.directory, dav), space.password],
    [commandLine(home.directory, [...publish, '--to', join(trial, 'dates.ics')])],
    [commandLine(home.directory, ['publish', 'remove', '1'])],
    [commandLine(home.directory, mirror), upstream.key],
    [['--input-type=module', '--eval', position]],
  ];
  for (const [index, [args, input = '']] of steps.entries()) {
    const files = readFolder(trial);
    const log = join(makeTestFolder(), 'log');
    const ended = await runWithShim(args, { library, folder: trial, log }, { input });
    expect(ended.status, ended.stderr).toBe(0);
    const to = join(makeTestFolder(), `cut ${index}`);
    const cut = { from: trial, to, remain: 'none', random: createRandom(18), hasJournal: false };
    writeAfterCut(files, readOperations(log), cut);
    const [own, left] = [home.directory, join(to, 'home')].map((directory) =>
      readdirSync(directory, { recursive: true, encoding: 'utf8' })
        .filter((name) =>
          /^(published|publish-passwords|upstream-keys|watches.*)\.json$/.test(name),
        )
        .map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
    );
    expect(own).toHaveLength([2, 2, 1, 2, 3][index] ?? 0);
    expect(left, args.join(' ')).toEqual(own);
  }
});

/** The commands whose every operation fails once. */
const failing: ReadonlySet<string> = new Set(['import', 'key', 'backup', 'restore', 'export']);

/** Returns every fault of a command. A write can be short; only some operations need space. */
function faultsOf(operations: readonly Operation[]): Fault[] {
  return operations.flatMap(({ kind }, index) => {
    const at = index + 1;
    const faults: Fault[] = [
      { at, kind: 'EIO' },
      { at, kind: 'EIO', always: true },
    ];
    if (!'OUD'.includes(kind))
      faults.push({ at, kind: 'ENOSPC' }, { at, kind: 'ENOSPC', always: true });
    if (kind === 'W') faults.push({ at, kind: 'short' }, { at, kind: 'short', always: true });
    return faults;
  });
}

/** Files that belong in a data directory, with the log of SQLite. */
const ownFiles = new Set([
  'events.sqlite',
  'events.sqlite-wal',
  'events.sqlite-shm',
  'checked.json',
  'backups',
]);

/** A command that could not make the backup of the day says so, and goes on. */
const sentence = /^(No backup could be made\. [^\n]+\n)?[^\n]+\n$/;

const isBackup = (name: string) => /^backups\/[^.][^/]*\.sqlite(\.gz)?(\.json)?$/.test(name);

it('changes all or nothing when the disk fails, and says so in one sentence', {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'file operations that fail');
  const { club, runner, recordings } = await openClub();
  const random = createRandom(18);
  const found = { trials: 0, failed: 0, unchanged: 0, complete: 0 };
  const wrong: string[] = [];
  const failingCommands = recordings.filter(({ command }) => failing.has(command.name));
  for (const [number, recording] of failingCommands.entries()) {
    const { command, operations, before, after, trial: whole } = recording;
    const hasOutput = existsSync(whole.output);
    const wholeOutput = hasOutput ? readFileSync(whole.output) : Buffer.of();
    const all = faultsOf(operations);
    const kinds = Object.values(Object.groupBy(all, ({ kind, always }) => `${kind} ${always}`));
    // Half of the kinds for each command, in turn. The last fault comes when most is done.
    const some = kinds.flatMap((faults = [], index) => {
      if ((index + Math.floor(index / 2) + number) % 2 === 1) return [];
      return faults.slice(random(4) === 0 ? -1 : random(faults.length)).slice(0, 1);
    });
    const part = all.filter((_, at) => at % 5 === number % 5);
    for (const fault of choose(part, some, all)) {
      const trial = await prepareTrial(club, command, `fault ${found.trials}`);
      const { folder, home, output } = trial;
      const result = await runner.run(['--home', home, ...trial.args], { fault });
      const title = `${command.name}, ${faultText(fault)}: ${JSON.stringify(result)}`;
      found.trials += 1;
      const state = await readClub(home, command).catch(String);
      const written = existsSync(output) ? readFileSync(output) : undefined;
      const names = [
        ...readdirSync(home, { recursive: true, encoding: 'utf8' }),
        ...readdirSync(folder),
      ];
      const known = [...ownFiles, 'home', basename(output)];
      const left = names.filter((name) => !known.includes(name) && !isBackup(name));
      // A broken disk cannot remove a file either.
      const isDead = fault.kind === 'EIO' && fault.always;
      const isDone = result.status === 0;
      const rules = {
        'changed all or nothing': state === after || (!isDone && state === before),
        'exits with 0 or 1': isDone || (result.status === 1 && result.stdout === ''),
        'fails in one sentence': isDone || sentence.test(result.stderr),
        'does not fail as a mistake of the program': !result.stderr.includes('please report'),
        'writes the file whole or not': written?.equals(wholeOutput) ?? (!isDone || !hasOutput),
        'leaves nothing behind': isDead || left.length === 0,
      };
      if (!isDone) found.failed += 1;
      found[state === before && before !== after ? 'unchanged' : 'complete'] += 1;
      for (const [rule, holds] of Object.entries(rules))
        if (!holds) wrong.push(`${title}: not so: ${rule}; ${left}; ${state.slice(0, 200)}`);
      removeFolder(folder);
    }
  }
  expect(wrong).toEqual([]);
  expect(found.failed).toBeGreaterThan(0);
  expect(found.unchanged).toBeGreaterThan(0);
  printFigure(`disk faults: ${JSON.stringify(found)}; nothing else left behind`);
});
