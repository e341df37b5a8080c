import type Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { connect } from '../../db/connection.ts';
import { eventChangeReads } from '../../db/event-changes.ts';
import { seenRowStatements, stagedRowStatements } from '../../db/event-import.ts';
import { eventListReads } from '../../db/event-list.ts';
import { eventReads } from '../../db/event-rows.ts';
import { keyReads } from '../../db/keys.ts';
import { mirrorViewReads } from '../../db/mirror-view.ts';
import { migrations } from '../../db/open.ts';
import { revisionReads } from '../../db/users.ts';

const modules = import.meta.glob<Record<string, unknown>>('../../db/*.ts', { eager: true });

/** Returns the statements that a module exports as an object; none for any other value. */
function statementsIn(exported: unknown): readonly (readonly [name: string, sql: string])[] {
  if (typeof exported !== 'object' || exported === null) return [];
  const texts = Object.entries(exported as Record<string, string>);
  const areStatements = texts.every(([, text]) =>
    /^(SELECT|INSERT|UPDATE|DELETE|CREATE) /.test(text),
  );
  return areStatements ? texts : [];
}

/** All statements of the store, found by their form, so that no list of them can be missing. */
const statements = Object.values(modules)
  .flatMap((module) => Object.entries(module))
  .flatMap(([group, exported]) =>
    statementsIn(exported).map(([name, sql]) => [`${group}.${name}`, sql] as const),
  )
  .filter(([, sql]) => !sql.startsWith('CREATE '));

it('finds the lists of statements', () => {
  expect(new Set(statements.map(([name]) => name.split('.')[0])).size).toBeGreaterThan(25);
});

function openModel(): Database.Database {
  const sqlite = connect(':memory:');
  for (const migration of migrations) sqlite.exec(migration);
  sqlite.exec(seenRowStatements.create);
  sqlite.exec(stagedRowStatements.create);
  return sqlite;
}

/**
 * Statements on all rows of a table: the list of keys or of users, rows that need work, and the
 * statements of a backup, a restore and `doctor`.
 */
const wholeTable =
  /\.all$|^(mirrorReads\.next|proposalReads\.users)$|^userReads\.(notAscii|idByUidBase)$|^(backup|inspection)\w+\.|^zoneStatements\.|^hubReads\.(stuck|clubs|allPushes|allKeys)$|^hubWrites\.lowerTimeline$|^searchWrites\.clearStale$|RowStatements\.clear$/;

/** Statements that return every row of their result, which is small or is iterated. */
const unlimited = [
  'eventDigestStatements.all',
  'eventDigestStatements.events',
  'eventIterations.byId',
  'eventWrites.sourceKeys',
  'historyReads.times',
  'mirrorReads.notFound',
  'mirrorReads.creationTimes',
  'mirrorReads.entries',
  'mirrorViewReads.confirmations',
  'searchReads.matches',
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

  it.each(statements)('every statement %s finds its rows by an index and in order', (name, sql) => {
    const plan = planOf(sqlite, sql).join('\n');
    expect(plan).not.toMatch(/TEMP B-TREE/);
    if (wholeTable.test(name)) return;
    // SQLite calls a search of the full-text table by words or rows a scan. `json_each` reads the
    // few values of a parameter.
    expect(plan).not.toMatch(
      /\bSCAN (?!\(subquery|json_each|search_stale|search VIRTUAL TABLE INDEX \d+:[M=])/,
    );
    if (!sql.startsWith('INSERT')) expect(plan).toMatch(/SEARCH \w+|SCAN search/);
  });

  const limited = statements.filter(
    ([name, sql]) =>
      sql.startsWith('SELECT') && !unlimited.includes(name) && !wholeTable.test(name),
  );
  it.each(limited)('every statement %s has a limit', (_, sql) => {
    expect(sql).toMatch(/\bLIMIT (\+@limit|\d+)\s*$/);
  });

  const readsOfRequests = [
    eventReads,
    eventListReads,
    mirrorViewReads,
    eventChangeReads,
    revisionReads,
    { byDigest: keyReads.byDigest, byUser: keyReads.byUser },
  ];
  it.each(readsOfRequests.flatMap((reads) => Object.entries(reads)))(
    'every statement %s of a request is planned only once',
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
  for (const table of ['keys', 'events', 'event_changes', 'hub_revisions', 'hub_pushes']) {
    const plan = planOf(sqlite, `SELECT 1 FROM ${table} WHERE user_id = @userId`).join('\n');
    expect(plan).toMatch(/SEARCH .* USING .*(INDEX|PRIMARY KEY)/);
  }
});
