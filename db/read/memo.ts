import type { Version } from './version.ts';

/** Values that hold until another connection changes the database. */
export type Memo<Value> = {
  /** The value of `key`; made when it is not known or the database has changed since. */
  recall(key: string, make: () => Value): Value;
};

export type MemoBounds<Value> = {
  /** How many values are kept at most. */
  readonly most: number;
  /** How large they may be together, by what `of` says of each. */
  readonly size?: { readonly most: number; readonly of: (value: Value) => number };
};

/**
 * Keeps values for as long as `version` stays the same, within bounds. There are two generations,
 * of which each has half of the room: what is asked for is in the recent one; when that is full,
 * the one before is forgotten. This takes one look-up for what is asked for again and again, where
 * an exact order of use would take two changes.
 */
export function createMemo<Value>(
  version: Version,
  { most, size }: MemoBounds<Value>,
): Memo<Value> {
  let recent = new Map<string, Value>();
  let earlier = new Map<string, Value>();
  let known: number | undefined;
  let recentSize = 0;

  function keep(key: string, value: Value): void {
    const added = size?.of(value) ?? 0;
    const room = (size?.most ?? 0) / 2;
    if (added > room) return;
    if (recent.size + 1 > most / 2 || recentSize + added > room) {
      earlier = recent;
      recent = new Map();
      recentSize = 0;
    }
    recent.set(key, value);
    recentSize += added;
  }

  function forgetAll(): void {
    recent = new Map();
    earlier = new Map();
    recentSize = 0;
  }

  return {
    recall(key, make) {
      const current = version();
      if (current !== known) {
        forgetAll();
        known = current;
      }
      const kept = recent.get(key);
      if (kept !== undefined) return kept;
      const value = earlier.get(key) ?? make();
      keep(key, value);
      return value;
    },
  };
}
