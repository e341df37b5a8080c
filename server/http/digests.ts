import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatDigest, hashEvent } from '../../db/event-hash.ts';
import type { EventListReads } from '../../db/event-list.ts';
import { beforeEveryId } from '../../db/event-rows.ts';

/** Number of events that are read in one turn of the event loop: a few milliseconds. */
const sliceSize = 1_000;

/** A digest of all events of a user; null if they changed during the calculation. */
export type Digest = { readonly revision: string; readonly digest: string | null };

/**
 * Creates a function that calculates the digest of a user's events after a change by another
 * program, which cannot hash them. It resolves with undefined if the database has the digest.
 */
export function createDigests(
  lists: Pick<EventListReads, 'state' | 'slice'>,
): (userId: number) => Promise<Digest | undefined> {
  async function calculate(userId: number, revision: string): Promise<Digest> {
    let sum = 0n;
    let after = beforeEveryId;
    for (;;) {
      const events = lists.slice(userId, after, sliceSize);
      if (lists.state(userId).revision !== revision) return { revision, digest: null };
      for (const event of events) sum += hashEvent(event);
      const end = events.at(-1);
      if (end === undefined) return { revision, digest: formatDigest(sum) };
      after = end.id;
      // Others need not wait for it.
      await nextTurn();
    }
  }
  return async (userId) => {
    const { revision, digest } = lists.state(userId);
    return digest === null ? calculate(userId, revision) : undefined;
  };
}
