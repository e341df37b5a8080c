import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachEvent } from '../../db/event-list.ts';
import { readHistory } from '../../db/history.ts';
import { prepareKeyReads } from '../../db/keys.ts';
import { prepareUserReads } from '../../db/users.ts';
import { homeAt } from '../../server/base/home.ts';
import { loadWriters } from '../../server/export/list-writers.ts';
import { createService } from '../../server/service/service.ts';
import { withReader } from '../../server/store/store.ts';
import { callCommand } from './command.ts';
import { readFolder } from './power-cut.ts';
import {
  type CommandRunner,
  commandLine,
  type Operation,
  readOperations,
  runWithShim,
} from './shim.ts';

/** A club's folder, with its data directory. */
type FaultClub = {
  readonly folder: string;
  readonly home: string;
  /** A file to import. */
  readonly season: string;
  /** A backup of an earlier state. */
  readonly backup: string;
};

function seasonOf(count: number, place: string): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const day = String((index % 28) + 1).padStart(2, '0');
    return `${index + 1},Match ${index + 1},2026-05-${day}T18:00:00Z,${place},active,2026-01-01T00:00:00Z`;
  });
  return ['id,name,date,location,status,createdAt', ...rows, ''].join('\n');
}

async function mustRun(home: string, ...command: string[]): Promise<string> {
  const { status, stdout, stderr } = await callCommand(['--home', home, ...command]);
  if (status !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
  return stdout;
}

/** Makes two users with events, a key and some history. `season.csv` changes and adds events. */
export async function makeFaultClub(folder: string, place = 'Clubhouse'): Promise<FaultClub> {
  const home = join(folder, 'home');
  const season = join(folder, 'season.csv');
  writeFileSync(season, seasonOf(150, place));
  for (const user of ['Chess', 'Rowing']) {
    await mustRun(home, 'user', 'add', user);
    await mustRun(home, 'import', '--user', user, season);
    await mustRun(home, 'key', 'create', '--user', user, '--label', 'Website');
  }
  const backup = join(folder, 'backup.sqlite');
  await mustRun(home, 'backup', '--output', backup);
  await mustRun(home, 'event', 'edit', '--user', 'Chess', '3', '--location', 'Old hall');
  writeFileSync(season, seasonOf(200, 'Town hall'));
  return { folder, home, season, backup };
}

/** Copies the data directory of a club to a new folder. */
export function copyHome(home: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const copy = join(folder, 'home');
  cpSync(home, copy, { recursive: true });
  return copy;
}

/** A command that changes a club. */
export type ClubCommand = {
  readonly name: string;
  /** Returns the arguments; `output` is a file to write. */
  readonly args: (paths: FaultClub & { readonly output: string }) => string[];
  /** Prepares the copy of the club; by default, it stays as it is. */
  readonly prepare?: (home: string) => Promise<unknown> | unknown;
  /** True for a command that ends by a signal. */
  readonly endless?: boolean;
  /** True if there need not be a database after it was interrupted. */
  readonly creates?: boolean;
};

/** The commands that change a club, each from the same state. */
export const changes: readonly ClubCommand[] = [
  { name: 'import', args: ({ season }) => ['import', '--user', 'Chess', season] },
  { name: 'edit', args: () => ['event', 'edit', '--user', 'Chess', '7', '--name', 'Final'] },
  { name: 'undo', args: () => ['undo', '2'] },
  { name: 'key', args: () => ['key', 'create', '--user', 'Chess', '--label', 'Newsletter'] },
  { name: 'remove', args: () => ['user', 'remove', 'Rowing'] },
  { name: 'backup', args: () => ['backup'] },
  { name: 'restore', args: ({ backup }) => ['restore', backup] },
];

export const exporting: ClubCommand = {
  name: 'export',
  args: ({ output }) => ['export', '--user', 'Chess', '--output', output],
};

export function emptyHome(home: string): void {
  rmSync(home, { recursive: true });
  mkdirSync(home);
}

const firstStart = { creates: true, prepare: emptyHome } as const;

export const firstStarts: readonly ClubCommand[] = [
  { ...firstStart, name: 'first start', args: () => ['user', 'add', 'First'] },
  { ...firstStart, name: 'first serve', args: () => ['serve', '--port', '0'], endless: true },
];

/** Starts the service on a data directory and stops it. Throws if the start is refused. */
async function startOnce(home: string): Promise<void> {
  const warn = (problem: Error) => {
    throw problem;
  };
  const settings = { home, host: '127.0.0.1', port: 0, allowedOrigins: [] };
  const service = createService(settings, { now: () => new Date(), warn, loadWriters });
  await service.run();
  await service.stop();
}

const timestamps = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/**
 * Returns everything that a program can read of a club after a command, without the times of
 * changes. Throws if it cannot be opened, or if `check` finds damage in the database or a backup.
 */
export async function readClub(home: string, { creates = false }: ClubCommand): Promise<string> {
  if (creates) await startOnce(home);
  // First: a reader must open what a crash has left.
  await mustRun(home, 'user', 'list');
  await mustRun(home, 'check');
  const parts = await withReader(homeAt(home), (db) => {
    const users = prepareUserReads(db).all();
    const timed = [users, prepareKeyReads(db).all(), users.map(({ id }) => readHistory(db, id))];
    const events = users.map(({ id }) => [...eachEvent(db, id)]);
    return [JSON.stringify(timed).replaceAll(timestamps, 'TIME'), JSON.stringify(events)];
  });
  return parts.join('\n');
}

/** A command on its own copy of a club. */
type Trial = {
  readonly folder: string;
  readonly home: string;
  /** The file that the command may write. */
  readonly output: string;
  readonly args: readonly string[];
};

/** The folder of all trials. The club itself and the file to import are elsewhere. */
export function trialsOf({ folder }: FaultClub): string {
  return join(folder, 'trials');
}

export async function prepareTrial(
  club: FaultClub,
  { prepare, args }: ClubCommand,
  name: string,
): Promise<Trial> {
  const folder = join(trialsOf(club), name);
  const home = copyHome(club.home, folder);
  await prepare?.(home);
  const output = join(folder, 'output.json');
  return { folder, home, output, args: args({ ...club, output }) };
}

/** A whole run of a command: the state of the club before and after it, and what it did to files. */
export type Recording = {
  readonly command: ClubCommand;
  readonly before: string;
  readonly after: string;
  readonly trial: Trial;
  readonly operations: readonly Operation[];
  /** The files of the data directory before. */
  readonly files: ReadonlyMap<string, Buffer>;
};

export type RecordingTools = {
  readonly club: FaultClub;
  readonly library: string;
  /** Runs commands below the folder of the trials. */
  readonly runner: CommandRunner;
};

/** Records commands, each on its own copy of a club. */
export async function recordCommands(
  { club, library, runner }: RecordingTools,
  commands: readonly ClubCommand[],
): Promise<readonly Recording[]> {
  const states = new Map<ClubCommand['prepare'], string>();
  const recordings: Recording[] = [];
  for (const command of commands) {
    const { name, prepare, endless = false } = command;
    // Commands with the same preparation begin in the same state.
    if (!states.has(prepare)) {
      const { home } = await prepareTrial(club, command, `untouched ${name}`);
      states.set(prepare, await readClub(home, command));
    }
    const trial = await prepareTrial(club, command, `whole ${name}`);
    const files = readFolder(trial.folder);
    const log = join(club.folder, `${name}.log`);
    const line = ['--home', trial.home, ...trial.args];
    const { status, stderr } = endless
      ? await runWithShim(
          commandLine(trial.home, trial.args),
          { library, folder: trial.folder, log },
          command,
        )
      : await runner.run(line, { log });
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    const before = states.get(prepare) ?? '';
    const after = await readClub(trial.home, command);
    recordings.push({ command, before, after, trial, operations: readOperations(log), files });
  }
  return recordings;
}
