// @module-tag long
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { ManagingScreen } from '../../../../server/actions/bridge.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { makeTestHome } from '../../../support/home.ts';
import { expectNoSidewaysScrolling, expectPartForEverybody, windowSizes } from '../axe.ts';
import { shareScreens } from './scenarios.ts';
import { expectWordsOf } from './words.ts';

const browser = testBrowser();
const { showScreen } = shareScreens(browser);

/** Some screens, and selectors for their content. */
const contents: Readonly<Partial<Record<ManagingScreen, string>>> = {
  import: '.import-drop',
  share: '.share-way',
  history: '.history-item',
  week: '.announced-fields',
  message: '.announced-start',
  'club-settings': '.club-settings',
  keys: '.access-item',
  settings: '.setting-port',
  help: '.help',
};

const expectGerman = expectWordsOf('de');

async function expectFine(page: Page, what: string): Promise<void> {
  await expectGerman(page, what);
  await expectPartForEverybody(page, what);
  await page.setViewportSize(windowSizes.zoomed);
  await expectNoSidewaysScrolling(page, what);
}

// German has the longest words. The long form goes through everything that each screen can show.
describe('all texts are German, fit and are accessible', () => {
  it.each(Object.entries(contents))('on the screen %s', async (screen, content) => {
    const { page } = await showScreen(screen, 'de');
    await page.locator(content).first().waitFor();
    await expectFine(page, screen);
  });

  it('on the welcome screen', async () => {
    const desk = { settings: { language: 'de' } } as const;
    const { page } = await openDesktopPage(browser.current, makeTestHome(), { desk });
    await page.locator('.welcome-ways').waitFor();
    await expectFine(page, 'welcome');
  });
});
