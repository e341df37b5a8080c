import { describe, expect, it } from 'vitest';
import { addDays, type Day } from '../../../../server/dates/days.ts';
import { testBrowser } from '../../../support/browser.ts';
import { writeTestFile } from '../../import/files.ts';
import { expectForEverybody } from '../axe.ts';
import { shareImport } from './import-page.ts';

const shared = shareImport(testBrowser());

const today = new Date().toISOString().slice(0, 10);
const csv = (rows: readonly (readonly [name: string, day: Day])[]) =>
  ['Titel;Datum;Ort', ...rows.map(([name, day]) => `${name};${day} 18:00;Halle`)].join('\n');

describe('a plan that comes again', () => {
  it('moves the events of last season, or adds them again, after an answer', {
    tags: 'long',
  }, async () => {
    const { choose, perform, button, count, page } = await shared.show();
    const names = ['Sommerfest', 'Turnier', 'Lauf', 'Sitzung', 'Feier'];
    const days = names.map((_, at) => addDays(today, -40 - at));
    await perform('import', {
      files: [writeTestFile('old.csv', csv(names.map((name, at) => [name, days[at] ?? ''])))],
    });
    const rows = names.map((name, at) => `${at + 1};${name};${addDays(days[at] ?? '', 364)};Halle`);
    await choose(
      writeTestFile(
        'new.csv',
        ['ID;Titel;Datum;Ort', ...rows, `;Neu;${addDays(today, 9)};`].join('\n'),
      ),
    );
    await button('Check 6 events').click();
    await page
      .getByRole('heading', { name: '5 events of this file are here already, with other dates' })
      .waitFor();
    await page.getByText('The dates in the file are 52 weeks later').waitFor();
    await expect.poll(() => page.locator('.import-pairs tbody tr').count()).toBe(4);
    await page.getByText('1 more. 1 new row is added in any case.').waitFor();
    await expectForEverybody(page, 'move or add');
    const answers = page.getByRole('group', { name: 'Move them, or add them again?' });
    await expect.poll(() => answers.getByRole('radio', { checked: true }).count()).toBe(0);
    await page.getByText('Choose above: move or add. Nothing is changed yet.').waitFor();
    await expect.poll(() => button('Import').isDisabled()).toBe(true);
    await answers.getByRole('radio', { name: /^Move them/ }).check();
    await page.getByRole('button', { name: 'Moved 5' }).waitFor();
    await answers.getByRole('radio', { name: /^Add them again/ }).check();
    await page.getByRole('button', { name: 'New 6' }).waitFor();
    await button('Import 6 events').click();
    await page.getByText('6 events added').waitFor();
    expect(await count()).toBe(11);
    await button('Undo').click();
    await button('Back to this file').click();
    await button('Check 6 events').click();
    await answers.getByRole('radio', { name: /^Move them/ }).check();
    await button('Import 6 events').click();
    await page.getByText('5 events moved').waitFor();
    expect(await count()).toBe(6);
  });

  it('shows old and new dates, and cancels what a person ticks of what is no longer in it', {
    tags: 'long',
  }, async () => {
    const { choose, check, perform, button, page, row, desk } = await shared.show();
    const day = (days: number) => addDays(today, days);
    const first = csv([
      ['Lauf', day(10)],
      ['Turnier', day(20)],
      ['Sitzung', day(30)],
      ['Feier', day(40)],
    ]);
    await perform('import', { files: [writeTestFile('plan.csv', first)] });
    await choose(
      writeTestFile(
        'plan.csv',
        csv([
          ['Lauf', day(12)],
          ['Turnier', day(20)],
        ]),
      ),
    );
    await expect
      .poll(await check())
      .toEqual(['To correct 0', 'Moved 1', 'New 0', 'Changed 0', 'Unchanged 1']);
    await expect.poll(() => row(2).locator('del').count()).toBe(1);
    await page.getByRole('heading', { name: '2 events are no longer in the file' }).waitFor();
    await expectForEverybody(page, 'no longer in the file');
    await expect.poll(() => page.getByRole('radio', { checked: true }).count()).toBe(0);
    await button('Import 1 event').waitFor();
    await page
      .getByRole('group', { name: /^Sitzung/ })
      .getByRole('radio', { name: 'Cancel it' })
      .check();
    await button('Import 2 events').click();
    await page.getByText('1 event moved').waitFor();
    await page.getByText('1 event that was here moved or cancelled').waitFor();
    expect(desk.asked).toEqual([]);
    await button('Show events').click();
    await page.getByRole('button', { name: /Sitzung.*Cancelled|Cancelled.*Sitzung/ }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Feier.*Cancelled/ }).count()).toBe(0);
  });
});
