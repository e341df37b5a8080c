import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { gapAtRandomMoment, median } from '../../../support/measure.ts';
import type { RunningService } from '../../../support/service.ts';
import { fetchWithKey } from '../../../support/service.ts';
import { writeLargeFile } from '../../import/files.ts';
import { createThreadClock } from '../frames.ts';
import { type ImportPage, openImport } from './import-page.ts';

const browser = testBrowser();

/** Requests events in a loop, as a script does, until it is stopped. */
function askOften(service: RunningService, key: string): { end(): Promise<readonly number[]> } {
  const times: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const begun = performance.now();
      const answer = await fetchWithKey(service, '/v1/events?limit=20', key);
      await answer.text();
      times.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  return {
    async end() {
      isOver = true;
      await asking;
      return times;
    },
  };
}

/**
 * Clicks from screen to screen until it is stopped, and measures each click to the frame that
 * shows its screen, in milliseconds.
 */
async function clickOften(page: Page): Promise<{ end(): Promise<readonly number[]> }> {
  await page.evaluate(() => {
    const own = globalThis as unknown as { clicks?: number[]; isOver?: boolean };
    own.clicks = [];
    own.isOver = false;
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isAt = (name: string) => document.querySelector('h1')?.textContent === name;
    const goTo = async (name: string): Promise<number> => {
      const links = [...document.querySelectorAll<HTMLElement>('.managing-link')];
      const begun = performance.now();
      links.find(({ textContent }) => textContent === name)?.click();
      while (!isAt(name)) await nextFrame();
      await nextFrame();
      return performance.now() - begun;
    };
    const clickOn = async () => {
      for (let count = 0; !own.isOver; count += 1) {
        own.clicks?.push(await goTo(count % 2 === 0 ? 'Share' : 'Sources'));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      location.assign('#manage=import');
    };
    void clickOn();
  });
  return {
    end: () =>
      page.evaluate(() => {
        const own = globalThis as unknown as { clicks: number[]; isOver: boolean };
        own.isOver = true;
        return own.clicks;
      }),
  };
}

/** Measures clicks in a page and answers to scripts during an action, in milliseconds. */
async function measure({ page, service, key }: ImportPage, act: () => Promise<unknown>) {
  const asking = askOften(service, key);
  const clicking = await clickOften(page);
  await act();
  return { clicks: await clicking.end(), answers: await asking.end() };
}

/** The rows of the file; the first are in the club before the import. */
const count = 60_000;
const own = 20;

it('an import of 60,000 rows costs the page little work and slows clicks and answers to scripts only slightly', async () => {
  const opened = await openImport(browser.current, { events: own });
  const { page, choose, check, button, column, seeFirst } = opened;
  await page.locator('.managing-link').first().waitFor();
  const idle = await measure(opened, () =>
    page.waitForFunction(
      () => (globalThis as unknown as { clicks: readonly number[] }).clicks.length >= 10,
    ),
  );
  await choose(writeLargeFile(count));
  await seeFirst('Event 1');

  await column('Place').waitFor();
  const { ratioOf } = await createThreadClock(page);
  const choices: number[] = [];
  for (const value of ['', 'location', '', 'location', '', 'location']) {
    choices.push(await ratioOf(() => choosePlace(page, value)));
  }
  expect(median(choices)).toBeLessThan(3);

  const checked = await ratioOf(async () => {
    await expect.poll(await check()).toContain(`New ${(count - own).toLocaleString('en')}`);
    await page.locator('.import-check .badge').first().waitFor();
  });
  expect(checked).toBeLessThan(60);

  await button(`Import ${count.toLocaleString('en')} events`).click();
  await page.getByRole('progressbar').waitFor();
  const busy = await measure(opened, () =>
    page.waitForFunction(() => document.querySelector('.import-outcome') !== null, null, {
      timeout: 60_000,
    }),
  );
  expect(busy.clicks.length).toBeGreaterThan(5);
  expect(busy.answers.length).toBeGreaterThan(30);
  expect(gapAtRandomMoment(busy.clicks) / gapAtRandomMoment(idle.clicks)).toBeLessThan(8);
  expect(gapAtRandomMoment(busy.answers) / gapAtRandomMoment(idle.answers)).toBeLessThan(8);
});

/** Chooses a column for the place and waits for the frame with its preview. */
async function choosePlace(page: Page, column: string): Promise<void> {
  await page.evaluate(async (value) => {
    const select = document.querySelector<HTMLSelectElement>('[aria-label="Column for Place"]');
    const setValue = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set;
    const preview = () => document.querySelector('.import-agenda')?.textContent;
    const before = preview();
    setValue?.call(select, value);
    select?.dispatchEvent(new Event('change', { bubbles: true }));
    while (preview() === before) await new Promise(requestAnimationFrame);
  }, column);
}
