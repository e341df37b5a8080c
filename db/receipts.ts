import { prepareEventReads, readImage } from './event-rows.ts';
import type { StoredEvent } from './model.ts';
import { connection, type Reader } from './open.ts';

export const receiptReads = {
  newest: `SELECT id, source, created_at AS createdAt, added, changed, removed FROM batches
    WHERE user_id = @userId AND kind = 'sync' ORDER BY id DESC LIMIT +@limit`,
  changes: `SELECT event_id AS id, before, after FROM changes WHERE batch_id = @batchId
    ORDER BY event_id LIMIT +@limit`,
} as const;

/** The changes of a sync; a new event has no `before`, a removed one no `after`. */
export type Receipt = {
  /** The number of its batch in the history. */
  readonly id: number;
  /** The host, the file or the calendar. */
  readonly source: string;
  readonly createdAt: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** The first changes by id. */
  readonly changes: readonly {
    readonly before: StoredEvent | null;
    readonly after: StoredEvent | null;
  }[];
};

/** Limits of the number of receipts and of the changes in each. */
type Limits = { readonly receipts: number; readonly changes: number };

/** Reads the last syncs of a user that changed something, newest first. */
export function readReceipts(db: Reader, userId: number, limits: Limits): readonly Receipt[] {
  const sqlite = connection(db);
  const newest = sqlite.prepare<object, Omit<Receipt, 'changes'>>(receiptReads.newest);
  type Images = {
    readonly id: number;
    readonly before: string | null;
    readonly after: string | null;
  };
  const changes = sqlite.prepare<object, Images>(receiptReads.changes);
  const events = prepareEventReads(db);
  return newest.all({ userId, limit: limits.receipts }).map((receipt) => ({
    ...receipt,
    changes: changes
      .all({ batchId: receipt.id, limit: limits.changes })
      .map(({ id, ...images }) => {
        const before = readImage(images.before)?.event ?? null;
        const after = readImage(images.after)?.event ?? null;
        // A new event has no image while it is as it was added.
        const isAsAdded = before === null && after === null;
        return { before, after: isAsAdded ? (events.byId(userId, id) ?? null) : after };
      }),
  }));
}
