import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { writeTestFile } from '../../actions/import/files.ts';
import { expectAccessible, expectForEverybody } from '../axe.ts';
import { openImport } from './import-page.ts';

const browser = testBrowser();

const untidy =
  'Was;Beginn;Start;Zeit;Ort;Status;Gebühr\nSommerfest;1/2/2026;x;18:00;Stadthalle Lübeck;aktiv;5\nEin Turnier mit einem ziemlich langen Namen;3/4/2026;y;;Halle;bezahlt;';

it('the import screen passes axe in each of its steps', async () => {
  const opened = await openImport(browser.current, { events: 2 });
  const { page, choose, column, check, button } = opened;
  const expectFine = (what: string) => expectForEverybody(page, what);
  await page.getByText('Drop a file here').waitFor();
  await expectFine('without a file');
  const path = writeTestFile('season.csv', untidy);
  await choose(path);
  await page.getByText('could be it').waitFor();
  await button(/^More:/).click();
  await expectFine('with columns to choose');
  await column('Name').selectOption('Was');
  await column('Date').selectOption('Beginn');
  await page.getByRole('radio', { name: 'The day' }).check();
  await page.getByRole('combobox', { name: 'Time zone' }).click();
  await page.getByRole('listbox').getByRole('option').first().waitFor();
  await expectFine('with time zones');
  await page.keyboard.press('Escape');
  await check();
  await expectFine('checked');
  await button('Import the 1 valid event').click();
  await page.getByText('1 event added').waitFor();
  await expectFine('imported');
  await button('Import another file').click();
  await choose(
    writeTestFile('ids.csv', 'id,name,date,location\n1,Another,2027-05-01,\n2,Event 2,x,'),
  );
  await check();
  await page.getByRole('tab', { name: 'Changed 1' }).click();
  await page.locator('del').first().waitFor();
  await expectFine('with changes');
});

describe('the import screen in German', () => {
  it('is German, except for the reasons of bad rows', async () => {
    const { page, desk, button } = await openImport(browser.current, { locale: 'de-DE' });
    desk.chosen = [writeTestFile('saison.csv', 'Titel;Datum\nSommerfest;1.5.2026\n;2.5.2026')];
    await button('Datei wählen …').click();
    await page.getByText('Spalten zuordnen').waitFor();
    await page.getByRole('cell', { name: '01.05.2026, 00:00' }).waitFor();
    await button('Prüfen').click();
    await page.getByText('1 Zeile wird übersprungen.').waitFor();
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      'Neu 1',
      'Geändert 0',
      'Unverändert 0',
      'Übersprungen 1',
    ]);
    await button('1 gültigen Termin importieren').click();
    await page.getByRole('heading', { name: 'Importiert' }).waitFor();
    await expectAccessible(page, 'in German');
    await button('Rückgängig machen').click();
    await page.getByText('Ihre Termine sind wieder wie vor diesem Import.').waitFor();
  });
});
