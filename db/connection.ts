import Database from 'better-sqlite3';
import { wordsOf } from './fold.ts';
import { userMark } from './search-words.ts';

/**
 * Opens every connection of this program. The schema of a file from somebody else must not run
 * anything: https://sqlite.org/pragma.html#pragma_trusted_schema
 */
export function connect(file: string | Buffer, options: Database.Options = {}): Database.Database {
  const sqlite = new Database(file, options);
  sqlite.pragma('trusted_schema = OFF');
  sqlite.function('search_words', { deterministic: true }, (userId, text) => {
    const mark = userMark(Number(userId));
    const words = wordsOf(String(text));
    return words.length === 0 ? '' : mark + words.join(` ${mark}`);
  });
  return sqlite;
}
