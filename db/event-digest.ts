import type { Database } from 'better-sqlite3';
import { formatDigest, hashEvent } from './event-hash.ts';
import {
  type EventRow,
  type EventTotals,
  type EventWrites,
  eventColumns,
  eventOfRow,
} from './event-rows.ts';
import { connection, type Writer } from './open.ts';
import { indexEvents } from './search.ts';

export const eventDigestStatements = {
  events: `SELECT ${eventColumns} FROM events INDEXED BY events_by_id WHERE user_id = @userId`,
  all: `SELECT id AS userId, event_count AS count, event_digest AS digest,
      digest_revision = revision AS isCurrent
    FROM users`,
  save: `UPDATE users SET event_count = @count, event_digest = @digest,
      digest_revision = revision
    WHERE id = @userId`,
} as const;

/** Calculates the totals from all events of a user. */
export function calculateTotals(sqlite: Database, userId: number): EventTotals {
  const events = sqlite.prepare<object, EventRow>(eventDigestStatements.events);
  let count = 0;
  let sum = 0n;
  for (const row of events.iterate({ userId })) {
    count += 1;
    sum += hashEvent(eventOfRow(row));
  }
  return { count, digest: formatDigest(sum) };
}

/**
 * Ends the changes of a user's events in a transaction, after the last change of the revision:
 * updates the full-text table, and the number and digest of the events.
 */
export function finishEvents(db: Writer, userId: number, events: EventWrites): void {
  const sqlite = connection(db);
  indexEvents(sqlite);
  const totals = events.totals() ?? calculateTotals(sqlite, userId);
  sqlite.prepare(eventDigestStatements.save).run({ userId, ...totals });
}

type UserTotals = EventTotals & { readonly userId: number; readonly isCurrent: 0 | 1 };

function readTotals(sqlite: Database): UserTotals[] {
  return sqlite.prepare<[], UserTotals>(eventDigestStatements.all).all();
}

/** Calculates the totals of all users whose events were changed without them. */
export function updateTotals(sqlite: Database): void {
  const save = sqlite.prepare(eventDigestStatements.save);
  for (const { userId, isCurrent } of readTotals(sqlite)) {
    if (!isCurrent) save.run({ userId, ...calculateTotals(sqlite, userId) });
  }
}

/** Returns a sentence for each user with totals that are not those of the events. */
export function findWrongTotals(sqlite: Database): string[] {
  const wrong = readTotals(sqlite).filter(({ userId, isCurrent, ...stored }) => {
    const { count, digest } = calculateTotals(sqlite, userId);
    return isCurrent && (stored.count !== count || stored.digest !== digest);
  });
  return wrong.map(({ userId }) => `user ${userId} has a wrong number or digest of events`);
}
