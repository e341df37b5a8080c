import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fragmentOf, openPage, testBrowser } from '../../support/browser.ts';
import { shareDesktop } from '../../support/desktop-page.ts';
import { addMember, makeEvent } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { shareClub } from '../../support/shared-club.ts';
import { expectForEverybody, expectFourTextSizes } from './axe.ts';

const browser = testBrowser();

/** A full day, one event whose day is another one in UTC, and one at each end of time. */
const club = [
  ...Array.from({ length: 60 }, (_, index) =>
    makeEvent(index + 1, { name: `Heat ${index + 1}`, date: '2031-05-14T10:00:00.000Z' }),
  ),
  makeEvent(301, { name: 'Night run', date: '2031-05-20T22:30:00.000Z' }),
  makeEvent(302, { name: 'Off', date: '2031-05-22T10:00:00.000Z', status: 'cancelled' }),
  makeEvent(306, {
    name: 'A very long name of an event that does not fit in a single line of a day',
    date: '2031-06-10T10:00:00.000Z',
  }),
  makeEvent(307, { name: 'Cup', date: '2031-06-10T12:00:00.000Z', eventType: 'national' }),
  makeEvent(303, { name: 'First run', date: '0001-01-01T00:00:00.000Z' }),
  makeEvent(304, { name: 'Last run', date: '9999-12-31T12:00:00.000Z' }),
  makeEvent(305, { name: 'Old run', date: '2019-03-03T10:00:00.000Z' }),
];

const shared = shareClub(browser, club);

const desktop = shareDesktop(browser, (home) => addMember(home, 'Runners', club));

async function showCalendar(fragment: string): Promise<Page> {
  const page = await shared.show(`#view=calendar&${fragment}`);
  await untilThere(page);
  return page;
}

function untilThere(page: Page): Promise<void> {
  return page.locator('[data-date]').filter({ visible: true }).first().waitFor();
}

const day = (page: Page, date: string) => page.locator(`[data-date="${date}"]`);

/** A button of the toolbar; the filters have one of nearly the same name. */
const step = (page: Page, name: string) => page.locator('.calendar').getByRole('button', { name });

const focusedDay = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[data-date]')?.getAttribute('data-date'));

const title = (page: Page, text: string) =>
  page.getByRole('heading', { level: 2, name: text, exact: true });

describe('the calendar', () => {
  it('shows events on their local day and marks cancelled ones', async () => {
    const page = await showCalendar('day=2031-05-01');
    await day(page, '2031-05-21')
      .getByRole('button', { name: /^00:30 Night run/ })
      .waitFor();
    const off = day(page, '2031-05-22').getByRole('button', { name: /^12:00 Cancelled Off/ });
    const name = off.locator('.calendar-name');
    expect(await name.evaluate((text) => getComputedStyle(text).textDecorationLine)).toBe(
      'line-through',
    );
    await off.click();
    await day(page, '2031-05-22').locator('[aria-current="true"]').waitFor();
    expect(await fragmentOf(page)).toContain('event=302');
  });

  it('shows two events of a full day and lists all of them in a dialog', async () => {
    const page = await showCalendar('day=2031-05-01');
    const full = day(page, '2031-05-14');
    const more = full.getByRole('button', { name: '58 more events on 14 May 2031' });
    expect(await full.locator('[data-event]').count()).toBe(2);
    expect(await more.textContent()).toBe('58 more');
    await more.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Wednesday,? 14 May 2031$/ });
    await dialog.getByRole('button', { name: /Heat 60/ }).waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(60);
    expect(await dialog.getByRole('button', { name: /New event/ }).count()).toBe(0);
    const hasFocus = () => dialog.evaluate((element) => element.contains(document.activeElement));
    await expect.poll(hasFocus).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => more.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await fragmentOf(page)).toBe('#view=calendar&day=2031-05-01');

    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: /Heat 50/ }).click();
    await page.locator('.panel').getByRole('heading', { name: 'Heat 50' }).waitFor();
    expect(await fragmentOf(page)).toBe('#view=calendar&day=2031-05-01&event=50');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('panel-name');
    await page.goBack();
    await more.click();
    await dialog.getByRole('button', { name: 'Show in the agenda' }).click();
    await page.waitForFunction(() => location.hash === '#day=2031-05-14');
    await page.getByRole('button', { name: /Heat 1(?!\d)/ }).waitFor();
  });

  it('wraps names, grows its rows and scrolls the page, without a box of its own', async () => {
    const page = await showCalendar('day=2031-06-10');
    const name = day(page, '2031-06-10').locator('.calendar-name').first();
    const { height, clipped } = await name.evaluate((text) => ({
      height:
        text.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(text).lineHeight),
      clipped: text.scrollWidth > text.clientWidth,
    }));
    expect(height).toBeGreaterThanOrEqual(3);
    expect(clipped).toBe(false);
    const rows = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(Math.min(...rows)).toBeGreaterThanOrEqual(94);
    expect(Math.max(...rows)).toBeGreaterThan(Math.min(...rows) + 20);
    const inner = await page.evaluate(
      () =>
        [...document.querySelectorAll('#events, #events *')].filter((one) =>
          /auto|scroll/.test(getComputedStyle(one).overflowY),
        ).length,
    );
    expect(inner).toBe(0);
  });

  it('is a list of the days with events on a narrow screen', async () => {
    const page = await showCalendar('day=2031-05-01');
    await page.setViewportSize({ width: 390, height: 844 });
    await day(page, '2031-05-01').waitFor({ state: 'hidden' });
    expect(await page.locator('[data-date]').filter({ visible: true }).count()).toBe(3);
    await day(page, '2031-05-21').getByText('Wed 21').waitFor();
    await day(page, '2031-05-14')
      .getByRole('button', { name: /^Wed 14, Wednesday.* 60 events/ })
      .focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focusedDay(page)).toBe('2031-05-21');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focusedDay(page)).toBe('2031-05-22');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('event=302'));
  });

  it('names the types of its events, and marks them by colour and shape', async () => {
    const page = await showCalendar('day=2031-06-01');
    expect(await page.getByRole('list', { name: 'Event types' }).innerText()).toMatch(
      /^Club\s+National$/,
    );
    await page.emulateMedia({ forcedColors: 'active' });
    const lines = await page
      .locator('[data-date="2031-06-10"] .calendar-event')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one, '::before').borderLeftStyle));
    expect(lines).toEqual(['solid', 'double']);
  });

  it('always shows the chosen event, even on a full day', async () => {
    const page = await showCalendar('day=2031-05-14&event=58');
    await day(page, '2031-05-14').locator('[data-event="58"][aria-current="true"]').waitFor();
  });

  it('steps with its buttons and back with the browser', async () => {
    const page = await showCalendar('day=2031-05-14');
    await title(page, 'May 2031').waitFor();
    await step(page, 'Next month').click();
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
    await page.getByRole('button', { name: /14 May 2031: 60 events/ }).waitFor();
    await page.getByRole('button', { name: 'Open May 2031' }).click();
    await title(page, 'May 2031').waitFor();
    await step(page, 'Today').click();
    await page.locator('td[aria-current="date"]').waitFor();
  });

  it('moves with arrow keys between days and months, and Enter opens the day', async () => {
    const page = await showCalendar('day=2031-05-30');
    await day(page, '2031-05-30').getByRole('button').focus();
    await page.keyboard.press('ArrowDown');
    await title(page, 'June 2031').waitFor();
    await expect.poll(() => focusedDay(page)).toBe('2031-06-06');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => focusedDay(page)).toBe('2031-06-05');
    expect(await page.locator('[data-date] button[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Thursday,? 5 June 2031$/ });
    await dialog.getByText('No events on this day.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focusedDay(page)).toBe('2031-06-05');
  });

  it('stops at the years 0001 and 9999', async () => {
    const page = await showCalendar('day=0001-01-01');
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
    for (const span of choose(['month', 'week', 'year'], ['month'])) {
      await page.evaluate((to) => {
        location.hash = `#view=calendar&day=2031-05-14&event=302&span=${to}`;
      }, span);
      await step(page, `Next ${span}`).waitFor();
      await expectForEverybody(page, span);
      await expectFourTextSizes(page, span);
    }
  });
});

describe('the calendar in the desktop window', () => {
  const item = (page: Page, date: string, name: RegExp) =>
    day(page, date).getByRole('button', { name });

  async function showMay(fragment = 'day=2031-05-21'): Promise<Page> {
    const { page } = await desktop.show(`#view=calendar&${fragment}`);
    await untilThere(page);
    return page;
  }

  it('begins a new event on a day by double click, from the dialog, and by keyboard', async () => {
    const page = await showMay();
    await day(page, '2031-05-08').dblclick({ position: { x: 60, y: 60 } });
    await page.waitForFunction(() => location.hash.endsWith('&form=new&on=2031-05-08'));
    await showMay();
    await day(page, '2031-05-21').getByRole('button').first().focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focusedDay(page)).toBe('2031-05-22');
    await page.keyboard.press('n');
    await page.waitForFunction(() => location.hash.endsWith('&form=new&on=2031-05-22'));
    await showMay();
    await day(page, '2031-05-20').getByRole('button').first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'New event on this day' }).click();
    await page.waitForFunction(() => location.hash.endsWith('&form=new&on=2031-05-20'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('moves an event by dragging, and shows where it will land', async () => {
    const page = await showMay();
    await day(page, '2031-05-29').scrollIntoViewIfNeeded();
    await item(page, '2031-05-22', /Off/).hover();
    await page.mouse.down();
    // The first step enters the day, the second is over it.
    await day(page, '2031-05-29').hover({ position: { x: 60, y: 60 } });
    await day(page, '2031-05-29').hover({ position: { x: 70, y: 60 } });
    await day(page, '2031-05-29').locator('.calendar-landing', { hasText: 'Off' }).waitFor();
    await page.mouse.up();
    // The first change starts the worker of the actions.
    await item(page, '2031-05-29', /^12:00 Cancelled Off/).waitFor({ timeout: 20_000 });
    await item(page, '2031-05-22', /Off/).waitFor({ state: 'detached' });
    expect(await page.locator('.calendar-landing').count()).toBe(0);
    await item(page, '2031-05-29', /Off/).dragTo(day(page, '2031-05-22'));
    await item(page, '2031-05-22', /Off/).waitFor();
  });

  it('moves an event by keyboard, with the focus, to other days and months', async () => {
    const page = await showMay();
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
  });

  it('passes axe with the dialog of a day', async () => {
    const page = await showMay();
    await day(page, '2031-05-22').getByRole('button').first().click();
    const dialog = page.getByRole('dialog');
    await expectForEverybody(page, 'day', () => dialog.waitFor());
  });
});

it('offers no change of events in a browser', async () => {
  const page = await showCalendar('day=2031-05-21');
  expect(await page.locator('[draggable="true"]').count()).toBe(0);
  await day(page, '2031-05-08').dblclick({ position: { x: 60, y: 60 } });
  await day(page, '2031-05-21')
    .getByRole('button', { name: /Night run/ })
    .focus();
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('n');
  expect(await fragmentOf(page)).toBe('#view=calendar&day=2031-05-21');
});
