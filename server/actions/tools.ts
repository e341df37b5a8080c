import { randomInt } from 'node:crypto';
import type { Home } from '../home.ts';
import type { Progress } from './import/progress.ts';

/** An action's environment: data directory, clock, random numbers and output. */
export type ActionTools = {
  readonly home: Home;
  readonly now: () => Date;
  /** Returns a random integer, at least 0 and below `limit`, that is secure enough for keys. */
  readonly randomInt: (limit: number) => number;
  /** Returns the IANA name of the local time zone. */
  readonly systemTimeZone: () => string;
  /** Writes the next piece of a text result, such as an export. */
  readonly write: (piece: string) => Promise<void>;
  readonly onProgress: (progress: Progress) => void;
  /**
   * Called once a second while the action waits for another program's write lock; may throw to
   * cancel. Without it, an action fails after five seconds of waiting.
   */
  readonly onWait?: (() => void) | undefined;
};

export const thisMachine: Pick<ActionTools, 'now' | 'randomInt' | 'systemTimeZone'> = {
  now: () => new Date(),
  randomInt: (limit) => randomInt(limit),
  systemTimeZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
};
