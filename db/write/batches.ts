import { type EventImage, writeImage } from '../image.ts';
import { connection, type Writer } from '../open.ts';

export const batchStatements = {
  begin: `INSERT INTO batches (user_id, kind, source, created_at, undoes)
    VALUES (@userId, @kind, @source, @createdAt, @undoes)`,
  finish: `UPDATE batches SET added = @added, changed = @changed, removed = @removed
    WHERE id = @id`,
  note: `INSERT INTO changes (batch_id, event_id, before, after)
    VALUES (@batchId, @eventId, @before, @after)
    ON CONFLICT (batch_id, event_id) DO UPDATE SET after = excluded.after`,
  // Without images, which would double an import's writes: an undo derives the added events.
  noteAdded: `INSERT INTO changes (batch_id, event_id)
    SELECT @batchId, id FROM events WHERE row > @lastRow AND user_id = @userId`,
  count: `SELECT count(*) FILTER (WHERE before IS NULL) AS added,
      count(*) FILTER (WHERE before IS NOT NULL AND after IS NOT NULL) AS changed,
      count(*) FILTER (WHERE before IS NOT NULL AND after IS NULL) AS removed
    FROM changes WHERE batch_id = @batchId LIMIT 1`,
} as const;

export type NewBatch = {
  readonly userId: number;
  readonly kind: 'import' | 'undo';
  readonly source: string;
  readonly createdAt: string;
  readonly undoes: number | null;
};

/** The history of one transaction: its changed events, before and after. */
export type BatchLog = {
  /** Records a change of an event; several changes are merged into one with the first `before`. */
  note(eventId: number, before: EventImage | null, after: EventImage | null): void;
  /** Records every event of the user in a row above `lastRow` as added. */
  noteAdded(lastRow: number): void;
  /** Writes the totals. Returns the id of the batch, or undefined if nothing changed. */
  finish(): number | undefined;
};

/** Prepares the log of a transaction; its batch is inserted at the first change. */
export function prepareBatchLog(db: Writer, batch: NewBatch): BatchLog {
  const sqlite = connection(db);
  const note = sqlite.prepare(batchStatements.note);
  const noteAdded = sqlite.prepare(batchStatements.noteAdded);
  let batchId: number | undefined;
  const begin = (): number => {
    batchId ??= Number(sqlite.prepare(batchStatements.begin).run(batch).lastInsertRowid);
    return batchId;
  };
  return {
    note(eventId, before, after) {
      const images = { before: writeImage(before), after: writeImage(after) };
      note.run({ batchId: begin(), eventId, ...images });
    },
    noteAdded(lastRow) {
      noteAdded.run({ batchId: begin(), lastRow, userId: batch.userId });
    },
    finish() {
      if (batchId === undefined) return undefined;
      const counts = sqlite.prepare<object, object>(batchStatements.count).get({ batchId });
      sqlite.prepare(batchStatements.finish).run({ id: batchId, ...counts });
      return batchId;
    },
  };
}
