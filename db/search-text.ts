import type Database from 'better-sqlite3';
import { foldText } from './fold.ts';
import { searchTables } from './migrations/003-search.ts';

/** The SQL of all that is said of an event, as 003-search.ts notes it of one that changes. */
export const eventText = `events.name || char(10) || events.location || char(10)
  || ifnull(events.description, '')`;

/** The name of the SQL function that folds a text. */
const foldFunction = 'fold_text';

/** Registers the SQL function behind `foldedText`, on every connection that uses it. */
export function registerFolding(sqlite: Database.Database): void {
  sqlite.function(foldFunction, { deterministic: true }, (text) => foldText(String(text)));
}

/** The SQL of a text as the full-text tables get it; needs `registerFolding`. */
export function foldedText(text: string): string {
  // Most texts are ASCII, where the tokenizer ignores case, and looking is cheaper than a call.
  return `CASE WHEN octet_length(${text}) = length(${text}) THEN ${text}
    ELSE ${foldFunction}(${text}) END`;
}

/** The full-text table that has the words of a user. */
export function searchTableOf(userId: number): string {
  return searchTables[userId % searchTables.length] as string;
}

/** A rowid there holds user and row: what is one user's lies together and is found by its range. */
export const rowBits = 40;
