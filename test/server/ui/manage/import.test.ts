import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { writeTestFile } from '../../actions/import/files.ts';
import { dropFiles } from './drop-files.ts';
import { shareImport } from './import-page.ts';

const shared = shareImport(testBrowser());

/** Texts that only help at a command line. */
const commandTerms = /--[a-z]|club-events |command/;

const season = 'Titel;Datum;Ort\nSommerfest;1.5.2026 18:00;Halle\nTurnier;2.5.2026;Klubheim';

describe('the import screen', () => {
  it('reads a spreadsheet and previews its events at once', async () => {
    const { choose, column, seeFirst, check, button, count, page } = await shared.show();
    await choose(writeTestFile('season.csv', season));
    await seeFirst('May 2026');
    await seeFirst('18:00 · Halle');
    await page.getByText('2 events from row 2 on.').waitFor();
    expect(await column('Name').inputValue()).toBe('Titel');
    expect(await column('Date').inputValue()).toBe('Datum');
    await column('Place').selectOption('None');
    await page.getByText('Not imported: Ort.').waitFor();
    await column('Place').selectOption('Ort');
    await seeFirst('Klubheim');
    await page.getByText('Nothing is changed yet.').waitFor();
    expect(await check()).toEqual(['To correct 0', 'New 2', 'Changed 0', 'Unchanged 0']);
    await page.getByRole('heading', { name: 'Everything is ready' }).waitFor();
    await page.getByText('All 2 rows are ready. You can undo the import at any time.').waitFor();
    expect(await count()).toBe(0);
    await button('Import 2 events').click();
    await page.getByText('2 events added').waitFor();
    expect(await count()).toBe(2);
    await button('Show events').click();
    await page.getByRole('button', { name: /Sommerfest/ }).waitFor();
  });

  it('shows each changed field, and an undo restores exactly those', async () => {
    const opened = await shared.show();
    const { choose, seeFirst, check, button, count, page } = opened;
    const path = writeTestFile('season.csv', season);
    await choose(path);
    await check();
    await button('Import 2 events').click();
    await button('Import another file').click();
    writeFileSync(path, season.replace('Halle', 'Rathaus').replace('Turnier', 'Ausflug'));
    await choose(path);
    await seeFirst('Rathaus');
    expect(await check()).toEqual(['To correct 0', 'New 1', 'Changed 1', 'Unchanged 0']);
    const changed = page.getByRole('row').filter({ hasText: 'Sommerfest' });
    expect(await changed.locator('del').allInnerTexts()).toEqual(['Halle']);
    expect(await changed.locator('ins').allInnerTexts()).toEqual(['Rathaus']);
    await button('Import 2 events').click();
    await page.getByText('1 event changed').waitFor();
    expect(await count()).toBe(3);
    await button('Undo').click();
    await page.getByRole('heading', { name: 'Import undone' }).waitFor();
    expect(await count()).toBe(2);
    await button('Back to this file').click();
    await seeFirst('Rathaus');
    expect(await check()).toEqual(['To correct 0', 'New 1', 'Changed 1', 'Unchanged 0']);
  });

  it('shows a changed time beside its day, and other fields with their names', async () => {
    const { choose, check, button, page, row } = await shared.show();
    const lines = (time: string, type: string) => `Titel;Datum;Art\nLauf;1.5.2026 ${time};${type}`;
    await choose(writeTestFile('a.csv', lines('18:00', 'club')));
    await check();
    await button('Import 1 event').click();
    await button('Import another file').click();
    // The calendar entry has the id of the first import by name and day.
    await choose(writeTestFile('a.csv', lines('18:00', 'regional')));
    expect(await check()).toEqual(['To correct 0', 'New 0', 'Changed 1', 'Unchanged 0']);
    await page.getByRole('button', { name: 'Changed 1' }).click();
    expect((await row(2).innerText()).replaceAll(/\s+/g, ' ')).toContain(
      'Type before: Club after: Regional',
    );
  });

  it('says that there is nothing to import', async () => {
    const { choose, check, page, button } = await shared.show(2);
    const event = (id: number) => `${id},Event ${id},2026-05-01T18:00:00Z`;
    await choose(writeTestFile('a.csv', `id,name,date\n${event(1)}\n${event(2)}`));
    expect(await check()).toEqual(['To correct 0', 'New 0', 'Changed 0', 'Unchanged 2']);
    await page.getByText('Nothing to import: all events are already here.').waitFor();
    expect(await button(/^Import /).count()).toBe(0);
    await page.getByRole('button', { name: 'Unchanged 2' }).click();
    await page.getByText('2 events are already here and stay as they are.').waitFor();
  });

  it('says in place what is wrong with a file, until another one is chosen', async () => {
    const { choose, page, button, desk } = await shared.show();
    const alert = page.getByRole('main').getByRole('alert');
    await choose(writeTestFile('nothing.csv', ''));
    for (const [name, content, reason] of [
      ['part.csv', 'PK\x03\x04', /the workbook is damaged or cut off/],
      ['a.pdf', '%PDF-1.7', /this is a PDF; ask for the table itself/],
      ['empty.csv', '', /the file is empty/],
      ['a.log', 'x', /does not end in .*; choose a file whose name does/],
      ['a.json', '{"events":[', /this is not valid JSON, or was/],
      ['a.ics', 'x', /a\.ics/],
    ] as const) {
      desk.chosen = [writeTestFile(name, content)];
      await button('Choose another file…').click();
      await alert.getByText(name).waitFor();
      expect(await alert.innerText()).toMatch(reason);
      expect(await alert.innerText()).not.toMatch(commandTerms);
      expect(await button(/^(Check|Continue)/).count()).toBe(0);
    }
    await choose(writeTestFile('season.csv', season));
    expect(await button('Choose another file…').count()).toBe(1);
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
    expect(await check()).toEqual(['To correct 0', 'New 2', 'Changed 0', 'Unchanged 0']);
    await page.getByRole('row').filter({ hasText: 'Event 1' }).getByText('three.ics').waitFor();
    await button('Import 2 events').click();
    await page.getByText('one.csv, three.ics').waitFor();
    expect(await count()).toBe(2);
  });

  it('lists each date of a repeating event', async () => {
    const { choose, check, page } = await shared.show();
    const repeating = calendar.replace('SUMMARY', 'RRULE:FREQ=WEEKLY;COUNT=3\r\nSUMMARY');
    await choose(writeTestFile('weekly.ics', repeating));
    expect((await check())[1]).toBe('New 3');
    const rows = page.locator('tbody').getByRole('row');
    expect((await rows.allInnerTexts()).map((text) => /\d+ May/.exec(text)?.[0])).toEqual([
      '1 May',
      '8 May',
      '15 May',
    ]);
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
    await page.getByRole('combobox', { name: 'File' }).waitFor();
    await button('Back').click();
    await button('Remove opened.csv').waitFor();
    await button('Remove dropped.csv').click();
    await button('Continue').click();
    await seeFirst('Ausflug');
  });

  it('shows the content of a file as text, never as markup', async () => {
    const { choose, check, seeFirst, page } = await shared.show();
    const name = '<img src=x onerror=alert(1)>';
    await choose(writeTestFile('<b>.csv', `name,date,${name}\n${name},2026-05-01,x`));
    await seeFirst(name);
    await page.getByText(`Not imported: ${name}.`).waitFor();
    await check();
    expect(await page.locator('img[src=x]').count()).toBe(0);
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
