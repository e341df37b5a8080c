import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { DesktopState } from '../../../../server/bridge.ts';
import type { Home } from '../../../../server/home.ts';
import { testBrowser } from '../../../support/browser.ts';
import {
  type DesktopPageOptions,
  openDesktopPage,
  shareDesktop,
} from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { choose } from '../../../support/long.ts';
import { expectForEverybody, expectNoSidewaysScrolling } from '../axe.ts';

const browser = testBrowser();

/** With everything on view that a screen can have at once. */
const state: Partial<DesktopState> = {
  notices: ['Your settings couldn’t be read, so the defaults apply.'],
  update: { kind: 'ready', version: '0.2.0' },
};
const longName =
  'Donaudampfschifffahrtsgesellschaftskapitänsverein Unterweißenburg an der Schlei e. V.';

async function addClubs(home: Home): Promise<void> {
  await addMember(home, 'Chess', [makeEvent(1)]);
  await addMember(home, longName.replace('ä', 'ae').replace('ß', 'ss'), [makeEvent(2)]);
}

const desk = { state, settings: { port: 28_470, club: 2 } };
const desktop = shareDesktop(browser, addClubs, { desk });

async function showScreen(fragment: string) {
  const { page } = await desktop.show(fragment);
  await untilThere(page);
  return page;
}

async function untilThere(page: Page): Promise<void> {
  await page.locator('.managing-title, #events').first().waitFor();
  await page.locator('.clubs-skeleton').waitFor({ state: 'detached' });
}

async function openWelcome(options: DesktopPageOptions = {}) {
  const { page } = await openDesktopPage(browser.current, makeTestHome(), options);
  await page.locator('.welcome-card').waitFor();
  return page;
}

const screens = ['clubs', 'settings', 'about'] as const;
const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 640 } };

describe('axe finds no fault in both themes, wide and narrow, in', () => {
  it.each(screens)('the screen %s', async (screen) => {
    await expectForEverybody(await showScreen(`#manage=${screen}`), screen);
  });

  it('the events with menus and notices', async () => {
    const page = await showScreen('');
    await expectForEverybody(page, 'events');
    await page.locator('.club-menu-button').click();
    await page.getByRole('menuitemradio', { name: 'Chess' }).waitFor();
    await expectForEverybody(page, 'menu of clubs');
  });

  it('the welcome screen and its errors', async () => {
    const page = await openWelcome();
    await page.getByRole('button', { name: 'Import a file…' }).click();
    await page.getByText('Enter a name for the club first.').waitFor();
    await expectForEverybody(page, 'welcome');
  });

  it('the dialogs and invalid ports', async () => {
    const page = await showScreen('#manage=clubs');
    await page.getByRole('button', { name: 'Remove Chess…' }).click();
    await page.getByRole('dialog').waitFor();
    await expectForEverybody(page, 'removal');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Settings' }).last().click();
    await page.getByRole('textbox', { name: 'Port' }).fill('1');
    await page.getByRole('button', { name: 'Use this port' }).click();
    await page.getByText('Enter a number').waitFor();
    await expectForEverybody(page, 'wrong port');
  });

  it('the navigation, collapsed and expanded', async () => {
    const page = await showScreen('#manage=clubs');
    await page.setViewportSize(sizes.narrow);
    await page.getByRole('button', { name: 'Screens' }).click();
    await expectForEverybody(page, 'unfolded');
  });

  it('the licences', async () => {
    const page = await showScreen('#manage=about');
    await page.getByRole('button', { name: 'Show licences…' }).click();
    await page.getByRole('dialog').getByText('MIT License').waitFor();
    await expectForEverybody(page, 'licences');
  });
});

const locales = choose(['de-DE', 'fr-FR', 'nl-NL'], ['de-DE']);

it.each(locales)('all texts exist in %s and fit', async (locale) => {
  const expectWords = async (page: Page, what: string) => {
    for (const size of Object.values(sizes)) {
      await page.setViewportSize(size);
      await expectNoSidewaysScrolling(page, what);
    }
    // A text that is missing is shown by its name.
    expect(await page.locator('body').innerText()).not.toMatch(/\b[a-z]+:[a-z]\w+|\{\{/);
  };
  await expectWords(await openWelcome({ locale }), 'welcome');
  const home = makeTestHome();
  await addClubs(home);
  const { page } = await openDesktopPage(browser.current, home, { desk, locale });
  await untilThere(page);
  await expectWords(page, 'events');
  for (const screen of screens) {
    await page.evaluate((next) => location.assign(next), `#manage=${screen}`);
    await page.locator('.managing-title').waitFor();
    await expectWords(page, screen);
  }
});

describe('with the keyboard', () => {
  it('a club can be created, opened and removed', async () => {
    const page = await showScreen('#manage=clubs');
    await page.getByLabel('New club').focus();
    await page.keyboard.type('Curling');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show Curling' }).press('Enter');
    await page.locator('.managing-club', { hasText: 'Curling' }).waitFor();
    await page.getByRole('button', { name: 'Remove Curling…' }).press('Enter');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.club', { hasText: 'Curling' }).waitFor({ state: 'detached' });
  });

  it('the club menu can be opened, used and closed', async () => {
    const page = await showScreen('');
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
