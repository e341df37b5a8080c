import type Database from 'better-sqlite3';
import { findWrongValues, problemsOf, structureChecks } from './check.ts';
import { findWrongTotals } from './event-digest.ts';
import { findWrongHistory } from './history-check.ts';
import { connection, type OnStep, type Reader } from './open.ts';
import { requireNone, withFile } from './replace-database.ts';
import { findWrongWords } from './search.ts';
import { findWrongJson } from './stored-json.ts';

const checks = {
  ...structureChecks,
  values(sqlite: Database.Database): string[] {
    const wrong = findWrongValues(sqlite);
    // They can be texts that are no JSON.
    return wrong.length > 0 ? wrong : findWrongJson(sqlite);
  },
  search: (sqlite: Database.Database) => [...findWrongWords(sqlite), ...findWrongTotals(sqlite)],
  history: findWrongHistory,
} as const;

/** A part of the database that is checked on its own. */
export type CheckedArea = keyof typeof checks;

const structure = ['pages', 'references', 'schema'] as const;

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
    return { area, problems: problemsOf(sqlite, checks[area]) };
  };
  const found = structure.map(check);
  if (found.some(({ area, problems }) => area === 'schema' && problems.length > 0)) return found;
  const values = check('values');
  // Impossible values can be too long for a digest.
  const search = values.problems.length > 0 ? [] : [check('search')];
  return [...found, values, ...search, check('history')];
}

/**
 * Returns the damage of a database with the right schema in its values, words and totals. A history
 * that does not fit is none: another program may change events.
 */
export function findContentDamage(db: Reader, onStep?: OnStep): string[] {
  const sqlite = connection(db);
  onStep?.();
  const wrong = problemsOf(sqlite, checks.values);
  if (wrong.length > 0) return wrong;
  onStep?.();
  return problemsOf(sqlite, checks.search);
}

/** Throws `damaged` for wrong values, words or totals in a file of the latest schema. */
export function requireSoundContents(path: string, onStep?: OnStep): void {
  withFile(path, (sqlite) => {
    requireNone(path, findContentDamage(sqlite as unknown as Reader, onStep));
  });
}
