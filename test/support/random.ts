import fc from 'fast-check';
import { choose } from './long.ts';

// `npm test` tries the same values on each machine; its long form looks for faults in others.
fc.configureGlobal(choose({}, { seed: 20_261_127 }));

export { fc };

/** Returns a random integer, at least 0 and below `limit`. */
export type Random = (limit: number) => number;

/** Creates random numbers from a seed, the same in every run (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
