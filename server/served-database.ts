import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { openReader, prepareVersionRead, type Reader } from '../db/open.ts';
import { isSnapshot } from '../db/snapshot.ts';
import { explain, type Problem, problem } from './errors.ts';
import { type Home, identityOf, requireDatabaseFile } from './home.ts';
import type { DatabaseFault } from './http/problems.ts';
import { openHomeReader } from './store.ts';

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
  /** Creates the listener of a database. `readFault` returns the reason to refuse requests for data. */
  readonly createListener: (
    db: Reader,
    readFault: () => DatabaseFault | undefined,
  ) => RequestListener;
};

type ServedDatabase = {
  readonly listener: RequestListener;
  /** Refuses requests for data until the database is replaced. */
  readonly markDamaged: () => void;
};

/**
 * Creates a listener that follows the path of the database. When another file is there, for example
 * after a restore, it reads from that one. While there is none that it can read, or while it is
 * damaged, requests for data are refused.
 */
export function serveDatabase(
  home: Home,
  first: Reader,
  { log, warn, keep, createListener }: ServedDatabaseTools,
): ServedDatabase {
  const path = home.database;
  let identity = identityOf(path);
  let lastLook = performance.now();
  let fault: DatabaseFault | undefined;
  let db = first;
  let readVersion = prepareVersionRead(first);
  let damagedVersion: number | undefined;
  let listener = createListener(first, () => fault);

  function use(opened: Reader, found: string | undefined): void {
    db = keep(opened);
    listener = createListener(db, () => fault);
    readVersion = prepareVersionRead(db);
    damagedVersion = undefined;
    identity = found;
  }
  function reopen(found: string): void {
    requireDatabaseFile(home);
    use(openHomeReader(home), found);
    log.warn({ path }, 'opened another database that is at the path');
  }
  /** Leaves a copy in memory as soon as the disk can be written. */
  function leaveSnapshot(found: string): void {
    try {
      use(openReader(path), found);
    } catch (error) {
      if (explain(error) === undefined) throw error;
    }
  }
  function look(): void {
    try {
      const found = identityOf(path);
      if (found === undefined) throw problem('file_missing', { path });
      if (found !== identity) reopen(found);
      else if (isSnapshot(db)) leaveSnapshot(found);
      if (fault === 'database_gone') log.info({ path }, 'the database is there again');
      // Only a restore writes into a damaged database.
      const isDamaged = damagedVersion !== undefined && damagedVersion === readVersion();
      fault = isDamaged ? 'database_damaged' : undefined;
    } catch (error) {
      if (fault === 'database_gone') return;
      fault = 'database_gone';
      log.error({ err: error, path }, 'the database is gone');
      // The log may have gone with the database.
      const explained = explain(error);
      if (explained !== undefined) warn(explained);
    }
  }
  return {
    listener(request, response) {
      const now = performance.now();
      if (now - lastLook >= lookInterval) {
        look();
        lastLook = now;
      }
      listener(request, response);
    },
    markDamaged() {
      damagedVersion = readVersion();
      fault = 'database_damaged';
      log.error({ path }, 'the database is damaged');
    },
  };
}
