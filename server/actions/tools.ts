import { randomInt } from 'node:crypto';
import type { Home } from '../home.ts';
import type { Progress } from './import/progress.ts';

/** What every action is given of the world: where the data is, the time, and chance. */
export type ActionTools = {
  readonly home: Home;
  readonly now: () => Date;
  /** A random integer, at least 0 and below `limit`, fit for keys. */
  readonly randomInt: (limit: number) => number;
  /** The time zone of local times, an IANA name. */
  readonly systemTimeZone: () => string;
  /** Takes the next piece of a result that is a text of its own, such as an export. */
  readonly write: (piece: string) => Promise<void>;
  /** Told how far a long action has come. */
  readonly onProgress: (progress: Progress) => void;
  /**
   * Called once a second while the action waits for another program to finish its change; throws to
   * give up. Without it, an action fails after five seconds of waiting.
   */
  readonly onWait?: (() => void) | undefined;
};

/** The time, chance and place of this machine, for the fronts to pass on. */
export const thisMachine: Pick<ActionTools, 'now' | 'randomInt' | 'systemTimeZone'> = {
  now: () => new Date(),
  randomInt: (limit) => randomInt(limit),
  systemTimeZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
};
