import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { pageToday, testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { makeTestFolder, makeTestHome } from '../../../support/home.ts';
import { importInto } from '../downloads.ts';
import { addClub, events, fragment } from './export-page.ts';

const browser = testBrowser();

describe('the export', () => {
  it('writes CSV that opens with a double click, in the page’s language', async () => {
    const home = makeTestHome();
    await addClub(home);
    const options = { fragment, locale: 'de-DE' };
    const { page, desk } = await openDesktopPage(browser.current, home, options);
    const folder = makeTestFolder();
    desk.output = join(folder, 'Termine.csv');
    await page.getByRole('button', { name: 'Als CSV speichern …' }).click();
    await page.getByText('1.234 Termine als Termine.csv gespeichert.').waitFor();
    const text = readFileSync(desk.output, 'utf8');
    expect(text.startsWith('\ufeffName;Datum;Uhrzeit;Ort;')).toBe(true);
    expect(text).toContain(';2026-05-01;20:00;Clubhouse;Verein;Geplant;');
    expect(await importInto(desk.output)).toEqual(events);
  });

  it('writes a workbook in the page’s language, with local dates', async () => {
    const home = makeTestHome();
    await addClub(home);
    const options = { fragment, locale: 'fr-FR' };
    const { page, desk } = await openDesktopPage(browser.current, home, options);
    const folder = makeTestFolder();
    desk.output = join(folder, 'Saison.xlsx');
    await page.getByRole('button', { name: 'Enregistrer en classeur Excel…' }).click();
    await page.getByText(/1.234 événements enregistrés dans Saison.xlsx/).waitFor();
    const [header, row, ...rows] = await readSheet(desk.output);
    expect(header?.slice(0, 4)).toEqual(['Nom', 'Date', 'Heure', 'Lieu']);
    expect(row?.slice(0, 3)).toEqual([
      'Fête; “0”, =1+1',
      new Date('2026-05-01'),
      new Date('1899-12-30T20:00:00Z'),
    ]);
    expect(rows).toHaveLength(1_233);
    expect(await importInto(desk.output)).toEqual(events);
  });

  it('writes a page for members in the page’s language and region', async () => {
    const home = makeTestHome();
    await addClub(home);
    const { page, desk } = await openDesktopPage(browser.current, home, {
      fragment,
      locale: 'de-AT',
    });
    desk.output = join(makeTestFolder(), 'Saison.html');
    await page.getByRole('button', { name: 'Als Webseite speichern …' }).click();
    await page.getByText(/1.234 Termine als Saison.html gespeichert/).waitFor();
    expect(desk.asked).toEqual([`save TSV 1860 Köln-${pageToday()}.html`]);
    const html = readFileSync(desk.output, 'utf8');
    expect(html).toContain('<html lang="de-AT">');
    expect(html).toContain('<title>TSV 1860: Köln</title>');
    expect(html).toContain('<span>20:00</span>');
    expect(html.match(/<li /g)).toHaveLength(1_234);
  });
});
