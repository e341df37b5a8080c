import type { ParameterizedContext } from 'koa';
import { watchCommits } from '../../db/commit-notices.ts';
import { prepareVersionRead, type Reader } from '../../db/open.ts';
import type { Connections } from './connections.ts';
import { type DatabaseWatch, refuse } from './problems.ts';

/** The longest wait of a request, in seconds. */
export const maxWait = 60;

/** The member that waiting adds to `ctx.state`: its time in milliseconds. */
export type Waited = { waitedMs?: number };

const quotedString = /"((?:[^"\\]|\\.)*)(?:"|$)/g;
const waitPreference = /(?:^|,)\s*wait\s*(?:=\s*([^,;]*?)\s*)?(?=[,;]|$)/i;

/** Returns the seconds in `Prefer: wait=SECONDS` (RFC 7240), within the limit. */
export function preferredWait(prefer: string | readonly string[] | undefined): number | undefined {
  // A string may contain commas, but then it is no number.
  const unquoted = String(prefer ?? '').replace(quotedString, (_, text: string) =>
    /[,;]/.test(text) ? '' : text,
  );
  const [, seconds = ''] = waitPreference.exec(unquoted) ?? [];
  return /^\d+$/.test(seconds) ? Math.min(Number(seconds), maxWait) : undefined;
}

type LongPoll = { readonly isOver: () => boolean; readonly end: () => void };

export type LongPolls = {
  /**
   * Waits until `isOver` returns true after a commit, until the time is over, the client is gone or
   * the service stops. Returns false at once if too many requests wait. Refuses (503) if another
   * database took the place of this one.
   */
  wait(
    ctx: ParameterizedContext<Waited>,
    key: string,
    seconds: number,
    isOver: () => boolean,
  ): Promise<boolean>;
};

/** Creates the long polls of a service. Nothing runs while no request waits. */
export function createLongPolls(
  db: Reader,
  database: DatabaseWatch,
  connections: Connections,
  stopping?: AbortSignal,
): LongPolls {
  const readVersion = prepareVersionRead(db);
  const polls = new Set<LongPoll>();
  let version: number | undefined;
  let stopWatching: (() => void) | undefined;
  stopping?.addEventListener('abort', endAll);

  function endAll(): void {
    for (const { end } of polls) end();
  }
  /** Ends the polls whose time has come; returns false without a commit. */
  function endAfterCommit(): boolean {
    const current = readVersion();
    if (current === version) return false;
    version = current;
    for (const poll of polls) if (poll.isOver()) poll.end();
    return true;
  }
  function checkCommits(): boolean {
    database.look();
    try {
      if (database.readFault() === undefined) return endAfterCommit();
    } catch {
      // Each request meets the failure itself, and answers it.
    }
    endAll();
    return true;
  }
  function enter(poll: LongPoll): void {
    polls.add(poll);
    stopWatching ??= watchCommits(db, checkCommits);
    // A change may have come since the request was read.
    if (stopping?.aborted || poll.isOver()) poll.end();
  }
  function leave(poll: LongPoll): void {
    polls.delete(poll);
    if (polls.size > 0) return;
    stopWatching?.();
    stopWatching = undefined;
  }
  return {
    async wait(ctx, key, seconds, isOver) {
      const start = performance.now();
      const { promise, resolve: end } = Promise.withResolvers<void>();
      const endWait = connections.beginWait(ctx.res, key, end);
      if (endWait === undefined) return false;
      const poll = { isOver, end };
      const timer = setTimeout(end, seconds * 1_000);
      try {
        enter(poll);
        await promise;
      } finally {
        leave(poll);
        clearTimeout(timer);
        endWait();
        ctx.state.waitedMs = performance.now() - start;
      }
      if (stopping?.aborted) ctx.set('Connection', 'close');
      const fault = database.readFault();
      if (fault !== undefined) refuse(fault);
      return true;
    },
  };
}
