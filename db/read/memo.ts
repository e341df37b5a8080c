import type { Version } from './version.ts';

/** A cache of values that are valid until another connection changes the database. */
export type Memo<Value> = {
  /** Returns the cached value of `key`, or calls `compute` and caches its result. */
  recall(key: string, compute: () => Value): Value;
};

export type MemoBounds<Value> = {
  /** The maximum number of values. */
  readonly most: number;
  /** The maximum total size; `of` returns the size of a value. */
  readonly size?: { readonly most: number; readonly of: (value: Value) => number };
};

/**
 * Creates a bounded cache that is cleared whenever `version` changes. It has two generations, each
 * with half of the space. A value that is used moves to the recent one; when that is full, the
 * earlier one is dropped. A repeated hit costs one look-up, where an exact LRU needs two updates.
 */
export function createMemo<Value>(
  version: Version,
  { most, size }: MemoBounds<Value>,
): Memo<Value> {
  let recent = new Map<string, Value>();
  let earlier = new Map<string, Value>();
  let knownVersion: number | undefined;
  let recentSize = 0;

  function store(key: string, value: Value): void {
    const valueSize = size?.of(value) ?? 0;
    const maxSize = (size?.most ?? 0) / 2;
    if (valueSize > maxSize) return;
    if (recent.size + 1 > most / 2 || recentSize + valueSize > maxSize) {
      earlier = recent;
      recent = new Map();
      recentSize = 0;
    }
    recent.set(key, value);
    recentSize += valueSize;
  }

  function clear(): void {
    recent = new Map();
    earlier = new Map();
    recentSize = 0;
  }

  return {
    recall(key, compute) {
      const current = version();
      if (current !== knownVersion) {
        clear();
        knownVersion = current;
      }
      const cached = recent.get(key);
      if (cached !== undefined) return cached;
      const value = earlier.get(key) ?? compute();
      store(key, value);
      return value;
    },
  };
}
