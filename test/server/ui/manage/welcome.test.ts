import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clubNameIn, proposeName } from '../../../../server/ui/manage/welcome/proposed-name.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeTestHome } from '../../../support/home.ts';
import { writeTestFile } from '../../import/files.ts';
import { openNew, writeSeason } from './welcome-page.ts';

const browser = testBrowser();

describe('the welcome screen', () => {
  it('asks for the name in the way chosen, prefilled from the file, and opens its import', {
    tags: 'long',
  }, async () => {
    const { page, desk, clubs } = await openNew(browser.current);
    await expect.poll(() => page.getByText(/script|key/i).count()).toBe(0);
    const choose = page.getByRole('button', { name: 'Choose a file…' });
    // A cancelled dialog changes nothing.
    await choose.click();
    await expect.poll(() => choose.isEnabled()).toBe(true);
    desk.chosen = [writeSeason('Harbour Runners 2026-27.csv')];
    await choose.click();
    const name = page.getByLabel('Name of your club');
    await expect.poll(() => name.inputValue()).toBe('Harbour Runners');
    await page.getByText('Taken from the name of the file.').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    desk.chosen = [writeSeason('2026.csv')];
    await choose.click();
    await name.waitFor();
    await expect.poll(() => name.inputValue()).toBe('');
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

  it('proposes the title in the file before its name, and says where it was', {
    tags: 'long',
  }, async () => {
    const { page, desk } = await openNew(browser.current);
    const title = 'SV Harbour Rovers – Fixtures 2026/27';
    const rows = `${title}\n\nDate,Event\n2026-05-01,Concert\n2026-05-02,Match\n`;
    desk.chosen = [writeTestFile('Fixtures 2026-27.csv', rows)];
    await page.getByRole('button', { name: 'Choose a file…' }).click();
    const name = page.getByLabel('Name of your club');
    await expect.poll(() => name.inputValue()).toBe('SV Harbour Rovers');
    await page.getByText(`Found in the title of the table: “${title}”.`).waitFor();
    await name.fill('Rovers');
    await expect.poll(() => page.getByText('Found in the title').count()).toBe(0);
  });

  it('shows the sample club and the next steps', { tags: 'long' }, async () => {
    const { page } = await openNew(browser.current);
    await page.getByRole('button', { name: 'Look around a sample club' }).click();
    await page.getByText('60 events').waitFor();
    await page.getByText('This is a sample club').waitFor();
    await page.getByRole('button', { name: 'Close this notice' }).click();
    await page.getByText('This is a sample club').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('events');
  });
});

describe('the proposed name of a club', () => {
  it.each([
    ['Harbour Runners 2026-27.xlsx', 'Harbour Runners'],
    ['Harbour Rovers fixtures 26-27 FINAL (2).xlsx', 'Harbour Rovers'],
    ['TSV_Kappeln_2026.csv', 'TSV Kappeln'],
    ['2026-11-22 – SV 1860.ics', 'SV 1860'],
    ['Fixtures 2026-27.xlsx', ''],
    ['Termine.2026.ods', ''],
    ['2026.csv', ''],
    ['', ''],
  ])('from the file %j is %j', (file, name) => {
    expect(proposeName([], file)).toEqual({ name });
  });

  it.each([
    ['SV Harbour Rovers – Fixtures 2026/27', 'SV Harbour Rovers'],
    ['HARBOUR ROVERS, Fixtures 2026/27', 'HARBOUR ROVERS'],
    ['Fixtures 2026/27: Harbour Rovers', 'Harbour Rovers'],
    ['Spielplan SV Neudorf 2026/27', 'SV Neudorf'],
    ['Termine der Feuerwehr Neudorf', 'Feuerwehr Neudorf'],
    ['Jahresprogramm 2026 des Musikvereins Neudorf', ''],
    ['1. FC Neudorf | Spielplan', '1. FC Neudorf'],
    ['Calendrier du Club alpin 2026', 'Club alpin'],
    ['Wedstrijdschema van VV De Meer', 'VV De Meer'],
    ['Overzicht 2026', ''],
    ['Questions? Write to secretary@rovers.example', ''],
  ])('from the title %j is %j', (title, name) => {
    expect(clubNameIn(title)).toBe(name);
  });
});

describe('clubs that cannot be opened', () => {
  it('are reported, and another data folder can be chosen', { tags: 'long' }, async () => {
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
});
