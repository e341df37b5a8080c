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
    await seeFirst('1 May 2026, 18:00');
    expect(await column('Name').inputValue()).toBe('Titel');
    expect(await column('Date').inputValue()).toBe('Datum');
    await column('Place').selectOption('None');
    await page.getByText('Not imported: Ort.').waitFor();
    await column('Place').selectOption('Ort');
    await seeFirst('Klubheim');
    expect(await check()).toEqual(['New 2', 'Changed 0', 'Unchanged 0', 'Skipped 0']);
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
    expect(await check()).toEqual(['New 1', 'Changed 1', 'Unchanged 0', 'Skipped 0']);
    const changed = page.getByRole('listitem').filter({ hasText: 'Sommerfest' });
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
    expect(await check()).toEqual(['New 1', 'Changed 1', 'Unchanged 0', 'Skipped 0']);
  });

  it('names a missing column and continues once it is chosen', async () => {
    const { choose, column, seeFirst, button, page } = await shared.show();
    await choose(
      writeTestFile('a.csv', 'Was;Beginn;Start\nSommerfest;1/2/2026;x\nTurnier;3/4/2026;y'),
    );
    await page.getByText('Every event needs this. Choose the column that contains it.').waitFor();
    await page.getByText('Both “Beginn” and “Start” could be it. Choose one.').waitFor();
    expect(await button('Check').count()).toBe(0);
    await column('Name').selectOption('Was');
    await column('Date').selectOption('Beginn');
    await page.getByText('Which comes first in dates like 1/2/2026?').waitFor();
    await page.getByRole('radio', { name: 'The month' }).check();
    await seeFirst('2 Jan 2026, 00:00');
    await page.getByRole('radio', { name: 'The day' }).check();
    await seeFirst('1 Feb 2026, 00:00');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('new_york');
    await page.getByRole('option', { name: 'America/New_York' }).click();
    await seeFirst('1 Feb 2026, 06:00');
    await button('Match by headings').click();
    await page.getByText('Both “Beginn” and “Start” could be it. Choose one.').waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(commandTerms);
  });

  it('lists bad rows with place and reason, and imports the rest on request', async () => {
    const { choose, check, button, count, page } = await shared.show();
    await choose(
      writeTestFile('a.csv', 'name,date,status\nA,2026-05-01,\nB,2026-02-30,\nC,2026-05-01,paid'),
    );
    await page
      .getByText('row 3, Date: “2026-02-30” does not exist: February 2026 has only 28 days')
      .waitFor();
    expect(await check()).toEqual(['New 1', 'Changed 0', 'Unchanged 0', 'Skipped 2']);
    const rows = page.getByRole('tabpanel').getByRole('listitem');
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(
        /^row 3, “date”\s+“2026-02-30” does not exist: February 2026 has only 28 days/,
      ),
      expect.stringMatching(/^row 4, “status”\s+“paid” is not a status/),
    ]);
    await page.getByText('2 rows will be skipped.').waitFor();
    await button('Import the 1 valid event').click();
    await page.getByText('2 rows skipped').waitFor();
    expect(await count()).toBe(1);
  });

  it('says that there is nothing to import', async () => {
    const { choose, check, page, button } = await shared.show(2);
    const event = (id: number) => `${id},Event ${id},2026-05-01T18:00:00Z`;
    await choose(writeTestFile('a.csv', `id,name,date\n${event(1)}\n${event(2)}`));
    expect(await check()).toEqual(['New 0', 'Changed 0', 'Unchanged 2', 'Skipped 0']);
    await page.getByText('Nothing to import: all events are already here.').waitFor();
    expect(await button(/^Import /).count()).toBe(0);
  });

  it.each([
    ['a part of a workbook', 'a.csv', 'PK\x03\x04', /the workbook is damaged or cut off/],
    ['a PDF', 'a.pdf', '%PDF-1.7', /this is a PDF; ask for the table itself/],
    ['an empty file', 'a.csv', '', /the file is empty/],
    ['a file of another kind', 'a.log', 'x', /does not end in .*; choose a file whose name does/],
    ['JSON that is cut off', 'a.json', '{"events":[', /this is not valid JSON, or was/],
    ['a calendar that is none', 'a.ics', 'x', /a\.ics/],
  ])('says in place what is wrong with %s', async (_, name, content, reason) => {
    const { choose, page, button } = await shared.show();
    await choose(writeTestFile(name, content));
    const alert = page.getByRole('main').getByRole('alert');
    expect(await alert.innerText()).toMatch(reason);
    expect(await alert.innerText()).not.toMatch(commandTerms);
    expect(await button('Check').count()).toBe(0);
  });

  it('shows a truncated row in its place and continues without it', async () => {
    const { choose, page, button, seeFirst } = await shared.show();
    await choose(writeTestFile('a.csv', 'name,date\nA,2026-05-01\nB'));
    await seeFirst('A');
    await page.getByText(/^row 3: /).waitFor();
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
    await button('Check').click();
    await button(/^Import /).waitFor();
  });

  it('reports a file that has disappeared before the check', async () => {
    const { choose, page, button, seeFirst } = await shared.show();
    const path = writeTestFile('season.csv', season);
    await choose(path);
    await seeFirst('Sommerfest');
    rmSync(path);
    await button('Check').click();
    await page
      .getByRole('alert')
      .getByText(/does not exist/)
      .waitFor();
  });

  it('imports several files as one and names the one that does not fit', async () => {
    const { choose, check, column, button, count, page, seeFirst } = await shared.show();
    await choose(
      writeTestFile('one.csv', 'Was,date\nA,2026-05-01'),
      writeTestFile('two.csv', 'name,date\nB,2026-05-02'),
    );
    await page.getByText('Every event needs this').waitFor();
    await column('Name').selectOption('Was');
    await page.getByText('two.csv has no column “Was”').waitFor();
    expect(await button('Check').count()).toBe(0);
    await button('Remove two.csv').click();
    await choose(writeTestFile('three.ics', calendar));
    await page.getByRole('heading', { name: 'Preview of three.ics' }).waitFor();
    await seeFirst('Final');
    expect(await check()).toEqual(['New 2', 'Changed 0', 'Unchanged 0', 'Skipped 0']);
    await page.getByText('three.ics, event 1').waitFor();
    await button('Import 2 events').click();
    await page.getByText('one.csv, three.ics').waitFor();
    expect(await count()).toBe(2);
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
    await button('Remove opened.csv').waitFor();
    await button('Remove dropped.csv').click();
    await seeFirst('Ausflug');
  });

  it('reuses the columns chosen for the last file with the same headings', async () => {
    const { choose, check, column, button, page, seeFirst } = await shared.show();
    const content = (name: string) => `Was;Wann;Wo genau\n${name};2026-05-01;Halle`;
    await choose(writeTestFile('2025.csv', content('A')));
    await column('Name').selectOption('Was');
    await column('Place').selectOption('Wo genau');
    await seeFirst('Halle');
    await check();
    await button('Import 1 event').click();
    await button('Import another file').click();
    await choose(writeTestFile('2026.csv', content('B')));
    await page.getByText('matched as in your last file').waitFor();
    expect(await column('Place').inputValue()).toBe('Wo genau');
    await seeFirst('Halle');
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
