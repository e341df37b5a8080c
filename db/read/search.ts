import { searchTables } from '../migrations/003-search.ts';
import { connection, type Reader } from '../open.ts';
import { rowBits, searchTableOf } from '../search-text.ts';
import { prepareLazily } from './lazily.ts';
import { createMemo } from './memo.ts';
import { readAll } from './pages.ts';
import { readVersion } from './version.ts';

const matchesAtOnce = 1_000_000;

/** The rows of a user's events with all of the words, in order. */
const matchesIn = (table: string) => `SELECT rowid & ${2 ** rowBits - 1} AS row FROM ${table}
  WHERE ${table} MATCH @words
    AND rowid > (@userId << ${rowBits} | @after) AND rowid < ((@userId + 1) << ${rowBits})
  ORDER BY rowid LIMIT ${matchesAtOnce}`;

export const searchReads = Object.fromEntries(
  searchTables.map((table) => [table, matchesIn(table)]),
);

/** Which events a search found. */
export type Matches = {
  readonly count: number;
  readonly firstRow: number;
  /** A byte for each row from the first to the last one, which is 1 where there is a match. */
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

/** Asks for all of the words; sorted, as a word that begins the next one adds nothing to that. */
function composeQuery(words: readonly string[]): string {
  const needed = words.filter((word, at) => !words[at + 1]?.startsWith(word));
  // In quotes nothing is an operator; the star asks for a prefix.
  return needed.map((word) => `"${word}"*`).join(' AND ');
}

/** How many searches are remembered: pages of one follow each other, and each may be a megabyte. */
const searchesKept = 16;

export type SearchReads = {
  /** The user's events in whose texts each of `words`, which are sorted, begins a word. */
  find(userId: number, words: readonly string[]): Matches;
};

export function prepareSearchReads(db: Reader): SearchReads {
  const sqlite = connection(db);
  const prepare = prepareLazily(sqlite);
  const memo = createMemo<Matches>(readVersion(sqlite), { most: searchesKept });

  function readMatches(userId: number, words: string): Matches {
    const sql = searchReads[searchTableOf(userId)] as string;
    const page = prepare<number>(sql).pluck();
    const rows = readAll(
      0,
      (after) => page.all({ userId, words, after }),
      (row) => row,
      matchesAtOnce,
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
