import Database from 'better-sqlite3';
import { searchTokenizer } from '../migrations/007-search-folding.ts';
import { foldedText, registerFolding } from '../search-text.ts';

/** Statements on an in-memory database that holds one text. */
export const wordStatements = {
  create: `CREATE VIRTUAL TABLE texts USING fts5(
      words, content = '', columnsize = 0, ${searchTokenizer}
    );
    CREATE VIRTUAL TABLE vocabulary USING fts5vocab(texts, row)`,
  add: `INSERT INTO texts (rowid, words) SELECT 1, ${foldedText('@text')}`,
  words: 'SELECT term FROM vocabulary',
  empty: "INSERT INTO texts (texts) VALUES ('delete-all')",
} as const;

/**
 * Prepares a function that splits a text into its distinct words, sorted. It uses the tokenizer of
 * the full-text tables, so each result is exactly one word there and never query syntax.
 */
export function prepareWordSplitter(): (text: string) => string[] {
  const sqlite = new Database(':memory:');
  registerFolding(sqlite);
  sqlite.exec(wordStatements.create);
  const add = sqlite.prepare(wordStatements.add);
  const words = sqlite.prepare<[], string>(wordStatements.words).pluck();
  const empty = sqlite.prepare(wordStatements.empty);
  return (text) => {
    add.run({ text });
    const distinct = words.all();
    empty.run();
    return distinct;
  };
}
