import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../support/browser.ts';
import { expectPartForEverybody } from './axe.ts';
import {
  changeClub,
  filterChip,
  markOf,
  markSeen,
  openChanged,
  openFirstVisit,
  row,
  title,
  waitForSnapshot,
} from './changes-page.ts';

const browser = testBrowser();

/** Returns the accounts with a stored visit. */
function accountsOf(page: Page): Promise<IDBValidKey[]> {
  return page.evaluate(async () => {
    const request = indexedDB.open('club-events-last-look');
    const database = await new Promise<IDBDatabase>((resolve) => {
      request.onsuccess = () => resolve(request.result);
    });
    const keys = database.transaction('looks').objectStore('looks').getAllKeys();
    return new Promise<IDBValidKey[]>((resolve) => {
      keys.onsuccess = () => resolve(keys.result);
    });
  });
}

describe('changes since the last visit', () => {
  it('are empty on the first visit, then mark new, moved and cancelled events, also after a reload', {
    tags: 'long',
  }, async () => {
    const { served, page } = await openFirstVisit(browser.current);
    for (const reload of [false, true]) {
      if (reload) await page.reload();
      await row(page, 3).waitFor();
      await waitForSnapshot(page, 3);
      await expect.poll(() => page.locator('.mark-change').count()).toBe(0);
      await expect.poll(() => title(page).innerText()).toBe('');
    }
    await changeClub(served, page);
    for (const reload of [false, true]) {
      if (reload) await page.reload();
      await title(page)
        .getByText(/^3 changes since \d\d:\d\d$/)
        .waitFor();
      await expect.poll(() => markOf(page, 1).textContent()).toBe('Moved');
      await expect.poll(() => markOf(page, 2).textContent()).toBe('Cancelled');
      await expect.poll(() => markOf(page, 4).textContent()).toBe('New');
      await expect.poll(() => markOf(page, 3).count()).toBe(0);
    }
    await filterChip(page).click();
    await page.getByRole('checkbox', { name: /^3 changes since/ }).waitFor();
    await expectPartForEverybody(page, 'the filter', '.filter-choices');
    // Visits are stored by account.
    expect(await accountsOf(page)).toEqual([expect.stringMatching(/^[0-9a-f]{24}$/)]);
  });

  it('are seen after a moment in the panel or when marked as seen by keyboard', {
    tags: 'long',
  }, async () => {
    const { page } = await openChanged(browser.current);
    await row(page, 1).click();
    await expect.poll(() => markOf(page, 1).count()).toBe(1);
    await markOf(page, 1).waitFor({ state: 'detached' });
    await title(page).getByText('2 changes').waitFor({ state: 'attached' });
    // Closed before the reload, which would mark the event in the panel as seen.
    await page.keyboard.press('Escape');
    await page.reload();
    await title(page).getByText('2 changes').waitFor();
    await expect.poll(() => page.locator('.panel').count()).toBe(0);
    await expect.poll(() => markOf(page, 1).count()).toBe(0);
    await markSeen(page);
    await expect.poll(() => title(page).innerText()).toBe('');
    await waitForSnapshot(page, 4);
    await page.reload();
    await row(page, 3).waitFor();
    await waitForSnapshot(page, 4);
    await expect.poll(() => page.locator('.mark-change').count()).toBe(0);
  });
});
