import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { openReader, type Reader } from '../db/open.ts';
import { explain, type Problem, problem } from './errors.ts';
import { type Home, identityOf, requireDatabaseFile } from './home.ts';

/** Milliseconds for which the file at the path of the database counts as unchanged. */
const lookInterval = 1_000;

type ServedDatabaseTools = {
  readonly log: Logger;
  readonly warn: (problem: Problem) => void;
  /**
   * Keeps a connection until the service stops: requests may still read from the former one, and no
   * new file gets the number of a file that is open.
   */
  readonly keep: (db: Reader) => Reader;
  /** Creates the listener of a database. `isThere` is false while the database is gone. */
  readonly createListener: (db: Reader, isThere: () => boolean) => RequestListener;
};

/**
 * Creates a listener that follows the path of the database. When another file is there, for example
 * after a restore, it reads from that one. While there is none that it can read, requests for data
 * are refused.
 */
export function serveDatabase(
  home: Home,
  first: Reader,
  { log, warn, keep, createListener }: ServedDatabaseTools,
): RequestListener {
  const path = home.database;
  let identity = identityOf(path);
  let lastLook = performance.now();
  let isThere = true;
  let listener = createListener(first, () => isThere);

  function reopen(found: string): void {
    requireDatabaseFile(home);
    listener = createListener(keep(openReader(path)), () => isThere);
    identity = found;
    log.warn({ path }, 'opened another database that is at the path');
  }
  function look(): void {
    try {
      const found = identityOf(path);
      if (found === undefined) throw problem('file_missing', { path });
      if (found !== identity) reopen(found);
      else if (!isThere) log.info({ path }, 'the database is there again');
      isThere = true;
    } catch (error) {
      if (!isThere) return;
      isThere = false;
      log.error({ err: error, path }, 'the database is gone');
      // The log may have gone with the database.
      const explained = explain(error);
      if (explained !== undefined) warn(explained);
    }
  }
  return (request, response) => {
    const now = performance.now();
    if (now - lastLook >= lookInterval) {
      look();
      lastLook = now;
    }
    listener(request, response);
  };
}
