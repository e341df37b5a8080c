/** How long the thread is held at a time, in milliseconds: a frame has 16. */
const sliceMs = 8;

/** Between how many steps the clock is looked at. */
const stepsBetweenLooks = 64;

const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Does a step for each number below a count, leaving the thread to others every few of them. */
export async function inSlices(count: number, step: (at: number) => void): Promise<void> {
  let until = performance.now() + sliceMs;
  for (let at = 0; at < count; at += 1) {
    step(at);
    if (at % stepsBetweenLooks === 0 && performance.now() > until) {
      await pause();
      until = performance.now() + sliceMs;
    }
  }
}
