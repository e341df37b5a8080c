import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { readOnce } from '../../../support/patience.ts';
import { writeTestFile } from '../../import/files.ts';
import { fixtures, shareImport } from './import-page.ts';

const shared = shareImport(testBrowser());

describe('the columns of a spreadsheet', () => {
  it('that are not imported can be added to the note', async () => {
    const { choose, column, seeFirst, button, page } = await shared.show();
    await choose(writeTestFile('plan.csv', fixtures));
    await page.getByText('Not imported: Helfer, Kosten.').waitFor();
    await button('Add them to the note').click();
    await seeFirst(/Helfer: Anna/);
    await expect.poll(() => column('Note').inputValue()).toBe('Helfer');
    await expect.poll(() => column('Note', 2).inputValue()).toBe('Kosten');
    await expect.poll(() => page.getByText('Not imported').count()).toBe(0);
    await column('Note', 2).selectOption('None');
    await page.getByText('Not imported: Kosten.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
  });

  it('without a year take the season that the user chooses', async () => {
    const { choose, seeFirst, check, page, row, button } = await shared.show();
    await choose(writeTestFile('a.csv', 'Titel;Datum\nCross;22.11.\nLauf;2.5.'));
    const year = page.getByRole('combobox', { name: 'Which year or season is “22.11.”?' });
    await year.waitFor();
    await button(/^Check/).click();
    expect(await year.evaluate((element) => element === document.activeElement)).toBe(true);
    const now = new Date().getFullYear();
    const season = `Season ${now}/${String((now + 1) % 100).padStart(2, '0')}`;
    await year.selectOption(season);
    await seeFirst(`November ${now}`);
    await seeFirst(`May ${now + 1}`);
    await page
      .getByRole('combobox', { name: 'Year or season of the dates' })
      .selectOption(String(now));
    await seeFirst(`May ${now}`);
    await check();
    await row(3).getByText(`2 May ${now}`).waitFor();
  });
});

describe('a workbook', () => {
  const workbook = join(
    import.meta.dirname,
    '../../import/spreadsheets/de-tennisclub-adressen-zuerst.xlsx',
  );

  it('is read from the sheet with events, and from another one that the user chooses', async () => {
    const { choose, seeFirst, page, column, check, button, count } = await shared.show();
    await choose(workbook);
    const sheet = page.getByRole('combobox', { name: 'Sheet' });
    const found = await readOnce(sheet.inputValue());
    await seeFirst(/^\w+ 20\d\d$/);
    await sheet.selectOption({ index: 0 });
    await expect.poll(() => sheet.inputValue()).not.toBe(found);
    await page.getByText('Answer the open questions first.').waitFor();
    await sheet.selectOption(found);
    await seeFirst(/^\w+ 20\d\d$/);
    await expect.poll(() => column('Date').inputValue()).not.toBe('');
    const counts = await check();
    const readAdded = async () => Number((await counts())[1]?.replace('New ', ''));
    await expect.poll(readAdded).toBeGreaterThan(1);
    const added = await readAdded();
    await button(`Import ${added} events`).click();
    await page.getByText(`${added} events added`).waitFor();
    expect(await count()).toBe(added);
  });
});
