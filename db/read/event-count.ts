import type Database from 'better-sqlite3';

/**
 * The number of events of a row of `users`: those that are counted, and those that another program
 * has added since our last transaction, which has counted all.
 */
export const eventCount = `counted_events + (SELECT count(*) FROM events NOT INDEXED
  WHERE row > (SELECT last_row FROM search_progress WHERE id = 1) AND events.user_id = users.id)`;

export const countEvents = `SELECT ${eventCount} AS total FROM users WHERE id = +@userId LIMIT 1`;

const wrongCounts = `SELECT name FROM users WHERE counted_events <> (SELECT count(*) FROM events
  WHERE events.user_id = users.id AND row <= (SELECT last_row FROM search_progress WHERE id = 1))`;

/** The users whose events are not as many as were counted, a sentence each. */
export function findWrongCounts(sqlite: Database.Database): string[] {
  const names = sqlite.prepare<[], string>(wrongCounts).pluck().all();
  return names.map((name) => `the events of "${name}" are not as many as were counted`);
}
