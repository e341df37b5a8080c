/** The value that this share of several measurements does not exceed; 1 is the highest of all. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

/** The middle of several measurements. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * The mean length of the gap that a random moment falls into. A long gap weighs by its length, so a
 * page that hangs for a second shows, and a few milliseconds of another process do not.
 */
export function gapAtRandomMoment(gaps: readonly number[]): number {
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  return gaps.reduce((sum, gap) => sum + gap * gap, 0) / total;
}

/** The share of some work for which it holds up its thread at a random moment; 1 is all of it. */
export function shareHeldUp(gaps: readonly number[]): number {
  return gapAtRandomMoment(gaps) / gaps.reduce((sum, gap) => sum + gap, 0);
}

/** Does something several times, one after the other, and returns its results. */
export async function repeat<T>(times: number, act: () => Promise<T> | T): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < times; round += 1) results.push(await act());
  return results;
}

/** The gaps between the turns of this thread's event loop while something is done, in milliseconds. */
export async function watchEventLoop(act: () => Promise<unknown>): Promise<number[]> {
  const gaps: number[] = [];
  let last = performance.now();
  const take = () => {
    const now = performance.now();
    gaps.push(now - last);
    last = now;
  };
  const timer = setInterval(take, 1);
  await act();
  clearInterval(timer);
  take();
  return gaps;
}
