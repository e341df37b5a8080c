/** Returns a promise to await if the time slice of long work is used up, otherwise undefined. */
export type Pace = () => Promise<void> | undefined;

/** Number of steps between two calls of a `Pace`. */
export const stride = 64;

export function yieldToBrowser(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Creates a pace that calls `pause` after every `sliceMs` milliseconds of work. */
export function createPace(sliceMs: number, pause: () => Promise<void> = yieldToBrowser): Pace {
  let sliceEnd = performance.now() + sliceMs;
  const startNextSlice = async () => {
    await pause();
    sliceEnd = performance.now() + sliceMs;
  };
  return () => (performance.now() < sliceEnd ? undefined : startNextSlice());
}
