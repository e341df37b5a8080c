import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { writeTestFile } from '../../actions/import/files.ts';
import { expectAccessible, expectForEverybody, expectNoSidewaysScrolling } from '../axe.ts';
import { openImport } from './import-page.ts';

const browser = testBrowser();

const untidy =
  'Was;Beginn;Start;Zeit;Ort;Status;Gebühr\nSommerfest;1/2/2026;x;18:00;Stadthalle Lübeck;active;5\nEin Turnier mit einem ziemlich langen Namen;3/4/2026;y;;Halle;active;\nLauf;31/4/2026;y;;Halle;active;';

it('the import screen passes axe in each of its steps', async () => {
  const opened = await openImport(browser.current, { events: 2 });
  const { page, choose, column, check, button, row } = opened;
  const expectFine = (what: string) => expectForEverybody(page, what);
  await page.getByText('Drop a file here').waitFor();
  await expectFine('without a file');
  await choose(writeTestFile('season.csv', untidy));
  await column('Name').selectOption('');
  await page.getByText('Every event needs this.').waitFor();
  await button(/^More:/).click();
  await expectFine('with columns to choose');
  await column('Name').selectOption('Was');
  await column('Date').selectOption('Beginn');
  await button('Change').click();
  await page.getByRole('combobox', { name: 'Time zone' }).click();
  await page.getByRole('listbox').getByRole('option').first().waitFor();
  await expectFine('with time zones');
  await page.keyboard.press('Escape');
  await check();
  await expectFine('with a date to correct');
  await button(/^Thu,? 30 Apr$/).click();
  await button('Import 3 events').waitFor();
  await expectFine('with a corrected date');
  await row(4).getByRole('checkbox').check();
  await button('Import 2 events').click();
  await page.getByText('2 events added').waitFor();
  await expectFine('imported');
  await button('Import another file').click();
  await choose(
    writeTestFile(
      'ids.csv',
      'id,name,date,location\n1,Another,2027-05-01,\n2,Event 2,x,\n3,C,2027-05-03,D,E',
    ),
  );
  await check();
  await page.locator('del').first().waitFor();
  await expectFine('with changes');
  await button('Back').click();
  await button('Back').click();
  await expectFine('with a file');
});

describe.each([
  ['de-DE', 'Datei wählen …', /^\d Termine prüfen$/, 'Der November hat nur 30 Tage.'],
  ['fr-FR', 'Choisir un fichier…', /^Vérifier \d événements$/, 'Novembre n’a que 30 jours.'],
  ['nl-NL', 'Bestand kiezen…', /^\d evenementen controleren$/, 'November heeft maar 30 dagen.'],
])('the import screen in %s', (locale, chooseFile, checkFile, reason) => {
  it('passes axe and fits, down to 320 pixels', async () => {
    const { page, desk, button } = await openImport(browser.current, { locale });
    const expectFits = async (what: string) => {
      await page.setViewportSize({ width: 320, height: 256 });
      await expectNoSidewaysScrolling(page, `${what}, 320 pixels wide`);
      await page.setViewportSize({ width: 1200, height: 800 });
      await expectForEverybody(page, what);
    };
    desk.chosen = [
      writeTestFile(
        'saison.csv',
        'Titel;Datum;Ort\nSommerfest;1.5.2026;Halle\nPutzen;31.11.2026;Heim',
      ),
    ];
    await button(chooseFile).click();
    await page.locator('.import-columns').waitFor();
    await expectFits(`columns in ${locale}`);
    await button(checkFile).click();
    await page.getByText(reason).waitFor();
    await expectFits(`check in ${locale}`);
  });
});

describe('the import screen in German', () => {
  it('is German in each step', async () => {
    const { page, desk, button } = await openImport(browser.current, { locale: 'de-DE' });
    desk.chosen = [
      writeTestFile('saison.csv', 'Titel;Datum\nSommerfest;1.5.2026\n;2.5.2026\nLauf;3.5.2026'),
    ];
    await button('Datei wählen …').click();
    await page.getByText('Spalten zuordnen').waitFor();
    await page.getByRole('heading', { name: 'Mai 2026' }).waitFor();
    await button('3 Termine prüfen').click();
    await page.getByText('2 von 3 Zeilen sind bereit.').waitFor();
    const chips = await page.getByRole('group', { name: 'Anzeigen' }).innerText();
    expect(chips.replaceAll(/\s+/g, ' ')).toBe('Zu korrigieren 1 Neu 2 Geändert 0 Unverändert 0');
    await page.getByText('Diese Angabe fehlt. Jeder Termin braucht sie.').waitFor();
    await button('2 Termine importieren').click();
    await page.getByRole('heading', { name: 'Importiert' }).waitFor();
    await expectAccessible(page, 'in German');
    await button('Rückgängig machen').click();
    await page.getByText('Ihre Termine sind wieder wie vor diesem Import.').waitFor();
  });
});
