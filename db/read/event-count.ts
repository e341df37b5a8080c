import type Database from 'better-sqlite3';

/**
 * SQL for the number of events of a row of `users`: the stored count plus the events that another
 * program has added since.
 */
export const eventCount = `counted_events + (SELECT count(*) FROM events NOT INDEXED
  WHERE row > (SELECT last_row FROM search_progress WHERE id = 1) AND events.user_id = users.id)`;

export const countEvents = `SELECT ${eventCount} AS total FROM users WHERE id = +@userId LIMIT 1`;

const wrongCounts = `SELECT name FROM users WHERE counted_events <> (SELECT count(*) FROM events
  WHERE events.user_id = users.id AND row <= (SELECT last_row FROM search_progress WHERE id = 1))`;

/** Returns a message for each user whose stored event count is wrong. */
export function findWrongCounts(sqlite: Database.Database): string[] {
  const names = sqlite.prepare<[], string>(wrongCounts).pluck().all();
  return names.map((name) => `the events of "${name}" are not as many as were counted`);
}
