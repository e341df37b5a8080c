import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { openClubWindow, openForm, shareClubWindow } from './event-window.ts';
import { forms } from './forms.ts';

const browser = testBrowser();
const mayFail = /broken on purpose/;
const shared = shareClubWindow(browser, { mayFail });

/** Makes every component throw that renders a text of the catalogue, from the next input on. */
function breakText(page: Page, key: string): Promise<void> {
  return page.evaluate((broken) => {
    const own = globalThis as { __includes?: typeof String.prototype.includes };
    own.__includes ??= String.prototype.includes;
    const includes = own.__includes;
    const spoil = () => {
      String.prototype.includes = function (...args) {
        if (String(this) === broken) throw new Error('broken on purpose');
        return includes.apply(this, args);
      };
    };
    // Before the page hears of the input; until then it may render for other reasons.
    document.addEventListener('input', spoil, { capture: true, once: true });
  }, key);
}

function repairText(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { __includes } = globalThis as { __includes?: typeof String.prototype.includes };
    if (__includes) String.prototype.includes = __includes;
  });
}

const faultOf = (page: Page) =>
  page
    .getByRole('alert')
    .filter({ hasText: 'A fault in Club Events stopped this part of the page.' });

const withFault = forms.filter(([, { textKey }]) => textKey !== '');

it.each(withFault)('a fault loses no text of a form: %s', async (_name, form) => {
  const desktop = await shared.show();
  const { page } = desktop;
  await page.evaluate((hash) => location.assign(hash || '#'), form.fragment);
  await form.open?.(desktop);
  const typed = new Map<string, string>();
  for (const selector of Object.keys(form.fields)) {
    const text = `as before ${typed.size}`;
    await page.locator(selector).fill(text);
    typed.set(selector, text);
  }
  const [last, text] = [...typed].at(-1) ?? ['', ''];
  await breakText(page, form.textKey);
  await page.locator(last).press('End');
  await page.locator(last).press('1');
  await faultOf(page).getByText('Nothing that you typed is lost.').waitFor();
  await repairText(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await faultOf(page).waitFor({ state: 'detached' });
  await form.reopen?.(desktop);
  for (const [selector, before] of typed) {
    const expected = selector === last ? `${text}1` : before;
    await expect.poll(() => page.locator(selector).inputValue()).toBe(expected);
  }
});

it('text that a form cannot show can be copied before starting over', {
  tags: 'long',
}, async () => {
  const { page } = await openClubWindow(browser.current, { mayFail });
  await openForm(page, 'New event');
  await page.keyboard.insertText('Quiz night Fri');
  await page.locator('#event-description').fill('Bring pens.');
  await breakText(page, 'addAnother');
  await page.locator('#event-location').fill('Hall');
  const retry = page.getByRole('button', { name: 'Try again' });
  await retry.click();
  const copy = page.getByLabel('What you typed, to copy before you start over');
  await expect.poll(() => copy.inputValue()).toBe('Quiz night Fri\nBring pens.\nHall');
  await page.reload();
  await page.getByText('Your unsaved text is back.').waitFor();
  await expect.poll(() => page.locator('#event-line').inputValue()).toBe('Quiz night Fri');
  await expect.poll(() => page.locator('#event-location').inputValue()).toBe('Hall');
  await breakText(page, 'addAnother');
  await page.locator('#event-name').fill('Quiz');
  await retry.click();
  await repairText(page);
  await page.getByRole('button', { name: 'Start over without it' }).click();
  await expect.poll(() => page.locator('#event-line').inputValue()).toBe('');
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

it('a key that was typed outlives a fault, but is never stored nor shown again', {
  tags: 'long',
}, async () => {
  const { page } = await openClubWindow(browser.current, { mayFail });
  await page.evaluate(() => location.assign('#manage=sync'));
  await page.locator('#connect-url').fill('https://events.example.org');
  await page.locator('#connect-key').fill('a-secret-of-mine');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('secret');
  await page.evaluate(() => location.assign('#manage=clubs'));
  await page.locator('.clubs-add').waitFor();
  await page.evaluate(() => location.assign('#manage=sync'));
  await expect
    .poll(() => page.locator('#connect-url').inputValue())
    .toBe('https://events.example.org');
  await expect.poll(() => page.locator('#connect-key').inputValue()).toBe('');
});
