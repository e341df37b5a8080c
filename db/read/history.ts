import type { Batch } from '../model.ts';
import { connection, type Reader } from '../open.ts';
import { eachRow, pageSize } from './pages.ts';

export const historyReads = {
  page: `SELECT id, kind, source, created_at AS createdAt, added, changed, removed, undoes,
      (SELECT later.id FROM batches AS later WHERE later.undoes = batches.id) AS undoneBy
    FROM batches WHERE user_id = @userId AND id < @before ORDER BY id DESC LIMIT ${pageSize}`,
} as const;

/** Reads all batches of a user, newest first. */
export function readHistory(db: Reader, userId: number): Batch[] {
  const page = connection(db).prepare<object, Batch>(historyReads.page);
  const rows = eachRow(
    Number.MAX_SAFE_INTEGER,
    (before) => page.all({ userId, before }),
    ({ id }) => id,
  );
  return [...rows];
}
