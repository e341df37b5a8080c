import { createPace, type Pace, stride } from '../time/pace.ts';

const sliceMs = 10;

type Compare<T> = (one: T, other: T) => number;

/** Waits for the next frame; in a hidden window, which has no frames, 50 ms. */
async function nextFrame(): Promise<void> {
  await new Promise<void>((resume) => {
    const timer = setTimeout(resume, 50);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resume);
    });
  });
}

/** Creates a pace that waits for frames and throws when the signal is aborted. */
export function createFramePace(signal: AbortSignal): Pace {
  return createPace(sliceMs, async () => {
    await nextFrame();
    signal.throwIfAborted();
  });
}

export async function visitInSlices<T>(
  items: readonly T[],
  visit: (item: T, index: number) => void,
  pace: Pace,
): Promise<void> {
  for (let index = 0; index < items.length; index += 1) {
    visit(items[index] as T, index);
    const pause = index % stride === 0 ? pace() : undefined;
    if (pause !== undefined) await pause;
  }
}

/** Merges two sorted lists in time slices; of equal items, those of `first` come first. */
export async function mergeInSlices<T>(
  first: readonly T[],
  second: readonly T[],
  compare: Compare<T>,
  pace: Pace,
): Promise<T[]> {
  const merged: T[] = [];
  const count = first.length + second.length;
  let [one, other] = [0, 0];
  while (merged.length < count) {
    const pausesAt = Math.min(count, merged.length + stride);
    while (merged.length < pausesAt) {
      const takesFirst =
        other === second.length ||
        (one < first.length && compare(first[one] as T, second[other] as T) <= 0);
      merged.push((takesFirst ? first[one++] : second[other++]) as T);
    }
    const pause = pace();
    if (pause !== undefined) await pause;
  }
  return merged;
}

/** Sorts in time slices, without blocking the page. Stable. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: Compare<T>,
  pace: Pace,
): Promise<readonly T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += stride) {
    runs.push(items.slice(at, at + stride).sort(compare));
    const pause = pace();
    if (pause !== undefined) await pause;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await mergeInSlices(runs[at] ?? [], runs[at + 1] ?? [], compare, pace));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}
