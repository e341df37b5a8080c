import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Bridge, DesktopSettings } from '../../../../server/actions/bridge.ts';
import type { Home } from '../../../../server/base/home.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';

const browser = testBrowser();

const addClub = (home: Home) => addMember(home, 'Chess', [makeEvent(1)]);

const desktop = shareDesktop(browser, addClub, { colorScheme: 'light' });

const languageOf = (page: Page) => page.locator('html').getAttribute('lang');
const waitForLanguage = (page: Page, language: string) =>
  page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
const waitForTheme = (page: Page, theme: string) =>
  page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor({ state: 'attached' });

/** Changes settings from outside the screen, as the menu does. */
async function changeElsewhere(page: Page, change: Partial<DesktopSettings>): Promise<void> {
  await page.evaluate(
    (next) => (globalThis as unknown as { clubEvents: Bridge }).clubEvents.changeSettings(next),
    change,
  );
}

/** Records every theme of the page from the start. */
async function recordThemes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: (string | null)[] = [];
    Object.assign(globalThis, { seen });
    const attribute = 'data-mantine-color-scheme';
    new MutationObserver(() => {
      const root = document.documentElement;
      if (root?.hasAttribute(attribute)) seen.push(root.getAttribute(attribute));
    }).observe(document, { attributes: true, subtree: true, attributeFilter: [attribute] });
  });
}

describe('the theme of the desktop window', () => {
  it('is the chosen one from the first frame, independent of the system', async () => {
    const home = makeTestHome();
    await addClub(home);
    const { page } = await openDesktopPage(browser.current, home, {
      colorScheme: 'light',
      locale: 'en-GB',
      desk: { settings: { theme: 'dark', language: 'fr' } },
      beforeLoad: recordThemes,
    });
    await page.getByRole('button', { name: 'Plus' }).waitFor();
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
    expect(new Set(seen)).toEqual(new Set(['dark']));
    await expect.poll(() => languageOf(page)).toBe('fr');
  });

  it('is stored by the application, not by the page', async () => {
    const { page, desk } = await desktop.show('#manage=settings');
    await page.getByRole('combobox', { name: 'Appearance' }).selectOption('Dark');
    await waitForTheme(page, 'dark');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
    await waitForLanguage(page, 'de');
    expect(desk.settings).toMatchObject({ theme: 'dark', language: 'de' });
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/dark|"de"/);
    await page.reload();
    await waitForTheme(page, 'dark');
    await waitForLanguage(page, 'de');
  });

  it('can follow the system again, and follows changes made elsewhere', async () => {
    const { page, desk } = await desktop.show('#manage=settings', {
      desk: { settings: { theme: 'dark' } },
    });
    await waitForTheme(page, 'dark');
    await page.getByRole('combobox', { name: 'Appearance' }).selectOption('Same as system');
    await waitForTheme(page, 'light');
    expect(desk.settings.theme).toBe('auto');
    await changeElsewhere(page, { theme: 'dark' });
    await waitForTheme(page, 'dark');
  });
});
