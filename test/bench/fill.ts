import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginEventImport } from '../../db/event-import.ts';
import { digestOfKey, insertKey } from '../../db/keys.ts';
import { eventStatuses, eventTypes, type StoredEvent } from '../../db/model.ts';
import { connection } from '../../db/open.ts';
import { insertUser } from '../../db/users.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { withWriter } from '../../server/store/store.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const words =
  'a all and annual autumn beginners berlin camp championship city club coffee conference course cup evening final forest friends łódź meeting members münchen night open relay registration results school season spring sprint straße summer team the tour training trophy winter with women world youth'.split(
    ' ',
  );

/** A random generator that returns the same numbers from 0 to 1 in every run. */
let state = 1;
function random(): number {
  state = (state * 48_271) % 0x7fffffff;
  return state / 0x7fffffff;
}
const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
const text = (count: number) => Array.from({ length: count }, () => pick(words)).join(' ');
const momentIn = (year: number, years: number) =>
  new Date(Date.UTC(year, 0, 1) + Math.floor(random() * years * 365 * 86_400) * 1000).toISOString();

export function makeEvents(count: number): StoredEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const date = momentIn(2010, 18);
    return {
      id: index + 1,
      name: `${text(3)} ${date.slice(0, 4)}`,
      date,
      location: text(2),
      description: random() < 0.7 ? text(16) : null,
      status: pick(eventStatuses) ?? 'active',
      eventType: pick([...eventTypes, null]) ?? null,
      createdAt: momentIn(2018, 8),
    };
  });
}

/** Runs `work` with a new folder, which is removed afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'club-events-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The key of a user of `withHome`; users are counted from 0. */
export const keyOf = (user: number) => `key${user}`;

/** Fills a new home with users, each with a number of events and one key. */
export function fillClubs(home: Home, users: number, eventsEach: number): Promise<void> {
  // To make every text of five million events would take longer than to store them.
  const pool = makeEvents(Math.min(users * eventsEach, Math.max(eventsEach, 20_000)));
  return withWriter(home, (db) => {
    // A fill that fails is thrown away: it need not survive a power failure.
    connection(db).pragma('synchronous = OFF');
    for (let user = 0; user < users; user += 1) {
      const userId = insertUser(db, `user${user}`, createdAt) ?? 0;
      const digest = digestOfKey(keyOf(user));
      insertKey(db, { userId, digest, label: null, createdAt, expiresAt: null });
      const batch = beginEventImport(db, { userId, now: createdAt, source: 'bench' });
      const first = Math.floor(random() * (pool.length - eventsEach + 1));
      for (let number = 0; number < eventsEach; number += 1) {
        const event = pool[first + number];
        if (event !== undefined) batch.apply({ ...event, id: number + 1 });
      }
      batch.commit();
    }
  });
}

/** Runs `work` with a home of several users, each with a number of events and one key. */
export function withHome<T>(
  users: number,
  eventsEach: number,
  work: (home: Home) => Promise<T>,
): Promise<T> {
  return withFolder(async (folder) => {
    const home = homeAt(join(folder, 'home'));
    await fillClubs(home, users, eventsEach);
    return await work(home);
  });
}

/** Creates a home with the command line of a commit, as its schema may differ; returns a key. */
export function createClub(cli: string, home: string, events: readonly StoredEvent[]): string {
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, [cli, '--home', home, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  run('user', 'add', 'Club');
  const file = `${home}.json`;
  writeFileSync(file, JSON.stringify({ events }));
  run('import', file, '--user', 'Club');
  return run('key', 'create', '--user', 'Club').trim();
}
