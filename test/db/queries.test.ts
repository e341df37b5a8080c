import type Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { connect } from '../../db/connection.ts';
import { eventChangeReads, eventChangeWrites } from '../../db/event-changes.ts';
import { eventDigestReads } from '../../db/event-digest.ts';
import { eventIdStatements } from '../../db/event-ids.ts';
import { seenRowStatements, stagedRowStatements } from '../../db/event-import.ts';
import { eventIterations, eventListReads } from '../../db/event-list.ts';
import { eventReads, eventWrites } from '../../db/events.ts';
import { batchStatements, historyReads, undoStatements } from '../../db/history.ts';
import { keyReads, keyWrites } from '../../db/keys.ts';
import { mirrorReads, mirrorWrites } from '../../db/mirror.ts';
import { mirrorViewReads } from '../../db/mirror-view.ts';
import { migrations } from '../../db/open.ts';
import { receiptReads } from '../../db/receipts.ts';
import { searchReads, searchWrites } from '../../db/search.ts';
import { revisionReads, revisionWrites, userReads, userWrites } from '../../db/users.ts';

const { create, clear, ...seenRows } = seenRowStatements;
const { create: createStaged, clear: clearStaged, ...stagedRows } = stagedRowStatements;

const statements = Object.entries({
  eventReads,
  keyReads,
  userReads,
  eventListReads,
  eventChangeReads,
  eventDigestReads,
  revisionReads,
  searchReads,
  eventIterations,
  historyReads,
  receiptReads,
  eventWrites,
  eventIdStatements,
  revisionWrites,
  eventChangeWrites,
  batchStatements,
  searchWrites,
  undoStatements,
  keyWrites,
  mirrorReads,
  mirrorViewReads,
  mirrorWrites,
  seenRows,
  stagedRows,
  userWrites,
}).flatMap(([group, all]) =>
  Object.entries(all as Record<string, string>).map(([name, sql]) => [`${group}.${name}`, sql]),
) as [string, string][];

function openModel(): Database.Database {
  const sqlite = connect(':memory:');
  for (const migration of migrations) sqlite.exec(migration);
  sqlite.exec(create);
  sqlite.exec(createStaged);
  return sqlite;
}

/** Statements that return every row of their result, which is small or is iterated. */
const unlimited = [
  'eventChangeReads.ids',
  'eventDigestReads.events',
  'eventIterations.byId',
  'eventWrites.sourceKeys',
  'historyReads.all',
  'keyReads.all',
  'mirrorReads.absences',
  'mirrorReads.all',
  'mirrorReads.creationTimes',
  'mirrorReads.items',
  'mirrorViewReads.confirmations',
  'searchReads.matches',
  'userReads.all',
];

/** Returns the query plan of a statement, one line per step. */
function planOf(sqlite: Database.Database, sql: string): string[] {
  const steps = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`);
  const names = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, null]);
  const places = [...sql.matchAll(/\?/g)].map(() => null);
  const found = steps.all(...places, Object.fromEntries(names)) as { detail: string }[];
  return found.map(({ detail }) => detail);
}

describe('every statement', () => {
  const sqlite = openModel();

  it.each(statements)('%s finds its rows by an index and in order', (name, sql) => {
    const plan = planOf(sqlite, sql).join('\n');
    expect(plan).not.toMatch(/TEMP B-TREE/);
    // Keys and users are listed as a whole, and every stale row needs work.
    if (name.endsWith('.all') || name === 'searchWrites.clearStale') return;
    // SQLite calls a search of the full-text table by words or rows a scan. `json_each` reads the
    // few values of a parameter.
    expect(plan).not.toMatch(
      /\bSCAN (?!\(subquery|json_each|search_stale|search VIRTUAL TABLE INDEX \d+:[M=])/,
    );
    if (!sql.startsWith('INSERT')) expect(plan).toMatch(/SEARCH \w+|SCAN search/);
  });

  const limited = statements.filter(
    ([name, sql]) => sql.startsWith('SELECT') && !unlimited.includes(name),
  );
  it.each(limited)('%s has a limit', (_, sql) => {
    expect(sql).toMatch(/\bLIMIT (\+@limit|\d+)\s*$/);
  });

  const readsOfRequests = [
    eventReads,
    eventListReads,
    mirrorViewReads,
    eventChangeReads,
    eventDigestReads,
    revisionReads,
    { byDigest: keyReads.byDigest, byUser: keyReads.byUser },
  ];
  it.each(readsOfRequests.flatMap((reads) => Object.entries(reads)))(
    '%s of a request is planned only once',
    (_, sql) => {
      expect(sql).not.toMatch(/([=<>]|LIMIT|OFFSET) ?\(?@/);
    },
  );

  it('fails the plan check when an index is missing', () => {
    sqlite.exec('SAVEPOINT test; DROP INDEX events_by_creation');
    const sql = eventListReads.newestCreated.replace('INDEXED BY events_by_creation', '');
    expect(planOf(sqlite, sql).join('\n')).toMatch(/TEMP B-TREE/);
    sqlite.exec('ROLLBACK TO test; RELEASE test');
  });
});

it('removes a user’s rows by an index', () => {
  const sqlite = openModel();
  // The checks that foreign keys add to a DELETE do not show in its plan; their indexes do.
  for (const table of ['keys', 'events', 'event_changes']) {
    const plan = planOf(sqlite, `SELECT 1 FROM ${table} WHERE user_id = @userId`).join('\n');
    expect(plan).toMatch(/SEARCH .* USING .*INDEX/);
  }
});
