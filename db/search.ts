import type Database from 'better-sqlite3';
import { connection, type Reader } from './open.ts';
import { searchWords, userMark } from './search-words.ts';

export const searchReads = {
  matches: 'SELECT rowid FROM search WHERE search MATCH @match ORDER BY rowid',
} as const;

/** The rows that match a search, as one byte for each row from `firstRow` on: 1 for a match. */
export type Matches = {
  readonly count: number;
  readonly firstRow: number;
  readonly bitmap: Uint8Array;
};

function composeMatch(userId: number, words: readonly string[]): string {
  // A word that begins another one adds nothing, but would read long lists of matches.
  const isLonger = (other: string, word: string) =>
    other.length > word.length && other.startsWith(word);
  const needed = words.filter((word) => !words.some((other) => isLonger(other, word)));
  const mark = userMark(userId);
  // Nothing is an operator between quotes; the star asks for a prefix.
  return [...new Set(needed)].map((word) => `"${mark}${word}"*`).join(' AND ');
}

/** Prepares a search for a user's events with words that begin with each of the folded words. */
export function prepareSearch(db: Reader): (userId: number, words: readonly string[]) => Matches {
  const matches = connection(db).prepare<object, number>(searchReads.matches).pluck();
  return (userId, words) => {
    const rows = matches.all({ match: composeMatch(userId, words) });
    const [firstRow = 0] = rows;
    const bitmap = new Uint8Array((rows.at(-1) ?? firstRow - 1) + 1 - firstRow);
    for (const row of rows) bitmap[row - firstRow] = 1;
    return { count: rows.length, firstRow, bitmap };
  };
}

export const searchWrites = {
  progress: `SELECT last_row AS lastRow, (SELECT ifnull(max(row), 0) FROM events) AS highestRow,
      EXISTS (SELECT 1 FROM search_stale) AS hasStale
    FROM search_progress WHERE id = 1 LIMIT 1`,
  removeStale: 'DELETE FROM search WHERE rowid IN (SELECT row FROM search_stale)',
  addChanged: `INSERT INTO search (rowid, words) SELECT events.row, ${searchWords}
    FROM search_stale CROSS JOIN events ON events.row = search_stale.row
    WHERE search_stale.row <= @lastRow ORDER BY search_stale.row`,
  clearStale: 'DELETE FROM search_stale',
  clear: "INSERT INTO search (search) VALUES ('delete-all')",
  addNew: `INSERT INTO search (rowid, words) SELECT row, ${searchWords} FROM events
    WHERE row > @lastRow ORDER BY row`,
  saveLastRow: 'UPDATE search_progress SET last_row = @highestRow WHERE id = 1',
} as const;

type Progress = { readonly lastRow: number; readonly highestRow: number; readonly hasStale: 0 | 1 };

/**
 * Updates the full-text table. Every transaction that changes events ends with it: FTS5 takes many
 * rows at once in a fraction of the time that it takes for one after the other.
 */
export function indexEvents(sqlite: Database.Database): void {
  const progress = sqlite.prepare<[], Progress>(searchWrites.progress).get();
  const { lastRow, highestRow, hasStale } = progress as Progress;
  if (hasStale) {
    sqlite.prepare(searchWrites.removeStale).run();
    sqlite.prepare(searchWrites.addChanged).run({ lastRow });
    sqlite.prepare(searchWrites.clearStale).run();
  }
  if (highestRow > lastRow) {
    sqlite.prepare(searchWrites.addNew).run({ lastRow });
    sqlite.prepare(searchWrites.saveLastRow).run({ highestRow });
  }
}

/** Builds the full-text table again: FTS5 keeps the words of removed rows until it merges them away. */
export function indexAgain(sqlite: Database.Database): void {
  sqlite.prepare(searchWrites.clear).run();
  sqlite.prepare(searchWrites.clearStale).run();
  sqlite.prepare(searchWrites.saveLastRow).run({ highestRow: 0 });
  indexEvents(sqlite);
}

/** Creates a temporary table of the expected words; the database stays unchanged. */
const createExpected = `
  CREATE VIRTUAL TABLE temp.expected USING fts5(words, content = '', detail = none, tokenize = 'ascii');
  INSERT INTO temp.expected (rowid, words) SELECT row, ${searchWords} FROM events;
  CREATE VIRTUAL TABLE temp.expected_words USING fts5vocab(temp, expected, instance);
  CREATE VIRTUAL TABLE temp.found_words USING fts5vocab(main, search, instance);
`;
const dropExpected = `
  DROP TABLE temp.found_words; DROP TABLE temp.expected_words; DROP TABLE temp.expected;
`;

const difference = `SELECT EXISTS (
  SELECT term, doc FROM temp.expected_words EXCEPT SELECT term, doc FROM temp.found_words
) OR EXISTS (
  SELECT term, doc FROM temp.found_words EXCEPT SELECT term, doc FROM temp.expected_words
)`;

/** Returns a sentence if the full-text table does not have exactly the words of the events. */
export function findWrongWords(sqlite: Database.Database): string[] {
  sqlite.exec(createExpected);
  try {
    const isDifferent = sqlite.prepare<[], 0 | 1>(difference).pluck().get() === 1;
    return isDifferent ? ['"search" does not have the words of the events'] : [];
  } finally {
    sqlite.exec(dropExpected);
  }
}
