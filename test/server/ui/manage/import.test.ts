import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { makeXlsx, rowsXml } from '../../../support/workbook.ts';
import { writeTestFile } from '../../import/files.ts';
import { expectForEverybody } from '../axe.ts';
import { dropFiles } from './drop-files.ts';
import { season, shareImport } from './import-page.ts';

const shared = shareImport(testBrowser());

/** Texts that only help at a command line. */
const commandTerms = /--[a-z]|club-events |command/;

describe('the import screen', () => {
  it('reads a spreadsheet and previews its events at once', async () => {
    const { choose, column, seeFirst, check, button, count, page, desk } = await shared.show();
    await choose(writeTestFile('season.csv', season));
    await seeFirst('May 2026');
    await seeFirst('18:00 · Halle');
    await page.getByText('2 events from row 2 on.').waitFor();
    await expectForEverybody(page, 'columns');
    await expect.poll(() => column('Name').inputValue()).toBe('Titel');
    await expect.poll(() => column('Date').inputValue()).toBe('Datum');
    await column('Place').selectOption('None');
    await page.getByText('Not imported: Ort.').waitFor();
    await column('Place').selectOption('Ort');
    await seeFirst('Klubheim');
    await page.getByText('Nothing is changed yet.').waitFor();
    await expect.poll(await check()).toEqual(['To correct 0', 'New 2', 'Changed 0', 'Unchanged 0']);
    await page.getByRole('heading', { name: 'Everything is ready' }).waitFor();
    await page.getByText('All 2 rows are ready. You can undo the import at any time.').waitFor();
    expect(await count()).toBe(0);
    await button('Import 2 events').click();
    await page.getByText('2 events added').waitFor();
    expect(await count()).toBe(2);
    // The result stays when another file comes.
    writeFileSync(join(desk.folder, 'next.csv'), 'name,date\nAusflug,2026-05-03');
    await dropFiles(page, 'body', ['next.csv']);
    await page.getByText('next.csv: not imported yet.').waitFor();
    await page.getByText('2 events added').waitFor();
    await button('Import next.csv').click();
    await seeFirst('Ausflug');
    await page.getByRole('button', { name: 'Back to events' }).click();
    await page.getByRole('button', { name: /Sommerfest/ }).waitFor();
  });

  it('shows each changed field, and an undo restores exactly those', { tags: 'long' }, async () => {
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
    await expect.poll(await check()).toEqual(['To correct 0', 'New 1', 'Changed 1', 'Unchanged 0']);
    const changed = page.getByRole('row').filter({ hasText: 'Sommerfest' });
    await expect.poll(() => changed.locator('del').allInnerTexts()).toEqual(['Halle']);
    await expect.poll(() => changed.locator('ins').allInnerTexts()).toEqual(['Rathaus']);
    await button('Import 2 events').click();
    await page.getByText('1 event changed').waitFor();
    expect(await count()).toBe(3);
    await button('Undo').click();
    await page.getByRole('heading', { name: 'Import undone' }).waitFor();
    expect(await count()).toBe(2);
    await button('Back to this file').click();
    await seeFirst('Rathaus');
    await expect.poll(await check()).toEqual(['To correct 0', 'New 1', 'Changed 1', 'Unchanged 0']);
  });

  it('says that there is nothing to import', { tags: 'long' }, async () => {
    const { choose, check, page, button } = await shared.show(2);
    const event = (id: number) => `${id},Event ${id},2026-05-01T18:00:00Z`;
    await choose(writeTestFile('a.csv', `id,name,date\n${event(1)}\n${event(2)}`));
    await expect.poll(await check()).toEqual(['To correct 0', 'New 0', 'Changed 0', 'Unchanged 2']);
    await page.getByText('Nothing to import: all events are already here.').waitFor();
    await expect.poll(() => button(/^Import /).count()).toBe(0);
    await page.getByRole('button', { name: 'Unchanged 2' }).click();
    await page.getByText('2 events are already here and stay as they are.').waitFor();
  });

  it('says in place what is wrong with a file, until another one is chosen', {
    tags: 'long',
  }, async () => {
    const { choose, page, button, desk } = await shared.show();
    const alert = page.getByRole('main').getByRole('alert');
    const refusal = page.locator('.file-refusal p');
    for (const [name, content, reason] of [
      ['part.csv', 'PK\x03\x04', /the workbook is damaged or cut off/],
      ['a.pdf', '%PDF-1.7', /this is a PDF; ask for the table itself/],
      ['empty.csv', '', /the file is empty/],
    ] as const) {
      await choose(writeTestFile(name, content));
      await refusal.getByText(name).waitFor();
      await expect.poll(() => refusal.innerText()).toMatch(reason);
      await expect.poll(() => refusal.innerText()).not.toMatch(commandTerms);
    }
    // Nothing is started with them.
    await page.getByRole('button', { name: 'Close this notice' }).click();
    await choose(writeTestFile('nothing.json', '{"events":'));
    for (const [name, content, reason] of [
      ['a.log', 'x', /does not end in .*; choose a file whose name does/],
      ['a.json', '{"events":[', /the data ends too early/],
      ['a.ics', 'x', /a\.ics/],
    ] as const) {
      desk.chosen = [writeTestFile(name, content)];
      await button('Choose another file…').click();
      await alert.getByText(name).waitFor();
      await expect.poll(() => alert.innerText()).toMatch(reason);
      await expect.poll(() => alert.innerText()).not.toMatch(commandTerms);
      await expect.poll(() => button(/^(Check|Continue)/).count()).toBe(0);
    }
    await choose(writeTestFile('season.csv', season));
    await expect.poll(() => button('Choose another file…').count()).toBe(1);
  });

  it('shows the content of a file as text, never as markup', { tags: 'long' }, async () => {
    const { choose, check, seeFirst, page } = await shared.show();
    const name = '<img src=x onerror=alert(1)>';
    await choose(writeTestFile('<b>.csv', `name,date,${name}\n${name},2026-05-01,x`));
    await seeFirst(name);
    await page.getByText(`Not imported: ${name}.`).waitFor();
    await check();
    await expect.poll(() => page.locator('img[src=x]').count()).toBe(0);
  });

  it('reads a pasted table, and pasted lines of plain words', { tags: 'long' }, async () => {
    const { page, button, seeFirst, column, check, count } = await shared.show();
    const paste = (selector: string, text: string) =>
      page.locator(selector).evaluate((target, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', pasted);
        const event = new ClipboardEvent('paste', {
          clipboardData,
          bubbles: true,
          cancelable: true,
        });
        return !target.dispatchEvent(event);
      }, text);
    expect(await paste('body', 'Not an event,\nonly two lines')).toBe(false);
    expect(await paste('body', 'Anlass\tDatum\tHalle\r\nCross\t22.11.2027\tKöln\r\n')).toBe(true);
    await page.getByText('Pasted text.csv').waitFor();
    await seeFirst('Köln');
    await expect.poll(() => column('Name').inputValue()).toBe('Anlass');
    await button('Back').click();
    await button('Remove Pasted text.csv').click();
    await page.getByRole('button', { name: 'Back to events' }).click();
    await page.locator('.first-run-line textarea').waitFor();
    const lines = 'Lauf 5 June 2027 18:00-20:00 Park\nFest 6 June 2027 Halle\nKuchen backen';
    expect(await paste('.first-run-line textarea', 'Fest 6 June 2027')).toBe(false);
    expect(await paste('.first-run-line textarea', lines)).toBe(true);
    await seeFirst('18:00–20:00 · Park');
    await expect.poll(await check()).toEqual(['To correct 1', 'New 2', 'Changed 0', 'Unchanged 0']);
    await page.getByRole('textbox', { name: /^Date/ }).fill('7.6.2027');
    await button('Import 3 events').click();
    await page.getByText('3 events added').waitFor();
    expect(await count()).toBe(3);
  });

  it('imports the other sheet of a workbook afterwards, without choosing the file again', {
    tags: 'long',
  }, async () => {
    const { choose, button, seeFirst, check, page, count } = await shared.show();
    const rows = [
      ['Titel', 'Datum'],
      ['Lauf', '1.5.2027'],
    ];
    const youth = [
      ['Anlass', 'Wann', 'Wo'],
      ['Zeltlager', '3.7.2027', 'See'],
    ];
    const workbook = makeXlsx(rows, { more: { Jugend: rowsXml(youth) } });
    await choose(writeTestFile('plan.xlsx', workbook));
    await seeFirst('Lauf');
    await check();
    await button('Import 1 event').click();
    await button('Import the sheet “Jugend”').click();
    await seeFirst('Zeltlager');
    await page.getByText('plan.xlsx').waitFor();
    await check();
    await button('Import 1 event').click();
    await page.getByText('1 event added').waitFor();
    expect(await count()).toBe(2);
    await expect.poll(() => button(/^Import the sheet/).count()).toBe(0);
  });
});
