import type Database from 'better-sqlite3';
import { searchTables } from '../migrations/003-search.ts';
import { searchTokenizer } from '../migrations/007-search-folding.ts';
import { eventText, foldedText, rowBits, searchTableOf } from '../search-text.ts';

/** What the full-text tables should have, made anew beside the database, which is not changed. */
const makeExpected = `
  CREATE VIRTUAL TABLE temp.expected USING fts5(
    words, content = '', columnsize = 0, detail = none, ${searchTokenizer}
  );
  CREATE VIRTUAL TABLE temp.expected_words USING fts5vocab(temp, expected, row);
`;
const dropExpected = 'DROP TABLE temp.expected_words; DROP TABLE temp.expected';
const emptyExpected = "INSERT INTO temp.expected (expected) VALUES ('delete-all')";
const addExpected = `INSERT INTO temp.expected (rowid, words)
  SELECT user_id << ${rowBits} | row, ${foldedText(eventText)} FROM events WHERE user_id = ?`;

/** The words, and in how many events each is, that are in one of the two and not in the other. */
const difference = `SELECT count(*) FROM (
  SELECT * FROM (SELECT term, doc FROM temp.expected_words EXCEPT SELECT term, doc FROM temp.found)
  UNION ALL
  SELECT * FROM (SELECT term, doc FROM temp.found EXCEPT SELECT term, doc FROM temp.expected_words))`;

/** Whether a full-text table disagrees with the events of its users. */
function isWrong(sqlite: Database.Database, table: string, users: readonly number[]): boolean {
  const add = sqlite.prepare(addExpected);
  for (const userId of users) add.run(userId);
  sqlite.exec(`CREATE VIRTUAL TABLE temp.found USING fts5vocab(main, ${table}, row)`);
  const different = sqlite.prepare<[], number>(difference).pluck().get();
  sqlite.exec(`DROP TABLE temp.found; ${emptyExpected}`);
  return different !== 0;
}

/** The full-text tables that do not have the words of the events, a sentence each. */
export function findWrongWords(sqlite: Database.Database): string[] {
  const users = sqlite.prepare<[], number>('SELECT id FROM users').pluck().all();
  sqlite.exec(makeExpected);
  try {
    return searchTables
      .filter((table) => {
        const own = users.filter((userId) => searchTableOf(userId) === table);
        return isWrong(sqlite, table, own);
      })
      .map((table) => `"${table}" does not have the words of the events`);
  } finally {
    sqlite.exec(dropExpected);
  }
}
