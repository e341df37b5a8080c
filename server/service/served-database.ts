import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { isDamaged } from '../../db/check.ts';
import { closeStore, openReader, type Reader, StoreError } from '../../db/open.ts';
import { fingerprintOf, isSnapshot } from '../../db/snapshot-file.ts';
import { explain, type Problem, problem } from '../base/errors.ts';
import { type Home, identityOf, requireDatabaseFile } from '../base/home.ts';
import type { DatabaseWatch } from '../http/problems.ts';
import { forgetCheck } from '../store/checked-file.ts';
import { openHomeReader } from '../store/store.ts';

/** Milliseconds for which the file at the path of the database counts as unchanged. */
const lookInterval = 1_000;

type ServedDatabaseTools = {
  readonly log: Logger;
  readonly warn: (problem: Problem) => void;
  /** Closes a connection at the latest when the service stops. */
  readonly keep: (db: Reader) => Reader;
  /** Creates the listener of a database. */
  readonly createListener: (db: Reader, watch: DatabaseWatch) => RequestListener;
};

type ServedDatabase = {
  readonly listener: RequestListener;
  /** Refuses requests for data until the database is replaced. */
  readonly markDamaged: () => void;
};

/** An open file, or the reason why none is open: a program could not replace it on Windows. */
type State =
  | { readonly kind: 'open'; readonly db: Reader; readonly identity: string | undefined }
  | { readonly kind: 'database_gone' }
  | { readonly kind: 'database_damaged'; readonly fingerprint: string };

/**
 * Creates a listener that follows the path of the database. When another file is there, for example
 * after a restore, it reads from that one. While there is none that it can read, or while it is
 * damaged, requests for data are refused and no file is open.
 */
export function serveDatabase(
  home: Home,
  first: Reader,
  { log, warn, keep, createListener }: ServedDatabaseTools,
): ServedDatabase {
  const path = home.database;
  let lastLook = performance.now();
  let state: State = { kind: 'database_gone' };
  let listener: RequestListener;
  use(first, identityOf(path));

  function close(): void {
    if (state.kind === 'open') closeStore(state.db);
  }
  function use(db: Reader, identity: string | undefined): void {
    close();
    const isCurrent = () => state.kind === 'open' && state.db === db;
    state = { kind: 'open', db, identity };
    listener = createListener(db, {
      readFault() {
        if (state.kind !== 'open') return state.kind;
        // A request that waited while its database was replaced.
        return isCurrent() ? undefined : 'busy';
      },
      onDamage() {
        if (!isCurrent()) return;
        markDamaged();
        warn(problem('database_damaged', { path }));
      },
      look: lookSometimes,
    });
  }
  function reopen(identity: string): void {
    requireDatabaseFile(home);
    const db = keep(openHomeReader(home));
    if (isDamaged(db)) {
      closeStore(db);
      throw new StoreError('damaged', path);
    }
    use(db, identity);
    log.warn({ path }, 'opened the database that is at the path now');
  }
  /** Leaves a copy in memory as soon as the disk can be written. */
  function leaveSnapshot(identity: string): void {
    try {
      use(keep(openReader(path)), identity);
    } catch (error) {
      if (explain(error) === undefined) throw error;
    }
  }
  function checkForChanges(): void {
    try {
      const identity = identityOf(path);
      if (identity === undefined) throw problem('file_missing', { path });
      if (state.kind === 'database_damaged' && state.fingerprint === fingerprintOf(path)) return;
      if (state.kind !== 'open' || state.identity !== identity) reopen(identity);
      else if (isSnapshot(state.db)) leaveSnapshot(identity);
    } catch (error) {
      const before = state.kind;
      const explained = explain(error);
      if (explained?.code === 'database_damaged') markDamaged();
      else markGone(error);
      // The log may have gone with the database.
      if (explained !== undefined && state.kind !== before) warn(explained);
    }
  }
  function lookSometimes(): void {
    const now = performance.now();
    if (now - lastLook < lookInterval) return;
    checkForChanges();
    lastLook = now;
  }
  function markGone(error: unknown): void {
    if (state.kind === 'database_gone') return;
    close();
    state = { kind: 'database_gone' };
    log.error({ err: error, path }, 'the database is gone');
  }
  function markDamaged(): void {
    forgetCheck(home);
    close();
    // After closing, which may remove an empty log.
    state = { kind: 'database_damaged', fingerprint: fingerprintOf(path) };
    log.error({ path }, 'the database is damaged');
  }
  return {
    listener(request, response) {
      lookSometimes();
      listener(request, response);
    },
    markDamaged() {
      // A late report of the former file must not refuse a restored one that comes next.
      if (state.kind === 'open') markDamaged();
    },
  };
}
