import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fragmentOf, testBrowser } from '../../support/browser.ts';
import { shareDesktop } from '../../support/desktop-page.ts';
import { addMember } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { readOnce } from '../../support/patience.ts';
import { shareClub } from '../../support/shared-club.ts';
import {
  expectAccessible,
  expectForEverybody,
  expectFourTextSizes,
  expectNoSidewaysScrolling,
} from './axe.ts';
import { club, day, item, showCalendar, showMay, title } from './calendar-page.ts';

const browser = testBrowser();

const shared = shareClub(browser, club);

const desktop = shareDesktop(browser, (home) => addMember(home, 'Runners', club));

const step = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const focusedDay = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[data-date]')?.getAttribute('data-date'));

describe('the calendar', () => {
  it('shows events on their local day and marks cancelled ones', async () => {
    const page = await showCalendar(shared, 'day=2031-05-01');
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

  it('shows as many events of a full day as fit the window, at least two', async () => {
    const page = await showCalendar(shared, 'day=2031-05-01');
    const shown = day(page, '2031-05-14').locator('[data-event]');
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
    await page.setViewportSize({ width: 1280, height: 600 });
    await expect.poll(() => shown.count()).toBe(2);
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect.poll(() => shown.count()).toBeGreaterThan(4);
    await expect.poll(overflow).toBe(0);
    // The day is measured again until all its rows have their height.
    const numbers = () =>
      day(page, '2031-05-14').evaluate((cell) => [
        cell.querySelectorAll('[data-event]').length,
        Number.parseInt(/\d+(?= more)/.exec(cell.textContent)?.[0] ?? '', 10),
      ]);
    await expect.poll(async () => (await numbers()).reduce((one, other) => one + other)).toBe(60);
    const fitting = await readOnce(shown.count());
    await page.setViewportSize({ width: 1280, height: 1080 });
    await expect.poll(() => shown.count()).toBeGreaterThan(fitting);
    await expect.poll(overflow).toBe(0);
  });

  it('lists all events of a full day in a dialog', { tags: 'long' }, async () => {
    const page = await showCalendar(shared, 'day=2031-05-01');
    const full = day(page, '2031-05-14');
    const more = full.getByRole('button', { name: /^\d+ more events on 14 May 2031$/ });
    await more.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Wednesday,? 14 May 2031$/ });
    await dialog.getByRole('button', { name: /Heat 60/ }).waitFor();
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(60);
    await expect.poll(() => dialog.getByRole('button', { name: /New event/ }).count()).toBe(0);
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

  it('wraps names and grows its rows, which share the window, without a box of its own', {
    tags: 'long',
  }, async () => {
    const page = await showCalendar(shared, 'day=2031-06-10');
    await page.setViewportSize({ width: 1280, height: 720 });
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
    const bottomOf = () =>
      page.locator('.calendar-days').evaluate((days) => days.getBoundingClientRect().bottom);
    for (const [span, height] of [
      ['month', 1080],
      ['week', 800],
    ] as const) {
      await page.setViewportSize({ width: 1920, height });
      await page.getByText(span === 'week' ? 'Week' : 'Month', { exact: true }).click();
      await page.locator(`[data-span="${span}"]`).waitFor();
      await expect.poll(async () => Math.abs((await bottomOf()) - height)).toBeLessThan(2);
    }
    const inner = await page.evaluate(
      () =>
        [...document.querySelectorAll('#events, #events *')].filter((one) =>
          /auto|scroll/.test(getComputedStyle(one).overflowY),
        ).length,
    );
    expect(inner).toBe(0);
  });

  it('is a list of the days with events on a narrow screen', { tags: 'long' }, async () => {
    const page = await showCalendar(shared, 'day=2031-05-01');
    await page.setViewportSize({ width: 390, height: 844 });
    await day(page, '2031-05-01').waitFor({ state: 'hidden' });
    await expect.poll(() => page.locator('[data-date]').filter({ visible: true }).count()).toBe(3);
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

  it('has the hours of a week, at which its events stand without covering each other', {
    tags: 'long',
  }, async () => {
    const page = await showCalendar(shared, 'day=2031-06-10&span=week');
    await page.setViewportSize({ width: 1280, height: 800 });
    const lines = page.locator('.calendar-hour');
    await expect.poll(() => lines.first().innerText()).toBe('09:00');
    await expect.poll(() => lines.last().innerText()).toBe('20:00');
    const topOf = async (text: string) =>
      (await lines.filter({ hasText: text }).boundingBox())?.y ?? 0;
    const cup = await page.locator('[data-event="307"]').boundingBox();
    // 14:00 in Berlin, two hours below the long one.
    expect(Math.abs((cup?.y ?? 0) - (await topOf('14:00')))).toBeLessThan(4);
    const long = await page.locator('[data-event="306"]').boundingBox();
    expect(Math.abs((long?.y ?? 0) - (await topOf('12:00')))).toBeLessThan(4);
    expect((long?.y ?? 0) + (long?.height ?? 0)).toBeLessThanOrEqual(cup?.y ?? 0);
    const head = await page.getByRole('columnheader', { name: 'Tuesday' }).boundingBox();
    const cell = await day(page, '2031-06-10').boundingBox();
    expect([cell?.x, cell?.width]).toEqual([head?.x, head?.width]);
    await expectAccessible(page, 'the hours of a week');
    await expectNoSidewaysScrolling(page, 'the hours of a week');
    // Its first events are at night, and those of a full day stand below each other.
    await page.evaluate(() => location.assign('#view=calendar&day=2031-05-14&span=week'));
    const heats = day(page, '2031-05-14').locator('[data-event]');
    await expect.poll(() => heats.count()).toBe(12);
    const boxes = await heats.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
    for (const [at, box] of boxes.slice(1).entries()) {
      expect(box.top).toBeGreaterThanOrEqual(boxes[at]?.bottom ?? 0);
    }
    await page.evaluate(() => location.assign('#view=calendar&day=2031-05-21&span=week'));
    await expect.poll(() => lines.first().innerText()).toBe('00:00');
  });

  it('names the types of its events, and marks them by colour and shape', async () => {
    const page = await showCalendar(shared, 'day=2031-06-01');
    await expect
      .poll(() => page.getByRole('list', { name: 'Event types' }).innerText())
      .toMatch(/^Club\s+National$/);
    await page.emulateMedia({ forcedColors: 'active' });
    const lines = await page
      .locator('[data-date="2031-06-10"] .calendar-event')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one, '::before').borderLeftStyle));
    expect(lines).toEqual(['solid', 'double']);
  });

  it('always shows the chosen event, even on a full day', async () => {
    const page = await showCalendar(shared, 'day=2031-05-14&event=58');
    await day(page, '2031-05-14').locator('[data-event="58"][aria-current="true"]').waitFor();
  });

  it('steps with its buttons and back with the browser', { tags: 'long' }, async () => {
    const page = await showCalendar(shared, 'day=2031-05-14');
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
    await title(page, 'Season 2030/31').waitFor();
    await step(page, 'Next season').click();
    await title(page, 'Season 2031/32').waitFor();
    await step(page, 'Previous season').click();
    await page.getByRole('button', { name: 'Open May 2031' }).click();
    await title(page, 'May 2031').waitFor();
    await step(page, 'Today').click();
    await page.locator('td[aria-current="date"]').waitFor();
  });

  it('shows a whole season in the window, each month in its own weeks', {
    tags: 'long',
  }, async () => {
    const page = await showCalendar(shared, 'day=2031-05-14&span=year');
    await page.setViewportSize({ width: 1200, height: 800 });
    const months = page.locator('.calendar-month');
    await months.nth(11).waitFor();
    await expect.poll(() => months.first().getAttribute('aria-label')).toBe('July 2030');
    expect(
      await page.evaluate(() => [
        window.scrollY,
        document.documentElement.scrollHeight - window.innerHeight,
        ...Array.from(
          document.querySelectorAll('.calendar-month tbody'),
          (one) => one.children.length,
        ),
      ]),
    ).toEqual([0, 0, 5, 5, 6, 5, 5, 6, 5, 5, 6, 5, 5, 6]);
    const full = page.getByRole('button', { name: /^Wednesday,? 14 May 2031: 60 events, Club$/ });
    await expect.poll(() => full.locator('.type-mark').count()).toBe(3);
    await page.getByRole('combobox', { name: 'Season begins in' }).selectOption('May');
    await title(page, 'Season 2031/32').waitFor();
    await expect.poll(() => months.first().getAttribute('aria-label')).toBe('May 2031');
    await page.getByRole('combobox', { name: 'Season begins in' }).selectOption('July');
    await full.focus();
    await page.keyboard.press('PageDown');
    await expect.poll(() => focusedDay(page)).toBe('2031-06-14');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => focusedDay(page)).toBe('2031-06-07');
    await page.keyboard.press('PageDown');
    await title(page, 'Season 2031/32').waitFor();
    await expect.poll(() => focusedDay(page)).toBe('2031-07-07');
    await page.keyboard.press('Enter');
    await title(page, 'July 2031').waitFor();
    await expect.poll(() => focusedDay(page)).toBe('2031-07-07');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focusedDay(page)).toBe('2031-07-08');
  });

  it('gives room to an open event, at its side or at its foot', { tags: 'long' }, async () => {
    const page = await showCalendar(shared, 'day=2031-05-14');
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      if (box === null) throw new Error(`${selector} is not shown.`);
      return { ...box, right: box.x + box.width, bottom: box.y + box.height };
    };
    await page.setViewportSize({ width: 1280, height: 800 });
    await item(page, '2031-05-22', /Off/).click();
    await page.locator('.panel').waitFor();
    const side = await boxOf('.side');
    for (const part of ['.calendar-toolbar', '.calendar-days', '.calendar-spans']) {
      expect((await boxOf(part)).right).toBeLessThanOrEqual(side.x);
    }
    const head = await boxOf('.page-head');
    expect((await boxOf('.panel')).y).toBe(head.bottom);

    await page.setViewportSize({ width: 900, height: 700 });
    await expect.poll(async () => (await boxOf('.side')).width).toBe(900);
    const foot = await boxOf('.side');
    expect(foot.bottom).toBe(700);
    expect(foot.height).toBeLessThanOrEqual(0.42 * 700 + 1);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole('button', { name: 'Next event' }).click();
    await page
      .locator('.panel')
      .getByRole('heading', { name: /^A very long name/ })
      .waitFor();
    await title(page, 'June 2031').waitFor();
    const week = await boxOf('[data-date="2031-06-10"]');
    expect(week.bottom).toBeLessThanOrEqual(foot.y + 1);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(async () => (await boxOf('.side')).height).toBe(844);
  });

  it('has one Today, no filter of the time, and its filters in the toolbar', {
    tags: 'long',
  }, async () => {
    const page = await showCalendar(shared, 'day=2031-05-14&time=today');
    await expect.poll(() => page.getByRole('button', { name: 'Today' }).count()).toBe(1);
    await expect
      .poll(() => page.getByRole('button', { name: /^Next month|This weekend/ }).count())
      .toBe(1);
    await item(page, '2031-05-22', /Off/).waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByRole('radio').count()).toBe(0);
    await dialog.getByRole('checkbox', { name: 'Draft' }).check();
    await page.keyboard.press('Escape');
    await page.getByText('No matching events').waitFor();
    await page.getByRole('button', { name: 'Remove filter Draft' }).click();
    await item(page, '2031-05-22', /Off/).waitFor();
  });

  it('moves with arrow keys between days and months, and Enter opens the day', {
    tags: 'long',
  }, async () => {
    const page = await showCalendar(shared, 'day=2031-05-30');
    await day(page, '2031-05-30').getByRole('button').focus();
    await page.keyboard.press('ArrowDown');
    await title(page, 'June 2031').waitFor();
    await expect.poll(() => focusedDay(page)).toBe('2031-06-06');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => focusedDay(page)).toBe('2031-06-05');
    await expect.poll(() => page.locator('[data-date] button[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Thursday,? 5 June 2031$/ });
    await dialog.getByText('No events on this day.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focusedDay(page)).toBe('2031-06-05');
  });

  it('passes axe in both themes, wide and narrow', { tags: 'long' }, async () => {
    const page = await showCalendar(shared, 'day=2031-05-14&event=302');
    for (const span of choose(['month', 'week', 'year'], ['month'])) {
      await page.evaluate((to) => {
        location.hash = `#view=calendar&day=2031-05-14&event=302&span=${to}`;
      }, span);
      await step(page, `Next ${span === 'year' ? 'season' : span}`).waitFor();
      await expectForEverybody(page, span);
      await expectFourTextSizes(page, span);
    }
  });
});

describe('the calendar in the desktop window', () => {
  it('begins a new event on a day by double click, from the dialog, and by keyboard', {
    tags: 'long',
  }, async () => {
    const page = await showMay(desktop);
    await day(page, '2031-05-08').dblclick({ position: { x: 60, y: 60 } });
    await page.waitForFunction(() => location.hash.endsWith('&form=new&on=2031-05-08'));
    await showMay(desktop);
    await day(page, '2031-05-21').getByRole('button').first().focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focusedDay(page)).toBe('2031-05-22');
    await page.keyboard.press('n');
    await page.waitForFunction(() => location.hash.endsWith('&form=new&on=2031-05-22'));
    await showMay(desktop);
    await day(page, '2031-05-20').getByRole('button').first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'New event on this day' }).click();
    await page.waitForFunction(() => location.hash.endsWith('&form=new&on=2031-05-20'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('moves an event by dragging, and shows where it will land', async () => {
    const page = await showMay(desktop);
    await day(page, '2031-05-29').scrollIntoViewIfNeeded();
    await item(page, '2031-05-22', /Off/).hover();
    await page.mouse.down();
    // The first step enters the day, the second is over it.
    await day(page, '2031-05-29').hover({ position: { x: 60, y: 60 } });
    await day(page, '2031-05-29').hover({ position: { x: 70, y: 60 } });
    await day(page, '2031-05-29').locator('.calendar-landing', { hasText: 'Off' }).waitFor();
    await page.mouse.up();
    // The first change starts the worker of the actions.
    await item(page, '2031-05-29', /^12:00 Cancelled Off/).waitFor();
    await item(page, '2031-05-22', /Off/).waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.calendar-landing').count()).toBe(0);
    await item(page, '2031-05-29', /Off/).dragTo(day(page, '2031-05-22'));
    await item(page, '2031-05-22', /Off/).waitFor();
  });
});

it('offers no change of events in a browser', { tags: 'long' }, async () => {
  const page = await showCalendar(shared, 'day=2031-05-21');
  await expect.poll(() => page.locator('[draggable="true"]').count()).toBe(0);
  await day(page, '2031-05-08').dblclick({ position: { x: 60, y: 60 } });
  await day(page, '2031-05-21')
    .getByRole('button', { name: /Night run/ })
    .focus();
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('n');
  expect(await fragmentOf(page)).toBe('#view=calendar&day=2031-05-21');
});
