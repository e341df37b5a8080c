import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginEventImport } from '../../db/event-import.ts';
import { digestOfKey, insertKey } from '../../db/keys.ts';
import { eventStatuses, eventTypes } from '../../db/model.ts';
import type { Writer } from '../../db/open.ts';
import { insertUser } from '../../db/users.ts';
import { type Home, homeAt } from '../../server/home.ts';
import { withWriter } from '../../server/store.ts';

export const createdAt = '2026-01-01T00:00:00.000Z';
const words =
  'a all and annual autumn beginners berlin camp championship city club coffee conference course cup evening final forest friends łódź meeting members münchen night open relay registration results school season spring sprint straße summer team the tour training trophy winter with women world youth'.split(
    ' ',
  );

/** The same numbers in every run, from 0 to 1. */
let state = 1;
function random(): number {
  state = (state * 48_271) % 0x7fffffff;
  return state / 0x7fffffff;
}
const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
const text = (count: number) => Array.from({ length: count }, () => pick(words)).join(' ');
const momentIn = (year: number, years: number) =>
  new Date(Date.UTC(year, 0, 1) + Math.floor(random() * years * 365 * 86_400) * 1000).toISOString();

export function makeEvent(id: number) {
  const date = momentIn(2010, 18);
  return {
    id,
    name: `${text(3)} ${date.slice(0, 4)}`,
    date,
    location: text(2),
    description: random() < 0.7 ? text(16) : null,
    status: pick(eventStatuses) ?? 'active',
    eventType: pick([...eventTypes, null]) ?? null,
    createdAt: momentIn(2018, 8),
  };
}

export const keyOf = (at: number) => `key${at}`;

/** Imports events 1 to `count` for a user. */
export function importEvents(db: Writer, userId: number, count: number): void {
  const batch = beginEventImport(db, { userId, now: createdAt, source: 'bench' });
  for (let id = 1; id <= count; id += 1) batch.apply(makeEvent(id));
  batch.commit();
}

/** Fills a home with users, of whom each has so many events and one key. */
export function fillHome(home: Home, users: number, eventsEach: number): Promise<void> {
  return withWriter(home, (db) => {
    for (let at = 0; at < users; at += 1) {
      const userId = insertUser(db, `user${at}`, createdAt) ?? 0;
      const digest = digestOfKey(keyOf(at));
      insertKey(db, { userId, digest, label: null, createdAt, expiresAt: null });
      importEvents(db, userId, eventsEach);
    }
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

/** Runs `work` with a home of so many users and events. */
export function withHome<T>(
  users: number,
  eventsEach: number,
  work: (home: Home) => Promise<T>,
): Promise<T> {
  return withFolder(async (folder) => {
    const home = homeAt(join(folder, 'home'));
    await fillHome(home, users, eventsEach);
    return await work(home);
  });
}
