import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose } from '../../support/long.ts';

/** Components set some accessible names one frame later. */
function waitForFrames(page: Page): Promise<unknown> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

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
  const violations = await page.evaluate(async (rules) => {
    const { axe: here } = globalThis as unknown as { axe: typeof import('axe-core') };
    const some = rules === undefined ? {} : { runOnly: [...rules] };
    const found = await here.run(document, { resultTypes: ['violations'], ...some });
    return found.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }));
  }, runOnly);
  expect(violations, what).toEqual([]);
}

/** The rules of axe that colours can break. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Expects an accessible page in the light and the dark theme; it opens light. */
export async function expectAccessibleInAnyLight(page: Page, what: string): Promise<void> {
  await expectAccessible(page, what);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, `${what}, dark`, colourRules);
  await page.emulateMedia({ colorScheme: 'light' });
}

const wide = { width: 1280, height: 800 };
const narrow = { width: 360, height: 640 };

type Look = {
  readonly size: typeof wide;
  readonly colorScheme: 'light' | 'dark';
};

const allLooks: readonly Look[] = [
  { size: wide, colorScheme: 'light' },
  { size: narrow, colorScheme: 'dark' },
  { size: wide, colorScheme: 'dark' },
  { size: narrow, colorScheme: 'light' },
];

/** Returns a part of a list in the short form: one that depends on the name of what is tested. */
export function chooseByName<T>(all: readonly T[], name: string): readonly T[] {
  const at = name.length % all.length;
  return choose(all, all.slice(at, at + 1));
}

/**
 * Expects all that of the page as it is now, wide and narrow, light and dark, and that it fits; a
 * page that takes a while to be as wide as its window says when it is.
 */
export async function expectForEverybody(
  page: Page,
  what: string,
  settle?: () => Promise<unknown>,
): Promise<void> {
  const before = page.viewportSize();
  for (const { size, colorScheme } of chooseByName(allLooks, what)) {
    const where = `${what}, ${size.width} pixels wide, ${colorScheme}`;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    await settle?.();
    await expectAccessible(page, where);
    await expectNoSidewaysScrolling(page, where);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before !== null) await page.setViewportSize(before);
}

/** Expects that the page, or a part of it, does not scroll sideways. */
export async function expectNoSidewaysScrolling(
  page: Page,
  what: string,
  part = 'body',
): Promise<void> {
  const beyond = await page.evaluate((within) => {
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
  expect(beyond, what).toEqual([]);
}

/** Sizes of text in rem, and no others. */
const allowedSizes = [0.8125, 0.9375, 1.125, 1.5];

/**
 * Expects that a part of the page is accessible and fits on a desktop, a phone and at a zoom of
 * 400 %, light and dark, with four sizes of text.
 */
export async function expectPartForEverybody(page: Page, what: string, part: string) {
  const before = page.viewportSize();
  const sizes = [
    [1280, 800],
    [390, 844],
    [320, 256],
  ] as const;
  for (const [width, height] of chooseByName(sizes, what)) {
    await page.setViewportSize({ width, height });
    await expectAccessibleInAnyLight(page, `${what}, ${width} pixels wide`);
    await expectNoSidewaysScrolling(page, `${what}, ${width} pixels wide`, part);
  }
  if (before !== null) await page.setViewportSize(before);
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
