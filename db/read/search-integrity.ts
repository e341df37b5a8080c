import type Database from 'better-sqlite3';
import { searchTables } from '../migrations/003-search.ts';
import { searchTokenizer } from '../migrations/007-search-folding.ts';
import { eventText, foldedText, rowBits, searchTableOf } from '../search-text.ts';

/** Temporary tables for the expected words; the database itself is not changed. */
const createExpected = `
  CREATE VIRTUAL TABLE temp.expected USING fts5(
    words, content = '', columnsize = 0, detail = none, ${searchTokenizer}
  );
  CREATE VIRTUAL TABLE temp.expected_words USING fts5vocab(temp, expected, row);
`;
const dropExpected = 'DROP TABLE temp.expected_words; DROP TABLE temp.expected';
const clearExpected = "INSERT INTO temp.expected (expected) VALUES ('delete-all')";
const addExpected = `INSERT INTO temp.expected (rowid, words)
  SELECT user_id << ${rowBits} | row, ${foldedText(eventText)} FROM events WHERE user_id = ?`;

/** SQL for the number of differences between expected and found words and their event counts. */
const difference = `SELECT count(*) FROM (
  SELECT * FROM (SELECT term, doc FROM temp.expected_words EXCEPT SELECT term, doc FROM temp.found)
  UNION ALL
  SELECT * FROM (SELECT term, doc FROM temp.found EXCEPT SELECT term, doc FROM temp.expected_words))`;

/** Returns true if a full-text table differs from the events of its users. */
function isWrong(sqlite: Database.Database, table: string, users: readonly number[]): boolean {
  const add = sqlite.prepare(addExpected);
  for (const userId of users) add.run(userId);
  sqlite.exec(`CREATE VIRTUAL TABLE temp.found USING fts5vocab(main, ${table}, row)`);
  const differences = sqlite.prepare<[], number>(difference).pluck().get();
  sqlite.exec(`DROP TABLE temp.found; ${clearExpected}`);
  return differences !== 0;
}

/** Returns a message for each full-text table that differs from the events. */
export function findWrongWords(sqlite: Database.Database): string[] {
  const users = sqlite.prepare<[], number>('SELECT id FROM users').pluck().all();
  sqlite.exec(createExpected);
  try {
    return searchTables
      .filter((table) => {
        const tableUsers = users.filter((userId) => searchTableOf(userId) === table);
        return isWrong(sqlite, table, tableUsers);
      })
      .map((table) => `"${table}" does not have the words of the events`);
  } finally {
    sqlite.exec(dropExpected);
  }
}
