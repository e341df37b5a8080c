import { connection, inTransaction, type Reader, type Writer } from './open.ts';

/** The last message to the members of a club, as places in its history. */
export type AnnouncedState = {
  /** The time of the last message, or that from which changes count. */
  readonly at: string;
  /** The language of the last message; null before the first one. */
  readonly language: string | null;
  /** The epoch of the database then; another one after a restore. */
  readonly epoch: string;
  /** The last batch that members know. */
  readonly batch: number;
  /** Events that members know as they were after another batch. */
  readonly others: readonly { readonly id: number; readonly batch: number }[];
};

export const announcedReads = {
  byUser: `SELECT told_at AS at, language, epoch, batch, others FROM told_states
    WHERE user_id = @userId LIMIT 1`,
} as const;

/** Reads what the members of a club were told; undefined if nothing was stored yet. */
export function readAnnounced(db: Reader, userId: number): AnnouncedState | undefined {
  type Row = Omit<AnnouncedState, 'others'> & { readonly others: string };
  const row = connection(db).prepare<object, Row>(announcedReads.byUser).get({ userId });
  return row && { ...row, others: JSON.parse(row.others) };
}

export const announcedWrites = {
  store: `INSERT INTO told_states (user_id, told_at, language, epoch, batch, others)
    VALUES (@userId, @at, @language, @epoch, @batch, @others)
    ON CONFLICT (user_id) DO UPDATE SET told_at = excluded.told_at,
      language = excluded.language, epoch = excluded.epoch, batch = excluded.batch,
      others = excluded.others`,
  remove: 'DELETE FROM told_states WHERE user_id = @userId',
} as const;

/** Stores what the members of a club were told; undefined forgets it. */
export function storeAnnounced(
  db: Writer,
  userId: number,
  announced: AnnouncedState | undefined,
): void {
  inTransaction(db, (sqlite) => {
    if (announced === undefined) sqlite.prepare(announcedWrites.remove).run({ userId });
    else {
      const row = { userId, ...announced, others: JSON.stringify(announced.others) };
      sqlite.prepare(announcedWrites.store).run(row);
    }
  });
}
