import type { Locator, Page } from 'playwright-core';

/** The number of events on view, below the name of the club. */
export function tallyOf(page: Page, text: string | RegExp): Locator {
  return page.locator('.page-club-state').getByText(text, { exact: true });
}
