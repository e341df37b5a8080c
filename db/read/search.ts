import { searchTables } from '../migrations/003-search.ts';
import { connection, type Reader } from '../open.ts';
import { rowBits, searchTableOf } from '../search-text.ts';
import { prepareLazily } from './lazily.ts';
import { createMemo } from './memo.ts';
import { readAll } from './pages.ts';
import { readVersion } from './version.ts';

const matchesPerQuery = 1_000_000;

/** Returns SQL for the rows of a user's events that contain all words, in ascending order. */
const matchesIn = (table: string) => `SELECT rowid & ${2 ** rowBits - 1} AS row FROM ${table}
  WHERE ${table} MATCH @words
    AND rowid > (@userId << ${rowBits} | @after) AND rowid < ((@userId + 1) << ${rowBits})
  ORDER BY rowid LIMIT ${matchesPerQuery}`;

export const searchReads = Object.fromEntries(
  searchTables.map((table) => [table, matchesIn(table)]),
);

/** The rows that a search found, as an array of marks. */
export type Matches = {
  readonly count: number;
  readonly firstRow: number;
  /** One byte per row from the first to the last match; 1 for a match, else 0. */
  readonly marks: Uint8Array;
};

function markRows(rows: readonly number[]): Matches {
  const firstRow = rows[0] ?? 0;
  const lastRow = rows.at(-1) ?? firstRow - 1;
  const marks = new Uint8Array(lastRow + 1 - firstRow);
  for (const row of rows) marks[row - firstRow] = 1;
  return { count: rows.length, firstRow, marks };
}

export function rowsOf({ firstRow, marks }: Matches): number[] {
  const rows: number[] = [];
  for (let at = marks.indexOf(1); at !== -1; at = marks.indexOf(1, at + 1))
    rows.push(firstRow + at);
  return rows;
}

/**
 * Composes an FTS5 query for all words, each as a prefix. The words must be sorted: a word that
 * begins the next one is then redundant.
 */
function composeQuery(words: readonly string[]): string {
  const needed = words.filter((word, index) => !words[index + 1]?.startsWith(word));
  // Quoted words cannot be operators; the star searches for a prefix.
  return needed.map((word) => `"${word}"*`).join(' AND ');
}

/** Cache limit: a result may take a megabyte, and is mostly reused by the next pages. */
const maxCachedSearches = 16;

export type SearchReads = {
  /** Finds a user's events in which each of `words` begins a word. `words` must be sorted. */
  find(userId: number, words: readonly string[]): Matches;
};

export function prepareSearchReads(db: Reader): SearchReads {
  const sqlite = connection(db);
  const prepare = prepareLazily(sqlite);
  const memo = createMemo<Matches>(readVersion(sqlite), { most: maxCachedSearches });

  function readMatches(userId: number, words: string): Matches {
    const sql = searchReads[searchTableOf(userId)] as string;
    const page = prepare<number>(sql).pluck();
    const rows = readAll(
      0,
      (after) => page.all({ userId, words, after }),
      (row) => row,
      matchesPerQuery,
    );
    return markRows(rows);
  }
  return {
    find(userId, words) {
      const query = composeQuery(words);
      return memo.recall(`${userId} ${query}`, () => readMatches(userId, query));
    },
  };
}
