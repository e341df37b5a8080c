import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { managingScreens } from '../../../../server/actions/bridge.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { makeTestHome } from '../../../support/home.ts';
import { writeTestFile } from '../../import/files.ts';
import { expectForEverybody, expectPartForEverybody, windowSizes } from '../axe.ts';
import { expectControlContrast, expectTextSpacing, expectVisibleFocus } from '../wcag.ts';
import { type Look, runWelcome, scenarios, shareScreens } from './scenarios.ts';
import { expectWordsOf } from './words.ts';

const browser = testBrowser();
const { desktop, showScreen, state } = shareScreens(browser);

describe.each(['en', 'de', 'fr', 'nl'] as const)('in the language %s', (language) => {
  const expectWords = expectWordsOf(language);
  const expectFine: Look = async (page, what) => {
    await expectWords(page, what);
    await expectPartForEverybody(page, what);
  };

  it.each(scenarios)(
    'all texts on the screen of %s are of that language, fit and are accessible',
    async (_, way) => {
      await way.run(await showScreen(way.screen, language), expectFine);
    },
  );

  it('all texts of the welcome screen are of that language, fit and are accessible', async () => {
    const desk = { settings: { language } };
    await runWelcome(await openDesktopPage(browser.current, makeTestHome(), { desk }), expectFine);
  });
});

describe('beyond the rules of axe, in German', () => {
  const desk = { settings: { language: 'de' } } as const;

  it.each(['event=1', 'manage=import', 'manage=history', 'manage=sync', 'manage=settings'])(
    'controls contrast, the focus is visible and wide text spacing does no harm on %s',
    async (fragment) => {
      const { page } = await desktop.show(`#${fragment}`, { desk });
      if (fragment === 'event=1') {
        await page.locator('.panel').waitFor();
        await page.keyboard.press('e');
        await page.locator('.event-form').waitFor();
      } else await page.locator('.managing-title').waitFor();
      await expectVisibleFocus(page, fragment);
      await expectControlContrast(page, fragment);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectControlContrast(page, `${fragment}, dark`);
      await expectTextSpacing(page, fragment);
    },
  );

  it('the button that deletes an event is red in both themes', async () => {
    const { page } = await desktop.show('#event=1', { desk });
    await page.locator('.panel').waitFor();
    await page.keyboard.press('e');
    const button = page.locator('.event-delete');
    for (const [colorScheme, red] of [
      ['light', 'rgb(191, 36, 36)'],
      ['dark', 'rgb(255, 143, 143)'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => button.evaluate((it) => getComputedStyle(it).color)).toBe(red);
    }
    await page.keyboard.press('Escape');
  });
});

/** Returns the share of the window's height that shows the work, without what stays in place. */
const shareOfWork = (page: Page) =>
  page.evaluate(() => {
    window.scrollTo(0, document.documentElement.scrollHeight / 2);
    const x = window.innerWidth / 2;
    const staysInPlace = (element: Element) =>
      ['sticky', 'fixed'].includes(getComputedStyle(element).position);
    const isWork = (element: Element | null): boolean => {
      if (element === null || staysInPlace(element)) return false;
      return element.matches('.work, .welcome') || isWork(element.parentElement);
    };
    const points = Array.from({ length: 40 }, (_, at) => ((at + 0.5) / 40) * window.innerHeight);
    return points.filter((y) => isWork(document.elementFromPoint(x, y))).length / points.length;
  });

it('the work has most of a small window, on every screen', async () => {
  const { page, desk } = await showScreen('import');
  const expectRoom = async (what: string) => {
    for (const size of [windowSizes.zoomed, { width: 740, height: 360 }]) {
      await page.setViewportSize(size);
      expect(await shareOfWork(page), `${what} at ${size.width}`).toBeGreaterThanOrEqual(0.6);
    }
  };
  desk.chosen = [writeTestFile('a.csv', 'name,date\nA,2026-05-01\nB,2026-02-30')];
  await page.locator('.import-drop button').click();
  await page.locator('.import-map').waitFor();
  await expectRoom('columns');
  await page.locator('.work-foot button').last().click();
  await page.locator('.import-check').waitFor();
  await expectRoom('check');
  for (const screen of managingScreens) {
    await page.evaluate((next) => location.assign(next), `#manage=${screen}`);
    await page.locator(`.managing-nav:has([aria-current]), .help`).first().waitFor();
    await expectRoom(screen);
  }
});

it('a club can be created, opened and removed with the keyboard', async () => {
  const { page } = await showScreen('clubs');
  await page.getByLabel('New club').focus();
  await page.keyboard.type('Curling');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Show Curling' }).press('Enter');
  await page.locator('.managing-club', { hasText: 'Curling' }).waitFor();
  await page.getByRole('button', { name: 'Delete Curling…' }).press('Enter');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.club', { hasText: 'Curling' }).waitFor({ state: 'detached' });
});

describe('the events in the desktop window', () => {
  const notices = ['Your settings couldn’t be read, so the defaults apply.'];
  const show = async () => {
    const desk = { state: { ...state, notices }, settings: { port: 28_470 } };
    const { page } = await desktop.show('', { desk });
    await page.locator('#events').waitFor();
    return page;
  };

  it('are accessible with menus and notices', async () => {
    const page = await show();
    await expectForEverybody(page, 'events');
    await page.locator('.club-menu-button').click();
    await page.getByRole('menuitemradio', { name: 'Chess' }).waitFor();
    await expectForEverybody(page, 'menu of clubs');
  });

  it('have a club menu that can be opened, used and closed with the keyboard', async () => {
    const page = await show();
    const button = page.locator('.club-menu-button');
    await button.press('Enter');
    const chess = page.getByRole('menuitemradio', { name: 'Chess' });
    await chess.waitFor();
    await page.keyboard.press('Escape');
    await chess.waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.press('Enter');
    await chess.press('Enter');
    await page.getByRole('button', { name: 'Club: Chess' }).waitFor();
  });
});
