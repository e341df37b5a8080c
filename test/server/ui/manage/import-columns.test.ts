import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { writeTestFile } from '../../import/files.ts';
import { fixtures, shareImport } from './import-page.ts';

const shared = shareImport(testBrowser());

describe('the columns of a spreadsheet', () => {
  it('give the time, and a place from two columns', { tags: 'long' }, async () => {
    const { choose, column, seeFirst, check, button, page, row } = await shared.show();
    await choose(writeTestFile('plan.csv', fixtures));
    await expect.poll(() => column('Time').inputValue()).toBe('Beginn');
    await seeFirst('November 2026');
    await expect.poll(() => column('Place').inputValue()).toBe('Halle');
    await expect.poll(() => column('Place', 2).inputValue()).toBe('Stadt');
    await column('Place', 2).selectOption('None');
    await page.getByText('Not imported: Stadt, Helfer, Kosten.').waitFor();
    await seeFirst('10:00 · Buchenwald');
    await button('Add another column to Place').click();
    await column('Place', 2).selectOption('Stadt');
    await seeFirst('10:00 · Buchenwald, Kappeln');
    await page
      .getByRole('row', { name: /^Place/ })
      .getByText('Buchenwald, Kappeln')
      .waitFor();
    await column('Time').selectOption('None');
    await page.getByText('Not imported: Beginn, Helfer, Kosten.').waitFor();
    await expect
      .poll(() => page.getByRole('region', { name: 'Preview' }).getByText('10:00').count())
      .toBe(0);
    await column('Time').selectOption('Beginn');
    await seeFirst('10:00 · Buchenwald, Kappeln');
    await check();
    await expect
      .poll(async () => (await row(2).innerText()).replaceAll('\u00ad', '').replaceAll(/\s+/g, ' '))
      .toBe('2 Cross Sun 22 Nov 2026, 10:00 Buchenwald, Kappeln New');
  });

  it('give the end, which stays when another column joins the note', { tags: 'long' }, async () => {
    const { choose, column, seeFirst, check, button, row } = await shared.show();
    const lines = 'Titel;Datum;Beginn;Ende;Kuchen\nFest;1.5.2027;18:00;22:00;Anna';
    await choose(writeTestFile('ends.csv', lines));
    await expect.poll(() => column('Ends').inputValue()).toBe('Ende');
    await seeFirst('18:00–22:00');
    await button('Add it to the note').click();
    await seeFirst('Anna');
    await seeFirst('18:00–22:00');
    await check();
    await expect
      .poll(async () => (await row(2).innerText()).replaceAll('\u00ad', '').replaceAll(/\s+/g, ' '))
      .toContain('Fest Sat 1 May 2027, 18:00–22:00');
    await button('Back').click();
    await column('Ends').selectOption('None');
    await seeFirst(/^18:00$/);
  });

  it('are those of a year planner, which can be read as an ordinary table instead', {
    tags: 'long',
  }, async () => {
    const { choose, seeFirst, button, page } = await shared.show();
    const days = Array.from({ length: 31 }, (_, at) => `${at + 1};;${at === 5 ? 'Probe' : ''};`);
    const content = ['Planer 2027', ';Januar;Februar;März', ...days].join('\n');
    await choose(writeTestFile('planer.csv', content));
    await page.getByText('This was read as a year planner: 1 event, “Probe” in cell C8.').waitFor();
    await seeFirst('February 2027');
    await button('Read it as an ordinary table').click();
    const advice = 'The events are not in rows, one below the other.';
    await page.getByText(advice).first().waitFor();
    await button('Read it by its layout again').click();
    await seeFirst('February 2027');
    await expect.poll(() => page.getByText(advice).count()).toBe(0);
  });

  it('are asked for where they are missing or unclear, and the strong button leads there', {
    tags: 'long',
  }, async () => {
    const { choose, column, seeFirst, button, page } = await shared.show();
    const content = 'Kram;Beginn;Kasse\nSommerfest;1/2/2026;x\nTurnier;3/4/2026;y';
    await choose(writeTestFile('a.csv', content));
    await column('Date').selectOption('');
    await column('Name').selectOption('');
    const missing = 'Every event needs this. Choose the column that contains it.';
    await expect.poll(() => page.getByText(missing).count()).toBe(2);
    await button(/^Check/).click();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Column for Name',
    );
    await column('Name').selectOption('Kram');
    await column('Date').selectOption('Beginn');
    await page.getByText('Which comes first in dates like 1/2/2026?').waitFor();
    await button(/^Check/).click();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('radio');
    await page.getByRole('radio', { name: 'The month' }).check();
    await seeFirst('January 2026');
    await page.getByRole('radio', { name: 'The day' }).check();
    await seeFirst('February 2026');
    await page.getByText('Times in Central European Time.').waitFor();
    await button('Change').click();
    await page.getByRole('combobox', { name: 'Time zone' }).fill('new_york');
    await page.getByRole('option', { name: 'America/New_York' }).click();
    await seeFirst('06:00');
    await page.getByText('Times in Eastern Time.').waitFor();
    await button('Match the columns automatically').click();
    await page.getByText('Which comes first in dates like 1/2/2026?').waitFor();
  });

  it('offer two columns that may be the teams of a match together', { tags: 'long' }, async () => {
    const { choose, column, seeFirst, button } = await shared.show();
    const lines = ['17/10/2026;TV A;TV B', '18/10/2026;TV B;TV C'];
    const content = ['Data;Squadra casa;Squadra ospite', ...lines].join('\n');
    await choose(writeTestFile('calendario.csv', content));
    await button('Both: “Squadra casa – Squadra ospite”').click();
    await seeFirst('TV A – TV B');
    await expect.poll(() => column('Name').inputValue()).toBe('Squadra casa');
    await expect.poll(() => column('Name', 2).inputValue()).toBe('Squadra ospite');
    await expect.poll(() => button(/^Both/).count()).toBe(0);
  });

  it('are reused for the next file with the same headings', { tags: 'long' }, async () => {
    const { choose, check, column, button, page, seeFirst } = await shared.show();
    const content = (name: string) => `Kram;Wann;Wo genau;Saal\n${name};2026-05-01;Halle;West`;
    await choose(writeTestFile('2025.csv', content('A')));
    await column('Name').selectOption('Kram');
    await column('Place').selectOption('Wo genau');
    await button('Add another column to Place').click();
    await column('Place', 2).selectOption('Saal');
    await seeFirst('Halle, West');
    await check();
    await button('Import 1 event').click();
    await button('Import another file').click();
    await choose(writeTestFile('2026.csv', content('B')));
    await page.getByText('matched as in your last file').waitFor();
    await expect.poll(() => column('Place').inputValue()).toBe('Wo genau');
    await expect.poll(() => column('Place', 2).inputValue()).toBe('Saal');
    await seeFirst('Halle, West');
  });
});
