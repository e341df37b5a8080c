import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callCommand } from './command.ts';

/** A club's folder: `home`, the data directory, and `season.csv`, a file to import. */
export type FaultClub = { readonly folder: string; readonly home: string; readonly season: string };

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
export async function makeFaultClub(folder: string): Promise<FaultClub> {
  const home = join(folder, 'home');
  const season = join(folder, 'season.csv');
  writeFileSync(season, seasonOf(150, 'Clubhouse'));
  for (const user of ['Chess', 'Rowing']) {
    await mustRun(home, 'user', 'add', user);
    await mustRun(home, 'import', '--user', user, season);
    await mustRun(home, 'key', 'create', '--user', user, '--label', 'Website');
  }
  await mustRun(home, 'event', 'edit', '--user', 'Chess', '3', '--location', 'Old hall');
  writeFileSync(season, seasonOf(200, 'Town hall'));
  return { folder, home, season };
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
  /** Returns the arguments; `season` is a file to import, `output` one that can be written. */
  readonly args: (paths: { readonly season: string; readonly output: string }) => string[];
  /** Prepares the copy of the club; by default, it stays as it is. */
  readonly prepare?: (home: string) => Promise<unknown> | unknown;
  /** True for a command that ends by a signal. */
  readonly endless?: true;
};

/** The commands that change a club, each from the same state. */
export const changes: readonly ClubCommand[] = [
  { name: 'import', args: ({ season }) => ['import', '--user', 'Chess', season] },
  { name: 'edit', args: () => ['event', 'edit', '--user', 'Chess', '7', '--name', 'Final'] },
  { name: 'undo', args: () => ['undo', '2'] },
  { name: 'key', args: () => ['key', 'create', '--user', 'Chess', '--label', 'Newsletter'] },
  { name: 'remove', args: () => ['user', 'remove', 'Rowing'] },
];

const timestamps = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/**
 * Returns everything that the commands say about a club, without the times of changes. Throws if
 * one of them fails, `check` too.
 */
export async function readClub(home: string): Promise<string> {
  // First: a reader must open what a crash has left.
  const list = await mustRun(home, '--json', 'user', 'list');
  const { users } = JSON.parse(list) as { users: readonly { readonly name: string }[] };
  await mustRun(home, 'check');
  const parts = [list, await mustRun(home, '--json', 'key', 'list')];
  for (const { name } of users)
    parts.push(await mustRun(home, '--json', 'history', '--user', name));
  const untimed = parts.map((part) => part.replaceAll(timestamps, 'TIME'));
  for (const { name } of users)
    untimed.push(await mustRun(home, 'export', '--user', name, '--format', 'json'));
  return untimed.join('\n');
}
