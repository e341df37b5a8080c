import type Database from 'better-sqlite3';

/** Values that hold until another connection changes the database. */
export type Memo<Value> = {
  /** The value of `key`; made when it is not known or the database has changed since. */
  recall(key: string, make: () => Value): Value;
};

/** Keeps the `most` values that were asked for last. */
export function createMemo<Value>(sqlite: Database.Database, most: number): Memo<Value> {
  const version = sqlite.prepare<[], number>('PRAGMA data_version').pluck();
  const values = new Map<string, Value>();
  let known: number | undefined;
  return {
    recall(key, make) {
      const current = version.get();
      if (current !== known) values.clear();
      known = current;
      const value = values.get(key) ?? make();
      values.delete(key);
      values.set(key, value);
      for (const oldest of values.keys()) {
        if (values.size <= most) break;
        values.delete(oldest);
      }
      return value;
    },
  };
}
