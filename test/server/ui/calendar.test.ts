import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fragmentOf, openPage, testBrowser } from '../../support/browser.ts';
import { makeEvent } from '../../support/home.ts';
import { shareClub } from '../../support/shared-club.ts';
import { expectForEverybody } from './axe.ts';

const browser = testBrowser();

/** A full day, one event whose day is another one in UTC, and one at each end of time. */
const club = [
  ...Array.from({ length: 200 }, (_, index) =>
    makeEvent(index + 1, { name: `Heat ${index + 1}`, date: '2031-05-14T10:00:00.000Z' }),
  ),
  makeEvent(301, { name: 'Night run', date: '2031-05-20T22:30:00.000Z' }),
  makeEvent(302, { name: 'Off', date: '2031-05-22T10:00:00.000Z', status: 'cancelled' }),
  makeEvent(303, { name: 'First run', date: '0001-01-01T00:00:00.000Z' }),
  makeEvent(304, { name: 'Last run', date: '9999-12-31T12:00:00.000Z' }),
  makeEvent(305, { name: 'Old run', date: '2019-03-03T10:00:00.000Z' }),
];

const shared = shareClub(browser, club);

async function showCalendar(fragment: string): Promise<Page> {
  const page = await shared.show(`#view=calendar&${fragment}`);
  await untilThere(page);
  return page;
}

/** Waits until the events have been measured; before, they are invisible. */
function untilThere(page: Page): Promise<void> {
  return page.locator('.calendar-event, td[data-date]').filter({ visible: true }).first().waitFor();
}

/** Events are rendered unseen at first; then nothing of what the screen shows is. */
async function untilMeasured(page: Page): Promise<void> {
  await page.waitForTimeout(200);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.calendar-event')].every((event) =>
      event.checkVisibility({ visibilityProperty: true }),
    ),
  );
}

const day = (page: Page, date: string) =>
  page.locator(`:is(td, [role="cell"])[data-date="${date}"]`);

const title = (page: Page, text: string) =>
  page.getByRole('heading', { level: 2, name: text, exact: true });

describe('the calendar', () => {
  it('shows events on their local day and marks cancelled ones', async () => {
    const page = await showCalendar('day=2031-05-01');
    await day(page, '2031-05-21').getByRole('button', { name: '00:30 Night run' }).waitFor();
    const off = day(page, '2031-05-22').getByRole('button', { name: /Off.*Cancelled/ });
    const name = off.locator('.calendar-name');
    expect(await name.evaluate((text) => getComputedStyle(text).textDecorationLine)).toBe(
      'line-through',
    );
    await off.click();
    await day(page, '2031-05-22').locator('[aria-current="true"]').waitFor();
    expect(await fragmentOf(page)).toContain('event=302');
  });

  it('limits the items of a full day and lists all of them in a dialog', async () => {
    const page = await showCalendar('day=2031-05-01');
    const full = day(page, '2031-05-14');
    const more = full.getByRole('button', { name: /more events on 14 May 2031/ });
    const shown = await full.locator('[data-event]').count();
    expect(shown).toBeLessThan(10);
    expect(await more.textContent()).toBe(`+${200 - shown} more`);
    await more.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Wednesday,? 14 May 2031$/ });
    await dialog.getByRole('button', { name: /Heat 200/ }).waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(200);
    const hasFocus = () => dialog.evaluate((element) => element.contains(document.activeElement));
    await expect.poll(hasFocus).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => more.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await fragmentOf(page)).toBe('#view=calendar&day=2031-05-01');

    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: /Heat 150/ }).click();
    await page.locator('.panel').getByRole('heading', { name: 'Heat 150' }).waitFor();
    expect(await fragmentOf(page)).toBe('#view=calendar&day=2031-05-01&event=150');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('panel-name');
    await page.keyboard.press('Escape');
    await more.click();
    await expectForEverybody(page, 'the events of a day', () => dialog.waitFor());
    await dialog.getByRole('button', { name: 'Show in the agenda' }).click();
    await page.waitForFunction(() => location.hash === '#day=2031-05-14');
    await page.getByRole('button', { name: /Heat 1(?!\d)/ }).waitFor();
  });

  it('always shows the chosen event, even on a full day', async () => {
    const page = await showCalendar('day=2031-05-14&event=180');
    await day(page, '2031-05-14').locator('[data-event="180"][aria-current="true"]').waitFor();
  });

  it('steps with its buttons and back with the browser', async () => {
    const page = await showCalendar('day=2031-05-14');
    await title(page, 'May 2031').waitFor();
    await page.getByRole('button', { name: 'Next month' }).click();
    await title(page, 'June 2031').waitFor();
    await day(page, '2031-06-01').waitFor();
    await page.goBack();
    await title(page, 'May 2031').waitFor();
    await page.getByText('Week', { exact: true }).click();
    await title(page, '12 – 18 May 2031').waitFor();
    await page.getByRole('button', { name: 'Previous week' }).click();
    await title(page, '5 – 11 May 2031').waitFor();
    await page.getByText('Year', { exact: true }).click();
    await title(page, '2031').waitFor();
    await page.getByRole('button', { name: /14 May 2031: 200 events/ }).waitFor();
    await page.getByRole('button', { name: 'Open May 2031' }).click();
    await title(page, 'May 2031').waitFor();
    await page.getByRole('button', { name: 'Today' }).click();
    await page.locator('[role="cell"][aria-current="date"]').waitFor();
  });

  it('moves with arrow keys between days and months', async () => {
    const page = await showCalendar('day=2031-05-30');
    await day(page, '2031-05-30').getByRole('link').focus();
    await page.keyboard.press('ArrowDown');
    await title(page, 'June 2031').waitFor();
    const focused = () =>
      page.evaluate(() =>
        document.activeElement?.closest('[data-date]')?.getAttribute('data-date'),
      );
    await expect.poll(focused).toBe('2031-06-06');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(focused).toBe('2031-06-05');
    expect(await page.locator('[role="cell"] [role="link"][tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#day=2031-06-05');
  });

  it('stops at the years 0001 and 9999', async () => {
    const page = await showCalendar('day=0001-01-01');
    await page.getByRole('button', { name: /First run/ }).waitFor();
    const first = page.getByRole('row').filter({ hasText: 'First run' }).getByRole('cell').first();
    // The first of January of the year 1 was a Monday.
    await first.getByRole('link', { name: /^Monday,? 1 January 1: 1 event/ }).press('ArrowRight');
    await page.waitForFunction(() => location.hash.includes('day=0001-01-02'));
    await page.getByRole('button', { name: 'Previous month', disabled: true }).waitFor();
    for (const span of ['week', 'year', 'month']) {
      await page.evaluate((to) => {
        location.hash = `#view=calendar&day=9999-12-31&span=${to}`;
      }, span);
      await page.getByRole('button', { name: `Next ${span}`, disabled: true }).waitFor();
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
    expect(await first(await showCalendar('day=2031-05-01'))).toMatch(/Monday/);
    const { service, key } = shared.served;
    const fragment = '#view=calendar&day=2031-05-01';
    const page = await openPage(browser.current, service, { key, fragment, locale: 'en-US' });
    await untilThere(page);
    expect(await first(page)).toMatch(/Sunday/);
  });

  it('passes axe in both themes, wide and narrow', async () => {
    const page = await showCalendar('day=2031-05-14&event=302');
    for (const span of ['month', 'week', 'year']) {
      await page.evaluate((to) => {
        location.hash = `#view=calendar&day=2031-05-14&event=302&span=${to}`;
      }, span);
      await expectForEverybody(page, span, () => untilMeasured(page));
    }
  });
});
