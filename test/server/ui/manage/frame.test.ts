import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ManagingScreen } from '../../../../server/actions/bridge.ts';
import { catalogues } from '../../../../server/messages/messages.ts';
import { fragmentOf, openPage, testBrowser } from '../../../support/browser.ts';
import { serveClub } from '../../../support/club.ts';
import { openScreen, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent } from '../../../support/home.ts';
import { choose } from '../../../support/long.ts';
import { readOnce } from '../../../support/patience.ts';

const browser = testBrowser();

const date = '2099-05-01T18:00:00.000Z';
const desktop = shareDesktop(browser, (home) =>
  addMember(home, 'Chess', [makeEvent(1, { name: 'Summer party', date })]),
);

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describe('the page in the desktop window', () => {
  it('shows the events of a club without asking for a key', async () => {
    const { page } = await desktop.show();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toBe('{}');
    expect(await page.title()).toBe('Agenda – Chess – Club Events');
  });

  it('links to the management screens', { tags: 'long' }, async () => {
    const { page } = await desktop.show('#manage=keys');
    await page.getByRole('heading', { name: 'Scripts and assistants' }).waitFor();
  });

  it('follows the application menu, and returns to the events', async () => {
    const { page, send } = await desktop.show('#print=list');
    await page.getByRole('button', { name: 'Print…' }).waitFor();
    await send({ kind: 'show', screen: 'about' });
    await page.getByRole('heading', { name: 'About' }).waitFor();
    expect(await focusedText(page)).toBe('About');
    await send({ kind: 'show', screen: null });
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('events');
  });
});

describe('the management screens', () => {
  it('are five places, which focus their heading and mark themselves in the navigation', async () => {
    const { page } = await desktop.show('#manage=help');
    const places = page.getByRole('navigation').locator('.managing-link');
    const names = ['sources', 'share', 'history', 'keys', 'settings'] as const;
    await expect.poll(() => places.count()).toBe(names.length + 1);
    for (const screen of names) {
      const name = catalogues.en.manage[screen];
      await page.getByRole('navigation').getByRole('button', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      expect(await focusedText(page)).toBe(name);
      expect(await page.title()).toBe(`${name} – Chess – Club Events`);
      const current = page.getByRole('navigation').locator('[aria-current="page"]');
      await expect.poll(() => current.innerText()).toBe(name);
    }
  });

  /** Each address with its place, and the first words of what has the focus. */
  const addresses = [
    ['import', 'Sources', 'Sources'],
    ['sync', 'Sources', 'Second computer or online service'],
    ['proposals', 'Sources', 'Proposals'],
    ['week', 'Share', 'A message for the members'],
    ['message', 'Share', 'A message for the members'],
    ['export', 'Share', 'Save a file'],
    ['backups', 'History and backups', 'Backups on this disk'],
    ['club-settings', 'Settings', 'Settings'],
    ['clubs', 'Settings', 'Clubs'],
    ['about', 'Settings', 'About'],
  ] as const satisfies readonly (readonly [ManagingScreen, string, string])[];

  it('have the addresses of earlier versions in these places', { tags: 'long' }, async () => {
    const { page } = await desktop.show('#manage=keys');
    for (const [screen, place, heading] of addresses) {
      await page.evaluate((next) => location.assign(next), `#manage=${screen}`);
      const current = page.getByRole('navigation').locator('[aria-current="page"]');
      await expect.poll(() => current.innerText(), { message: screen }).toBe(place);
      await expect
        .poll(() => focusedText(page), { message: screen })
        .toMatch(new RegExp(`^${heading}`));
    }
  });

  it('are entries of the browser history', { tags: 'long' }, async () => {
    const { page } = await desktop.show('#view=table');
    await openScreen(page, 'Scripts and assistants');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('heading', { name: 'Share' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Scripts and assistants' }).waitFor();
    await page.getByRole('button', { name: 'Back to events' }).click();
    await page.getByRole('region', { name: 'Table' }).waitFor();
    expect(await fragmentOf(page)).toBe('#view=table');
  });

  it.each(choose(['en', 'de', 'fr', 'nl'] as const, ['de'] as const))(
    'have names of one line in %s',
    { tags: 'long' },
    async (language) => {
      const { page } = await desktop.show('#manage=sync', { desk: { settings: { language } } });
      await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
      for (const link of await page.locator('.managing-link').all()) {
        expect((await link.boundingBox())?.height, await readOnce(link.innerText())).toBe(36);
      }
    },
  );

  it('are a row that scrolls in a narrow window, to the current screen', {
    tags: 'long',
  }, async () => {
    const { page } = await desktop.show('#manage=import');
    await page.setViewportSize({ width: 360, height: 640 });
    const row = page.getByRole('navigation');
    const { height = 0 } = (await row.boundingBox()) ?? {};
    expect(height).toBeLessThan(60);
    const link = row.getByRole('button', { name: 'Settings', exact: true });
    await link.press('Enter');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await focusedText(page)).toBe('Settings');
    const { x = 0, width = 0 } = (await link.boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(360);
  });

  it('do not exist in a browser', { tags: 'long' }, async () => {
    const { service, key } = await serveClub([makeEvent(1)]);
    const page = await openPage(browser.current, service, { key, fragment: '#manage=keys' });
    await page.getByRole('heading', { level: 1, name: 'club' }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await expect
      .poll(() => page.getByRole('menuitem', { name: /Import|History|Manage/ }).count())
      .toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'New event' }).count()).toBe(0);
    expect(await page.title()).toBe('Agenda – Club Events');
  });
});
