import type { Version } from './version.ts';

/** Values that hold until another connection changes the database. */
export type Memo<Value> = {
  /** The value of `key`; made when it is not known or the database has changed since. */
  recall(key: string, make: () => Value): Value;
};

export type MemoBounds<Value> = {
  /** How many values are kept: those that were asked for last. */
  readonly most: number;
  /** How large they may be together, by what `of` says of each. */
  readonly size?: { readonly most: number; readonly of: (value: Value) => number };
};

/** Keeps values for as long as `version` stays the same, within bounds. */
export function createMemo<Value>(
  version: Version,
  { most, size }: MemoBounds<Value>,
): Memo<Value> {
  const values = new Map<string, Value>();
  let known: number | undefined;
  let total = 0;

  function forget(key: string, value: Value): void {
    values.delete(key);
    total -= size?.of(value) ?? 0;
  }

  function keep(key: string, value: Value): void {
    values.set(key, value);
    total += size?.of(value) ?? 0;
    for (const [oldest, old] of values) {
      if (values.size <= most && total <= (size?.most ?? 0)) break;
      forget(oldest, old);
    }
  }

  return {
    recall(key, make) {
      const current = version();
      if (current !== known) {
        values.clear();
        total = 0;
        known = current;
      }
      const kept = values.get(key);
      if (kept === undefined) {
        const value = make();
        keep(key, value);
        return value;
      }
      // The newest is last in the map.
      values.delete(key);
      values.set(key, kept);
      return kept;
    },
  };
}
