import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listUsers } from '../../../../server/actions/users.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeTestFolder, makeTestHome } from '../../../support/home.ts';

const browser = testBrowser();

async function openNew(options: Parameters<typeof openDesktopPage>[2] = {}) {
  const home = makeTestHome();
  const opened = await openDesktopPage(browser.current, home, options);
  await opened.page.getByRole('heading', { name: 'Welcome to Club Events' }).waitFor();
  const clubs = async () => (await listUsers({}, { home })).users.map(({ name }) => name);
  return { clubs, ...opened };
}

function writeSeason(): string {
  const path = join(makeTestFolder(), 'season.csv');
  writeFileSync(path, 'name,date\nConcert,2026-05-01\n');
  return path;
}

describe('the welcome screen', () => {
  it('creates a club and opens the import of the chosen file', async () => {
    const { page, desk, clubs } = await openNew();
    desk.chosen = [writeSeason()];
    await page.getByLabel('Name of your club').fill('  Chess Club ');
    await page.getByRole('button', { name: 'Import a file…' }).click();
    await page.getByRole('heading', { name: 'Import' }).waitFor();
    expect(await clubs()).toEqual(['Chess Club']);
    expect(await page.title()).toBe('Import – Chess Club – Club Events');
  });

  it('leads from an empty club to an import, and then to a sheet to print', async () => {
    const { page, desk, clubs } = await openNew();
    await page.getByLabel('Name of your club').fill('Chess');
    await page.getByRole('button', { name: 'Start with an empty club' }).click();
    await page.getByText('No events yet').waitFor();
    expect(await clubs()).toEqual(['Chess']);
    expect(
      await page
        .getByText(/script|key/i)
        .filter({ visible: true })
        .count(),
    ).toBe(0);
    desk.chosen = [writeSeason()];
    await page.getByRole('button', { name: 'Import a file…' }).click();
    await page.getByRole('button', { name: 'Choose a file…' }).click();
    await page.getByRole('button', { name: 'Check 1 event' }).click();
    await page.getByRole('button', { name: 'Import 1 event' }).click();
    await page.getByRole('button', { name: 'Show events' }).click();
    await page.getByText('Your events are here.').waitFor();
    // The user knows the events of this import.
    expect(await page.getByText('Since you last looked').count()).toBe(0);
    expect(await page.locator('.mark-change').count()).toBe(0);
    await page.getByRole('button', { name: 'Print a month sheet' }).click();
    await page.locator('.sheet-month').waitFor();
  });

  it('shows the demo club and the next steps', async () => {
    const { page } = await openNew();
    await page.getByRole('button', { name: 'Explore the demo club' }).click();
    await page.getByText('60 events').waitFor();
    await page.getByText('This is a demo club').waitFor();
    await page.getByRole('button', { name: 'Close this notice' }).click();
    await page.getByText('This is a demo club').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('events');
  });

  it('holds an opened file until there is a club', async () => {
    const { page } = await openNew({ desk: { opened: [writeSeason()] } });
    await page.getByText('Which club is season.csv for?').waitFor();
    await page.getByLabel('Name of your club').fill('Chess');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Import' }).waitFor();
  });

  it('links to the settings and requires a file or a name', async () => {
    const { page, clubs } = await openNew();
    await page.getByRole('button', { name: 'Import a file…' }).click();
    await page.getByText('Enter a name for the club first.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('club-name');
    await page.getByLabel('Name of your club').fill('Chess');
    await page.getByRole('button', { name: 'Import a file…' }).click();
    await page.waitForTimeout(300);
    await page.getByRole('heading', { name: 'Welcome to Club Events' }).waitFor();
    expect(await clubs()).toEqual([]);
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('button', { name: 'Einstellungen' }).click();
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    expect(await page.getByRole('button', { name: 'Importieren' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Zurück zur Begrüßung' }).click();
    const heading = page.getByRole('heading', { name: 'Willkommen bei Club Events' });
    await heading.waitFor();
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
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
    await page.getByText('No events yet').waitFor();
  });
});
