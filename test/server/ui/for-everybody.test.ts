import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { catalogues, type Language } from '../../../server/messages/messages.ts';
import { openPage, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { shareClub } from '../../support/shared-club.ts';
import { tallyOf } from '../../support/tally.ts';
import {
  expectAccessibleInAnyLight,
  expectForEverybody,
  expectNoSidewaysScrolling,
  windowSizes,
} from './axe.ts';
import { expectControlContrast, expectTextSpacing, expectVisibleFocus } from './wcag.ts';

const browser = testBrowser();

const club = [
  makeEvent(1, { name: 'Committee meeting', date: daysFromNow(-40), status: 'completed' }),
  makeEvent(2, { name: 'Spring concert', date: daysFromNow(-2), status: 'cancelled' }),
  makeEvent(3, { name: 'Summer party', date: daysFromNow(0), description: 'Bring a cake.' }),
  makeEvent(4, { name: 'Long jump', date: daysFromNow(2), eventType: 'national' }),
  makeEvent(5, { name: 'High jump', date: daysFromNow(2), eventType: null, status: 'draft' }),
  makeEvent(6, { name: 'Fête d’hiver', date: daysFromNow(33), location: 'Zürich' }),
];

const views = ['agenda', 'table', 'calendar', 'season'] as const;

const shared = shareClub(browser, club);

/** Shows a view and waits for its first event. */
async function showView(view: string) {
  const page = await shared.show(`#view=${view}`);
  await tallyOf(page, '6 events').waitFor();
  await page.locator('#events').waitFor();
  return page;
}

/** Navigates an open page to another view. */
async function goToView(page: Page, view: string): Promise<void> {
  await page.evaluate((next) => location.assign(`#view=${next}`), view);
  await page.locator('#events').waitFor();
  await page.waitForFunction((next) => location.hash.includes(next), view);
}

describe('axe finds no fault in both themes, wide and narrow, in', () => {
  it.each(views)('the view %s', async (view) => {
    await expectForEverybody(await showView(view), view);
  });

  it('the row of a past event in the panel', async () => {
    const page = await showView('agenda');
    await page.locator('[data-event="1"]').click();
    await page.locator('[data-event="1"][data-past][aria-current="true"]').waitFor();
    await expectAccessibleInAnyLight(page, 'a past event');
  });

  it('the sign-in', async () => {
    const { service } = await serveClub([]);
    const page = await openPage(browser.current, service);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Paste a key first.').waitFor();
    await expectForEverybody(page, 'sign-in');
  });

  it('the menus', async () => {
    const page = await showView('agenda');
    for (const name of ['Filter', 'More']) {
      await page.getByRole('button', { name, exact: true }).click();
      const opened = page.getByRole('menu').or(page.getByRole('dialog'));
      await opened.waitFor();
      await expectAccessibleInAnyLight(page, name);
      await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'detached' });
    }
  });
});

/** Fragments of all screens of a browser; the short form leaves most of them to their own tests. */
const screens = choose(
  [
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
  ],
  views.map((view) => `view=${view}`),
);

const expectFit = choose(expectForEverybody, async (page: Page, what: string) => {
  await page.setViewportSize(windowSizes.zoomed);
  await expectNoSidewaysScrolling(page, what);
});

/** Expects that no text is shown as its key, as a missing one is. */
async function expectTexts(page: Page): Promise<void> {
  expect(await page.locator('body').innerText()).not.toMatch(/\b[a-z]+:[a-z]\w+|\{\{/i);
}

/** In the short form the menus are accessible in English alone. */
const expectMenu = choose(expectAccessibleInAnyLight, async () => undefined);

const locales = choose(['en-GB', 'de-DE', 'fr-FR', 'nl-NL'], ['de-DE']);

describe.each(locales)('in the locale %s', (locale) => {
  const translated = shareClub(browser, club, { locale });
  const language = locale.slice(0, 2) as Language;

  it.each(screens)('all texts fit on the screen %s', async (screen) => {
    const page = await translated.show(`#${screen}`);
    await page.locator('#events, .studio-view').first().waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    await expectTexts(page);
    await expectFit(page, `${screen} in ${locale}`);
  });

  it.each(choose(Object.values(windowSizes), [windowSizes.zoomed]))(
    'the menus are accessible, and their texts fit at $width × $height pixels',
    async (size) => {
      const page = await translated.show();
      await page.setViewportSize(size);
      const { filter, shell } = catalogues[language];
      for (const name of [filter.filter, shell.more]) {
        await page.getByRole('button', { name, exact: true }).click();
        const opened = page.getByRole('menu').or(page.getByRole('dialog'));
        await opened.waitFor();
        await expectTexts(page);
        await expectMenu(page, `${name} in ${locale}`);
        await expectNoSidewaysScrolling(page, `${name} in ${locale}`);
        await page.keyboard.press('Escape');
        await opened.waitFor({ state: 'detached' });
      }
    },
  );

  it('all texts of the list of keys fit', async () => {
    const page = await translated.show();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: catalogues[language].shell.keys }).waitFor();
    await expectTexts(page);
    await expectFit(page, `the list of keys in ${locale}`);
  });
});

describe('beyond the rules of axe', () => {
  const shown = ['view=agenda&event=3&status=active', 'view=table', 'view=calendar', 'view=season'];

  it('controls contrast with what is beside them, in both themes', async () => {
    const page = await showView('agenda');
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

describe('with the keyboard', () => {
  it('the agenda has one tab stop and arrow keys between events', async () => {
    const page = await showView('agenda');
    await page.locator('[data-event="3"]').focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('4');
    await page.keyboard.press('End');
    expect(await focused(page)).toBe('6');
    await page.keyboard.press('Home');
    expect(await focused(page)).toBe('1');
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe('1');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#event=1');
    expect(await page.locator('.agenda [tabindex="0"]').count()).toBe(1);
  });

  it('the first tab stop skips the header', async () => {
    const { service, key } = shared.served;
    const page = await openPage(browser.current, service, { key });
    await tallyOf(page, '6 events').waitFor();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('button', { name: 'Skip to the events' });
    expect(await skip.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('events');
  });
});

function focused(page: Page) {
  return page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['event']);
}

describe('preferences of the system', () => {
  it('reduced motion disables all animations', async () => {
    const page = await showView('agenda');
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
    const page = await showView('agenda');
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('[data-event="2"]').getByText('Cancelled').waitFor();
    await page.locator('[data-event="5"]').getByText('Draft').waitFor();
    await page.locator('[data-event="4"]').getByText('Clash').waitFor();
  });
});
