import { isDeepStrictEqual } from 'node:util';
import type Database from 'better-sqlite3';
import { connect } from './connection.ts';
import { findWrongTotals } from './event-digest.ts';
import { findWrongHistory } from './history-check.ts';
import {
  connection,
  explainSqlite,
  migrations,
  type OnStep,
  type Reader,
  readSchemaVersion,
  StoreError,
} from './open.ts';
import { findWrongWords } from './search.ts';

/** A row of the schema; its other columns are only compared. */
type Definition = { readonly name: string };

const nameOf = ({ name }: Definition) => name;

const definitions = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name, type';

/** The tables in which SQLite keeps its statistics. A database need not have them. */
const statistics: readonly string[] = ['sqlite_stat1', 'sqlite_stat4'];

/** Definitions by version. To find them out takes longer than most checks. */
const definedBy = new Map<number, readonly Definition[]>();

/** Returns everything that the migrations to a version create. */
function expectedDefinitions(version: number): readonly Definition[] {
  const known = definedBy.get(version);
  if (known !== undefined) return known;
  const reference = connect(':memory:');
  try {
    for (const migration of migrations.slice(0, version)) reference.exec(migration);
    reference.exec('ANALYZE');
    const all = reference.prepare<[], Definition>(definitions).all();
    definedBy.set(version, all);
    return all;
  } finally {
    reference.close();
  }
}

/** Compares the schema with that of its version. */
export function findSchemaProblems(sqlite: Database.Database): string[] {
  const version = readSchemaVersion(sqlite);
  const found = Map.groupBy(sqlite.prepare<[], Definition>(definitions).all(), nameOf);
  const expected = Map.groupBy(expectedDefinitions(version), nameOf);
  const missing = [...expected.keys()].filter(
    (name) => !found.has(name) && !statistics.includes(name),
  );
  const unexpected = [...found.keys()].filter((name) => !expected.has(name));
  const changed = [...found.keys()].filter(
    (name) => expected.has(name) && !isDeepStrictEqual(found.get(name), expected.get(name)),
  );
  return [
    ...missing.map((name) => `"${name}" is missing from the schema`),
    ...changed.map((name) => `"${name}" is not defined as version ${version} defines it`),
    ...unexpected.map((name) => `"${name}" does not belong to the schema`),
  ];
}

/** SQLite's sentences about a page have several lines; the report of a problem has one. */
function oneLine(text: string): string {
  return text.replaceAll('*** in database main ***', '').replace(/\s+/g, ' ').trim();
}

/** The result code in a line of SQLite's check about a page that it could not read. */
const codeInLine = /error code=(\d+)/;
const ioError = 10;

/**
 * Checks all pages, and with `integrity_check` all indexes; returns a line for each problem, at most
 * `limit`. Throws `disk_failed` if the disk cannot read a page, which is no damage.
 */
export function findPageProblems(
  sqlite: Database.Database,
  check: 'integrity_check' | 'quick_check',
  limit = 100,
): string[] {
  const rows = sqlite.pragma(`${check}(${limit})`) as Readonly<Record<string, string>>[];
  const lines = rows.map((row) => oneLine(row[check] ?? ''));
  for (const line of lines) {
    // https://sqlite.org/rescode.html: the lowest byte is the primary code.
    const code = Number(codeInLine.exec(line)?.[1] ?? 0) & 0xff;
    if (code === ioError) throw new StoreError('disk_failed', sqlite.name, new Error('I/O error'));
  }
  return lines.filter((line) => line !== 'ok');
}

/** Finds rows that refer to a missing one. */
export function findOrphans(sqlite: Database.Database): string[] {
  const orphans = sqlite.pragma('foreign_key_check') as { table: string; parent: string }[];
  const texts = orphans.map(({ table, parent }) => `a row of "${table}" has no row in "${parent}"`);
  const counts = Map.groupBy(texts, (text) => text);
  return [...counts].map(([text, { length }]) =>
    length === 1 ? text : `${text} (${length} times)`,
  );
}

/** Rows with values that no import, edit or sync would store: a number of them, and one row. */
const valueReads = {
  events: `SELECT count(*) AS number, min(row) AS row FROM events
    WHERE id NOT BETWEEN -@maxId AND @maxId OR row NOT BETWEEN 1 AND @maxRow
      OR max(length(name), length(location), ifnull(length(description), 0)) > @maxLength
      OR instr(name || location || ifnull(description, ''), char(0))
      OR strftime(@form, date) IS NOT date OR strftime(@form, created_at) IS NOT created_at
      OR date < '0001' OR created_at < '0001'
      OR status NOT IN ('draft', 'active', 'completed', 'cancelled')
      OR event_type NOT IN ('national', 'international', 'regional', 'club')
      OR registration_open NOT BETWEEN 0 AND 1`,
  users: `SELECT count(*) AS number, min(id) AS row FROM users
    WHERE id NOT BETWEEN 1 AND @maxRow OR last_event_id NOT BETWEEN -@maxId AND @maxId
      OR name GLOB @controls OR instr(name, char(0))`,
  keys: `SELECT count(*) AS number, min(id) AS row FROM keys
    WHERE id NOT BETWEEN 1 AND @maxId OR label GLOB @controls OR instr(label, char(0))`,
  batches: `SELECT count(*) AS number, min(id) AS row FROM batches
    WHERE id NOT BETWEEN 1 AND @maxId`,
  changes: `SELECT count(*) AS number, min(batch_id) AS row FROM changes
    WHERE event_id NOT BETWEEN -@maxId AND @maxId OR CASE WHEN json_valid(before)
      THEN strftime(@form, before ->> 'date') IS NOT before ->> 'date'
        OR strftime(@form, before ->> 'createdAt') IS NOT before ->> 'createdAt'
      ELSE before IS NOT NULL END`,
  sources: `SELECT count(*) AS number, min(id) AS row FROM sources
    WHERE id NOT BETWEEN 1 AND @maxId
      OR NOT (json_valid(coverage) AND json_valid(listed) AND json_valid(state))`,
  days_off: `SELECT count(*) AS number, min(id) AS row FROM days_off
    WHERE id NOT BETWEEN 1 AND @maxId OR NOT json_valid(days)`,
  told_states: `SELECT count(*) AS number, min(user_id) AS row FROM told_states
    WHERE NOT json_valid(events)`,
  setting_changes: `SELECT count(*) AS number, min(batch_id) AS row FROM setting_changes
    WHERE setting = 'daysOff' AND NOT (json_valid(ifnull(before, 'null'))
      AND json_valid(ifnull(after, 'null')))`,
  left_out: `SELECT count(*) AS number, min(batch_id) AS row FROM left_out
    WHERE NOT json_valid(events)`,
  proposals: `SELECT count(*) AS number, min(rowid) AS row FROM proposals
    WHERE NOT (json_valid(ifnull(event, 'null')) AND json_valid(new_values)
      AND json_valid(replaces))`,
} as const;

const limits = {
  maxId: Number.MAX_SAFE_INTEGER,
  maxRow: 2 ** 31,
  /** The longest text of an import. */
  maxLength: 200_000,
  form: '%Y-%m-%dT%H:%M:%fZ',
  controls: '*[\x01-\x1f\x7f-\x9f]*',
} as const;

function valueProblems(sqlite: Database.Database): string[] {
  type Found = { readonly number: number; readonly row: number };
  return Object.entries(valueReads).flatMap(([table, sql]) => {
    const { number, row } = sqlite.prepare<object, Found>(sql).get(limits) as Found;
    return number === 0
      ? []
      : [`rows of "${table}" with impossible values: ${number}, such as ${row}`];
  });
}

const areas = {
  pages: (sqlite: Database.Database) => findPageProblems(sqlite, 'integrity_check'),
  references: findOrphans,
  schema: findSchemaProblems,
  values: valueProblems,
  search: (sqlite: Database.Database) => [...findWrongWords(sqlite), ...findWrongTotals(sqlite)],
  history: findWrongHistory,
} as const satisfies Record<string, (sqlite: Database.Database) => string[]>;

/** A part of the database that is checked on its own. */
export type CheckedArea = keyof typeof areas;

/** The areas without which nothing can be trusted. */
const structure = ['pages', 'references', 'schema'] as const;

/** The areas that can be queried with a correct schema. */
const contents = ['values', 'search', 'history'] as const;

type AreaProblems = { readonly area: CheckedArea; readonly problems: readonly string[] };

/**
 * Checks pages and indexes (SQLite's integrity check), references, the schema, the values of rows,
 * the words of the full-text table and the history. Returns the problems of each area; without a
 * correct schema, the last three cannot be queried and are left out.
 */
export function checkAreas(db: Reader, onStep?: OnStep): readonly AreaProblems[] {
  const sqlite = connection(db);
  const check = (area: CheckedArea) => {
    onStep?.();
    return { area, problems: problemsIn(area, sqlite) };
  };
  const found = structure.map(check);
  const hasSchema = found.every(({ area, problems }) => area !== 'schema' || !problems.length);
  return hasSchema ? [...found, ...contents.map(check)] : found;
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
export function findDamage(db: Reader, onStep?: OnStep): string[] {
  const areas = checkAreas(db, onStep).filter(({ area }) => area !== 'history');
  return areas.flatMap(({ problems }) => problems);
}

/** Returns true if pages, indexes, references or the schema are damaged. */
export function isDamaged(db: Reader, onStep?: OnStep): boolean {
  const sqlite = connection(db);
  return structure.some((area) => {
    onStep?.();
    return problemsIn(area, sqlite).length > 0;
  });
}

/** Returns the contradictions between the events and the history. */
export function findHistoryProblems(db: Reader): string[] {
  return problemsIn('history', connection(db));
}

/**
 * Throws `damaged` with the first damage of pages or references. Takes far less time than
 * `findDamage`, because it does not compare indexes with tables.
 */
export function requireNoDamage(db: Reader): void {
  const sqlite = connection(db);
  const damage = findPageProblems(sqlite, 'quick_check', 1)[0] ?? findOrphans(sqlite)[0];
  if (damage !== undefined) throw new StoreError('damaged', sqlite.name, new Error(damage));
}
