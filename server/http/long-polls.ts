import type { ParameterizedContext } from 'koa';
import { watchCommits } from '../../db/commit-notices.ts';
import { prepareVersionRead, type Reader } from '../../db/open.ts';
import { type DatabaseWatch, refuse } from './problems.ts';

/** Limits of waiting: seconds of a request, and requests at the same time. */
export const waitLimits = { seconds: 60, requests: 32 } as const;

/** The member that waiting adds to `ctx.state`: its time in milliseconds. */
export type Waited = { waitedMs?: number };

const waitPreference = /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?=[,;]|$)/i;

/** Returns the seconds in `Prefer: wait=SECONDS` (RFC 7240), within the limit. */
export function preferredWait(prefer: string | readonly string[] | undefined): number | undefined {
  const [, seconds] = waitPreference.exec(String(prefer ?? '')) ?? [];
  return seconds === undefined ? undefined : Math.min(Number(seconds), waitLimits.seconds);
}

type LongPoll = { readonly isOver: () => boolean; readonly end: () => void };

export type LongPolls = {
  /**
   * Waits until `isOver` returns true after a commit, until the time is over, the client is gone or
   * the service stops. Returns false at once if too many requests wait. Refuses (503) if another
   * database took the place of this one.
   */
  wait(ctx: ParameterizedContext<Waited>, seconds: number, isOver: () => boolean): Promise<boolean>;
};

/** Creates the long polls of a service. Nothing runs while no request waits. */
export function createLongPolls(
  db: Reader,
  database: DatabaseWatch,
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
    async wait(ctx, seconds, isOver) {
      if (polls.size >= waitLimits.requests) return false;
      const start = performance.now();
      const { socket } = ctx.req;
      // An answer that waits makes no progress, and would be taken for a stalled one.
      const timeout = socket.timeout ?? 0;
      socket.setTimeout(0);
      const { promise, resolve: end } = Promise.withResolvers<void>();
      const poll = { isOver, end };
      const timer = setTimeout(end, seconds * 1_000);
      ctx.res.once('close', end);
      try {
        enter(poll);
        await promise;
      } finally {
        leave(poll);
        clearTimeout(timer);
        ctx.res.off('close', end);
        socket.setTimeout(timeout);
        ctx.state.waitedMs = performance.now() - start;
      }
      if (stopping?.aborted) ctx.set('Connection', 'close');
      const fault = database.readFault();
      if (fault !== undefined) refuse(fault);
      return true;
    },
  };
}
