import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeStore, openReader } from '../../../../db/open.ts';
import { catalogue } from '../../../../server/actions/catalogue.ts';
import { thisMachine } from '../../../../server/actions/tools.ts';
import type { Home } from '../../../../server/home.ts';
import { proposeFileName } from '../../../../server/ui/manage/export/export.tsx';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { storedEvents } from '../../../support/events.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../../support/home.ts';

const browser = testBrowser();

const events = Array.from({ length: 1_234 }, (_, id) =>
  makeEvent(id + 1, { name: `Fête; “${id}”, =1+1`, description: id % 2 ? 'two\nlines' : null }),
);

const addClub = (home: Home) => addMember(home, 'TSV 1860: Köln', events);

const fragment = '#manage=export';
const desktop = shareDesktop(browser, addClub);

async function showExport() {
  return { ...(await desktop.show(fragment)), folder: makeTestFolder() };
}

/** Imports a file into another club and returns its events. */
async function importElsewhere(path: string) {
  const home = makeTestHome();
  await addMember(home, 'Other');
  const tools = { write: async () => undefined, onProgress: () => undefined };
  await catalogue.import.perform(
    // The page's time zone, because spreadsheets have local times.
    { files: [path], user: 'Other', timeZone: 'Europe/Berlin' },
    { ...thisMachine, home, ...tools },
  );
  const db = openReader(home.database);
  const stored = storedEvents(db, 1);
  closeStore(db);
  return stored;
}

const today = () => new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(new Date());

describe('the export', () => {
  it.each(['CSV', 'JSON', 'ICS'])(
    'saves every event as %s, which an import takes',
    async (kind) => {
      const { page, desk, folder } = await showExport();
      desk.output = join(folder, `chosen.${kind.toLowerCase()}`);
      await page.getByRole('button', { name: `Save as ${kind}…` }).click();
      const file = `chosen.${kind.toLowerCase()}`;
      await page.getByRole('status').getByText(`1,234 events saved as ${file}.`).waitFor();
      expect(desk.asked).toEqual([`save TSV 1860 Köln-${today()}.${kind.toLowerCase()}`]);
      expect(await importElsewhere(desk.output)).toEqual(events);
      expect(await page.content()).not.toContain(folder);
    },
  );

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
    expect(await importElsewhere(desk.output)).toEqual(events);
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
    expect(await importElsewhere(desk.output)).toEqual(events);
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
    expect(desk.asked).toEqual([`save TSV 1860 Köln-${today()}.html`]);
    const html = readFileSync(desk.output, 'utf8');
    expect(html).toContain('<html lang="de-AT">');
    expect(html).toContain('<title>TSV 1860: Köln</title>');
    expect(html).toContain('<span>20:00</span>');
    expect(html.match(/<li /g)).toHaveLength(1_234);
  });

  it('does nothing when the dialog is cancelled', async () => {
    const { page, desk } = await showExport();
    const save = page.getByRole('button', { name: 'Save as JSON…' });
    await save.click();
    await expect.poll(() => desk.asked).toHaveLength(1);
    await expect.poll(() => save.getAttribute('data-loading')).toBe(null);
    expect(await page.getByRole('status').getByText(/saved/).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('replaces a file that the dialog agreed to replace', async () => {
    const { page, desk, folder } = await showExport();
    desk.output = join(folder, 'Chess.json');
    writeFileSync(desk.output, 'old');
    await page.getByRole('button', { name: 'Save as JSON…' }).click();
    await page.getByText('1,234 events saved as Chess.json.').waitFor();
    expect(await importElsewhere(desk.output)).toEqual(events);
    expect(readdirSync(folder)).toEqual(['Chess.json']);
  });
});

describe('an export that fails', () => {
  it('names the reason without the path and can be tried again', async () => {
    const { page, desk, folder } = await showExport();
    desk.output = join(folder, 'gone', 'Chess.csv');
    await page.getByRole('button', { name: 'Save as CSV…' }).click();
    await page.getByRole('alert').getByText('Chess.csv does not exist;').waitFor();
    expect(await page.getByRole('alert').innerText()).not.toContain('/');
    desk.output = join(folder, 'Chess.csv');
    await page.getByRole('button', { name: 'Save as CSV…' }).click();
    await page.getByText('1,234 events saved as Chess.csv.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('on a full disk is reported and leaves nothing behind', async (context) => {
    const folder = makeTestFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'pipe' });
    } catch (error) {
      context.skip(`a small file system cannot be mounted here: ${(error as Error).message}`);
    }
    onTestFinished(() => void execFileSync('umount', [folder]));
    const { page, desk } = await showExport();
    desk.output = join(folder, 'Chess.csv');
    await page.getByRole('button', { name: 'Save as CSV…' }).click();
    await page.getByRole('alert').getByText('The disk that holds Chess.csv is full;').waitFor();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the proposed file name', () => {
  it.each([
    ['Chess', 'Chess-2026-05-01.csv'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j-2026-05-01.csv'],
    ['..', 'club-events-2026-05-01.csv'],
    ['.hidden. ', 'hidden-2026-05-01.csv'],
    ['\u202egpj.exe', 'gpj.exe-2026-05-01.csv'],
    ['Žižkov 🏃', 'Žižkov 🏃-2026-05-01.csv'],
  ])('of the club %j is fit for every disk', (club, name) => {
    expect(proposeFileName(club, '2026-05-01', 'csv')).toBe(name);
  });

  it('is short enough for every file system and cut between characters', () => {
    const name = proposeFileName('🏃'.repeat(100), '2026-05-01', 'json');
    expect(Buffer.byteLength(name)).toBeLessThan(255);
    expect(name.isWellFormed()).toBe(true);
  });
});
