import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { testBrowser } from '../../support/browser.ts';
import {
  expectAccessibleInAnyLight,
  expectFourTextSizes,
  expectNoSidewaysScrolling,
  windowSizes,
} from './axe.ts';
import { brokenWords } from './broken-words.ts';
import { liveYear } from './secretary-year.ts';
import { expectControlContrast, expectVisibleFocus } from './wcag.ts';

const browser = testBrowser();

/** Selects what covers a page, and closes when the focus leaves it. */
const covers = '[role="menu"], [role="listbox"], [role="dialog"]';

/** Fewest tab stops of a screen whose rings are looked at. */
const fewestStops = 8;

/** Does something that moves the focus, which is then where it was. */
async function keepFocus(page: Page, act: () => Promise<void>): Promise<void> {
  const focused = await page.evaluateHandle(() => document.activeElement);
  await act();
  await focused.evaluate((element) => {
    if (element instanceof HTMLElement) element.focus({ preventScroll: true });
  });
  await focused.dispose();
}

/** Checks the rows of WCAG of a screen, in both themes, and returns the faults. */
async function findFaults(page: Page, what: string): Promise<string[]> {
  const faults: string[] = [];
  const tryTo = (expectation: Promise<void>) =>
    expectation.catch((error: Error) => void faults.push(error.message));
  await tryTo(expectAccessibleInAnyLight(page, what));
  await page.emulateMedia({ colorScheme: 'light' });
  await tryTo(expectControlContrast(page, what));
  // Paper has sizes of its own.
  const isPaper = await page.evaluate(() => document.querySelector('.studio-choices') !== null);
  await tryTo(expectFourTextSizes(page, what, isPaper ? '.studio-choices' : 'body'));
  await tryTo(expectNoSidewaysScrolling(page, what));
  const broken = expect.poll(() => brokenWords(page, 'body'), { message: what }).toEqual([]);
  await tryTo(broken);
  const canMove = await page.evaluate(
    ([cover, fewest]) =>
      !Array.from(document.querySelectorAll(cover)).some((one) => one.checkVisibility()) &&
      document.querySelectorAll('a[href], button:enabled, input').length >= fewest,
    [covers, fewestStops] as const,
  );
  if (canMove) await keepFocus(page, () => tryTo(expectVisibleFocus(page, what)));
  return faults;
}

it.each(['en', 'de', 'fr', 'nl'] as const)(
  'each screen of a year is for everybody, in %s',
  async (language) => {
    const screen = { viewport: windowSizes.wide };
    const faults: string[] = [];
    const check = async (page: Page, what: string) =>
      void faults.push(...(await findFaults(page, what)));
    try {
      await liveYear(browser.current, { way: 'mouse', language, screen, check });
    } finally {
      // Also if the year ends early.
      expect.soft(faults).toEqual([]);
    }
  },
);
