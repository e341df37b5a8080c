import type { StoredEvent } from '../model.ts';
import { connection, type Reader } from '../open.ts';
import { type EventRow, eventColumns, eventOfRow } from './events.ts';
import { beforeEveryId, eachRow, pageSize } from './pages.ts';

export const eventPageReads = {
  page: `SELECT source_key AS sourceKey, ${eventColumns} FROM events
    WHERE user_id = @userId AND id > @after ORDER BY id LIMIT ${pageSize}`,
} as const;

/** An event with its key in a source without ids; null if the source gave an id. */
export type SourcedEvent = StoredEvent & { readonly sourceKey: string | null };

/**
 * Iterates over all events of a user by id, in bounded memory. The connection stays in a read
 * transaction until the iteration ends.
 */
export function* eachEvent(db: Reader, userId: number): Generator<SourcedEvent> {
  const sqlite = connection(db);
  const page = sqlite.prepare<object, EventRow & { sourceKey: string | null }>(eventPageReads.page);
  sqlite.exec('BEGIN');
  try {
    const rows = eachRow(
      beforeEveryId,
      (after) => page.all({ userId, after }),
      ({ id }) => id,
    );
    for (const { sourceKey, ...row } of rows) yield { ...eventOfRow(row), sourceKey };
  } finally {
    sqlite.exec('COMMIT');
  }
}
