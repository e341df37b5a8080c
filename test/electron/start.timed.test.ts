import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { addMember, makeEvent, makeTestHome } from '../support/home.ts';
import { median, repeat } from '../support/measure.ts';
import { launchDesktop } from './driver/desktop.ts';

/** Measures the time from the start of the process to the first visible event, in milliseconds. */
async function timeOfStart(): Promise<number> {
  const home = makeTestHome();
  await addMember(home, 'Chess', [makeEvent(1, { date: '2099-05-01T18:00:00.000Z' })]);
  const desktop = await launchDesktop({ home });
  const { page } = desktop;
  await page.getByRole('button', { name: /Event 1/ }).waitFor();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  const time = performance.now() - desktop.startedAt;
  await desktop.quit();
  return time;
}

/** The start and the end of a Node process with nothing to do, in milliseconds. */
function timeOfNode(): number {
  const began = performance.now();
  execFileSync(process.execPath, ['--eval', '']);
  return performance.now() - began;
}

it('shows the first event in the time of some starts of Node', async () => {
  const ratios = await repeat(3, async () => {
    const node = median(await repeat(3, timeOfNode));
    return (await timeOfStart()) / node;
  });
  process.stdout.write(
    `start to first event: ${ratios.map(Math.round).join(', ')} starts of Node\n`,
  );
  // The first one, which waits for Chromium as well, is left out by the median.
  expect(median(ratios)).toBeLessThan(60);
});
