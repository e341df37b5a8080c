import type { StoredEvent } from '../model.ts';
import { connection, type Reader } from '../open.ts';
import { type EventRow, eventColumns, eventOfRow } from './events.ts';
import { beforeEveryId, eachRow, pageSize } from './pages.ts';

export const eventPageReads = {
  page: `SELECT source_key AS sourceKey, ${eventColumns} FROM events
    WHERE user_id = @userId AND id > @after ORDER BY id LIMIT ${pageSize}`,
} as const;

/** An event and what its source knows it by, where that is not an id. */
export type SourcedEvent = StoredEvent & { readonly sourceKey: string | null };

/**
 * Every event of a user, by id, in bounded memory and all of one moment: the connection is in a
 * transaction until the last one is read or the iteration is given up.
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
