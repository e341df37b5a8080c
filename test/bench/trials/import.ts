import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { wordsOf } from '../../../db/fold.ts';
import { eventMembers, type StoredEvent } from '../../../db/model.ts';
import { userMark } from '../../../db/search-words.ts';
import { median } from '../../support/measure.ts';
import { cli } from '../candidate.ts';
import type { Figure } from '../figure.ts';
import { makeEvents, withFolder } from '../fill.ts';

const maxTimes = 2.2;
const rowCount = 100_000;
const rounds = 5;
const userId = 1;

/** Compares an import of CSV with filling the same tables, indexes and words from memory. */
export function measureImport(): Promise<Figure[]> {
  return withFolder((folder) => {
    const events = makeEvents(rowCount);
    const file = join(folder, 'events.csv');
    writeFileSync(file, toCsv(events));
    const words = events.map(({ name, location, description }) =>
      wordsOf(`${name}\n${location}\n${description ?? ''}`)
        .map((word) => userMark(userId) + word)
        .join(' '),
    );
    const times = { imports: [] as number[], sqlite: [] as number[] };
    // The first round fills the caches of the operating system and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      const sqlite = timeSqlite(createHome(folder), events, words);
      const imports = timeImport(createHome(folder), file);
      if (round === 0) continue;
      times.sqlite.push(sqlite);
      times.imports.push(imports);
    }
    const value = median(times.imports) / median(times.sqlite);
    const what = `import of ${rowCount} CSV rows, against SQLite alone`;
    return Promise.resolve([{ what, value, unit: 'times', atMost: maxTimes }]);
  });
}

function toCsv(events: readonly StoredEvent[]): string {
  const columns = ['id', ...eventMembers] as const;
  const rows = events.map((event) => columns.map((column) => event[column] ?? '').join(','));
  return `${columns.join(',')}\n${rows.join('\n')}\n`;
}

function run(home: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [cli, '--home', home, ...args], { stdio: 'ignore' });
}

/** Creates a home with one user and no events. */
function createHome(folder: string): string {
  const home = join(folder, 'home');
  rmSync(home, { recursive: true, force: true });
  run(home, 'user', 'add', 'Bench');
  return home;
}

/** Returns the milliseconds of an import, from process start to its end. */
function timeImport(home: string, file: string): number {
  // The backup of the day, which follows the first event, is not part of an import.
  run(home, 'user', 'add', 'Other');
  run(home, 'event', 'add', '--user', 'Other', '--name', 'Meeting', '--date', '2026-05-01');
  const start = performance.now();
  run(home, 'import', file, '--user', 'Bench');
  return performance.now() - start;
}

const createSource = `CREATE TEMP TABLE source (id INTEGER PRIMARY KEY, name TEXT, date TEXT,
  location TEXT, description TEXT, status TEXT, event_type TEXT, created_at TEXT, words TEXT)`;

/** The writes of an import in SQL alone. */
const fill = `
  BEGIN IMMEDIATE;
  INSERT INTO events (user_id, id, name, date, location, description, status, event_type, created_at)
    SELECT ${userId}, id, name, date, location, description, status, event_type, created_at
    FROM temp.source ORDER BY id;
  INSERT INTO batches (user_id, kind, source, created_at, added)
    VALUES (${userId}, 'import', 'events.csv', '2026-01-01T00:00:00.000Z', ${rowCount});
  INSERT INTO changes (batch_id, event_id) SELECT 1, id FROM temp.source ORDER BY id;
  INSERT INTO search (rowid, words) SELECT id, words FROM temp.source ORDER BY id;
  UPDATE search_progress SET last_row = ${rowCount};
  COMMIT`;

/** Returns the milliseconds that SQLite takes to fill the store from a table in memory. */
function timeSqlite(
  home: string,
  events: readonly StoredEvent[],
  words: readonly string[],
): number {
  const sqlite = new Database(join(home, 'events.sqlite'));
  try {
    sqlite.pragma('temp_store = MEMORY');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.exec(createSource);
    const insert = sqlite.prepare('INSERT INTO temp.source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    sqlite.transaction(() => {
      for (const [index, event] of events.entries()) {
        const { id, name, date, location, description, status, eventType, createdAt } = event;
        const values = [id, name, date, location, description, status, eventType, createdAt];
        insert.run(...values, words[index]);
      }
    })();
    const start = performance.now();
    sqlite.exec(fill);
    const elapsed = performance.now() - start;
    const found = sqlite.prepare('SELECT count(*) FROM events').pluck().get();
    if (found !== rowCount) throw new Error(`SQLite has ${found} events, not ${rowCount}.`);
    return elapsed;
  } finally {
    sqlite.close();
  }
}
