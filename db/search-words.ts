import type Database from 'better-sqlite3';
import { wordsOf } from './fold.ts';

/**
 * Returns the two characters, from Unicode's private planes, that begin every word of a user in the
 * full-text table. A search for a prefix then never meets the words of other users.
 */
export function userMark(userId: number): string {
  const high = Math.floor(userId / 0x10000) % 0x10000;
  return String.fromCodePoint(0xf0000 + high, 0xf0000 + (userId % 0x10000));
}

/** Registers the SQL function that turns a text into the words of a user. */
export function registerSearchWords(sqlite: Database.Database): void {
  sqlite.function('search_words', { deterministic: true }, (userId, text) => {
    const mark = userMark(Number(userId));
    const words = wordsOf(String(text));
    return words.length === 0 ? '' : mark + words.join(` ${mark}`);
  });
}

/** The SQL of the words of an event; needs `registerSearchWords`. */
export const searchWords = `search_words(events.user_id, events.name || char(10) || events.location
  || char(10) || ifnull(events.description, ''))`;
