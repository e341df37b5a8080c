import type { Locator, Page } from 'playwright-core';

/** Measures the gaps between the frames of a page during an action, in milliseconds. */
export async function watchFrames(page: Page, act: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(async () => {
    const own = globalThis as unknown as { frames: { gaps: number[]; isOver: boolean } };
    const frames = { gaps: [] as number[], isOver: false };
    own.frames = frames;
    let last = await new Promise<number>(requestAnimationFrame);
    const take = (now: number) => {
      frames.gaps.push(now - last);
      last = now;
      if (!frames.isOver) requestAnimationFrame(take);
    };
    requestAnimationFrame(take);
  });
  await act();
  return page.evaluate(async () => {
    const { frames } = globalThis as unknown as { frames: { gaps: number[]; isOver: boolean } };
    await new Promise(requestAnimationFrame);
    frames.isOver = true;
    return frames.gaps;
  });
}

/** Measures the gaps between the frames of an idle page. */
export function watchIdleFrames(page: Page): Promise<number[]> {
  return watchFrames(page, () => page.waitForTimeout(300));
}

/** Creates a clock of the processor time of a page's main thread, in seconds. */
export async function createThreadClock(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const timeOf = async (act: () => Promise<unknown>): Promise<number> => {
    const before = await read();
    await act();
    return (await read()) - before;
  };
  return {
    /** Returns the time of an action relative to `sortNames` on the same thread. */
    async ratioOf(act: () => Promise<unknown>): Promise<number> {
      const unit = await timeOf(() => page.evaluate(sortNames));
      return (await timeOf(act)) / unit;
    },
  };
}

/** The unit of work: about 20 ms on a machine of 2025. */
function sortNames(): number {
  const names = Array.from({ length: 30_000 }, (_, at) => `Event ${(at * 7919) % 30_011} Zürich`);
  return names.toSorted().indexOf('Event 0 Zürich');
}

/** Waits until an element has kept its place for ten frames. Returns its top in pixels. */
export function restingTop(element: Locator): Promise<number> {
  return element.evaluate(async (it) => {
    let top = Number.NaN;
    for (let frames = 0; frames < 10; frames += 1) {
      await new Promise(requestAnimationFrame);
      const { top: now } = it.getBoundingClientRect();
      if (now !== top) frames = 0;
      top = now;
    }
    return top;
  });
}
