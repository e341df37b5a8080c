import { connection, type Writer } from '../open.ts';
import type { EventImage, EventRecord } from './events.ts';

export const batchStatements = {
  begin: `INSERT INTO batches (user_id, kind, source, created_at, undoes)
    VALUES (@userId, @kind, @source, @createdAt, @undoes)`,
  finish: `UPDATE batches SET added = @added, changed = @changed, removed = @removed
    WHERE id = @id`,
  note: `INSERT INTO changes (batch_id, event_id, before, after)
    VALUES (@batchId, @eventId, @before, @after)
    ON CONFLICT (batch_id, event_id) DO UPDATE SET after = excluded.after`,
  move: 'UPDATE changes SET event_id = @to WHERE batch_id = @batchId AND event_id = @from',
  count: `SELECT count(*) FILTER (WHERE before IS NULL) AS added,
      count(*) FILTER (WHERE before IS NOT NULL AND after IS NOT NULL) AS changed,
      count(*) FILTER (WHERE after IS NULL) AS removed
    FROM changes WHERE batch_id = @batchId LIMIT 1`,
} as const;

export type NewBatch = {
  readonly userId: number;
  readonly kind: 'import' | 'undo';
  readonly source: string;
  readonly createdAt: string;
  readonly undoes: number | null;
};

/** The history of one transaction: which events it changed, from what to what. */
export type BatchLog = {
  /** Notes a change of the event with this id; of several, the first `before` is kept. */
  note(eventId: number, before: EventImage | null, after: EventImage | null): void;
  /** Tells that an event added by this batch has another id now. */
  move(from: number, to: number): void;
  /** Writes the totals. Returns the id of the batch; nothing when nothing was changed. */
  finish(): number | undefined;
};

function writeImage(image: EventImage | EventRecord | null): string | null {
  if (image === null) return null;
  const { event, sourceKey, sourceSequence } = image;
  return JSON.stringify({ event, sourceKey, sourceSequence });
}

export function readImage(text: string | null): EventImage | null {
  return text === null ? null : (JSON.parse(text) as EventImage);
}

/** Prepares the log of a transaction; the batch itself is only made at the first change. */
export function prepareBatchLog(db: Writer, batch: NewBatch): BatchLog {
  const sqlite = connection(db);
  const begin = sqlite.prepare(batchStatements.begin);
  const note = sqlite.prepare(batchStatements.note);
  const move = sqlite.prepare(batchStatements.move);
  let batchId: number | undefined;
  return {
    note(eventId, before, after) {
      batchId ??= Number(begin.run(batch).lastInsertRowid);
      note.run({ batchId, eventId, before: writeImage(before), after: writeImage(after) });
    },
    move: (from, to) => void move.run({ batchId, from, to }),
    finish() {
      if (batchId === undefined) return undefined;
      const counts = sqlite.prepare<object, object>(batchStatements.count).get({ batchId });
      sqlite.prepare(batchStatements.finish).run({ id: batchId, ...counts });
      return batchId;
    },
  };
}
