import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { home } from '../../../server/ui/base/address.ts';
import { adjacentEvent } from '../../../server/ui/shell/keyboard.ts';
import { fragmentOf, openPage, pressItem, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { shareClub } from '../../support/shared-club.ts';
import { tallyOf } from '../../support/tally.ts';
import { expectForEverybody } from './axe.ts';

const clock = zoneNamed(new Intl.DateTimeFormat().resolvedOptions().timeZone);

const browser = testBrowser();

const past = Array.from({ length: 40 }, (_, at) =>
  makeEvent(100 + at, { date: daysFromNow(at - 60) }),
);
const coming = Array.from({ length: 40 }, (_, at) =>
  makeEvent(200 + at, { date: daysFromNow(at + 1) }),
);
const club = [...past, ...coming];

const shared = shareClub(browser, club);

const isOnScreen = (page: Page, id: number) =>
  page.locator(`[data-event="${id}"]`).evaluate((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    // Below the head, the filters and the heading of the month.
    return top >= 60 + 54 + 38 && bottom <= window.innerHeight;
  });
const help = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

describe('a single-key shortcut', () => {
  it('switches to a view', async () => {
    const page = await shared.show();
    for (const [key, view] of [
      ['2', 'calendar'],
      ['3', 'table'],
      ['1', 'agenda'],
    ] as const) {
      await page.keyboard.press(key);
      await page
        .getByRole('radio', { name: new RegExp(view, 'i'), checked: true })
        .waitFor({ state: 'attached' });
      expect(await fragmentOf(page)).toBe(view === 'agenda' ? '' : `#view=${view}`);
    }
    await page.goBack();
    expect(await fragmentOf(page)).toBe('#view=table');
  });

  it('focuses the search, where it types a letter', { tags: 'long' }, async () => {
    const page = await shared.show();
    await page.keyboard.press('/');
    await page.keyboard.insertText('event 2/t?1');
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('event 2/t?1');
    // The search words are written to the address after a debounce.
    await expect.poll(() => fragmentOf(page)).toBe('#q=event+2/t?1');
    await expect.poll(() => help(page).count()).toBe(0);
  });

  it('steps through the events and scrolls to their rows', { tags: 'long' }, async () => {
    const page = await shared.show();
    // A row that is not drawn yet would be shown by its day.
    const stepTo = async (id: number) => {
      await page.locator(`[data-event="${id}"]`).waitFor({ state: 'attached' });
      await page.keyboard.press('j');
    };
    await stepTo(200);
    expect(await fragmentOf(page)).toBe('#event=200');
    for (let id = 201; id <= 225; id += 1) await stepTo(id);
    expect(await fragmentOf(page)).toBe('#event=225');
    expect(await isOnScreen(page, 225)).toBe(true);
    await page.keyboard.press('k');
    expect(await fragmentOf(page)).toBe('#event=224');
    await page.goBack();
    expect(await fragmentOf(page)).toBe('#event=225');
  });

  it('scrolls to today even if the address already says so', async () => {
    const page = await shared.show();
    await page.evaluate(() => window.scrollTo({ top: 0 }));
    await page.locator('[data-event="100"]').waitFor();
    await page.keyboard.press('t');
    await page.locator('[data-event="200"]').waitFor();
    expect(await isOnScreen(page, 200)).toBe(true);
  });

  it('clears the filters, and opens the print preview', async () => {
    const page = await shared.show('#status=active&time=coming');
    await tallyOf(page, '40 events').waitFor();
    await page.keyboard.press('c');
    await tallyOf(page, '80 events').waitFor();
    await page.keyboard.press('p');
    expect(await fragmentOf(page)).toBe('#print=list');
  });

  it('is ignored with a modifier, in a field and under a dialog', { tags: 'long' }, async () => {
    const page = await shared.show();
    for (const key of ['Control+2', 'Alt+2', 'Meta+2', 'Shift+T', 'h'])
      await page.keyboard.press(key);
    expect(await fragmentOf(page)).toBe('');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await help(page).waitFor();
    await page.keyboard.press('2');
    expect(await fragmentOf(page)).toBe('');
  });

  it('can be turned off permanently', { tags: 'long' }, async () => {
    const { service, key } = await serveClub(club);
    const page = await openPage(browser.current, service, { key });
    await tallyOf(page, '80 events').waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('menu').getByText('x', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Settings…' }).click();
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await tallyOf(page, '80 events').waitFor();
    for (const key of ['2', 'j', '?', '/', 'x', 'p']) await page.keyboard.press(key);
    expect(await fragmentOf(page)).toBe('');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('search');
    // The menu names no keys that do nothing.
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).waitFor();
    await expect.poll(() => page.getByRole('menu').locator('kbd').count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await help(page).getByText('You can switch them on in Settings.').waitFor();
  });
});

describe('the menu “More”', () => {
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

  it('has only what applies in a browser, with rows high enough for a finger', {
    tags: 'long',
  }, async () => {
    const page = await shared.show();
    const button = page.getByRole('button', { name: 'More', exact: true });
    await button.click();
    const items = page.getByRole('menuitem');
    await expect
      .poll(() => items.allInnerTexts())
      .toEqual(['Settings…', 'Sign out', 'Keyboard shortcuts\n?', 'Help']);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await button.click();
    await items.filter({ hasText: 'Save a file…' }).waitFor();
    for (const item of await items.all()) expect((await item.boundingBox())?.height).toBe(44);
    await expect
      .poll(() => page.getByRole('menu').getByText('x', { exact: true }).isVisible())
      .toBe(false);
  });

  it('is used with arrows, Home, End and first letters, and Escape returns to its button', {
    tags: 'long',
  }, async () => {
    const page = await shared.show();
    const button = page.getByRole('button', { name: 'More', exact: true });
    await button.press('Enter');
    await expect.poll(() => focused(page)).toContain('Settings');
    for (const [key, name] of [
      ['ArrowDown', 'Sign out'],
      ['End', 'Help'],
      ['Home', 'Settings'],
      ['k', 'Keyboard shortcuts'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => focused(page)).toContain(name);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it.each([
    ['Save a file…', 'Share', 'x'],
    ['Settings…', 'More', ''],
  ])('opens %s as a dialog, which returns the focus', { tags: 'long' }, async (name, menu, key) => {
    const page = await shared.show();
    const button = page.getByRole('button', { name: menu, exact: true });
    await button.press('Enter');
    await page.getByRole('menuitem', { name }).press('Enter');
    const dialog = page.getByRole('dialog', { name: name.slice(0, -1) });
    await dialog.waitFor();
    await expectForEverybody(page, `dialog ${name}`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => button.evaluate((element) => element === document.activeElement))
      .toBe(true);
    if (key === '') return;
    await page.keyboard.press(key);
    await dialog.waitFor();
  });
});

describe('the list of shortcuts', () => {
  it('opens from the menu and returns the focus', { tags: 'long' }, async () => {
    const page = await shared.show();
    const menu = page.getByRole('button', { name: 'More', exact: true });
    await menu.focus();
    await page.keyboard.press('Enter');
    await pressItem(page, 'Keyboard shortcuts');
    await help(page).waitFor();
    await page.keyboard.press('Escape');
    await help(page).waitFor({ state: 'detached' });
    await expect
      .poll(() => menu.evaluate((button) => button === document.activeElement))
      .toBe(true);

    await page.locator('[data-event="200"]').focus();
    await page.keyboard.press('?');
    await help(page).waitFor();
    await page.getByRole('button', { name: 'Close the shortcuts' }).click();
    await help(page).waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-event')))
      .toBe('200');
  });

  it('passes axe in both themes, wide and narrow', { tags: 'long' }, async () => {
    const page = await shared.show();
    await page.keyboard.press('?');
    await help(page).waitFor();
    await help(page).getByText('Move between days').waitFor();
    // A browser cannot edit.
    await expect
      .poll(() =>
        help(page)
          .getByText(/Move the event|Select all/)
          .count(),
      )
      .toBe(0);
    await expectForEverybody(page, 'list of keys');
  });
});

describe('adjacentEvent', () => {
  const date = '2026-05-01T18:00:00.000Z';
  const events = [1, 2, 3, 4].map(
    (id) => ({ ...makeEvent(id), id, date: id < 4 ? date : '2026-05-02T18:00:00.000Z' }) as never,
  );
  const beside = (event: number | null, way: 'before' | 'after', visibleEvents = events) => {
    const byId = new Map(events.map((one) => [(one as { id: number }).id, one]));
    const all = { events, byId, total: 4, pastRead: true, comingRead: true, asOf: null };
    const visible = { events: visibleEvents, all, today: '2026-05-02', clock };
    return adjacentEvent({ visible, route: { ...home, event } }, way)?.id;
  };

  it('orders events by date, then id', () => {
    expect([beside(2, 'before'), beside(2, 'after'), beside(3, 'after')]).toEqual([1, 3, 4]);
    expect([beside(1, 'before'), beside(4, 'after')]).toEqual([undefined, undefined]);
  });

  it('starts at now without a chosen event, and at the position of a hidden one', () => {
    expect([beside(null, 'before'), beside(null, 'after')]).toEqual([3, 4]);
    const others = events.filter((_, at) => at !== 1);
    expect([beside(2, 'before', others), beside(2, 'after', others)]).toEqual([1, 3]);
  });
});
