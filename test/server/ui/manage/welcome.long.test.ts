import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeTestHome } from '../../../support/home.ts';
import { expectForEverybody } from '../axe.ts';
import { openNew, writeSeason } from './welcome-page.ts';

const browser = testBrowser();

describe('the welcome screen', () => {
  it('leads with the keyboard to a first event in one line, then to an import and a sheet', async () => {
    const { page, desk, clubs } = await openNew(browser.current);
    await page.getByRole('button', { name: 'Write the first event…' }).press('Enter');
    await page.keyboard.type('Chess');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Write your first event' }).waitFor();
    expect(await clubs()).toEqual(['Chess']);
    await expect
      .poll(() =>
        page
          .getByText(/script|key/i)
          .filter({ visible: true })
          .count(),
      )
      .toBe(0);
    const line = page.getByRole('textbox', { name: 'The event in one line' });
    await line.fill('Training');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a date.').waitFor();
    // The line of the ordinary form, with its repetition.
    await line.fill('Training every Tue 19:00 3 times');
    await page.getByRole('button', { name: 'Add 3 events' }).waitFor();
    await page.getByText('3 events.').waitFor();
    await line.fill('Training every Tue in January 19:00');
    await page.getByText('“in January” was not understood.').waitFor();
    await line.fill('Training 24.11.2099 19:00 Sports hall');
    await page.getByText('Tuesday 24 November 2099, 19:00').waitFor();
    const marks = page.locator('.words-part');
    await expect
      .poll(() => marks.locator('mark').allTextContents())
      .toEqual(['Training', '24.11.2099', '19:00', 'Sports hall']);
    await expect
      .poll(() => marks.locator('i').allTextContents())
      .toEqual(['Name', 'Date', 'Time', 'Place']);
    const [button, field] = [page.getByRole('button', { name: 'Add event' }), line];
    const boxes = await Promise.all([button.boundingBox(), field.boundingBox()]);
    expect(boxes[0]?.height).toBe(boxes[1]?.height);
    await expectForEverybody(page, 'first event');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Training/ }).waitFor();
    desk.chosen = [writeSeason()];
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import…' }).click();
    await page.getByRole('button', { name: 'Choose a file…' }).click();
    await page.getByRole('button', { name: 'Check 1 event' }).click();
    await page.getByRole('button', { name: 'Import 1 event' }).click();
    await page.getByRole('button', { name: 'Show events' }).click();
    await page.getByText('Your events are here.').waitFor();
    // The user knows the events of this import.
    await expect.poll(() => page.locator('#changes-title').count()).toBe(0);
    await expect.poll(() => page.locator('.mark-change').count()).toBe(0);
    await page.getByRole('button', { name: 'Print a month sheet' }).click();
    await page.locator('.studio-pages .sheet-month').waitFor();
  });

  it('holds an opened file until there is a club', async () => {
    const { page } = await openNew(browser.current, { desk: { opened: [writeSeason()] } });
    await page.getByText('Which club is season.csv for?').waitFor();
    await page.getByLabel('Name of your club').fill('Chess');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Match the columns' }).waitFor();
  });

  it('is in the language chosen there, and links to the settings', async () => {
    const { page } = await openNew(browser.current);
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('button', { name: 'Einstellungen' }).click();
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Importieren' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Zurück zur Begrüßung' }).click();
    const heading = page.getByRole('heading', {
      name: 'Wo stehen die Termine Ihres Vereins jetzt?',
    });
    await heading.waitFor();
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('clubs that cannot be opened', () => {
  it('are not requested in a loop if the service refuses the key', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    let requests = 0;
    const { page } = await openDesktopPage(browser.current, home, {
      beforeLoad: (opened) =>
        opened.route('**/v1/**', (route) => {
          requests += 1;
          return route.fulfill({ status: 401 });
        }),
    });
    await page.getByRole('heading', { name: 'Your clubs can’t be opened.' }).waitFor();
    expect(requests).toBeLessThan(5);
    await page.unroute('**/v1/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Write your first event' }).waitFor();
  });
});
