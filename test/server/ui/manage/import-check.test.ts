import { describe, expect, it } from 'vitest';
import { splitIsoDate } from '../../../../server/ui/manage/import/field-text.ts';
import { testBrowser } from '../../../support/browser.ts';
import { makeXlsx, rowsXml } from '../../../support/workbook.ts';
import { writeTestFile } from '../../import/files.ts';
import { expectForEverybody } from '../axe.ts';
import {
  faultySeason,
  focusedLabel,
  type ImportPage,
  planRows,
  shareImport,
  showEdited,
  writePlan,
} from './import-page.ts';

const shared = shareImport(testBrowser());

/** Returns the texts of the cells of a row. */
const cellsOf = async ({ row }: ImportPage, number: number) =>
  (await row(number).getByRole('cell').allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, ' ').trim(),
  );

it('marks the rows whose years are not in the file', { tags: 'long' }, async () => {
  const { choose, check, row, page } = await shared.show();
  await choose(writeTestFile('plan.csv', 'Datum;Was\n1.5.2026;Fest\n2.5.;Lauf\n3.5.2026;Ball\n'));
  await check();
  await row(3).getByText('year guessed').waitFor();
  await expect.poll(() => page.getByText('year guessed').count()).toBe(1);
});

it('marks the rows of each of two sheets whose years are not in the file', {
  tags: 'long',
}, async () => {
  const heading = ['Titel', 'Datum'];
  const more = { Rückrunde: rowsXml([heading, ['Lauf', '3.2.2027'], ['Kino', '5.3.']]) };
  const file = makeXlsx([heading, ['Fest', '30.11.2026'], ['Ball', '5.12.2026']], { more });
  const { choose, check, page } = await shared.show();
  await choose(writeTestFile('season.xlsx', file));
  await check();
  const marked = page.getByRole('row').filter({ hasText: 'year guessed' });
  await marked.waitFor();
  await expect.poll(() => marked.innerText()).toContain('Kino');
});

describe('a bad row', () => {
  it('is first, with an input in the bad cell, its reason and suggestions', async () => {
    const opened = await shared.show();
    const { choose, check, page, row, button, count } = opened;
    await choose(writeTestFile('season.csv', faultySeason));
    await expect.poll(await check()).toEqual(['To correct 1', 'New 2', 'Changed 0', 'Unchanged 0']);
    await page.getByRole('heading', { name: 'One date needs a correction' }).waitFor();
    await expectForEverybody(page, 'rows to correct');
    await expect
      .poll(() => cellsOf(opened, 3))
      .toEqual([
        '3',
        'Putzen',
        'November has only 30 days. Mon 30 Nov Tue 1 Dec',
        'Vereinsheim',
        'Leave this row out',
      ]);
    const first = page.locator('tbody').getByRole('row').first();
    await expect.poll(() => first.getByRole('textbox').inputValue()).toBe('31.11.2026');
    await expect
      .poll(() => row(3).getByRole('alert').innerText())
      .toBe('November has only 30 days.');
    await page.getByText('2 of 3 rows are ready. You can undo the import at any time.').waitFor();
    await button('Mon 30 Nov').click();
    await button('Import 3 events').waitFor();
    expect(await focusedLabel(page)).toBe('Date in row 3');
    await page.getByRole('heading', { name: 'Everything is ready' }).waitFor();
    await expect.poll(() => row(3).getAttribute('data-state')).toBe('right');
    await row(3).getByText('Mon 30 Nov 2026').waitFor();
    await button('Import 3 events').click();
    await page.getByText('3 events added').waitFor();
    expect(await count()).toBe(3);
    await button('Undo').click();
    await page.getByRole('heading', { name: 'Import undone' }).waitFor();
    expect(await count()).toBe(0);
  });

  it('of each of two sheets gets its own correction', { tags: 'long' }, async () => {
    const heading = ['Titel', 'Datum'];
    const more = { Rückrunde: rowsXml([heading, ['Lauf', '31.2.2027'], ['Kino', '5.3.2027']]) };
    const file = makeXlsx([heading, ['Fest', '31.11.2026']], { more });
    const { choose, check, page, button, count } = await shared.show();
    await choose(writeTestFile('season.xlsx', file));
    await page
      .getByText('2 sheets with the same headings are read together: “Termine”, “Rückrunde”.')
      .waitFor();
    const sheet = page.getByLabel('Sheet', { exact: true });
    await expect.poll(() => sheet.locator('option:checked').innerText()).toBe('Automatic');
    await expect.poll(await check()).toEqual(['To correct 2', 'New 1', 'Changed 0', 'Unchanged 0']);
    await page.locator('tbody').getByText('Rückrunde').first().waitFor();
    await button('Mon 30 Nov').click();
    await button('Mon 1 Mar').click();
    await button('Import 3 events').click();
    await page.getByText('3 events added').waitFor();
    expect(await count()).toBe(3);
  });

  it('keeps its correction after Back, but not for another file', { tags: 'long' }, async () => {
    const { choose, check, page, button, column, row } = await shared.show();
    await choose(writeTestFile('season.csv', faultySeason));
    await check();
    await button('Tue 1 Dec').click();
    await button('Import 3 events').waitFor();
    await button('Back').click();
    await column('Place').selectOption('None');
    await page.getByText('Not imported: Ort.').waitFor();
    await expect.poll(await check()).toEqual(['To correct 0', 'New 3', 'Changed 0', 'Unchanged 0']);
    await expect.poll(() => row(3).getByRole('textbox').inputValue()).toBe('1 Dec 2026');
    await button('Back').click();
    await choose(writeTestFile('season.csv', faultySeason));
    await page.getByText('Not imported').waitFor({ state: 'detached' });
    await expect.poll(await check()).toEqual(['To correct 1', 'New 2', 'Changed 0', 'Unchanged 0']);
  });

  it('can be left out and included again', { tags: 'long' }, async () => {
    const { choose, check, page, button, count, counts } = await shared.show();
    await choose(writeTestFile('season.csv', faultySeason));
    await check();
    const leaveOut = page.getByRole('checkbox', { name: 'Leave row 3 out' });
    await leaveOut.check();
    await page.getByRole('heading', { name: 'Everything is ready' }).waitFor();
    await expect.poll(async () => (await counts())[0]).toBe('To correct 0');
    await leaveOut.uncheck();
    await page.getByRole('heading', { name: 'One date needs a correction' }).waitFor();
    await button('Mon 30 Nov').click();
    await button('Import 3 events').waitFor();
    await leaveOut.check();
    await button('Import 2 events').click();
    await page.getByText('1 row skipped').waitFor();
    expect(await count()).toBe(2);
  });
});

describe('an event that was changed by hand', () => {
  it('keeps its values, unless the user takes those of the file', { tags: 'long' }, async () => {
    const opened = await showEdited(shared);
    const { page, choose, check, counts, button, row, places } = opened;
    await page.getByRole('button', { name: 'Back to events' }).click();
    await page.getByRole('button', { name: /^A/ }).first().waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import…' }).click();
    // The file that was imported contradicts no edit.
    await choose(writePlan(planRows));
    await expect.poll(await check()).toEqual(['To correct 0', 'New 0', 'Changed 0', 'Unchanged 3']);
    await button('Choose another file…').click();
    await button('Back').click();
    await choose(
      writePlan([
        'A;1.5.2026 18:00;Town hall;x',
        'B;2.5.2026;Sea;new',
        'C;3.5.2026;Lake;z',
        'D;x;;',
      ]),
    );
    const byHand = 'Changed by hand 2';
    await expect
      .poll(await check())
      .toEqual(['To correct 1', byHand, 'New 0', 'Changed 0', 'Unchanged 3']);
    await page.getByRole('checkbox', { name: 'Leave row 5 out' }).check();
    await page.getByRole('heading', { name: 'You changed 2 events by hand' }).waitFor();
    await page.getByText('Your values stay, unless you choose those in the file.').waitFor();
    await page.getByText('2 events keep what you changed by hand.').waitFor();
    await expect.poll(() => button(/^Import /).count()).toBe(0);
    const place = row(2).getByRole('group', { name: 'You changed this by hand.' });
    await expect
      .poll(() => place.getByRole('radio', { name: 'Keep “Hall, room 2”' }).isChecked())
      .toBe(true);
    await place.getByRole('radio', { name: 'Use “Town hall” from the file' }).check();
    await button('Import 1 event').waitFor();
    await expect
      .poll(counts)
      .toEqual(['To correct 0', byHand, 'New 0', 'Changed 1', 'Unchanged 2']);
    const several = row(3).getByRole('group', { name: 'You changed by hand: Place, Note' });
    const own = 'Keep “Deep”, “later”';
    await expect.poll(() => several.getByRole('radio', { name: own }).isChecked()).toBe(true);
    await several.getByRole('radio', { name: 'Use “Sea”, “new” from the file' }).check();
    await button('Import 2 events').waitFor();
    await several.getByRole('radio', { name: own }).check();
    await button('Import 1 event').waitFor();
    await page.getByRole('button', { name: byHand }).click();
    await expect.poll(() => page.locator('tbody').getByRole('row').count()).toBe(2);
    // The choice survives the way back, and counts for the import.
    await button('Back').click();
    await check();
    await page.getByText('1 event keeps what you changed by hand. You can undo').waitFor();
    await button('Import 1 event').click();
    await page.getByText('1 event changed').waitFor();
    await page.getByText('1 event keeps what you changed by hand.').waitFor();
    await page.getByText('B: “Deep”, “later”, not “Sea”, “new” from the file').waitFor();
    expect(await places()).toEqual({ A: 'Town hall', B: 'Deep', C: 'Sea' });
    await button('Undo').click();
    await page.getByRole('heading', { name: 'Import undone' }).waitFor();
    expect(await places()).toEqual({ A: 'Hall, room 2', B: 'Deep', C: 'Sea' });
  });
});

describe('splitIsoDate', () => {
  it('takes only days that exist', () => {
    expect(splitIsoDate('2026-02-28T19:30')).toEqual({ day: '2026-02-28', time: '19:30' });
    expect(splitIsoDate('2026-02-30')).toBeUndefined();
    expect(splitIsoDate('2026-13-01')).toBeUndefined();
  });
});
