import type Database from 'better-sqlite3';
import { connect } from './connection.ts';
import { findWrongHistory } from './history-check.ts';
import {
  connection,
  explainSqlite,
  latestVersion,
  migrations,
  type Reader,
  StoreError,
} from './open.ts';
import { findWrongWords } from './search.ts';

type Definition = { readonly name: string; readonly sql: string };

const definitions = `SELECT name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name`;

/** Returns the tables, indexes and triggers that the migrations create. */
function expectedDefinitions(): Definition[] {
  const reference = connect(':memory:');
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

/** SQLite's sentences about a page have several lines; the report of a problem has one. */
export function oneLine(text: string): string {
  return text.replaceAll('*** in database main ***', '').replace(/\s+/g, ' ').trim();
}

function pageProblems(sqlite: Database.Database): string[] {
  const rows = sqlite.pragma('integrity_check') as { integrity_check: string }[];
  return rows.map((row) => oneLine(row.integrity_check)).filter((text) => text !== 'ok');
}

function referenceProblems(sqlite: Database.Database): string[] {
  const orphans = sqlite.pragma('foreign_key_check') as { table: string; parent: string }[];
  const texts = orphans.map(({ table, parent }) => `a row of "${table}" has no row in "${parent}"`);
  const counts = Map.groupBy(texts, (text) => text);
  return [...counts].map(([text, { length }]) =>
    length === 1 ? text : `${text} (${length} times)`,
  );
}

const areas = {
  pages: pageProblems,
  references: referenceProblems,
  schema: schemaProblems,
  search: findWrongWords,
  history: findWrongHistory,
} as const satisfies Record<string, (sqlite: Database.Database) => string[]>;

/** A part of the database that is checked on its own. */
export type CheckedArea = keyof typeof areas;

/** The areas without which nothing can be trusted. */
const structure = ['pages', 'references', 'schema'] as const;

type AreaProblems = { readonly area: CheckedArea; readonly problems: readonly string[] };

/**
 * Checks pages and indexes (SQLite's integrity check), references, the schema, the words of the
 * full-text table and the history. Returns the problems of each area; without a correct schema,
 * search and history cannot be queried and are left out.
 */
export function checkAreas(db: Reader): readonly AreaProblems[] {
  const sqlite = connection(db);
  const check = (area: CheckedArea) => ({ area, problems: problemsIn(area, sqlite) });
  const found = structure.map(check);
  const hasSchema = found.every(({ area, problems }) => area !== 'schema' || !problems.length);
  return hasSchema ? [...found, check('search'), check('history')] : found;
}

/** Returns the problems of an area. Pages that cannot be read are a problem, not an error. */
function problemsIn(area: CheckedArea, sqlite: Database.Database): string[] {
  try {
    return areas[area](sqlite);
  } catch (error) {
    const explained = explainSqlite(error, sqlite.name);
    if (explained instanceof StoreError && explained.problem === 'damaged') {
      return [`cannot be read: ${oneLine(explained.reason)}`];
    }
    throw error;
  }
}

/** Returns all damage. A history that does not fit is none: another program may change events. */
export function findDamage(db: Reader): string[] {
  const areas = checkAreas(db).filter(({ area }) => area !== 'history');
  return areas.flatMap(({ problems }) => problems);
}

/** Returns true if pages, indexes, references or the schema are damaged. */
export function isDamaged(db: Reader): boolean {
  const sqlite = connection(db);
  return structure.some((area) => problemsIn(area, sqlite).length > 0);
}

/** Returns the contradictions between the events and the history. */
export function findHistoryProblems(db: Reader): string[] {
  return problemsIn('history', connection(db));
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
