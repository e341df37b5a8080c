import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Expects that axe finds nothing against the page as it is now (https://www.w3.org/TR/WCAG22/). */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: here } = globalThis as unknown as { axe: typeof import('axe-core') };
    const found = await here.run(document, { resultTypes: ['violations'] });
    return found.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }));
  });
  expect(violations, what).toEqual([]);
}

/** Expects that nothing of the page is beyond the edge of its window, out of reach. */
export async function expectNoSidewaysScrolling(page: Page, what: string): Promise<void> {
  const beyond = await page.evaluate(() => {
    const isClipped = (element: Element): boolean => {
      const parent = element.parentElement;
      if (parent === null || parent === document.body) return false;
      return getComputedStyle(parent).overflowX !== 'visible' || isClipped(parent);
    };
    return Array.from(document.querySelectorAll('body *'))
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
      .filter((element) => !isClipped(element))
      .map((element) => element.outerHTML.slice(0, 120));
  });
  expect(beyond, what).toEqual([]);
}
