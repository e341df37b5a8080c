import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { testBrowser } from '../../support/browser.ts';
import { expectAccessible, expectNoSidewaysScrolling } from './axe.ts';
import { brokenWords } from './broken-words.ts';
import { liveYear } from './secretary-year.ts';
import { expectControlContrast } from './wcag.ts';

const browser = testBrowser();

/** Expects that everybody can read and use a screen as it is. */
async function check(page: Page, what: string): Promise<void> {
  await expectAccessible(page, what);
  await expectControlContrast(page, what);
  await expectNoSidewaysScrolling(page, what);
  await expect.poll(() => brokenWords(page, 'body'), { message: what }).toEqual([]);
}

it('a year takes at most 60 clicks by mouse, in German at 125 %', async () => {
  const screen = { viewport: { width: 1024, height: 640 }, deviceScaleFactor: 1.25 };
  const { presses } = await liveYear(browser.current, {
    way: 'mouse',
    language: 'de',
    screen,
    check,
  });
  expect(presses).toBeLessThanOrEqual(60);
});

it('a year takes at most 60 taps on a phone, in French', async () => {
  const screen = {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  };
  const { presses } = await liveYear(browser.current, {
    way: 'touch',
    language: 'fr',
    screen,
    check,
  });
  expect(presses).toBeLessThanOrEqual(60);
});

it('a year takes at most 60 keys beside Tab, in English', async () => {
  const screen = { viewport: { width: 1280, height: 800 } };
  const { presses } = await liveYear(browser.current, {
    way: 'keyboard',
    language: 'en',
    screen,
    check,
  });
  expect(presses).toBeLessThanOrEqual(60);
});
