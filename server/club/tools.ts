import { randomInt } from 'node:crypto';
import { statSync } from 'node:fs';
import type { OnStep } from '../../db/open.ts';
import { type Problem, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { systemZone } from '../dates/zone.ts';
import type { UpstreamKey } from '../store/upstream-keys.ts';

/** Returns true for a language tag (BCP 47), such as `de` or `de-AT`. */
export function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** An action's environment: data directory, clock, random numbers and output. */
export type ActionTools = {
  readonly home: Home;
  readonly now: () => Date;
  /** Returns a random integer, at least 0 and below `limit`, that is secure enough for keys. */
  readonly randomInt: (limit: number) => number;
  /** Returns the IANA name of this computer's time zone. Throws `time_zone_unset`. */
  readonly systemTimeZone: () => string;
  /** Writes the next piece of a result, such as an export. */
  readonly write: (piece: string | Uint8Array) => Promise<void>;
  readonly onProgress: (progress: Progress) => void;
  /**
   * Called once a second while the action waits for another program's write lock; may throw to
   * cancel. Without it, an action fails after five seconds of waiting.
   */
  readonly onWait?: (() => void) | undefined;
  /**
   * Called between the steps of an action that reads the whole database, and while a place outside does
   * not answer; may throw to cancel.
   */
  readonly onStep?: OnStep | undefined;
  /** Called with a failure that does not prevent the action. */
  readonly warn?: ((problem: Problem) => void) | undefined;
  /** Called after a change of the database is stored. */
  readonly onWritten?: (() => void) | undefined;
  /**
   * Keys of online services that this program has in memory, by the id of the source, and passwords
   * of published files.
   */
  readonly upstreamKeys?: ReadonlyMap<number, UpstreamKey> | undefined;
  /** The umask for files outside the data directory, such as exports; by default 022. */
  readonly umask?: number | undefined;
};

export const thisMachine: Pick<ActionTools, 'now' | 'randomInt' | 'systemTimeZone'> = {
  now: () => new Date(),
  randomInt: (limit) => randomInt(limit),
  systemTimeZone: readTimeZone,
};

/** Returns the time zone of the system. Throws `time_zone_unset` rather than assume UTC. */
function readTimeZone(): string {
  const variable = process.env['TZ'];
  const zone = systemZone(variable);
  if (zone !== undefined) return zone;
  throw problem('time_zone_unset', { zone: variable ?? '' });
}

export type Progress = {
  readonly file: string;
  /** The completed share of reading and storing the file, from 0 to 1. */
  readonly share: number;
  readonly rows: number;
  readonly done: boolean;
};

/** Minimum time between two reports, in milliseconds. */
const intervalMs = 100;

/** Passes the bytes of a file through; each pass over the file is measured from its start. */
export type Watch = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** Measures the reading of a file and reports the share that was read, at most every 100 ms. */
export function createShareMeter(path: string, onShare: (share: number) => void): Watch {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let lastReport = 0;
  return async function* watch(bytes) {
    let read = 0;
    for await (const chunk of bytes) {
      read += chunk.length;
      const now = performance.now();
      if (now - lastReport >= intervalMs) {
        lastReport = now;
        onShare(Math.min(read / Math.max(size, 1), 1));
      }
      yield chunk;
    }
  };
}
