/** Returns a percentile of measurements; a share of 1 is the maximum. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

/** Returns the median of measurements. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Returns the mean length of the gap at a random moment. A long gap weighs by its length, so that a
 * page that hangs for a second shows, and a few milliseconds of another process do not.
 */
export function gapAtRandomMoment(gaps: readonly number[]): number {
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  return gaps.reduce((sum, gap) => sum + gap * gap, 0) / total;
}

/** Returns the share of a task for which it blocks its thread at a random moment, from 0 to 1. */
export function shareHeldUp(gaps: readonly number[]): number {
  return gapAtRandomMoment(gaps) / gaps.reduce((sum, gap) => sum + gap, 0);
}

/** Repeats a task in sequence and returns its results. */
export async function repeat<T>(times: number, act: () => Promise<T> | T): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < times; round += 1) results.push(await act());
  return results;
}

/** Measures the gaps between ticks of the event loop during a task, in milliseconds. */
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

/** Returns the CPU time of this thread in milliseconds, in which other processes do not count. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
