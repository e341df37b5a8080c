import { createPace, type Pace, stride } from '../time/pace.ts';

/** How long the page is kept from anything else at a time, in milliseconds. */
const sliceMs = 10;

type Compare<T> = (one: T, other: T) => number;

/** Until a frame has been shown; in a window that shows none, not for long. */
async function nextFrame(): Promise<void> {
  await new Promise<void>((resume) => {
    const timer = setTimeout(resume, 50);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resume);
    });
  });
}

/** A pace for one long work, which throws once that is no longer wanted. */
export function createFramePace(signal: AbortSignal): Pace {
  return createPace(sliceMs, async () => {
    await nextFrame();
    signal.throwIfAborted();
  });
}

/** Does something with each item, a few at a time. */
export async function visitInSlices<T>(
  items: readonly T[],
  visit: (item: T, index: number) => void,
  pace: Pace,
): Promise<void> {
  for (let index = 0; index < items.length; index += 1) {
    visit(items[index] as T, index);
    const turn = index % stride === 0 ? pace() : undefined;
    if (turn !== undefined) await turn;
  }
}

/** Merges two sorted lists; where they are equal, the first comes first. */
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
    const turn = pace();
    if (turn !== undefined) await turn;
  }
  return merged;
}

/** Sorts without keeping the page waiting, however much there is to compare. Stable. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: Compare<T>,
  pace: Pace,
): Promise<readonly T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += stride) {
    runs.push(items.slice(at, at + stride).sort(compare));
    const turn = pace();
    if (turn !== undefined) await turn;
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
