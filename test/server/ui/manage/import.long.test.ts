import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { writeTestFile } from '../../import/files.ts';
import { dropFiles } from './drop-files.ts';
import { season, shareImport } from './import-page.ts';

const shared = shareImport(testBrowser());

describe('the import screen', () => {
  it('shows a changed time beside its day, and other fields with their names', async () => {
    const { choose, check, button, page, row } = await shared.show();
    const lines = (time: string, type: string) => `Titel;Datum;Art\nLauf;1.5.2026 ${time};${type}`;
    await choose(writeTestFile('a.csv', lines('18:00', 'club')));
    await check();
    await button('Import 1 event').click();
    await button('Import another file').click();
    // The calendar entry has the id of the first import by name and day.
    await choose(writeTestFile('a.csv', lines('18:00', 'regional')));
    await expect.poll(await check()).toEqual(['To correct 0', 'New 0', 'Changed 1', 'Unchanged 0']);
    await page.getByRole('button', { name: 'Changed 1' }).click();
    await expect
      .poll(async () => (await row(2).innerText()).replaceAll(/\s+/g, ' '))
      .toContain('Type before: Club after: Regional');
  });

  it('reports a file that has disappeared before the check', async () => {
    const { choose, page, button, seeFirst } = await shared.show();
    const path = writeTestFile('season.csv', season);
    await choose(path);
    await seeFirst('Sommerfest');
    rmSync(path);
    await button('Check 2 events').click();
    await page
      .getByRole('alert')
      .getByText(/does not exist/)
      .waitFor();
    await button('Check again').waitFor();
  });

  it('imports several files as one and names the one that does not fit', async () => {
    const { choose, check, column, button, count, page, seeFirst } = await shared.show();
    await choose(
      writeTestFile('one.csv', 'Kram,date\nA,2026-05-01'),
      writeTestFile('two.csv', 'name,date\nB,2026-05-02'),
    );
    await page.getByText('A', { exact: true }).first().waitFor();
    await column('Name').selectOption('Kram');
    await page.getByText('two.csv has no column “Kram”').waitFor();
    await page.getByText('Answer the open questions first.').waitFor();
    await button('Back').click();
    await button('Remove two.csv').click();
    await choose(writeTestFile('three.ics', calendar));
    await page.getByRole('combobox', { name: 'File' }).selectOption('three.ics');
    await seeFirst('Final');
    await expect.poll(await check()).toEqual(['Clashes 0', 'New 2', 'All 2']);
    await page.locator('.plan-file-name', { hasText: 'three.ics' }).waitFor();
    await button('Import 2 events').click();
    await page.getByText('one.csv, three.ics').waitFor();
    expect(await count()).toBe(2);
  });

  it('lists each date of a repeating event', async () => {
    const { choose, check, page } = await shared.show();
    const repeating = calendar.replace('SUMMARY', 'RRULE:FREQ=WEEKLY;COUNT=3\r\nSUMMARY');
    await choose(writeTestFile('weekly.ics', repeating));
    await expect.poll(await check()).toContain('New 3');
    const rows = page.locator('tbody').getByRole('row');
    await expect
      .poll(async () => (await rows.allInnerTexts()).map((text) => /\d+ May/.exec(text)?.[0]))
      .toEqual(['1 May', '8 May', '15 May']);
  });

  it('imports files dropped on the window or opened with the program', async () => {
    const { desk, page, seeFirst, send, button } = await shared.show();
    const dropped = join(desk.folder, 'dropped.csv');
    writeFileSync(dropped, season);
    await dropFiles(page, '.import-drop', [dropped]);
    await seeFirst('Sommerfest');
    desk.opened = [writeTestFile('opened.csv', 'name,date\nAusflug,2026-05-03')];
    await page.evaluate(() => {
      location.hash = '';
    });
    await send({ kind: 'opened' });
    await page.getByRole('button', { name: /^Add to the started import/ }).click();
    await page.getByRole('combobox', { name: 'File' }).waitFor();
    await button('Back').click();
    await button('Remove opened.csv').waitFor();
    await button('Remove dropped.csv').click();
    await button('Continue').click();
    await seeFirst('Ausflug');
  });
});

const calendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:test',
  'BEGIN:VEVENT',
  'UID:1',
  'DTSTAMP:20260101T000000Z',
  'DTSTART:20260501T180000Z',
  'SUMMARY:Final',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');
