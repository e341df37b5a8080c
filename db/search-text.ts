import type Database from 'better-sqlite3';
import { foldText } from './fold.ts';
import { searchTables } from './migrations/003-search.ts';

/** SQL for the searchable text of an event. The triggers in migrations 003 and 004 repeat it. */
export const eventText = `events.name || char(10) || events.location || char(10)
  || ifnull(events.description, '')`;

const foldFunction = 'fold_text';

/** Registers the SQL function of `foldedText`; needed on every connection that uses it. */
export function registerFolding(sqlite: Database.Database): void {
  sqlite.function(foldFunction, { deterministic: true }, (text) => foldText(String(text)));
}

/** Returns SQL that folds a text for the full-text tables; needs `registerFolding`. */
export function foldedText(text: string): string {
  // Most texts are ASCII, where the tokenizer ignores case; this test is cheaper than a call.
  return `CASE WHEN octet_length(${text}) = length(${text}) THEN ${text}
    ELSE ${foldFunction}(${text}) END`;
}

export function searchTableOf(userId: number): string {
  return searchTables[userId % searchTables.length] as string;
}

/** Bits of a full-text rowid for the event's row; the user id above them makes a range per user. */
export const rowBits = 40;
