import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, testBrowser } from '../../support/browser.ts';
import { serveClub } from '../../support/club.ts';
import { choose } from '../../support/long.ts';
import { shareClub } from '../../support/shared-club.ts';
import { tallyOf } from '../../support/tally.ts';
import { expectAccessibleInAnyLight, expectForEverybody } from './axe.ts';
import { club, showView, views } from './every-view.ts';

const browser = testBrowser();

const shared = shareClub(browser, club);

describe('axe finds no fault in both themes, wide and narrow, in', () => {
  it.each(choose<readonly (typeof views)[number][]>(views, views.slice(0, 1)))(
    'the view %s',
    { tags: 'long' },
    async (view) => {
      await expectForEverybody(await showView(shared, view), view);
    },
  );

  it('the row of a past event in the panel', { tags: 'long' }, async () => {
    const page = await showView(shared, 'agenda');
    await page.locator('[data-event="1"]').click();
    await page.locator('[data-event="1"][data-past][aria-current="true"]').waitFor();
    await expectAccessibleInAnyLight(page, 'a past event');
  });

  it('the sign-in', { tags: 'long' }, async () => {
    const { service } = await serveClub([]);
    const page = await openPage(browser.current, service);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Paste a key first.').waitFor();
    await expectForEverybody(page, 'sign-in');
  });

  it('the menus', { tags: 'long' }, async () => {
    const page = await showView(shared, 'agenda');
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

describe('with the keyboard', () => {
  it('the agenda has one tab stop and arrow keys between events', async () => {
    const page = await showView(shared, 'agenda');
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
    await expect.poll(() => page.locator('.agenda [tabindex="0"]').count()).toBe(1);
  });

  it('the first tab stop skips the header', { tags: 'long' }, async () => {
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
