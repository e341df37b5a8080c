import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { helps } from '../../../server/messages/help/help.ts';
import { fragmentOf, openPage, testBrowser } from '../../support/browser.ts';
import { serveClub } from '../../support/club.ts';
import { openDesktopPage, shareDesktop } from '../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { expectNoSidewaysScrolling, expectPartForEverybody, windowSizes } from './axe.ts';

const browser = testBrowser();
const desktop = shareDesktop(browser, (home) => addMember(home, 'Chess', [makeEvent(1)]));

const { answers, inBrowser, inWindow } = helps.en;

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describe('the help in a browser', () => {
  it('opens before the sign-in, is loaded only then, and leads back', async () => {
    const { service } = await serveClub([makeEvent(1)]);
    const loaded: string[] = [];
    const page = await openPage(browser.current, service, {
      beforeLoad: async (blank) => blank.on('request', (request) => loaded.push(request.url())),
    });
    const button = page.getByRole('button', { name: 'Help' });
    await button.waitFor();
    expect(loaded.filter((url) => url.includes('help'))).toEqual([]);
    await button.click();
    await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
    expect(loaded.filter((url) => url.includes('help'))).not.toEqual([]);
    await page.getByText(inBrowser).waitFor();
    await page.goBack();
    await page.getByLabel('Key', { exact: true }).waitFor();
  });

  it('opens from the menu at an address of its own, with all questions as headings', async () => {
    const { service, key } = await serveClub([makeEvent(1)]);
    const page = await openPage(browser.current, service, { key });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Help' }).click();
    await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
    expect(await fragmentOf(page)).toBe('#manage=help');
    expect(await page.title()).toBe('Help – Club Events');
    expect(await focusedText(page)).toBe('Help');
    await expect
      .poll(() => page.getByRole('heading', { level: 3 }).allInnerTexts())
      .toEqual(expect.arrayContaining(Object.values(answers).map(({ title }) => title)));
    // Labels of the desktop window lead nowhere here.
    await page.locator('strong').getByText('Settings', { exact: true }).first().waitFor();
    await expectPartForEverybody(page, 'help');
    await page.setViewportSize(windowSizes.zoomed);
    await expectNoSidewaysScrolling(page, 'help');
    await page.getByRole('button', { name: 'Back to events' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('events');
  });

  it('goes from a question of its list to the answer', { tags: 'long' }, async () => {
    const { service } = await serveClub([makeEvent(1)]);
    const page = await openPage(browser.current, service, { fragment: '#manage=help' });
    const { title } = answers.lost;
    await page.getByRole('button', { name: title }).press('Enter');
    const answer = page.getByRole('heading', { name: title });
    expect(await answer.evaluate((heading) => heading === document.activeElement)).toBe(true);
    await expect.poll(async () => (await answer.boundingBox())?.y).toBeLessThan(100);
  });

  it('is printed without its navigation, black on white', { tags: 'long' }, async () => {
    const { service } = await serveClub([makeEvent(1)]);
    const page = await openPage(browser.current, service, {
      fragment: '#manage=help',
      colorScheme: 'dark',
    });
    await page.getByText(answers.report.title).first().waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('navigation').first().waitFor({ state: 'hidden' });
    const answer = page.locator('.help-answer').first();
    await answer.waitFor();
    expect(await answer.evaluate((element) => getComputedStyle(element).color)).toBe(
      'rgb(0, 0, 0)',
    );
  });
});

describe('the help in the desktop window', () => {
  it('opens from the menu of the application, and its names open their screens', async () => {
    const { page, send } = await desktop.show();
    await send({ kind: 'show', screen: 'help' });
    await page.getByText(inWindow).waitFor();
    const answer = page.locator('.help-answer').filter({ hasText: answers.successor.title });
    await answer.getByRole('button', { name: 'Backups' }).click();
    await page.getByRole('heading', { level: 1, name: 'History and backups' }).waitFor();
  });

  it('is there before the first club, in the language of the window', async () => {
    const desk = { settings: { language: 'fr' } } as const;
    const options = { desk, fragment: '#manage=help' };
    const { page } = await openDesktopPage(browser.current, makeTestHome(), options);
    await page.getByRole('heading', { level: 1, name: 'Aide' }).waitFor();
    await page.getByRole('heading', { name: helps.fr.answers.lost.title }).waitFor();
  });
});
