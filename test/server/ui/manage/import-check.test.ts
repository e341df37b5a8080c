import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { splitIsoDate } from '../../../../server/ui/manage/import/field-text.ts';
import { testBrowser } from '../../../support/browser.ts';
import { writeTestFile } from '../../actions/import/files.ts';
import { focused, goToImport, type ImportPage, shareImport, tabTo } from './import-page.ts';

const shared = shareImport(testBrowser());

const season = [
  'Titel;Datum;Ort;Status',
  'Cross;22.11.2026;Buchenwald;active',
  'Putzen;31.11.2026;Vereinsheim;active',
  'Versammlung;7.12.2026;Rathaus;active',
].join('\n');

const focusedLabel = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

/** Returns the texts of the cells of a row. */
async function cellsOf({ row }: ImportPage, number: number): Promise<readonly string[]> {
  const texts = await row(number).getByRole('cell').allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

describe('a bad row', () => {
  it('is first, with an input in the bad cell, its reason and suggestions', async () => {
    const opened = await shared.show();
    const { choose, check, page, row, button, count } = opened;
    await choose(writeTestFile('season.csv', season));
    expect(await check()).toEqual(['To correct 1', 'New 2', 'Changed 0', 'Unchanged 0']);
    await page.getByRole('heading', { name: 'One date needs a correction' }).waitFor();
    expect(await cellsOf(opened, 3)).toEqual([
      '3',
      'Putzen',
      'November has only 30 days. Mon 30 Nov Tue 1 Dec',
      'Vereinsheim',
      'Leave this row out',
    ]);
    const first = page.locator('tbody').getByRole('row').first();
    expect(await first.getByRole('textbox').inputValue()).toBe('31.11.2026');
    expect(await row(3).getByRole('alert').innerText()).toBe('November has only 30 days.');
    await page.getByText('2 of 3 rows are ready. You can undo the import at any time.').waitFor();
    await button('Mon 30 Nov').click();
    await button('Import 3 events').waitFor();
    expect(await focusedLabel(page)).toBe('Date in row 3');
    await page.getByRole('heading', { name: 'Everything is ready' }).waitFor();
    expect(await row(3).getAttribute('data-state')).toBe('right');
    await row(3).getByText('Mon, 30 Nov 2026').waitFor();
    await button('Import 3 events').click();
    await page.getByText('3 events added').waitFor();
    expect(await count()).toBe(3);
    await button('Undo').click();
    await page.getByRole('heading', { name: 'Import undone' }).waitFor();
    expect(await count()).toBe(0);
  });

  it('turns right while a value is typed, and wrong again', async () => {
    const { choose, check, page, row, button } = await shared.show();
    await choose(writeTestFile('season.csv', season));
    await check();
    const cell = page.getByRole('textbox', { name: 'Date in row 3' });
    await cell.fill('29.11.2026 18:30');
    await row(3).getByText('Sun, 29 Nov 2026, 18:30').waitFor();
    await button('Import 3 events').waitFor();
    await cell.fill('neulich');
    await row(3).getByText('This date was not understood.').waitFor();
    await button('Import 2 events').waitFor();
    expect(await focusedLabel(page)).toBe('Date in row 3');
  });

  it('keeps its correction after Back, but not for another file', async () => {
    const { choose, check, page, button, column, row } = await shared.show();
    await choose(writeTestFile('season.csv', season));
    await check();
    await button('Tue 1 Dec').click();
    await button('Import 3 events').waitFor();
    await button('Back').click();
    await column('Place').selectOption('None');
    await page.getByText('Not imported: Ort.').waitFor();
    expect(await check()).toEqual(['To correct 0', 'New 3', 'Changed 0', 'Unchanged 0']);
    expect(await row(3).getByRole('textbox').inputValue()).toBe('1 Dec 2026');
    await button('Back').click();
    await choose(writeTestFile('season.csv', season));
    await page.getByText('Not imported').waitFor({ state: 'detached' });
    expect(await check()).toEqual(['To correct 1', 'New 2', 'Changed 0', 'Unchanged 0']);
  });

  it('can be left out and included again', async () => {
    const { choose, check, page, button, count, counts } = await shared.show();
    await choose(writeTestFile('season.csv', season));
    await check();
    const leaveOut = page.getByRole('checkbox', { name: 'Leave row 3 out' });
    await leaveOut.check();
    await page.getByRole('heading', { name: 'Everything is ready' }).waitFor();
    expect((await counts())[0]).toBe('To correct 0');
    await leaveOut.uncheck();
    await page.getByRole('heading', { name: 'One date needs a correction' }).waitFor();
    await button('Mon 30 Nov').click();
    await button('Import 3 events').waitFor();
    await leaveOut.check();
    await button('Import 2 events').click();
    await page.getByText('1 row skipped').waitFor();
    expect(await count()).toBe(2);
  });

  it('offers the values of a status in words, and asks for one field after the other', async () => {
    const { choose, check, page, button, row, column } = await shared.show();
    const good = Array.from({ length: 10 }, (_, at) => `A${at},2026-05-01,active`);
    const lines = ['name,date,status', ...good, 'B,2026-02-30,paid'];
    await choose(writeTestFile('a.csv', lines.join('\n')));
    // The values of a column that the user chooses are not left out.
    await column('Status').selectOption('None');
    await page.getByText('Not imported: status.').waitFor();
    await column('Status').selectOption('status');
    await check();
    await row(12).getByText('February 2026 has only 28 days.').waitFor();
    await page.getByRole('textbox', { name: 'Date in row 12' }).fill('28.2.2026');
    await row(12).getByText('This status is not known.').waitFor();
    await button('Cancelled').click();
    const status = page.getByRole('textbox', { name: 'Status in row 12' });
    expect(await status.inputValue()).toBe('Cancelled');
    expect(await focusedLabel(page)).toBe('Status in row 12');
    await button('Import 11 events').click();
    await page.getByText('11 events added').waitFor();
  });

  it('that no correction helps says so with its reason, and the rest is imported', async () => {
    const { choose, check, page, button, row, count } = await shared.show();
    await choose(writeTestFile('a.csv', 'name,date\nA,2026-05-01\nB,2026-05-02,x,y'));
    expect((await check())[0]).toBe('To correct 1');
    await page.getByRole('heading', { name: 'One row can’t be imported' }).waitFor();
    await row(3)
      .getByText(/^The row has not as many cells as the header/)
      .waitFor();
    expect(await row(3).getByRole('textbox').count()).toBe(0);
    await button('Import 1 event').click();
    await page.getByText('1 row skipped').waitFor();
    expect(await count()).toBe(1);
  });
});

describe('an event that was changed by hand', () => {
  const file = (rows: readonly string[]) =>
    writeTestFile('plan.csv', ['Titel;Datum;Ort;Notiz', ...rows].join('\n'));
  const first = ['A;1.5.2026 18:00;Hall;x', 'B;2.5.2026;Pool;y', 'C;3.5.2026;Lake;z'];

  /** Imports the first rows into a new club, and changes each event by hand. */
  async function showEdited(): Promise<ImportPage> {
    const opened = await shared.show();
    const { perform } = opened;
    await perform('import', { files: [file(first)] });
    await perform('event edit', { id: 1, changes: { location: 'Hall, room 2' } });
    await perform('event edit', { id: 2, changes: { location: 'Deep', description: 'later' } });
    await perform('event edit', { id: 3, changes: { location: 'Sea' } });
    return opened;
  }

  it('keeps its values, unless the user takes those of the file', async () => {
    const opened = await showEdited();
    const { page, choose, check, counts, button, row, places } = opened;
    await page.getByRole('button', { name: 'Back to events' }).click();
    await page.getByRole('button', { name: /^A/ }).first().waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import', exact: true }).click();
    // The file that was imported contradicts no edit.
    await choose(file(first));
    expect(await check()).toEqual(['To correct 0', 'New 0', 'Changed 0', 'Unchanged 3']);
    await button('Choose another file…').click();
    await button('Back').click();
    await choose(
      file(['A;1.5.2026 18:00;Town hall;x', 'B;2.5.2026;Sea;new', 'C;3.5.2026;Lake;z', 'D;x;;']),
    );
    const byHand = 'Changed by hand 2';
    expect(await check()).toEqual(['To correct 1', byHand, 'New 0', 'Changed 0', 'Unchanged 3']);
    await page.getByRole('checkbox', { name: 'Leave row 5 out' }).check();
    await page.getByRole('heading', { name: 'You changed 2 events by hand' }).waitFor();
    await page.getByText('Your values stay, unless you choose those in the file.').waitFor();
    await page.getByText('2 events keep what you changed by hand.').waitFor();
    expect(await button(/^Import /).count()).toBe(0);
    const place = row(2).getByRole('group', { name: 'You changed this by hand.' });
    expect(await place.getByRole('radio', { name: 'Keep “Hall, room 2”' }).isChecked()).toBe(true);
    await place.getByRole('radio', { name: 'Use “Town hall” from the file' }).check();
    await button('Import 1 event').waitFor();
    expect(await counts()).toEqual(['To correct 0', byHand, 'New 0', 'Changed 1', 'Unchanged 2']);
    const several = row(3).getByRole('group', { name: 'You changed by hand: Place, Note' });
    const own = 'Keep “Deep”, “later”';
    expect(await several.getByRole('radio', { name: own }).isChecked()).toBe(true);
    await several.getByRole('radio', { name: 'Use “Sea”, “new” from the file' }).check();
    await button('Import 2 events').waitFor();
    await several.getByRole('radio', { name: own }).check();
    await button('Import 1 event').waitFor();
    await page.getByRole('button', { name: byHand }).click();
    expect(await page.locator('tbody').getByRole('row').count()).toBe(2);
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

  it('can take the values of the file with the keyboard', async () => {
    const { page, desk, places, button } = await showEdited();
    await goToImport(page);
    desk.chosen = [file(['A;1.5.2026 18:00;Town hall;x', 'E;4.5.2026;;'])];
    await tabTo(page, /^Choose a file…$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Match the columns' }).waitFor();
    await tabTo(page, /^Check 2 events$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You changed one event by hand' }).waitFor();
    await tabTo(page, /^Keep “Hall, room 2”$/);
    await page.keyboard.press('ArrowDown');
    await button('Import 2 events').waitFor();
    expect(await focused(page)).toBe('Use “Town hall” from the file');
    await tabTo(page, /^Import 2 events$/);
    await page.keyboard.press('Enter');
    await page.getByText('1 event changed').waitFor();
    expect(await places()).toMatchObject({ A: 'Town hall', C: 'Sea' });
  });
});

describe('splitIsoDate', () => {
  it('takes only days that exist', () => {
    expect(splitIsoDate('2026-02-28T19:30')).toEqual({ day: '2026-02-28', time: '19:30' });
    expect(splitIsoDate('2026-02-30')).toBeUndefined();
    expect(splitIsoDate('2026-13-01')).toBeUndefined();
  });
});

describe('the chips of the check', () => {
  it('filter the table, and a second press shows all rows again', async () => {
    const { choose, check, page } = await shared.show();
    await choose(writeTestFile('season.csv', season));
    await check();
    const rows = page.locator('tbody').getByRole('row');
    expect(await rows.count()).toBe(3);
    const chip = page.getByRole('button', { name: 'To correct 1' });
    await chip.click();
    expect(await rows.count()).toBe(1);
    expect(await chip.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Changed 0', exact: true }).click();
    await page.getByText('Nothing will be changed.').waitFor();
    expect(await rows.count()).toBe(0);
    await page.getByRole('button', { name: 'Changed 0', exact: true }).click();
    expect(await rows.count()).toBe(3);
  });
});

describe('a long report', () => {
  it('has few rows in the document, and Enter leads from one bad cell to the next', async () => {
    const { choose, check, page, button } = await shared.show();
    const lines = Array.from(
      { length: 1_500 },
      (_, at) => `Lauf ${at};${at % 50 === 0 ? 'bald' : '1.5.2026'}`,
    );
    await choose(writeTestFile('long.csv', ['Titel;Datum', ...lines].join('\n')));
    expect(await check()).toEqual(['To correct 30', 'New 1,470', 'Changed 0', 'Unchanged 0']);
    expect(await page.getByRole('heading', { level: 2 }).innerText()).toBe(
      '30 dates need a correction',
    );
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await expect.poll(() => focusedLabel(page)).toBe('Date in row 2');
    for (const row of [52, 102, 152, 202, 252, 302, 352, 402, 452, 502]) {
      await page.keyboard.press('Enter');
      await expect.poll(() => focusedLabel(page)).toBe(`Date in row ${row}`);
    }
    await page.keyboard.press('Control+A');
    await page.keyboard.type('2.5.2026');
    await button('Import 1,471 events').waitFor();
    expect(await focusedLabel(page)).toBe('Date in row 502');
    // Scrolled away, the cell with the focus stays in the document.
    await page.evaluate(() => window.scrollTo(0, 1e6));
    await page.getByRole('cell', { name: '1,501' }).waitFor();
    expect(await focusedLabel(page)).toBe('Date in row 502');
  });
});
