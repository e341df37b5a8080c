import type { Browser, Page } from 'playwright-core';
import { openPage, readAgain } from '../../support/browser.ts';
import { changeEvents, daysFromNow, type ServedClub, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';

/** The events at the first visit. */
const party = makeEvent(1, { name: 'Summer party', date: daysFromNow(3) });
export const concert = makeEvent(2, { name: 'Spring concert', date: daysFromNow(8) });
export const meeting = makeEvent(3, { name: 'Committee meeting', date: daysFromNow(12) });
export const club = [party, concert, meeting];

/** Changes of these events, and another one. */
export const moved = { ...party, date: daysFromNow(5) };
export const cancelled = { ...concert, status: 'cancelled' } as const;
export const added = makeEvent(4, {
  name: 'Night hike',
  date: daysFromNow(20),
  location: 'Forest',
});

/** Opens the page of an account for the first time. */
export async function openFirstVisit(
  browser: Browser,
  options: Parameters<typeof openPage>[2] = {},
): Promise<{ served: ServedClub; page: Page }> {
  const served = await serveClub(club);
  const { service, key } = served;
  const page = await openPage(browser, service, { key, ...options });
  await row(page, 3).waitFor();
  return { served, page };
}

export const row = (page: Page, id: number) => page.locator(`[data-event="${id}"]`);
export const markOf = (page: Page, id: number) => row(page, id).locator('.mark-change');
/** The sentence about the changes, for a screen reader. */
export const title = (page: Page) => page.locator('#changes-since');
export const filterChip = (page: Page) => page.getByRole('button', { name: 'Filter', exact: true });

/** Marks all changes as seen, with the keyboard. */
export async function markSeen(page: Page): Promise<void> {
  await filterChip(page).press('Enter');
  await page.getByRole('button', { name: 'Mark as seen' }).press('Enter');
  await page.keyboard.press('Escape');
}

/** Waits until a snapshot of `count` events is stored. */
export async function waitForSnapshot(page: Page, count: number): Promise<void> {
  await page.waitForFunction(async (expected) => {
    const isThere = (await indexedDB.databases()).some(
      ({ name }) => name === 'club-events-last-look',
    );
    if (!isThere) return false;
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('club-events-last-look');
      request.onsuccess = () => resolve(request.result);
    });
    const all = await new Promise<{ events?: Map<number, unknown> }[]>((resolve) => {
      const request = database.transaction('snapshots').objectStore('snapshots').getAll();
      request.onsuccess = () => resolve(request.result);
    });
    database.close();
    return all[0]?.events?.size === expected;
  }, count);
}

/** Moves, cancels and adds an event, and waits until the page says so. */
export async function changeClub(served: ServedClub, page: Page): Promise<void> {
  await changeEvents(served, [moved, cancelled, added]);
  await readAgain(page);
  await title(page)
    .getByText(/changes? since/)
    .waitFor();
}

/** Opens the page of an account whose club has changed since the first visit. */
export async function openChanged(browser: Browser) {
  const { served, page } = await openFirstVisit(browser);
  await waitForSnapshot(page, 3);
  await changeClub(served, page);
  return { served, page };
}
