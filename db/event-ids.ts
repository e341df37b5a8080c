import { connection, type Writer } from './open.ts';

export const eventIdStatements = {
  last: `SELECT max(last_event_id, coalesce(
      (SELECT id FROM events WHERE user_id = @userId ORDER BY id DESC LIMIT 1), 0))
    FROM users WHERE id = @userId LIMIT 1`,
  save: 'UPDATE users SET last_event_id = @id WHERE id = @userId',
} as const;

/** Assigns ids to events without one, above every id that the user has or was ever assigned. */
export function prepareEventIds(db: Writer, userId: number) {
  const sqlite = connection(db);
  const last = sqlite.prepare<object, number>(eventIdStatements.last).pluck().get({ userId }) ?? 0;
  const save = sqlite.prepare(eventIdStatements.save);
  let highest = last;
  let lastAssigned: number | undefined;
  return {
    /** The highest id at the start. */
    last,
    /** Assigns the next id; undefined if no id is left that JSON represents exactly. */
    assign(): number | undefined {
      if (highest >= Number.MAX_SAFE_INTEGER) return undefined;
      highest += 1;
      lastAssigned = highest;
      return lastAssigned;
    },
    /** Registers the id of an imported event; returns true if it is above all ids so far. */
    register(id: number): boolean {
      if (id <= highest) return false;
      highest = id;
      return true;
    },
    /** Never assigns the id of an event again that exists now, even after its removal. */
    reserve(): void {
      lastAssigned = highest;
    },
    /** Saves the last assigned id, so that no id is assigned twice. */
    save(): void {
      if (lastAssigned !== undefined) save.run({ userId, id: lastAssigned });
    },
  };
}
