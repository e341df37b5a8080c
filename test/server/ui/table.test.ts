import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../server/contract.ts';
import { sortEvents } from '../../../server/ui/views/table/sort.ts';
import { fragmentOf, openPage, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { shareClub } from '../../support/shared-club.ts';
import { expectAccessibleInAnyLight, expectForEverybody } from './axe.ts';

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
  it('sorts by each column in both directions, equal values by date', async () => {
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
      expect(await heading(page, name).getAttribute('aria-sort')).toBe('ascending');
    }
    await sortBy(page, 'Date');
    await expect.poll(() => idsOf(page)).toEqual([20, 100, 3, 12, 9, 21]);
    expect(await heading(page, 'Date').getAttribute('aria-sort')).toBe('descending');
    await page.goBack();
    await expect.poll(() => idsOf(page)).toEqual([21, 9, 12, 3, 100, 20]);
  });

  it('sorts equal values by date in descending order too', async () => {
    const page = await showTable('&sort=name&order=desc');
    await expect.poll(() => idsOf(page)).toEqual([9, 100, 21, 20, 12, 3]);
  });

  it('stores the chosen columns in the address and always shows the name', async () => {
    const page = await showTable('&hide=name,date');
    await heading(page, 'Name').waitFor();
    expect(await heading(page, 'Date').count()).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Date' }).click();
    await heading(page, 'Date').waitFor();
    expect(await page.getByRole('menuitemcheckbox', { name: 'Name' }).count()).toBe(0);
    await page.getByRole('menuitemcheckbox', { name: 'Place' }).click();
    expect(await fragmentOf(page)).toMatch(/hide=name,location$/);
  });

  it('has one tab stop, with keys to move and to open an event', async () => {
    const page = await showTable();
    await heading(page, 'Type').getByRole('button').focus();
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

  it('keeps the focus on its row while scrolled or sorted', async () => {
    const many = Array.from({ length: 400 }, (_, index) =>
      makeEvent(index + 1, { name: `Event ${400 - index}`, date: daysFromNow(index) }),
    );
    const { service, key } = await serveClub(many);
    const page = await openPage(browser.current, service, { key, fragment: '#view=table' });
    await page.getByText('400 events').waitFor();
    await page.locator('.table-row[data-event="1"]').focus();
    await page.locator('.table-scroller').evaluate((rows) => {
      rows.scrollTop = rows.scrollHeight;
    });
    await page.locator('.table-row[data-event="400"]').waitFor();
    expect(await focusedId(page)).toBe('1');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focusedId(page)).toBe('2');
    expect(await page.locator('.table-grid').getAttribute('aria-rowcount')).toBe('401');
    expect(await page.locator(':focus').getAttribute('aria-rowindex')).toBe('3');
  });

  it('marks search hits and cancelled events', async () => {
    const page = await showTable();
    await page.getByRole('searchbox').fill('zumba');
    await page.locator('.table-name mark', { hasText: 'Zumba' }).waitFor();
    await page.getByRole('row', { name: /Zumba.*Cancelled/ }).waitFor();
  });

  it('passes axe in both themes, wide and narrow', async () => {
    const page = await showTable();
    await page.locator('.table-row').first().click();
    await expectForEverybody(page, 'table');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menu').waitFor();
    await expectAccessibleInAnyLight(page, 'menu');
  });
});
