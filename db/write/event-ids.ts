import { connection, type Writer } from '../open.ts';

export const eventIdStatements = {
  last: `SELECT max(last_event_id, coalesce(
      (SELECT id FROM events WHERE user_id = @userId ORDER BY id DESC LIMIT 1), 0)) AS id
    FROM users WHERE id = @userId LIMIT 1`,
  keep: 'UPDATE users SET last_event_id = @id WHERE id = @userId',
} as const;

/** Gives ids to events that come without one: above every id the user has or was ever given here. */
export type EventIds = {
  /** The highest id before any was given. */
  readonly last: number;
  /** The next id; nothing when there is none left that JSON carries exactly. */
  next(): number | undefined;
  /** Tells of an id that a source brought along; returns whether it is above all ids so far. */
  note(id: number): boolean;
  /** Remembers the ids given, so that they are never given again. */
  keep(): void;
};

export function prepareEventIds(db: Writer, userId: number): EventIds {
  const sqlite = connection(db);
  const last =
    sqlite.prepare<object, { id: number }>(eventIdStatements.last).get({ userId })?.id ?? 0;
  const keep = sqlite.prepare(eventIdStatements.keep);
  let highest = last;
  let given: number | undefined;
  return {
    last,
    next() {
      if (highest >= Number.MAX_SAFE_INTEGER) return undefined;
      highest += 1;
      given = highest;
      return given;
    },
    note(id) {
      if (id <= highest) return false;
      highest = id;
      return true;
    },
    keep() {
      if (given !== undefined) keep.run({ userId, id: given });
    },
  };
}
