import type { EventStatus } from './model.ts';
import { connection, inTransaction, type Reader, type Writer } from './open.ts';

/** The parts of an event that a message to the members contains. */
export type ToldEvent = {
  readonly id: number;
  readonly name: string;
  readonly date: string;
  readonly location: string;
  readonly status: EventStatus;
  /** The first line of the note. */
  readonly note: string;
};

/** The events of a club as its members last heard of them. */
export type ToldState = {
  /** The time from which changes count. */
  readonly at: string;
  /** The language of the last message; null before the first one. */
  readonly language: string | null;
  readonly events: readonly ToldEvent[];
};

export const toldReads = {
  byUser: `SELECT told_at AS at, language, events FROM told_states
    WHERE user_id = @userId LIMIT 1`,
} as const;

/** Reads what the members of a club were told; undefined if nothing was stored yet. */
export function readTold(db: Reader, userId: number): ToldState | undefined {
  type Row = Omit<ToldState, 'events'> & { readonly events: string };
  const row = connection(db).prepare<object, Row>(toldReads.byUser).get({ userId });
  return row && { ...row, events: JSON.parse(row.events) };
}

export const toldWrites = {
  store: `INSERT INTO told_states (user_id, told_at, language, events)
    VALUES (@userId, @at, @language, @events)
    ON CONFLICT (user_id) DO UPDATE SET told_at = excluded.told_at,
      language = excluded.language, events = excluded.events`,
  remove: 'DELETE FROM told_states WHERE user_id = @userId',
} as const;

/** Stores what the members of a club were told; undefined forgets it. */
export function storeTold(db: Writer, userId: number, told: ToldState | undefined): void {
  inTransaction(db, (sqlite) => {
    if (told === undefined) sqlite.prepare(toldWrites.remove).run({ userId });
    else {
      const { at, language, events } = told;
      const row = { userId, at, language, events: JSON.stringify(events) };
      sqlite.prepare(toldWrites.store).run(row);
    }
  });
}
