import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose } from '../../support/long.ts';

/** Waits for two frames: components set some names and sizes one frame later. */
export function waitForFrames(page: Page): Promise<unknown> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Rules for WCAG 2.2 AA that axe leaves out by default: 2.5.8, 2.5.3 and 1.3.4. */
const moreRules = ['target-size', 'label-content-name-mismatch', 'css-orientation-lock'];

/**
 * Expects that axe finds nothing against the page as it is now (https://www.w3.org/TR/WCAG22/), by
 * all of its rules or by some.
 */
export async function expectAccessible(
  page: Page,
  what: string,
  runOnly?: readonly string[],
): Promise<void> {
  await waitForFrames(page);
  // Injected once per loaded page, because it is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const options: RunOptions =
    runOnly === undefined
      ? { rules: Object.fromEntries(moreRules.map((rule) => [rule, { enabled: true }])) }
      : { runOnly: [...runOnly] };
  const violations = await page.evaluate(async (rules) => {
    const { axe: here } = globalThis as unknown as { axe: typeof axe };
    const found = await here.run(document, { resultTypes: ['violations'], ...rules });
    return found.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }));
  }, options);
  expect(violations, what).toEqual([]);
}

/** The rules of axe that colours can break. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** A desktop, a phone, and desktops of 1280 × 800 and 1280 × 1024 pixels at zooms of 200 % and 400 %. */
export const windowSizes = {
  wide: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  low: { width: 640, height: 400 },
  zoomed: { width: 320, height: 256 },
} as const;

const looks = Object.values(windowSizes).flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ size, colorScheme })),
);

/** Returns a part of a list in the short form: one that depends on the name of what is tested. */
function chooseByName<T>(all: readonly T[], name: string): readonly T[] {
  const at = name.length % all.length;
  return choose(all, all.slice(at, at + 1));
}

/** Expects an accessible page in the light and the dark theme; it opens light. */
export async function expectAccessibleInAnyLight(page: Page, what: string): Promise<void> {
  const schemes = chooseByName(['light', 'dark'] as const, what);
  for (const [index, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme });
    // The other rules have nothing new to find.
    await expectAccessible(page, `${what}, ${colorScheme}`, index > 0 ? colourRules : undefined);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/**
 * Expects that the page as it is now is accessible and fits in windows of each size, light and dark.
 * `settle` waits for a page that takes a while to be as wide as its window.
 */
export async function expectForEverybody(
  page: Page,
  what: string,
  settle?: () => Promise<unknown>,
): Promise<void> {
  const before = page.viewportSize();
  let seen: (typeof looks)[number]['size'] | undefined;
  for (const { size, colorScheme } of chooseByName(looks, what)) {
    const where = `${what}, ${size.width} pixels wide, ${colorScheme}`;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    await settle?.();
    // In the other theme, the other rules have nothing new to find.
    await expectAccessible(page, where, seen === size ? colourRules : undefined);
    seen = size;
    await expectNoSidewaysScrolling(page, where);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before !== null) await page.setViewportSize(before);
}

/** Expects the same in the long form, of a situation that has the parts of others. */
export const expectVariantForEverybody = choose<typeof expectForEverybody>(
  expectForEverybody,
  async () => undefined,
);

/** Expects that the page, or a part of it, does not scroll sideways. */
export async function expectNoSidewaysScrolling(
  page: Page,
  what: string,
  part = 'body',
): Promise<void> {
  const findBeyond = () =>
    page.evaluate((within) => {
      const isClipped = (element: Element): boolean => {
        const parent = element.parentElement;
        if (parent === null || parent === document.body) return false;
        return getComputedStyle(parent).overflowX !== 'visible' || isClipped(parent);
      };
      return Array.from(document.querySelectorAll(`${within} *`))
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
        .filter((element) => !isClipped(element))
        .map((element) => element.outerHTML.slice(0, 120));
    }, part);
  // The page follows a change of the window's size in its next frames.
  await expect.poll(findBeyond, { message: what }).toEqual([]);
}

/** Sizes of text in rem, and no others. */
const allowedSizes = [0.8125, 0.9375, 1.125, 1.5];

/** Expects the same of the page, and four sizes of text in one of its parts. */
export async function expectPartForEverybody(page: Page, what: string, part?: string) {
  await expectForEverybody(page, what);
  await expectFourTextSizes(page, what, part);
}

/** Expects that a part of the page has no other sizes of text than the four of the design. */
export async function expectFourTextSizes(page: Page, what: string, part = 'body') {
  const sizes = await page.locator(part).evaluate((root) => {
    const found = new Set<number>();
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement, textContent } = texts.currentNode;
      if (textContent?.trim() && parentElement?.checkVisibility()) {
        found.add(Number.parseFloat(getComputedStyle(parentElement).fontSize) / 16);
      }
    }
    return [...found];
  });
  const others = sizes.filter((size) => !allowedSizes.includes(size));
  expect(others, `sizes of text of ${what}, in rem`).toEqual([]);
}
