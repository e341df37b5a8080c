/** To be called now and then during long work: a promise to wait for when others want a turn. */
export type Pace = () => Promise<void> | undefined;

/** Between how many steps of long work its pace is asked. */
export const stride = 64;

/** Lets the browser do what else there is to do: draw, scroll, answer to keys. */
export function yieldToBrowser(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** A pace that gives a turn to others after so many milliseconds, by waiting as `pause` does. */
export function createPace(sliceMs: number, pause: () => Promise<void> = yieldToBrowser): Pace {
  let until = performance.now() + sliceMs;
  const turn = async () => {
    await pause();
    until = performance.now() + sliceMs;
  };
  return () => (performance.now() < until ? undefined : turn());
}
