import { isDeepStrictEqual } from 'node:util';
import type Database from 'better-sqlite3';
import { connect } from './connection.ts';
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

/** Characters of the longest text of an import, and of the longest JSON. */
const [maxText, maxJson] = [200_000, 100_000_000];

const isNoTime = (column: string) => `strftime(@form, ${column}) IS NOT ${column}`;
const isNoJson = (column: string) =>
  `(length(${column}) > ${maxJson} OR NOT json_valid(ifnull(${column}, 'null')))`;

/**
 * Conditions for rows with values that no import, edit or sync would store, each with the first schema
 * and the key of its table. The form of JSON is checked by `stored-json.ts`.
 */
const impossible = [
  {
    since: 1,
    table: 'events',
    key: 'row',
    condition: `id NOT BETWEEN -@maxId AND @maxId OR row NOT BETWEEN 1 AND @maxRow
      OR max(length(name), length(location), ifnull(length(description), 0)) > ${maxText}
      OR instr(name || location || ifnull(description, ''), char(0))
      OR ${isNoTime('date')} OR ${isNoTime('created_at')} OR date < '0001' OR created_at < '0001'
      OR status NOT IN ('draft', 'active', 'completed', 'cancelled')
      OR event_type NOT IN ('national', 'international', 'regional', 'club')
      OR registration_open NOT BETWEEN 0 AND 1`,
  },
  {
    since: 1,
    table: 'users',
    key: 'id',
    condition: `id NOT BETWEEN 1 AND @maxRow OR last_event_id NOT BETWEEN -@maxId AND @maxId
      OR name GLOB @controls OR instr(name, char(0))`,
  },
  // A name that this machine does not know can be from newer data of time zones.
  {
    since: 16,
    table: 'users',
    key: 'id',
    condition: `zone GLOB '*[^ -~]*' OR instr(zone, char(0)) OR length(zone) > 100`,
  },
  {
    since: 1,
    table: 'keys',
    key: 'id',
    condition: `id NOT BETWEEN 1 AND @maxId OR label GLOB @controls OR instr(label, char(0))
      OR ${isNoTime('created_at')} OR ${isNoTime('expires_at')} OR ${isNoTime('revoked_at')}`,
  },
  {
    since: 2,
    table: 'batches',
    key: 'id',
    condition: `id NOT BETWEEN 1 AND @maxId OR ${isNoTime('created_at')}`,
  },
  {
    since: 2,
    table: 'changes',
    key: 'batch_id',
    condition: `event_id NOT BETWEEN -@maxId AND @maxId
      OR ${isNoJson('before')} OR ${isNoJson('after')}`,
  },
  {
    since: 11,
    table: 'sources',
    key: 'id',
    condition: `id NOT BETWEEN 1 AND @maxId OR listed_at NOT BETWEEN -@maxTime AND @maxTime
      OR ${isNoJson('coverage')} OR ${isNoJson('listed')} OR ${isNoJson('state')}`,
  },
  {
    since: 11,
    table: 'confirmations',
    key: 'row',
    condition: `confirmed_at NOT BETWEEN -@maxTime AND @maxTime
      OR registration_at NOT BETWEEN -@maxTime AND @maxTime`,
  },
  {
    since: 17,
    table: 'days_off',
    key: 'id',
    condition: `id NOT BETWEEN 1 AND @maxId OR ${isNoJson('days')}`,
  },
  {
    since: 28,
    table: 'teams',
    key: 'user_id',
    condition: `id NOT BETWEEN 1 AND @maxId OR name GLOB @controls OR instr(name, char(0))
      OR max(length(name), length(letters), length(words), length(without), length(place)) > 1000`,
  },
  {
    since: 29,
    table: 'calendars',
    key: 'id',
    condition: `id NOT BETWEEN 1 AND @maxId OR name GLOB @controls OR instr(name, char(0))
      OR ${isNoJson('rules')} OR ${isNoJson('memory')} OR ${isNoJson('looked')}`,
  },
  { since: 26, table: 'told_states', key: 'user_id', condition: isNoJson('others') },
  { since: 20, table: 'left_out', key: 'batch_id', condition: isNoJson('events') },
  {
    since: 21,
    table: 'setting_changes',
    key: 'batch_id',
    condition: `setting IN ('daysOff', 'team') AND (${isNoJson('before')} OR ${isNoJson('after')})`,
  },
  {
    since: 23,
    table: 'proposals',
    key: 'rowid',
    condition: `${isNoJson('event')} OR ${isNoJson('new_values')}`,
  },
  { since: 25, table: 'proposals', key: 'rowid', condition: isNoJson('replaces') },
] as const;

const limits = {
  maxId: Number.MAX_SAFE_INTEGER,
  maxRow: 2 ** 31,
  /** Milliseconds from 1970 to the first and last moment of a date. */
  maxTime: 8.64e15,
  form: '%Y-%m-%dT%H:%M:%fZ',
  controls: '*[\x01-\x1f\x7f-\x9f]*',
} as const;

/** Describes rows with impossible values by their table, their number and the key of one. */
export function describeRows(table: string, number: number, row: number): string {
  return `rows of "${table}" with impossible values: ${number}, such as ${row}`;
}

/** Returns a sentence for each table with impossible values, in a database of any schema. */
export function findWrongValues(sqlite: Database.Database): string[] {
  type Found = { readonly number: number; readonly row: number };
  const version = readSchemaVersion(sqlite);
  return impossible.flatMap(({ since, table, key, condition }) => {
    if (version < since) return [];
    const sql = `SELECT count(*) AS number, min(${key}) AS row FROM ${table} WHERE ${condition}`;
    const { number, row } = sqlite.prepare<object, Found>(sql).get(limits) as Found;
    return number === 0 ? [] : [describeRows(table, number, row)];
  });
}

/** Runs a check. Pages that cannot be read are a problem, not an error. */
export function problemsOf(
  sqlite: Database.Database,
  find: (sqlite: Database.Database) => string[],
): string[] {
  try {
    return find(sqlite);
  } catch (error) {
    const explained = explainSqlite(error, sqlite.name);
    if (explained instanceof StoreError && explained.problem === 'damaged') {
      return [`cannot be read: ${oneLine(explained.reason)}`];
    }
    throw error;
  }
}

/** The checks without which nothing can be trusted. */
export const structureChecks = {
  pages: (sqlite: Database.Database) => findPageProblems(sqlite, 'integrity_check'),
  references: findOrphans,
  schema: findSchemaProblems,
} as const;

/** Returns true if pages, indexes, references or the schema are damaged. */
export function isDamaged(db: Reader, onStep?: OnStep): boolean {
  const sqlite = connection(db);
  return Object.values(structureChecks).some((find) => {
    onStep?.();
    return problemsOf(sqlite, find).length > 0;
  });
}

/** Returns the contradictions between the events and the history. */
export function findHistoryProblems(db: Reader): string[] {
  return problemsOf(connection(db), findWrongHistory);
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
