import { eventChangeReads, isKept, parseRevision, type Revision } from './event-changes.ts';
import { formatDigest, hashEvent } from './event-hash.ts';
import { type EventRow, eventColumns, eventOfRow } from './events.ts';
import { connection, type Reader } from './open.ts';

export const eventDigestReads = {
  events: `SELECT ${eventColumns} FROM events INDEXED BY events_by_id
    WHERE user_id = +@userId AND id >= +@first AND id <= +@last`,
} as const;

/** The number of successive ids in a block. */
const blockSize = 256;

const blockOf = (id: number) => Math.floor(id / blockSize);

const everyId = { first: Number.MIN_SAFE_INTEGER, last: Number.MAX_SAFE_INTEGER };

type Digest = {
  readonly revision: string;
  /** The sums of the events' hashes by block of ids: a change reads one block again, not all events. */
  readonly sums: Map<number, bigint>;
  readonly digest: string;
};

/**
 * Prepares the read of a digest of all of a user's events: the SHA-256 of the JSON of each event,
 * added modulo 2^256, as hexadecimal digits. Read it in the transaction that reads the revision.
 */
export function prepareEventDigest(db: Reader): (userId: number, revision: string) => string {
  const sqlite = connection(db);
  const events = sqlite.prepare<object, EventRow>(eventDigestReads.events);
  const changedIds = sqlite.prepare<object, number>(eventChangeReads.ids).pluck();
  const digests = new Map<number, Digest>();

  function addHashes(sums: Map<number, bigint>, userId: number, ids: typeof everyId): void {
    for (const row of events.iterate({ userId, ...ids })) {
      const block = blockOf(row.id);
      sums.set(block, (sums.get(block) ?? 0n) + hashEvent(eventOfRow(row)));
    }
  }

  function readSums(userId: number, revision: string, known?: Digest): Map<number, bigint> {
    const before = known && parseRevision(known.revision);
    if (before === undefined || !isKept(before, parseRevision(revision) as Revision)) {
      const sums = new Map<number, bigint>();
      addHashes(sums, userId, everyId);
      return sums;
    }
    const { sums } = known as Digest;
    const { number } = before;
    for (const block of new Set(changedIds.all({ userId, number }).map(blockOf))) {
      sums.delete(block);
      const first = block * blockSize;
      addHashes(sums, userId, { first, last: first + blockSize - 1 });
    }
    return sums;
  }

  return (userId, revision) => {
    const known = digests.get(userId);
    if (known?.revision === revision) return known.digest;
    const sums = readSums(userId, revision, known);
    const digest = formatDigest(sums.values().reduce((total, one) => total + one, 0n));
    digests.set(userId, { revision, sums, digest });
    return digest;
  };
}
