import { searchTables } from './migrations/003-search.ts';
import { letterLikes } from './model.ts';

/** The SQL of all that is said of an event, as 003-search.ts notes it of one that changes. */
export const eventText = `events.name || char(10) || events.location || char(10)
  || ifnull(events.description, '')`;

/** The SQL of a text as the full-text tables get it. */
export function foldText(text: string): string {
  const folded = Object.entries(letterLikes).reduce(
    (sql, [letter, like]) => `replace(${sql}, '${letter}', '${like}')`,
    text,
  );
  // Most texts are ASCII, and looking is a tenth of the work of replacing.
  return `CASE WHEN octet_length(${text}) = length(${text}) THEN ${text} ELSE ${folded} END`;
}

/** The full-text table that has the words of a user. */
export function searchTableOf(userId: number): string {
  return searchTables[userId % searchTables.length] as string;
}

/** A rowid there holds user and row: what is one user's lies together and is found by its range. */
export const rowBits = 40;
