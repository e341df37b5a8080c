import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fragmentOf, openPage, openTab, testBrowser } from '../../support/browser.ts';
import { changeEvents, daysFromNow, type ServedClub, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { expectAccessible } from './axe.ts';

const browser = testBrowser();

const party = makeEvent(1, { name: 'Summer party', date: daysFromNow(3) });
const concert = makeEvent(2, { name: 'Spring concert', date: daysFromNow(8) });
const meeting = makeEvent(3, { name: 'Committee meeting', date: daysFromNow(12) });
const club = [party, concert, meeting];

const moved = { ...party, date: daysFromNow(5) };
const cancelled = { ...concert, status: 'cancelled' } as const;
const added = makeEvent(4, { name: 'Night hike', date: daysFromNow(20), location: 'Forest' });

/** Opens the page of an account for the first time. */
async function openFirstVisit(
  options: Parameters<typeof openPage>[2] = {},
): Promise<{ served: ServedClub; page: Page }> {
  const served = await serveClub(club);
  const { service, key } = served;
  const page = await openPage(browser.current, service, { key, ...options });
  await row(page, 3).waitFor();
  return { served, page };
}

const row = (page: Page, id: number) => page.locator(`[data-event="${id}"]`);
const markOf = (page: Page, id: number) => row(page, id).locator('.mark-change');
const notice = (page: Page) => page.getByText('Since you last looked');

/** Waits until a snapshot of `count` events is stored. */
async function waitForSnapshot(page: Page, count: number): Promise<void> {
  await page.waitForFunction(async (expected) => {
    const isThere = (await indexedDB.databases()).some(
      ({ name }) => name === 'club-events-last-look',
    );
    if (!isThere) return false;
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('club-events-last-look');
      request.onsuccess = () => resolve(request.result);
    });
    const all = await new Promise<{ events: Map<number, unknown> }[]>((resolve) => {
      const request = database.transaction('snapshots').objectStore('snapshots').getAll();
      request.onsuccess = () => resolve(request.result);
    });
    database.close();
    return all[0]?.events.size === expected;
  }, count);
}

/** Makes the page poll at once, as when its user returns to it. */
async function readAgain(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}

async function changeClub(served: ServedClub, page: Page): Promise<void> {
  await changeEvents(served, [moved, cancelled, added]);
  await readAgain(page);
  await notice(page).waitFor();
}

async function openChanged() {
  const { served, page } = await openFirstVisit();
  await waitForSnapshot(page, 3);
  await changeClub(served, page);
  return { served, page };
}

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
  it('are empty on the first visit, then mark new, moved and cancelled events, also after a reload', async () => {
    const { served, page } = await openFirstVisit();
    for (const reload of [false, true]) {
      if (reload) await page.reload();
      await row(page, 3).waitFor();
      await waitForSnapshot(page, 3);
      expect(await page.locator('.mark-change').count()).toBe(0);
      expect(await notice(page).count()).toBe(0);
    }
    await changeClub(served, page);
    for (const reload of [false, true]) {
      if (reload) await page.reload();
      await page
        .getByText(/Since you last looked \(today, \d\d:\d\d\): 1 new, 1 moved, 1 cancelled/)
        .waitFor();
      expect(await markOf(page, 1).textContent()).toBe('Moved');
      expect(await markOf(page, 2).textContent()).toBe('Cancelled');
      expect(await markOf(page, 4).textContent()).toBe('New');
      expect(await markOf(page, 3).count()).toBe(0);
    }
    await expectAccessible(page, 'the notice');
    // Visits are stored by account.
    expect(await accountsOf(page)).toEqual([expect.stringMatching(/^[0-9a-f]{24}$/)]);
  });

  it('are seen after a moment in the panel or when marked as seen by keyboard', async () => {
    const { page } = await openChanged();
    await row(page, 1).click();
    expect(await markOf(page, 1).count()).toBe(1);
    await markOf(page, 1).waitFor({ state: 'detached' });
    await page.getByText(': 1 new, 1 cancelled').waitFor();
    // Closed before the reload, which would mark the event in the panel as seen.
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByText(': 1 new, 1 cancelled').waitFor();
    expect(await page.locator('.panel').count()).toBe(0);
    expect(await markOf(page, 1).count()).toBe(0);
    await page.getByRole('button', { name: 'Mark all as seen' }).focus();
    await page.keyboard.press('Enter');
    await notice(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('events');
    await waitForSnapshot(page, 4);
    await page.reload();
    await row(page, 3).waitFor();
    await waitForSnapshot(page, 4);
    expect(await page.locator('.mark-change').count()).toBe(0);
  });

  it('are described in the panel, even once seen, with the clashes of the event', async () => {
    const { served, page } = await openChanged();
    const same = { name: 'Chess evening', date: added.date, location: ' forest' };
    await changeEvents(served, [makeEvent(5, same), { ...meeting, location: 'Town hall' }]);
    await readAgain(page);
    await page.getByText(': 2 new, 1 moved, 1 with a new place, 1 cancelled').waitFor();
    const panel = page.locator('.panel');
    await row(page, 1).click();
    await panel.getByText(/^Moved from .+, \d\d:\d\d$/).waitFor();
    await markOf(page, 1).waitFor({ state: 'detached' });
    await panel.getByText(/^Moved from/).waitFor();
    await row(page, 2).click();
    await panel.getByText(/^Cancelled since you last looked/).waitFor();
    expect(await markOf(page, 3).textContent()).toBe('New place');
    await row(page, 3).click();
    await panel.getByText(/^New place since/).waitFor();
    await row(page, 4).click();
    await panel.getByText(/^New since you last looked/).waitFor();
    await panel.getByText('At the same place at about the same time:').waitFor();
    await expectAccessible(page, 'the panel with changes');
    await panel.getByRole('button', { name: /Chess evening/ }).click();
    await panel.getByRole('heading', { name: 'Chess evening' }).waitFor();
    await panel.getByRole('button', { name: /Night hike/ }).waitFor();
  });

  it('can be listed alone, and stay listed once seen', async () => {
    const { page } = await openChanged();
    await page.goto(`${page.url()}#q=party&status=active`);
    await page.getByText('1 event', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('3 events').waitFor();
    expect(await fragmentOf(page)).toBe('#changed=only');
    await row(page, 2).click();
    await markOf(page, 2).waitFor({ state: 'detached' });
    await page.getByText('3 events').waitFor();
    await page.getByRole('button', { name: 'Show all events' }).click();
    await page.getByText('4 events').waitFor();
    await page.goBack();
    await page.getByText('2 events').waitFor();
  });

  it('are seen in all tabs once seen in one', async (test) => {
    const { served, page } = await openChanged();
    const other = await openTab(page, test);
    await other.addInitScript((key) => sessionStorage.setItem('club-events-key', key), served.key);
    await other.goto(`${served.service.baseUrl}/`);
    await other.getByText(': 1 new, 1 moved, 1 cancelled').waitFor();
    await other.getByRole('button', { name: 'Mark all as seen' }).click();
    await notice(page).waitFor({ state: 'detached' });
    await changeEvents(served, [{ ...added, location: 'Lake' }]);
    for (const each of [page, other]) {
      await readAgain(each);
      await each.getByText(': 1 with a new place').waitFor();
    }
  });
});

/** Obstacles to storage, by the problem of the browser. */
const obstacles: readonly (readonly [string, () => void])[] = [
  [
    'refuses IndexedDB',
    () => {
      indexedDB.open = () => {
        throw new DOMException('No.', 'SecurityError');
      };
    },
  ],
  [
    'has no room for data',
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('Full.', 'QuotaExceededError');
      };
    },
  ],
  [
    'has a newer version of the database',
    () => {
      const open = indexedDB.open.bind(indexedDB);
      if (sessionStorage.getItem('later') === null) open('club-events-last-look', 7);
      sessionStorage.setItem('later', 'done');
    },
  ],
  [
    'has a foreign database of that name',
    () => {
      const open = indexedDB.open.bind(indexedDB);
      if (sessionStorage.getItem('foreign') === null) open('club-events-last-look', 1);
      sessionStorage.setItem('foreign', 'done');
    },
  ],
];

describe('a browser that', () => {
  it.each(obstacles)(
    '%s still marks changes while the page is open, and says so',
    async (_, obstacle) => {
      const { served, page } = await openFirstVisit({
        beforeLoad: (opened) => opened.addInitScript(obstacle),
      });
      await page.getByText('doesn’t let the page remember').waitFor();
      // While the page is open, it needs no storage.
      await changeEvents(served, [moved]);
      await readAgain(page);
      await page.getByText(': 1 moved').waitFor();
      await page.getByRole('button', { name: 'Mark all as seen' }).click();
      await markOf(page, 1).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Close this notice' }).click();
      expect(await page.getByText('doesn’t let the page remember').count()).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('events');
    },
  );

  it('has unreadable data starts with a new snapshot, and says so', async () => {
    const { served, page } = await openFirstVisit();
    await waitForSnapshot(page, 3);
    await page.evaluate(async () => {
      const request = indexedDB.open('club-events-last-look');
      const database = await new Promise<IDBDatabase>((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
      const store = database.transaction('snapshots', 'readwrite').objectStore('snapshots');
      const keys = await new Promise<IDBValidKey[]>((resolve) => {
        const all = store.getAllKeys();
        all.onsuccess = () => resolve(all.result);
      });
      for (const key of keys) store.put({ version: 3, entries: [] }, key);
      database.close();
    });
    await page.reload();
    await page.getByText('Couldn’t read what you had seen').waitFor();
    await waitForSnapshot(page, 3);
    await changeEvents(served, [cancelled]);
    await readAgain(page);
    await page.getByText(': 1 cancelled').waitFor();
  });
});
