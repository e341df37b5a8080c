import Database from 'better-sqlite3';
import { connection, latestVersion, migrations, type Reader } from './open.ts';
import { findWrongWords } from './search.ts';

type Definition = { readonly name: string; readonly sql: string };

const definitions = `SELECT name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name`;

/** Returns the tables, indexes and triggers that the migrations create. */
function expectedDefinitions(): Definition[] {
  const reference = new Database(':memory:');
  try {
    for (const migration of migrations) reference.exec(migration);
    return reference.prepare<[], Definition>(definitions).all();
  } finally {
    reference.close();
  }
}

function schemaProblems(sqlite: Database.Database): string[] {
  const found = new Map(
    sqlite
      .prepare<[], Definition>(definitions)
      .all()
      .map(({ name, sql }) => [name, sql]),
  );
  const expected = expectedDefinitions();
  const missing = expected.filter(({ name }) => !found.has(name));
  const changed = expected.filter(({ name, sql }) => found.has(name) && found.get(name) !== sql);
  const known = new Set(expected.map(({ name }) => name));
  const unexpected = [...found.keys()].filter((name) => !known.has(name));
  return [
    ...missing.map(({ name }) => `"${name}" is missing from the schema`),
    ...changed.map(({ name }) => `"${name}" is not defined as version ${latestVersion} defines it`),
    ...unexpected.map((name) => `"${name}" does not belong to the schema`),
  ];
}

/**
 * Checks pages and indexes (SQLite's integrity check), references, the schema and the words of the
 * full-text table. Returns a message for each problem.
 */
export function findDamage(db: Reader): string[] {
  const sqlite = connection(db);
  const pages = sqlite.pragma('integrity_check') as { integrity_check: string }[];
  const orphans = sqlite.pragma('foreign_key_check') as { table: string; parent: string }[];
  const schema = schemaProblems(sqlite);
  return [
    ...pages.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
    ...orphans.map(({ table, parent }) => `a row of "${table}" has no row in "${parent}"`),
    ...schema,
    ...(schema.length === 0 ? findWrongWords(sqlite) : []),
  ];
}

/**
 * Returns the first damage of pages or references, or undefined. Takes far less time than
 * `findDamage`, because it does not compare indexes with tables.
 */
export function findQuickDamage(db: Reader): string | undefined {
  const sqlite = connection(db);
  const [page] = sqlite.pragma('quick_check(1)') as { quick_check: string }[];
  if (page !== undefined && page.quick_check !== 'ok') return page.quick_check;
  const [orphan] = sqlite.pragma('foreign_key_check') as { table: string; parent: string }[];
  return orphan && `a row of "${orphan.table}" has no row in "${orphan.parent}"`;
}
