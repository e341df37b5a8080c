import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  eventIdStatements,
  seenRowStatements,
  stagedRowStatements,
} from '../../db/event-import.ts';
import { eventListReads, eventPageReads } from '../../db/event-list.ts';
import { eventReads, eventWrites } from '../../db/events.ts';
import { batchStatements, historyReads, undoStatements } from '../../db/history.ts';
import { keyReads, keyWrites } from '../../db/keys.ts';
import { migrations } from '../../db/open.ts';
import { searchReads, searchWrites } from '../../db/search.ts';
import { registerSearchWords } from '../../db/search-words.ts';
import { revisionReads, userReads, userWrites } from '../../db/users.ts';

const { create, forget, ...seenRows } = seenRowStatements;
const { create: createStaged, clear, ...stagedRows } = stagedRowStatements;

const statements = Object.entries({
  eventReads,
  keyReads,
  userReads,
  eventListReads,
  revisionReads,
  searchReads,
  eventPageReads,
  historyReads,
  eventWrites,
  eventIdStatements,
  batchStatements,
  searchWrites,
  undoStatements,
  keyWrites,
  seenRows,
  stagedRows,
  userWrites,
}).flatMap(([group, all]) =>
  Object.entries(all as Record<string, string>).map(([name, sql]) => [`${group}.${name}`, sql]),
) as [string, string][];

function openModel(): Database.Database {
  const sqlite = new Database(':memory:');
  registerSearchWords(sqlite);
  for (const migration of migrations) sqlite.exec(migration);
  sqlite.exec(create);
  sqlite.exec(createStaged);
  return sqlite;
}

/** How SQLite would go about a statement, a step a line. */
function planOf(sqlite: Database.Database, sql: string): string[] {
  const steps = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`);
  const names = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, null]);
  const places = [...sql.matchAll(/\?/g)].map(() => null);
  const found = steps.all(...places, Object.fromEntries(names)) as { detail: string }[];
  return found.map(({ detail }) => detail);
}

describe('every statement', () => {
  const sqlite = openModel();

  it.each(statements)('%s finds its rows by an index and in order', (_, sql) => {
    const plan = planOf(sqlite, sql).join('\n');
    // SQLite calls it a scan when the full-text table is searched by words or by rows. The table of
    // stale rows is read as a whole, as all of it is work to do.
    expect(plan).not.toMatch(
      /\bSCAN (?!\(subquery|search_stale|search VIRTUAL TABLE INDEX \d+:[M=])/,
    );
    expect(plan).not.toMatch(/TEMP B-TREE/);
    if (!sql.startsWith('INSERT')) expect(plan).toMatch(/SEARCH \w+|SCAN search/);
  });

  it.each(statements.filter(([, sql]) => sql.startsWith('SELECT')))('%s has a limit', (_, sql) => {
    expect(sql).toMatch(/\bLIMIT (\+@limit|\d+)( OFFSET \+@before)?\s*$/);
  });

  const readsOfRequests = [
    eventReads,
    eventListReads,
    revisionReads,
    { byDigest: keyReads.byDigest, byUser: keyReads.byUser },
  ];
  it.each(readsOfRequests.flatMap((reads) => Object.entries(reads)))(
    '%s of a request is planned once, whatever is bound',
    (_, sql) => {
      expect(sql).not.toMatch(/([=<>]|LIMIT|OFFSET) ?\(?@/);
    },
  );

  it('would not pass without its index', () => {
    sqlite.exec('SAVEPOINT test; DROP INDEX events_by_creation');
    const sql = eventListReads.newestCreated.replace('INDEXED BY events_by_creation', '');
    expect(planOf(sqlite, sql).join('\n')).toMatch(/TEMP B-TREE/);
    sqlite.exec('ROLLBACK TO test; RELEASE test');
  });
});

it('removes a user’s rows without looking through those of others', () => {
  const sqlite = openModel();
  // The checks that foreign keys add to a DELETE do not show in its plan; their indexes do.
  for (const table of ['keys', 'events']) {
    const plan = planOf(sqlite, `SELECT 1 FROM ${table} WHERE user_id = @userId`).join('\n');
    expect(plan).toMatch(/SEARCH .* USING .*INDEX/);
  }
});
