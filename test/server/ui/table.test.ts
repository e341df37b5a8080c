import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../server/http/contract.ts';
import { sortEvents } from '../../../server/ui/views/table/sort.ts';
import { fragmentOf, openPage, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { openDesktopPage } from '../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { fc } from '../../support/random.ts';
import { shareClub } from '../../support/shared-club.ts';
import { tallyOf } from '../../support/tally.ts';
import { expectAccessibleInAnyLight, expectForEverybody, expectFourTextSizes } from './axe.ts';

const browser = testBrowser();

const club = [
  makeEvent(9, { name: 'Zumba', date: daysFromNow(1), location: 'Ulm', status: 'cancelled' }),
  makeEvent(12, { name: 'Ärger', date: daysFromNow(2), location: 'Aachen', eventType: 'national' }),
  makeEvent(3, { name: 'apple day', date: daysFromNow(3), location: '', status: 'draft' }),
  makeEvent(100, { name: 'Round 10', date: daysFromNow(4), location: 'Zürich', eventType: null }),
  makeEvent(20, { name: 'Round 9', date: daysFromNow(5), location: 'Ulm' }),
  makeEvent(21, { name: 'Round 9', date: daysFromNow(-5), location: 'Ulm', status: 'completed' }),
];

const shared = shareClub(browser, club);

async function showTable(more = '') {
  const page = await shared.show(`#view=table${more}`);
  await page.locator('.table-row').first().waitFor();
  return page;
}

/** Returns the ids of the rows in visual order. */
function idsOf(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.table-row')]
      .toSorted((one, other) => Number(one.ariaRowIndex) - Number(other.ariaRowIndex))
      .map((row) => Number(row.dataset['event'])),
  );
}

const heading = (page: Page, name: string) => page.getByRole('columnheader', { name });

async function sortBy(page: Page, name: string): Promise<void> {
  await heading(page, name).getByRole('button').click();
}

const focusedId = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLElement).dataset['event']);

describe('sortEvents', () => {
  const { compare } = new Intl.Collator('de', { numeric: true });
  const namesOf = (names: readonly string[], sort: 'name' | 'location', order: 'asc' | 'desc') =>
    sortEvents(
      names.map((name, id): Event => ({ ...(makeEvent(id) as Event), name, location: name })),
      { sort, order },
      { compare },
      (key) => key,
    ).map(({ id }) => id);

  it('keeps equal texts in their order in both directions', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 2 })), (names) => {
        const ids = [...names.keys()];
        const nameOf = (id: number) => names[id] ?? '';
        expect(namesOf(names, 'name', 'asc')).toEqual(
          ids.toSorted((one, other) => compare(nameOf(one), nameOf(other))),
        );
        expect(namesOf(names, 'location', 'desc')).toEqual(
          ids.toSorted((one, other) => compare(nameOf(other), nameOf(one))),
        );
      }),
    );
  });
});

describe('the table', () => {
  it('sorts by each column in both directions, equal values by date', {
    tags: 'long',
  }, async () => {
    const page = await showTable('&hide=');
    const orders: readonly [string, number[]][] = [
      ['Name', [3, 12, 21, 20, 100, 9]],
      ['Place', [3, 12, 21, 9, 20, 100]],
      ['Status', [9, 21, 3, 12, 100, 20]],
      ['Type', [21, 9, 3, 20, 12, 100]],
      ['ID', [3, 9, 12, 20, 21, 100]],
      ['Date', [21, 9, 12, 3, 100, 20]],
    ];
    for (const [name, order] of orders) {
      await sortBy(page, name);
      await expect.poll(() => idsOf(page), { message: name }).toEqual(order);
      await expect.poll(() => heading(page, name).getAttribute('aria-sort')).toBe('ascending');
    }
    await sortBy(page, 'Date');
    await expect.poll(() => idsOf(page)).toEqual([20, 100, 3, 12, 9, 21]);
    await expect.poll(() => heading(page, 'Date').getAttribute('aria-sort')).toBe('descending');
    await page.goBack();
    await expect.poll(() => idsOf(page)).toEqual([21, 9, 12, 3, 100, 20]);
  });

  it('sorts equal values by date in descending order too', { tags: 'long' }, async () => {
    const page = await showTable('&sort=name&order=desc');
    await expect.poll(() => idsOf(page)).toEqual([9, 100, 21, 20, 12, 3]);
  });

  it('stores the chosen columns in the address and always shows the name', {
    tags: 'long',
  }, async () => {
    const page = await showTable('&hide=name,date');
    await heading(page, 'Name').waitFor();
    await expect.poll(() => heading(page, 'Date').count()).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Date' }).click();
    await heading(page, 'Date').waitFor();
    await expect.poll(() => page.getByRole('menuitemcheckbox', { name: 'Name' }).count()).toBe(0);
    await page.getByRole('menuitemcheckbox', { name: 'Place' }).click();
    expect(await fragmentOf(page)).toMatch(/hide=name,location$/);
  });

  it('has one tab stop, with keys to move and to open an event', async () => {
    const page = await showTable();
    await page.getByRole('button', { name: 'Columns' }).focus();
    for (const name of ['Date', 'Name', 'Place', 'Status', 'Type']) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
    }
    await page.keyboard.press('Tab');
    const first = await focusedId(page);
    expect(first).not.toBe(undefined);
    const order = (await idsOf(page)).map(String);
    await page.keyboard.press('Home');
    await expect.poll(() => focusedId(page)).toBe(order[0]);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focusedId(page)).toBe(order[1]);
    await page.keyboard.press('End');
    await expect.poll(() => focusedId(page)).toBe(order.at(-1));
    await page.keyboard.press('Home');
    await expect.poll(() => focusedId(page)).toBe(order[0]);
    await page.keyboard.press('Enter');
    await page.waitForFunction((id) => location.hash.endsWith(`event=${id}`), order[0]);
    await page.locator(`.table-row[data-event="${order[0]}"][aria-current="true"]`).waitFor();
  });

  it('keeps the focus on its row while scrolled or sorted', { tags: 'long' }, async () => {
    const many = Array.from({ length: 400 }, (_, index) =>
      makeEvent(index + 1, { name: `Event ${400 - index}`, date: daysFromNow(index) }),
    );
    const { service, key } = await serveClub(many);
    const page = await openPage(browser.current, service, { key, fragment: '#view=table' });
    await tallyOf(page, '400 events').waitFor();
    await page.locator('.table-row[data-event="1"]').focus();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.locator('.table-row[data-event="400"]').waitFor();
    expect(await focusedId(page)).toBe('1');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focusedId(page)).toBe('2');
    await expect.poll(() => page.locator('.table-grid').getAttribute('aria-rowcount')).toBe('401');
    await expect.poll(() => page.locator(':focus').getAttribute('aria-rowindex')).toBe('3');
  });

  it('marks search hits and cancelled events', { tags: 'long' }, async () => {
    const page = await showTable();
    await page.getByRole('searchbox').fill('zumba');
    await page.locator('.table-name mark', { hasText: 'Zumba' }).waitFor();
    await page.getByRole('row', { name: /Zumba.*Cancelled/ }).waitFor();
  });

  it('names types, and a status only where it is unusual; past events are paler', {
    tags: 'long',
  }, async () => {
    const page = await showTable();
    const row = (id: number) => page.locator(`.table-row[data-event="${id}"]`);
    await row(12).locator('.type-national', { hasText: 'National' }).waitFor();
    await expect.poll(() => row(100).locator('.table-type').innerText()).toBe('');
    await expect.poll(() => row(3).locator('.table-status').innerText()).toBe('Draft');
    await expect.poll(() => row(21).locator('.table-status').innerText()).toBe('');
    const colourOf = (id: number) =>
      row(id)
        .locator('strong')
        .evaluate((name) => getComputedStyle(name).color);
    expect(await colourOf(21)).not.toBe(await colourOf(20));
  });

  it('keeps its headings in place while the page scrolls', async () => {
    const page = await showTable();
    const places = async () => {
      const [bars, head] = await Promise.all(
        ['.table-bar', '.table-head'].map((part) => page.locator(part).boundingBox()),
      );
      const isScrolled = await page.evaluate(() => window.scrollY > 0);
      const isBelow = head?.y === (bars?.y ?? 0) + (bars?.height ?? 0);
      return { isScrolled, isShown: (bars?.y ?? -1) >= 0, isBelow };
    };
    // On a phone, the headings are one row that scrolls sideways.
    for (const width of [390, 900]) {
      await page.setViewportSize({ width, height: 500 });
      const layout = width < 500 ? '.table[data-narrow]' : '.table:not([data-narrow])';
      await page.locator(layout).waitFor();
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await expect.poll(places).toEqual({ isScrolled: true, isShown: true, isBelow: true });
    }
    expect(
      await page
        .locator('[role="grid"] *')
        .evaluateAll(
          (all) => all.filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY)).length,
        ),
    ).toBe(0);
  });

  it('has no selection in a browser', async () => {
    const page = await showTable();
    await expect.poll(() => page.locator('.table input[type="checkbox"]').count()).toBe(0);
    await page.locator('.table-row').first().focus();
    await page.keyboard.press('Control+A');
    await expect.poll(() => page.locator('[aria-selected]').count()).toBe(0);
  });

  it('passes axe in both themes, wide and narrow', { tags: 'long' }, async () => {
    const page = await showTable();
    await page.locator('.table-row').first().click();
    await expectForEverybody(page, 'table');
    await expectFourTextSizes(page, 'table');
    // The panel lies over the end of the table.
    await page.goBack();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menu').waitFor();
    await expectAccessibleInAnyLight(page, 'menu');
  });
});

describe('the table in the desktop window', () => {
  const events = Array.from({ length: 60 }, (_, index) =>
    makeEvent(index + 1, {
      name: `Race ${index + 1}`,
      date: `2031-05-01T${String(10 + Math.floor(index / 6)).padStart(2, '0')}:00:00.000Z`,
      eventType: index < 5 ? 'national' : 'club',
    }),
  );

  /** Opens the window of a club of its own, as the tests change it, and its table by mouse. */
  async function openTable(): Promise<Page> {
    const home = makeTestHome();
    await addMember(home, 'Runners', events);
    const { page } = await openDesktopPage(browser.current, home);
    await page.locator('.page-views').getByText('Table', { exact: true }).click();
    await page.locator('.table-row').first().waitFor();
    return page;
  }

  const row = (page: Page, id: number) => page.locator(`.table-row[data-event="${id}"]`);
  const box = (page: Page, id: number) => row(page, id).getByRole('checkbox');
  const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected events' });
  const action = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });
  const selected = (page: Page, text: string) => bar(page).getByText(text);

  /** Returns the entries of the history, which the screen of that name lists. */
  async function historyOf(page: Page): Promise<number> {
    await page.evaluate(() => location.assign('#manage=history'));
    const entries = page.locator('.history-entry, .history li');
    await entries.first().waitFor();
    return entries.count();
  }

  it('selects rows by mouse, keeps them while sorting, and names those that are hidden', {
    tags: 'long',
  }, async () => {
    const page = await openTable();
    await box(page, 2).click();
    await box(page, 6).click({ modifiers: ['Shift'] });
    await selected(page, '5 selected').waitFor();
    await row(page, 9).click({ modifiers: ['Shift'] });
    await selected(page, '8 selected').waitFor();
    await box(page, 9).click();
    await selected(page, '7 selected').waitFor();
    await sortBy(page, 'Name');
    await row(page, 1).waitFor();
    await selected(page, '7 selected').waitFor();
    await page.evaluate(() => location.assign(`${location.hash}&type=national`));
    await selected(page, '3 of them are hidden by the filter').waitFor();
    await action(page, 'Deselect these').click();
    await selected(page, '4 selected').waitFor();
    await action(page, 'Select all 5').click();
    await selected(page, '5 selected').waitFor();
    await expect.poll(() => bar(page).getByText('hidden').count()).toBe(0);
    await action(page, 'Select none').click();
    await expect.poll(() => page.locator('[aria-selected="true"]').count()).toBe(0);
    await expect.poll(() => focusedId(page)).not.toBe(undefined);
    // A click elsewhere in a row opens its event.
    await row(page, 4).getByText('Race 4').click();
    await page.locator('.panel').getByRole('heading', { name: 'Race 4' }).waitFor();
  });

  it('moves events by days after it showed the result, by keyboard alone', {
    tags: 'long',
  }, async () => {
    const page = await openTable();
    await row(page, 1).focus();
    await page.keyboard.press('Space');
    await selected(page, '1 selected').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focusedId(page)).toBe('3');
    await page.keyboard.press('Shift+Space');
    await selected(page, '3 selected').waitFor();
    await action(page, 'Move').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Move' });
    await dialog.locator('input:focus').waitFor();
    await page.keyboard.insertText('9 days later');
    await dialog.getByText(/^3 events move, the first from Thu 1 May to Sat 10 May\.$/).waitFor();
    await row(page, 3).getByText('10 May').waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await row(page, 3).getByText('10 May 2031').waitFor();
    await row(page, 4)
      .getByText(/\b1 May 2031/)
      .waitFor();
    await selected(page, '3 selected').waitFor();
  });

  it('cancels, sets the place, the type and the status, and deletes in one step each', {
    tags: 'long',
  }, async () => {
    const page = await openTable();
    await box(page, 1).click();
    await box(page, 3).click({ modifiers: ['Shift'] });
    await action(page, 'Cancel').click();
    const reason = page.getByRole('dialog', { name: 'Cancel events' });
    await reason.getByLabel('Reason').fill('Storm');
    await reason.getByRole('button', { name: 'Cancel 3 events' }).click();
    await row(page, 3).getByText('Cancelled').waitFor();
    await action(page, 'Set time').click();
    const time = page.getByRole('dialog', { name: 'Set time' });
    await time.getByLabel('From').fill('half past');
    await time.getByText('Enter a time such as 19:30').waitFor();
    await time.getByLabel('From').fill('08:30');
    await time.getByLabel('To').fill('08:00');
    await time.getByText('The end is before the start.').waitFor();
    await time.getByLabel('To').fill('10:00');
    await expectAccessibleInAnyLight(page, 'the time of many events');
    await time.getByRole('button', { name: 'Set 3 times' }).press('Enter');
    await row(page, 3).getByText('08:30').waitFor();
    await expect.poll(() => row(page, 4).getByText('Cancelled').count()).toBe(0);
    await action(page, 'Place').click();
    const dialog = page.getByRole('dialog', { name: 'Place' });
    await dialog.getByLabel('Place').fill('Old harbour');
    await dialog.getByRole('button', { name: 'Change 3 events' }).click();
    await row(page, 2).getByText('Old harbour').waitFor();
    await action(page, 'Type and status').click();
    await page.getByRole('menuitem', { name: 'International' }).click();
    await row(page, 2).getByText('International').waitFor();
    await action(page, 'Type and status').click();
    await page.getByRole('menuitem', { name: 'Draft' }).click();
    await row(page, 1).getByText('Draft').waitFor();
    await action(page, 'Delete').click();
    await row(page, 1).waitFor({ state: 'detached' });
    await expect.poll(() => focusedId(page)).toBe('4');
    await expect.poll(() => page.locator('.table-grid').getAttribute('aria-rowcount')).toBe('58');
    // Six changes, and the import.
    expect(await historyOf(page)).toBe(7);
  });

  it('selects everything with Ctrl and A or its checkbox, and passes axe', {
    tags: 'long',
  }, async () => {
    const page = await openTable();
    await row(page, 1).focus();
    await page.keyboard.press('Control+A');
    await selected(page, '60 selected').waitFor();
    const all = page.getByRole('checkbox', { name: 'Select all 60' });
    await expect.poll(() => all.isChecked()).toBe(true);
    await expectForEverybody(page, 'selection');
    await all.click();
    await expect.poll(() => page.locator('[aria-selected="true"]').count()).toBe(0);
  });
});
