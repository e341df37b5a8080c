import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { writeTestFile } from '../../import/files.ts';
import {
  faultySeason,
  focused,
  focusedLabel,
  goToImport,
  shareImport,
  showEdited,
  tabTo,
  writePlan,
} from './import-page.ts';

const shared = shareImport(testBrowser());

describe('a bad row', () => {
  it('turns right while a value is typed, and wrong again', async () => {
    const { choose, check, page, row, button } = await shared.show();
    await choose(writeTestFile('season.csv', faultySeason));
    await check();
    const cell = page.getByRole('textbox', { name: 'Date in row 3' });
    await cell.fill('29.11.2026 18:30');
    await row(3).getByText('Sun 29 Nov 2026, 18:30').waitFor();
    await button('Import 3 events').waitFor();
    await cell.fill('neulich');
    await row(3).getByText('This date was not understood.').waitFor();
    await button('Import 2 events').waitFor();
    expect(await focusedLabel(page)).toBe('Date in row 3');
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
    await row(12).getByText('Choose Draft, Planned, Completed or Cancelled.').waitFor();
    await button('Cancelled').click();
    const status = page.getByRole('textbox', { name: 'Status in row 12' });
    await expect.poll(() => status.inputValue()).toBe('Cancelled');
    expect(await focusedLabel(page)).toBe('Status in row 12');
    await button('Import 11 events').click();
    await page.getByText('11 events added').waitFor();
  });

  it('that no correction helps says so with its reason, and the rest is imported', async () => {
    const { choose, check, page, button, row, count } = await shared.show();
    await choose(writeTestFile('a.csv', 'name,date\nA,2026-05-01\nB,2026-05-02,x,y'));
    await expect.poll(await check()).toContain('To correct 1');
    await page.getByRole('heading', { name: 'One row can’t be imported' }).waitFor();
    await row(3)
      .getByText(/^The row does not have as many cells as the header/)
      .waitFor();
    await expect.poll(() => row(3).getByRole('textbox').count()).toBe(0);
    await button('Import 1 event').click();
    await page.getByText('1 row skipped').waitFor();
    expect(await count()).toBe(1);
  });
});

describe('an event that was changed by hand', () => {
  it('can take the values of the file with the keyboard', async () => {
    const { page, desk, places, button } = await showEdited(shared);
    await goToImport(page);
    desk.chosen = [writePlan(['A;1.5.2026 18:00;Town hall;x', 'E;4.5.2026;;'])];
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

describe('the chips of the check', () => {
  it('filter the table, and a second press shows all rows again', async () => {
    const { choose, check, page } = await shared.show();
    await choose(writeTestFile('season.csv', faultySeason));
    await check();
    const rows = page.locator('tbody').getByRole('row');
    await expect.poll(() => rows.count()).toBe(3);
    const chip = page.getByRole('button', { name: 'To correct 1' });
    await chip.click();
    await expect.poll(() => rows.count()).toBe(1);
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Changed 0', exact: true }).click();
    await page.getByText('Nothing will be changed.').waitFor();
    await expect.poll(() => rows.count()).toBe(0);
    await page.getByRole('button', { name: 'Changed 0', exact: true }).click();
    await expect.poll(() => rows.count()).toBe(3);
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
    await expect
      .poll(await check())
      .toEqual(['To correct 30', 'New 1,470', 'Changed 0', 'Unchanged 0']);
    await expect
      .poll(() => page.getByRole('heading', { level: 2 }).innerText())
      .toBe('30 dates need a correction');
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(60);
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
