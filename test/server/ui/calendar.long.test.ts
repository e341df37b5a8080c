import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, testBrowser } from '../../support/browser.ts';
import { shareDesktop } from '../../support/desktop-page.ts';
import { addMember } from '../../support/home.ts';
import { shareClub } from '../../support/shared-club.ts';
import { expectForEverybody } from './axe.ts';
import { club, day, item, showCalendar, showMay, title, untilThere } from './calendar-page.ts';

const browser = testBrowser();

const shared = shareClub(browser, club);

const desktop = shareDesktop(browser, (home) => addMember(home, 'Runners', club));

describe('the calendar', () => {
  it('stops at the years 0001 and 9999', async () => {
    const page = await showCalendar(shared, 'day=0001-01-01');
    await page.getByRole('button', { name: /First run/ }).waitFor();
    const first = page.locator('tbody tr').first().locator('td').first();
    // The first of January of the year 1 was a Monday.
    await first.getByRole('button', { name: /^Monday,? 1 January 1: 1 event/ }).press('ArrowRight');
    await page.waitForFunction(() => location.hash.includes('day=0001-01-02'));
    await page.getByRole('button', { name: 'Previous month', disabled: true }).waitFor();
    for (const span of ['week', 'year', 'month']) {
      await page.evaluate((to) => {
        location.hash = `#view=calendar&day=9999-12-31&span=${to}`;
      }, span);
      const next = `Next ${span === 'year' ? 'season' : span}`;
      await page.getByRole('button', { name: next, disabled: true }).waitFor();
      await page
        .getByRole('button', { name: span === 'year' ? /31 December 9999: 1 event/ : /Last run/ })
        .waitFor();
    }
  });

  it('says if events of its range may not have been read yet', async () => {
    const { service, key } = shared.served;
    const held = Promise.withResolvers<void>();
    const page = await openPage(browser.current, service, {
      key,
      fragment: '#view=calendar&day=2019-03-01',
      beforeLoad: (opened) =>
        opened.route(/order=desc/, async (route) => {
          await held.promise;
          await route.continue();
        }),
    });
    await page.getByText('Still loading').waitFor();
    held.resolve();
    await day(page, '2019-03-03')
      .getByRole('button', { name: /Old run/ })
      .waitFor();
    await page.getByText('Still loading').waitFor({ state: 'detached' });
  });

  it('starts the week on the first weekday of its language', async () => {
    const first = (page: Page) => page.getByRole('columnheader').first().textContent();
    const monday = await showCalendar(shared, 'day=2031-05-01');
    await expect.poll(() => first(monday)).toMatch(/Monday/);
    const { service, key } = shared.served;
    const fragment = '#view=calendar&day=2031-05-01';
    const page = await openPage(browser.current, service, { key, fragment, locale: 'en-US' });
    await untilThere(page);
    await expect.poll(() => first(page)).toMatch(/Sunday/);
  });
});

describe('the calendar in the desktop window', () => {
  it('moves an event by keyboard, with the focus, to other days and months', async () => {
    const page = await showMay(desktop);
    const isFocused = (date: string) =>
      item(page, date, /Night run/).evaluate((one) => one === document.activeElement);
    await item(page, '2031-05-21', /Night run/).focus();
    await page.keyboard.press('Control+ArrowRight');
    await item(page, '2031-05-22', /^00:30 Night run/).waitFor();
    await expect.poll(() => isFocused('2031-05-22')).toBe(true);
    await page.keyboard.press('Control+ArrowDown');
    await item(page, '2031-05-29', /Night run/).waitFor();
    await expect.poll(() => isFocused('2031-05-29')).toBe(true);
    await page.keyboard.press('Control+ArrowDown');
    await title(page, 'June 2031').waitFor();
    await expect.poll(() => isFocused('2031-06-05')).toBe(true);

    // Its moves are one change: of the first day to the last.
    const notice = page.locator('.undo-notice');
    await notice.getByText('Night run: Wed 21 May 2031 → Thu 5 Jun 2031').waitFor();
    await page.keyboard.press('Control+z');
    await item(page, '2031-05-21', /Night run/).waitFor();
    await expect.poll(() => isFocused('2031-05-21')).toBe(true);
    await title(page, 'May 2031').waitFor();
    await notice.getByText('Undone').waitFor();
    await page.keyboard.press('Control+ArrowRight');
    await expect.poll(() => isFocused('2031-05-22')).toBe(true);
    // Back to the first day is the undo.
    await page.keyboard.press('Control+ArrowLeft');
    await expect.poll(() => isFocused('2031-05-21')).toBe(true);
    await notice.getByText('Undone').waitFor();
  });

  it('shows the day before again after the undo of an event that was added', async () => {
    const page = await showMay(desktop);
    await page.keyboard.press('n');
    await page.locator('#event-line').fill('Jubilee 14 March 1900 19:00');
    await page.keyboard.press('Enter');
    await item(page, '1900-03-14', /Jubilee/).waitFor();
    await page.keyboard.press('Control+z');
    await title(page, 'May 2031').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('events');
  });

  it('moves the focus to the next event after Delete', async () => {
    const page = await showMay(desktop);
    await item(page, '2031-05-21', /Night run/).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.locator('.event-form').getByRole('button', { name: 'Delete' }).click();
    await item(page, '2031-05-21', /Night run/).waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-event'));
    await expect.poll(focused).toBe('302');
    await page.keyboard.press('Control+z');
    await item(page, '2031-05-21', /Night run/).waitFor();

    await item(page, '2031-05-22', /Off/).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.locator('.event-form').getByRole('button', { name: 'Delete' }).click();
    // The next event is in another month, which is not shown.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('events');
    await page.keyboard.press('Control+z');
    await item(page, '2031-05-22', /Off/).waitFor();
  });

  it('passes axe with the dialog of a day', async () => {
    const page = await showMay(desktop);
    await day(page, '2031-05-22').getByRole('button').first().click();
    const dialog = page.getByRole('dialog');
    await expectForEverybody(page, 'day', () => dialog.waitFor());
  });
});
