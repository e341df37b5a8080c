import { connection, type Writer } from '../open.ts';

export const eventIdStatements = {
  last: `SELECT max(last_event_id, coalesce(
      (SELECT id FROM events WHERE user_id = @userId ORDER BY id DESC LIMIT 1), 0)) AS id
    FROM users WHERE id = @userId LIMIT 1`,
  keep: 'UPDATE users SET last_event_id = @id WHERE id = @userId',
} as const;

/** Assigns ids to events without one, above every id that the user has or was ever assigned. */
export type EventIds = {
  /** The highest id at the start. */
  readonly last: number;
  /** Assigns the next id; undefined if no id is left that JSON represents exactly. */
  next(): number | undefined;
  /** Registers the id of an imported event; returns true if it is above all ids so far. */
  note(id: number): boolean;
  /** Saves the last assigned id, so that no id is assigned twice. */
  keep(): void;
};

export function prepareEventIds(db: Writer, userId: number): EventIds {
  const sqlite = connection(db);
  const last =
    sqlite.prepare<object, { id: number }>(eventIdStatements.last).get({ userId })?.id ?? 0;
  const keep = sqlite.prepare(eventIdStatements.keep);
  let highest = last;
  let lastAssigned: number | undefined;
  return {
    last,
    next() {
      if (highest >= Number.MAX_SAFE_INTEGER) return undefined;
      highest += 1;
      lastAssigned = highest;
      return lastAssigned;
    },
    note(id) {
      if (id <= highest) return false;
      highest = id;
      return true;
    },
    keep() {
      if (lastAssigned !== undefined) keep.run({ userId, id: lastAssigned });
    },
  };
}
