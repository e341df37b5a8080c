import { setTimeout as delay } from 'node:timers/promises';
import { acquireLock } from '../../db/lock.ts';
import { fileError } from './errors.ts';

/** Time in milliseconds for which a person's command waits for another program. */
const patience = 60_000;

type LockOptions = {
  /** False to do nothing if another program has the lock. */
  readonly waits: boolean;
  /** Called while it waits; may throw to cancel. */
  readonly onWait?: (() => void) | undefined;
};

/**
 * Runs `use` while no other program has the lock of a path. Returns undefined if it does not wait for
 * another one, or has waited for a minute. Throws the problem of the file.
 */
export async function withLock<T>(
  path: string,
  { waits, onWait }: LockOptions,
  use: () => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  const deadline = performance.now() + (waits ? patience : 0);
  let release: (() => void) | undefined;
  try {
    release = acquireLock(path);
    while (release === undefined && performance.now() < deadline) {
      onWait?.();
      await delay(200);
      release = acquireLock(path);
    }
  } catch (error) {
    throw fileError(error, path);
  }
  if (release === undefined) return undefined;
  try {
    return { result: await use() };
  } finally {
    release();
  }
}
