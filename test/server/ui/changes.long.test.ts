import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../db/model.ts';
import { fragmentOf, openPage, openTab, readAgain, testBrowser } from '../../support/browser.ts';
import { changeEvents, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { tallyOf } from '../../support/tally.ts';
import { expectAccessible } from './axe.ts';
import {
  added,
  cancelled,
  filterChip,
  markOf,
  markSeen,
  meeting,
  moved,
  openChanged,
  openFirstVisit,
  row,
  title,
  waitForSnapshot,
} from './changes-page.ts';

const browser = testBrowser();

describe('changes since the last visit', () => {
  it('are described in the panel, even once seen, with the clashes of the event', async () => {
    const { served, page } = await openChanged(browser.current);
    const same = { name: 'Chess evening', date: added.date, location: ' forest' };
    await changeEvents(served, [makeEvent(5, same), { ...meeting, location: 'Town hall' }]);
    await readAgain(page);
    await title(page).getByText('5 changes').waitFor();
    const panel = page.locator('.panel');
    await row(page, 1).click();
    await panel.getByText(/^Moved from \w+,? \d+ \w+ to \w+,? \d+ \w+$/).waitFor();
    await markOf(page, 1).waitFor({ state: 'detached' });
    await panel.getByText(/^Moved from/).waitFor();
    await row(page, 2).click();
    await panel.getByText(/^Cancelled since you last looked/).waitFor();
    await expect.poll(() => markOf(page, 3).textContent()).toBe('New place');
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
    const { page } = await openChanged(browser.current);
    await filterChip(page).click();
    await page.getByRole('checkbox', { name: /^3 changes since/ }).press('Space');
    await page.keyboard.press('Escape');
    await tallyOf(page, '3 events').waitFor();
    expect(await fragmentOf(page)).toBe('#changed=only');
    await row(page, 2).click();
    await markOf(page, 2).waitFor({ state: 'detached' });
    await tallyOf(page, '3 events').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove filter Changed' }).click();
    await tallyOf(page, '4 events').waitFor();
  });

  it('are counted since the day of the last visit', async () => {
    const at = (day: number, hour: number) =>
      new Date(`2031-05-${day}T${String(hour).padStart(2, '0')}:00:00+02:00`).toISOString();
    const races = Array.from({ length: 9 }, (_, race) =>
      makeEvent(race + 1, { name: `Race ${race + 1}`, date: at(15 + race, 11) }),
    );
    const served = await serveClub(races);
    const { service, key } = served;
    const page = await openPage(browser.current, service, {
      key,
      // The page without an address has no storage.
      mayFail: /sessionStorage/,
      beforeLoad: (opened) => opened.clock.install({ time: at(14, 9) }),
    });
    await row(page, 1).waitFor();
    await waitForSnapshot(page, 9);
    const everyone = races.map((_, index) => index + 1);
    const visits: readonly (readonly [
      changed: readonly number[],
      time: string,
      expected: string,
    ])[] = [
      [[1], at(15, 9), '1 change since yesterday'],
      [[1, 5], at(17, 9), '2 changes since Wednesday'],
      [everyone, at(30, 9), '9 changes since 14 May'],
      [everyone, '2032-01-05T09:00:00.000Z', '9 changes since 14 May 2031'],
    ];
    for (const [changed, time, expected] of visits) {
      await page.goto('about:blank');
      await changeEvents(
        served,
        changed.map((race) => ({ ...(races[race - 1] as EventDraft), date: at(14 + race, 10) })),
      );
      await page.clock.setSystemTime(time);
      await page.goto(service.baseUrl);
      await title(page).getByText(expected, { exact: true }).waitFor();
    }
  });

  it('are seen in all tabs once seen in one', async (test) => {
    const { served, page } = await openChanged(browser.current);
    const other = await openTab(page, test);
    await other.addInitScript((key) => sessionStorage.setItem('club-events-key', key), served.key);
    await other.goto(`${served.service.baseUrl}/`);
    await title(other).getByText('3 changes').waitFor();
    await markSeen(other);
    await expect.poll(() => title(page).innerText()).toBe('');
    await changeEvents(served, [{ ...added, location: 'Lake' }]);
    for (const each of [page, other]) {
      await readAgain(each);
      await title(each).getByText('1 change since').waitFor();
      await expect.poll(() => markOf(each, 4).textContent()).toBe('New place');
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
      const { served, page } = await openFirstVisit(browser.current, {
        beforeLoad: (opened) => opened.addInitScript(obstacle),
      });
      await page.getByText('doesn’t let the page remember').waitFor();
      // While the page is open, it needs no storage.
      await changeEvents(served, [moved]);
      await readAgain(page);
      await title(page).getByText('1 change since').waitFor();
      await markSeen(page);
      await markOf(page, 1).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Close this notice' }).click();
      await expect.poll(() => page.getByText('doesn’t let the page remember').count()).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('events');
    },
  );

  it('has unreadable data starts with a new snapshot, and says so', async () => {
    const { served, page } = await openFirstVisit(browser.current);
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
    await title(page).getByText('1 change since').waitFor();
  });
});
