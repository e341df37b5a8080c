import type { Home } from '../home.ts';

/** What every action is given of the world: where the data is, the time, and chance. */
export type ActionTools = {
  readonly home: Home;
  readonly now: () => Date;
  /** A random integer, at least 0 and below `limit`, fit for keys. */
  readonly randomInt: (limit: number) => number;
  /** The time zone of local times, an IANA name. */
  readonly systemTimeZone: () => string;
};
