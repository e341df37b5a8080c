import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyBackups } from '../../server/backups.ts';
import { homeAt } from '../../server/home.ts';
import { createService } from '../../server/main.ts';
import { callCommand } from './command.ts';
import { readFolder } from './power-cut.ts';
import { commandLine, type Operation, readOperations, runWithShim } from './shim.ts';

/** A club's folder, with its data directory. */
export type FaultClub = {
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
  const service = createService(settings, { now: () => new Date(), warn });
  await service.run();
  await service.stop();
}

const timestamps = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/**
 * Returns everything that the commands say about a club after a command, without the times of
 * changes. Throws if one of them fails, `check` too, or if a backup is bad.
 */
export async function readClub(home: string, { creates = false }: ClubCommand): Promise<string> {
  if (creates) await startOnce(home);
  // First: a reader must open what a crash has left.
  const list = await mustRun(home, '--json', 'user', 'list');
  const { users } = JSON.parse(list) as { users: readonly { readonly name: string }[] };
  await mustRun(home, 'check');
  const parts = [list, await mustRun(home, '--json', 'key', 'list')];
  for (const { name } of users)
    parts.push(await mustRun(home, '--json', 'history', '--user', name));
  for (const { name, flaw } of verifyBackups(homeAt(home)))
    if (flaw !== undefined) throw new Error(`The backup ${name}: ${flaw}`);
  const untimed = parts.map((part) => part.replaceAll(timestamps, 'TIME'));
  for (const { name } of users)
    untimed.push(await mustRun(home, 'export', '--user', name, '--format', 'json'));
  return untimed.join('\n');
}

/** A command on its own copy of a club. */
export type Trial = {
  readonly folder: string;
  readonly home: string;
  /** The file that the command may write. */
  readonly output: string;
  readonly args: readonly string[];
};

export async function prepareTrial(
  club: FaultClub,
  { prepare, args }: ClubCommand,
  name: string,
): Promise<Trial> {
  const folder = join(club.folder, name);
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

/** Records a command in its trial's folder. */
export async function recordCommand(
  library: string,
  club: FaultClub,
  command: ClubCommand,
): Promise<Recording> {
  const untouched = await prepareTrial(club, command, `untouched ${command.name}`);
  const before = await readClub(untouched.home, command);
  const trial = await prepareTrial(club, command, `whole ${command.name}`);
  const files = readFolder(trial.folder);
  const log = join(club.folder, `${command.name}.log`);
  const settings = { library, folder: trial.folder, log };
  const { status, stderr } = await runWithShim(
    commandLine(trial.home, trial.args),
    settings,
    command,
  );
  if (status !== 0) throw new Error(`${command.name}: ${stderr}`);
  const after = await readClub(trial.home, command);
  return { command, before, after, trial, operations: readOperations(log), files };
}
