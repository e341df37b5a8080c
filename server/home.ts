import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ClubEventsError, fileError } from './errors.ts';

/** The data directory and the files in it (INTERFACE section 5). */
export type Home = {
  readonly directory: string;
  readonly database: string;
  readonly registration: string;
  readonly logs: string;
};

export function homeAt(directory: string): Home {
  const absolute = resolve(directory);
  return {
    directory: absolute,
    database: join(absolute, 'events.sqlite'),
    registration: join(absolute, 'service.json'),
    logs: join(absolute, 'logs'),
  };
}

/**
 * Makes the data directory, readable by its owner alone. An existing folder is closed to others
 * only while it is empty: one with other things in it belongs to the user, and our files are 0600
 * in any case. Throws `unavailable` naming the folder.
 */
export function prepareHome(home: Home): void {
  const { directory } = home;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (readdirSync(directory).length === 0) chmodSync(directory, 0o700);
    // By name, never by opening it: `fs` on a live database would drop SQLite's locks.
    if (existsSync(home.database)) chmodSync(home.database, 0o600);
  } catch (error) {
    throw fileError(error, directory);
  }
}

/**
 * Refuses the database itself, under whatever name, as a file to import from or to export to:
 * opening and closing it beside SQLite would drop the locks that protect it.
 */
export function requireOtherFile(path: string, { database }: Home): void {
  const [own, other] = [database, path].map((each) => statSync(each, { throwIfNoEntry: false }));
  if (other === undefined || other.ino !== own?.ino || other.dev !== own.dev) return;
  throw new ClubEventsError('bad_input', `${path} is the database itself; choose another file.`);
}
