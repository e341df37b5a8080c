import type { Socket } from 'node:net';
import type { KeyAccount } from '../../db/keys.ts';
import { prepareVersionRead, type Reader } from '../../db/open.ts';
import type { Digest } from './digests.ts';

/** A cacheable response. */
export type Answer = {
  /** UTF-8, encoded once for all answers. */
  readonly body: Buffer;
  readonly contentType: string;
  readonly etag: string;
  /** The names and values, in turn, of all headers but `Vary` and those of the body. */
  readonly headers: readonly string[];
};

/** A map with a size, which drops its oldest entries, used or not: an order of use costs each request. */
class LimitedMap<Value> {
  readonly #sizeOf: (key: string, value: Value) => number;
  readonly #limit: number;
  // A map keeps the order in which its entries were set.
  readonly #entries = new Map<string, Value>();
  #size = 0;

  constructor(limit: number, sizeOf: (key: string, value: Value) => number) {
    this.#limit = limit;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    this.#remove(key);
    this.#entries.set(key, value);
    this.#size += this.#sizeOf(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#limit) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#size -= this.#sizeOf(key, value);
  }
}

/** The size of all cached answers, and the size of an entry beside its key and body, in bytes. */
const answersSize = 16 * 1024 * 1024;
const entrySize = 2 * 1024;

const maxCounts = 100;

/** Everything that is remembered about the database, as of one version of it. */
export type Cache = {
  /** Accounts by key. A key may have expired since. */
  readonly accounts: Map<string, KeyAccount>;
  readonly answers: LimitedMap<Answer>;
  /** The numbers of events that match a filter. */
  readonly counts: LimitedMap<number>;
  /** Digests of all events, by user. */
  readonly digests: Map<number, Promise<Digest | undefined>>;
};

function createCache(): Cache {
  return {
    accounts: new Map(),
    answers: new LimitedMap(
      answersSize,
      (key, { body }) => entrySize + 2 * key.length + body.length,
    ),
    counts: new LimitedMap(maxCounts, () => 1),
    digests: new Map(),
  };
}

export type Caches = {
  /** Returns the cache for a request that has arrived on a connection. */
  forRequest(connection: Socket): Cache;
  /** Returns the cache of the present version, or of the snapshot in which it is called. */
  current(): Cache;
};

/** Creates the cache of a database. It starts empty after every commit, of any program. */
export function createCaches(db: Reader): Caches {
  const readVersion = prepareVersionRead(db);
  let version = readVersion();
  let cache = createCache();
  let last: { readonly loopCount: number; readonly connection: Socket } | undefined;

  function current(): Cache {
    const read = readVersion();
    if (read !== version) cache = createCache();
    version = read;
    return cache;
  }
  return {
    current,
    // Shares a read of the version among the requests of one iteration of the event loop, because
    // each read locks the database: with 16 connections, a seventh of the processor time of an
    // answer. Their data arrived before the first of them was handled, except for a request that
    // follows another one on its connection without waiting for the response.
    forRequest(connection) {
      const { loopCount } = performance.nodeTiming.uvMetricsInfo;
      const isShared = last?.loopCount === loopCount && last.connection !== connection;
      last = { loopCount, connection };
      return isShared ? cache : current();
    },
  };
}
