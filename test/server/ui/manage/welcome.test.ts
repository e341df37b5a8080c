import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listUsers } from '../../../../server/actions/users.ts';
import { clubNameOfFile } from '../../../../server/ui/manage/welcome/club-name-of-file.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeTestFolder, makeTestHome } from '../../../support/home.ts';
import { expectForEverybody } from '../axe.ts';

const browser = testBrowser();

async function openNew(options: Parameters<typeof openDesktopPage>[2] = {}) {
  const home = makeTestHome();
  const opened = await openDesktopPage(browser.current, home, options);
  await opened.page.locator('.welcome').waitFor();
  const clubs = async () => (await listUsers({}, { home })).users.map(({ name }) => name);
  return { clubs, ...opened };
}

function writeSeason(name = 'season.csv'): string {
  const path = join(makeTestFolder(), name);
  writeFileSync(path, 'name,date\nConcert,2026-05-01\n');
  return path;
}

describe('the welcome screen', () => {
  it('asks for the name in the way chosen, prefilled from the file, and opens its import', async () => {
    const { page, desk, clubs } = await openNew();
    expect(await page.getByText(/script|key/i).count()).toBe(0);
    const choose = page.getByRole('button', { name: 'Choose a file…' });
    // A cancelled dialog changes nothing.
    await choose.click();
    await expect.poll(() => choose.isEnabled()).toBe(true);
    desk.chosen = [writeSeason('Harbour Runners 2026-27.csv')];
    await choose.click();
    const name = page.getByLabel('Name of your club');
    expect(await name.inputValue()).toBe('Harbour Runners');
    await page.getByRole('button', { name: 'Back' }).click();
    desk.chosen = [writeSeason('2026.csv')];
    await choose.click();
    expect(await name.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Enter a name for the club first.').waitFor();
    expect(await name.evaluate((element) => element === document.activeElement)).toBe(true);
    await name.fill('  Chess Club ');
    expect(await clubs()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Match the columns' }).waitFor();
    expect(await clubs()).toEqual(['Chess Club']);
    expect(await page.title()).toBe('Import – Chess Club – Club Events');
  });

  it('leads with the keyboard to a first event in one line, then to an import and a sheet', async () => {
    const { page, desk, clubs } = await openNew();
    await page.getByRole('button', { name: 'Write the first event…' }).press('Enter');
    await page.keyboard.type('Chess');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Write your first event' }).waitFor();
    expect(await clubs()).toEqual(['Chess']);
    expect(
      await page
        .getByText(/script|key/i)
        .filter({ visible: true })
        .count(),
    ).toBe(0);
    const line = page.getByRole('textbox', { name: 'Describe the event in one line' });
    await line.fill('Training');
    await page.keyboard.press('Enter');
    await page.getByText('The day is missing.').waitFor();
    await line.fill('Training 24.11.2099 19:00 Sports hall');
    await page.getByText('Tuesday, 24 November 2099, 19:00, Sports hall').waitFor();
    const marks = page.locator('.words-part');
    expect(await marks.locator('mark').allTextContents()).toEqual([
      'Training',
      '24.11.2099',
      '19:00',
      'Sports hall',
    ]);
    expect(await marks.locator('i').allTextContents()).toEqual(['Name', 'Date', 'Time', 'Place']);
    const [button, field] = [page.getByRole('button', { name: 'Add event' }), line];
    const boxes = await Promise.all([button.boundingBox(), field.boundingBox()]);
    expect(boxes[0]?.height).toBe(boxes[1]?.height);
    await expectForEverybody(page, 'first event');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Training/ }).waitFor();
    desk.chosen = [writeSeason()];
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import' }).click();
    await page.getByRole('button', { name: 'Choose a file…' }).click();
    await page.getByRole('button', { name: 'Check 1 event' }).click();
    await page.getByRole('button', { name: 'Import 1 event' }).click();
    await page.getByRole('button', { name: 'Show events' }).click();
    await page.getByText('Your events are here.').waitFor();
    // The user knows the events of this import.
    expect(await page.locator('#changes-title').count()).toBe(0);
    expect(await page.locator('.mark-change').count()).toBe(0);
    await page.getByRole('button', { name: 'Print a month sheet' }).click();
    await page.locator('.studio-pages .sheet-month').waitFor();
  });

  it('shows the sample club and the next steps', async () => {
    const { page } = await openNew();
    await page.getByRole('button', { name: 'Look around a sample club' }).click();
    await page.getByText('60 events').waitFor();
    await page.getByText('This is a sample club').waitFor();
    await page.getByRole('button', { name: 'Close this notice' }).click();
    await page.getByText('This is a sample club').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('events');
  });

  it('holds an opened file until there is a club', async () => {
    const { page } = await openNew({ desk: { opened: [writeSeason()] } });
    await page.getByText('Which club is season.csv for?').waitFor();
    await page.getByLabel('Name of your club').fill('Chess');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Match the columns' }).waitFor();
  });

  it('is in the language chosen there, and links to the settings', async () => {
    const { page } = await openNew();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('button', { name: 'Einstellungen' }).click();
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    expect(await page.getByRole('button', { name: 'Importieren' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Zurück zur Begrüßung' }).click();
    const heading = page.getByRole('heading', {
      name: 'Wo stehen die Termine Ihres Vereins jetzt?',
    });
    await heading.waitFor();
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('the proposed name of a club', () => {
  it.each([
    ['Harbour Runners 2026-27.xlsx', 'Harbour Runners'],
    ['TSV_Kappeln_2026.csv', 'TSV Kappeln'],
    ['2026-11-22 – SV 1860.ics', 'SV 1860'],
    ['Termine.2026.ods', 'Termine'],
    ['2026.csv', ''],
    ['', ''],
  ])('from %j is %j', (file, name) => {
    expect(clubNameOfFile(file)).toBe(name);
  });
});

describe('clubs that cannot be opened', () => {
  it('are reported, and another data folder can be chosen', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const { page } = await openDesktopPage(browser.current, home, {
      beforeLoad: async () => writeFileSync(home.database, 'not a database at all'),
    });
    await page.getByRole('heading', { name: 'Your clubs can’t be opened.' }).waitFor();
    await page.getByRole('alert').getByText('events.sqlite').waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Choose another folder…' }).waitFor();
  });

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
