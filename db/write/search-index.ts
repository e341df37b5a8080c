import type Database from 'better-sqlite3';
import { eventText, foldedText, rowBits, searchTableOf } from '../search-text.ts';

export const searchIndexStatements = {
  lastRow: 'SELECT last_row AS lastRow FROM search_progress WHERE id = 1 LIMIT 1',
  keepLastRow: `UPDATE search_progress SET last_row = (SELECT ifnull(max(row), 0) FROM events)
    WHERE id = 1`,
  nextStale: `SELECT user_id AS userId FROM search_stale WHERE user_id > @after
    ORDER BY user_id LIMIT 1`,
  removeStale: 'DELETE FROM search_stale WHERE user_id = @userId',
  nextAdded: 'SELECT user_id AS userId FROM events WHERE row > @after ORDER BY row LIMIT 1',
  count: 'UPDATE users SET counted_events = counted_events + @added WHERE id = @userId',
  nextOfOther: `SELECT row FROM events WHERE row > @after AND user_id <> @userId
    ORDER BY row LIMIT 1`,
} as const;

export const searchTableStatements = (table: string) =>
  ({
    forget: `INSERT INTO ${table} (${table}, rowid, words)
      SELECT 'delete', user_id << ${rowBits} | row, ${foldedText('text')} FROM search_stale
      WHERE user_id = @userId ORDER BY row`,
    renew: `INSERT INTO ${table} (rowid, words)
      SELECT events.user_id << ${rowBits} | events.row, ${foldedText(eventText)}
      FROM search_stale CROSS JOIN events USING (user_id, row)
      WHERE search_stale.user_id = @userId AND search_stale.row <= @lastRow
      ORDER BY search_stale.row`,
    add: `INSERT INTO ${table} (rowid, words)
      SELECT user_id << ${rowBits} | row, ${foldedText(eventText)} FROM events
      WHERE row > @after AND row < @before ORDER BY row`,
  }) as const;

/** Replaces the words of changed events and deletes those of removed ones. */
function indexChanged(sqlite: Database.Database, lastRow: number): void {
  const nextStale = sqlite.prepare<object, { userId: number }>(searchIndexStatements.nextStale);
  for (let after = 0; ; ) {
    const userId = nextStale.get({ after })?.userId;
    if (userId === undefined) return;
    const { forget, renew } = searchTableStatements(searchTableOf(userId));
    sqlite.prepare(forget).run({ userId });
    sqlite.prepare(renew).run({ userId, lastRow });
    sqlite.prepare(searchIndexStatements.removeStale).run({ userId });
    after = userId;
  }
}

/** Indexes and counts added events, one contiguous run of rows of a user at a time. */
function indexAdded(sqlite: Database.Database, lastRow: number): void {
  const nextAdded = sqlite.prepare<object, { userId: number }>(searchIndexStatements.nextAdded);
  const nextOfOther = sqlite.prepare<object, { row: number }>(searchIndexStatements.nextOfOther);
  for (let after = lastRow; ; ) {
    const userId = nextAdded.get({ after })?.userId;
    if (userId === undefined) return;
    const before = nextOfOther.get({ after, userId })?.row ?? Number.MAX_SAFE_INTEGER;
    const { add } = searchTableStatements(searchTableOf(userId));
    const { changes: added } = sqlite.prepare(add).run({ after, before });
    sqlite.prepare(searchIndexStatements.count).run({ userId, added });
    after = before - 1;
  }
}

/**
 * Updates the full-text tables and event counts: the last step of every transaction that changes
 * events. FTS5 indexes many rows at once much faster than one by one.
 */
export function indexEvents(sqlite: Database.Database): void {
  const progress = sqlite.prepare<[], { lastRow: number }>(searchIndexStatements.lastRow).get();
  const lastRow = progress?.lastRow ?? 0;
  indexChanged(sqlite, lastRow);
  indexAdded(sqlite, lastRow);
  sqlite.prepare(searchIndexStatements.keepLastRow).run();
}
