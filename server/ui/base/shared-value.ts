import { useSyncExternalStore } from 'react';

/** A value shared by the whole window for the lifetime of the page. */
export type SharedValue<Value> = {
  readonly set: (value: Value) => void;
  readonly get: () => Value;
  /** Hook that returns the value and follows its changes. */
  readonly use: () => Value;
};

export function createSharedValue<Value>(initial: Value): SharedValue<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const get = () => current;
  return {
    get,
    set(value) {
      current = value;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
