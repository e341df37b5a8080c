import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { catalogues, type Language } from '../../../server/messages/messages.ts';
import { openPage, testBrowser } from '../../support/browser.ts';
import { shareClub } from '../../support/shared-club.ts';
import {
  expectAccessibleInAnyLight,
  expectForEverybody,
  expectNoSidewaysScrolling,
  windowSizes,
} from './axe.ts';
import { club, showView, views } from './every-view.ts';
import { expectControlContrast, expectTextSpacing, expectVisibleFocus } from './wcag.ts';

const browser = testBrowser();

const shared = shareClub(browser, club);

/** Navigates an open page to another view. */
async function goToView(page: Page, view: string): Promise<void> {
  await page.evaluate((next) => location.assign(`#view=${next}`), view);
  await page.locator('#events').waitFor();
  await page.waitForFunction((next) => location.hash.includes(next), view);
}

/** Fragments of all screens of a browser. */
const screens = [
  ...views.map((view) => `view=${view}`),
  'view=calendar&span=week',
  'view=calendar&span=year',
  'q=nothing',
  'event=1',
  'event=3',
  'event=9',
  'print=list',
  'print=month',
  'event=3&print=event',
];

/** Expects that no text is shown as its key, as a missing one is. */
async function expectTexts(page: Page): Promise<void> {
  await expect.poll(() => page.locator('body').innerText()).not.toMatch(/\b[a-z]+:[a-z]\w+|\{\{/i);
}

const locales = ['en-GB', 'de-DE', 'fr-FR', 'nl-NL'];

describe.each(locales)('in the locale %s', (locale) => {
  const translated = shareClub(browser, club, { locale });
  const language = locale.slice(0, 2) as Language;

  it.each(screens)('all texts fit on the screen %s', async (screen) => {
    const page = await translated.show(`#${screen}`);
    await page.locator('#events, .studio-view').first().waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language);
    await expectTexts(page);
    await expectForEverybody(page, `${screen} in ${locale}`);
  });

  it.each(Object.values(windowSizes))(
    'the menus are accessible, and their texts fit at $width × $height pixels',
    async (size) => {
      const page = await translated.show();
      await page.setViewportSize(size);
      const { filter, more } = catalogues[language];
      for (const name of [filter.filter, more.more]) {
        await page.getByRole('button', { name, exact: true }).click();
        const opened = page.getByRole('menu').or(page.getByRole('dialog'));
        await opened.waitFor();
        await expectTexts(page);
        await expectAccessibleInAnyLight(page, `${name} in ${locale}`);
        await expectNoSidewaysScrolling(page, `${name} in ${locale}`);
        await page.keyboard.press('Escape');
        await opened.waitFor({ state: 'detached' });
      }
    },
  );

  it('wide text spacing cuts off no date, status or type of the table', async () => {
    const page = await translated.show('#view=table');
    await page.locator('.table-row').first().waitFor();
    await expectTextSpacing(page, `the table in ${locale}`);
  });

  it('all texts of the list of keys fit', async () => {
    const page = await translated.show();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: catalogues[language].shell.keys }).waitFor();
    await expectTexts(page);
    await expectForEverybody(page, `the list of keys in ${locale}`);
  });
});

describe('beyond the rules of axe', () => {
  const calendar = ['view=calendar', 'view=calendar&span=year'];
  const shown = ['view=agenda&event=3&status=active', 'view=table', ...calendar];

  it('controls contrast with what is beside them, in both themes', async () => {
    const page = await showView(shared, 'agenda');
    for (const fragment of [...shown, 'print=list']) {
      await page.evaluate((next) => location.assign(`#${next}`), fragment);
      await page.locator('#events, .studio-view').first().waitFor();
      await page.waitForTimeout(200);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectControlContrast(page, `${fragment}, ${colorScheme}`);
      }
    }
  });

  it('each tab stop has a visible ring, in both themes', async () => {
    for (const [at, fragment] of shown.entries()) {
      const page = await shared.show(`#${fragment}`);
      await page.locator('#events').waitFor();
      await page.emulateMedia({ colorScheme: at % 2 === 0 ? 'dark' : 'light' });
      await expectVisibleFocus(page, fragment);
    }
  });

  it('wide text spacing cuts off no text and lets none overlap', async () => {
    for (const fragment of shown) {
      const page = await shared.show(`#${fragment}`);
      await page.locator('#events').waitFor();
      await expectTextSpacing(page, fragment);
    }
  });
});

describe('at a zoom of 200 %', () => {
  it('every view is completely reachable', async () => {
    // A window of 1280 pixels at a zoom of 200 %.
    const viewport = { width: 640, height: 400 };
    const { service, key } = shared.served;
    const options = { key, viewport, deviceScaleFactor: 2 };
    const page = await openPage(browser.current, service, options);
    for (const view of views) {
      await goToView(page, view);
      await expectNoSidewaysScrolling(page, view);
    }
  });
});

describe('with a font of 200 % in the settings of the browser', () => {
  // A phone has no such setting, but a zoom; 390 pixels would be as 195.
  const sizes = [windowSizes.wide, windowSizes.low, { width: 960, height: 600 }];

  it.each(sizes)('every screen is reachable at $width × $height pixels', async (viewport) => {
    const { service, key } = shared.served;
    const page = await openPage(browser.current, service, { key, viewport });
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    for (const screen of screens.filter((one) => !one.includes('print='))) {
      await page.evaluate((next) => location.assign(`#${next}`), screen);
      await page.locator('#events').waitFor();
      const rem = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
      await expect.poll(rem).toBe('32px');
      await expectNoSidewaysScrolling(page, screen);
    }
  });
});

describe('preferences of the system', () => {
  it('reduced motion disables all animations', async () => {
    const page = await showView(shared, 'agenda');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const durations = await page.evaluate(() =>
      Array.from(document.querySelectorAll('*'), (element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        return Math.max(
          Number.parseFloat(transitionDuration),
          Number.parseFloat(animationDuration),
        );
      }),
    );
    expect(Math.max(...durations)).toBeLessThan(0.001);
  });

  it('forced colours lose nothing, because every status has a text', async () => {
    const page = await showView(shared, 'agenda');
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('[data-event="2"]').getByText('Cancelled').waitFor();
    await page.locator('[data-event="5"]').getByText('Draft').waitFor();
    await page.locator('[data-event="4"]').getByText('Clash').waitFor();
  });
});
