import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { connection, type Reader } from './open.ts';

/** Pauses between two looks, in milliseconds. */
const shortestPause = 4;
const longestPause = 1_000;

/**
 * Runs `look` soon after each commit of another program, and at least once a second, until it is
 * stopped. `look` returns true if it has found a change.
 */
export function watchCommits(db: Reader, look: () => boolean): () => void {
  const { name, memory } = connection(db);
  let timer: NodeJS.Timeout | undefined;
  let pause = longestPause;

  function lookIn(next: number): void {
    clearTimeout(timer);
    pause = next;
    // A commit is visible only some milliseconds after the log was written: when it is on the disk.
    timer = setTimeout(
      () => lookIn(look() ? longestPause : Math.min(2 * pause, longestPause)),
      next,
    );
  }
  const watcher = memory
    ? undefined
    : watchLog(name, () => pause > shortestPause && lookIn(shortestPause));
  lookIn(longestPause);
  return () => {
    clearTimeout(timer);
    watcher?.close();
  };
}

/** Calls `onWrite` after writes to a database or its log, where the system reports them. */
function watchLog(path: string, onWrite: () => void): FSWatcher | undefined {
  const file = basename(path);
  try {
    // The folder: to watch a file may open it, and to close it then would drop the locks of SQLite.
    const watcher = watch(dirname(path), (_, name) => {
      if (name === null || name.startsWith(file)) onWrite();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    // No reports, as on some network drives: a look each second is enough.
    return undefined;
  }
}
