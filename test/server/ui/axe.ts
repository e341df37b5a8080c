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

/** Expects that nothing of the page is wider than its window. */
export async function expectNoSidewaysScrolling(page: Page, what: string): Promise<void> {
  const [needed, given] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  expect(needed, what).toBeLessThanOrEqual(given ?? 0);
}
