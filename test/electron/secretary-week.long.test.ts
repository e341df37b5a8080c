import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeTestFolder, makeTestHome } from '../support/home.ts';
import { type Desktop, launchDesktop } from './driver/desktop.ts';

const plan = `Harbour Rovers – Termine 2026/27;;;;;
Titel;Datum;Uhrzeit;Ort;Art;Notiz
Sommerfest;20.6.2027;15:00;Vereinsheim;Verein;Kuchenspenden bitte melden
Stadtlauf;4.7.2027;09:30;Marktplatz;regional;Anmeldung bis 1. Juli
Nachtlauf;15.8.2027;21:00;Stadtpark;regional;Stirnlampe nicht vergessen
Herbstlauf;31.9.2027;10:00;Stadtwald;regional;
`;

/** The folder with a picture of each step, if a person wants to look at them. */
const pictures = process.env['WEEK_PICTURES'];

/** Steps of a person in a window of 1280 × 800 pixels at 200 %, by mouse or by keyboard alone. */
function createSteps({ page }: Desktop, way: 'mouse' | 'keyboard') {
  let step = 0;
  const isFocused = (target: Locator) =>
    target.evaluate((element) => element === document.activeElement);
  /** Moves the focus to a control as Tab does; fails if it is no tab stop. */
  async function tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let stops = 0; stops < 80; stops += 1) {
      if (await isFocused(target)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`No tab stop leads to ${target}.`);
  }
  /** Looks at the window: nothing is wider than it. */
  async function look(name: string): Promise<void> {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, name).toBeLessThanOrEqual(640);
    step += 1;
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    const number = String(step).padStart(2, '0');
    await page.screenshot({ path: join(pictures, `${way}-${number}-${name}.png`) });
  }
  return {
    look,
    async press(name: string | RegExp, role: 'button' | 'menuitem' = 'button') {
      const target = page.getByRole(role, { name }).first();
      if (way === 'mouse') return await target.click();
      await tabTo(target);
      await page.keyboard.press('Enter');
    },
    /** Opens an event of the list, in which arrows move the focus. It is on the event just added. */
    async open(name: RegExp) {
      const target = page.getByRole('button', { name }).first();
      if (way === 'mouse') return await target.click();
      for (let rows = 0; rows < 10 && !(await isFocused(target)); rows += 1) {
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
    },
    async type(label: string, text: string) {
      const target = page.getByLabel(label, { exact: true });
      if (way === 'mouse') await target.click();
      else await tabTo(target);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
    },
  };
}

it.each(['mouse', 'keyboard'] as const)(
  'a secretary gets through a week by %s, in German and at a zoom of 2',
  async (way) => {
    const home = makeTestHome();
    const file = join(makeTestFolder(), 'Termine 2026-27.csv');
    writeFileSync(file, plan);
    const desktop = await launchDesktop({ home, settings: { language: 'de' } });
    const { page } = desktop;
    await page.setViewportSize({ width: 640, height: 400 });
    const { look, press, open, type } = createSteps(desktop, way);
    const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();

    // Monday: the old spreadsheet, whose last date does not exist.
    await shows('Wo stehen die Termine Ihres Vereins jetzt?');
    await look('welcome');
    await desktop.answer('showOpenDialog', { filePaths: [file] });
    await press('Datei wählen …');
    const name = page.getByLabel('Name Ihres Vereins');
    await expect.poll(() => name.inputValue()).toBe('Harbour Rovers');
    await look('name');
    await press('Weiter');
    await shows('Sommerfest');
    await look('columns');
    await press(/prüfen$/);
    await shows('Ein Datum muss korrigiert werden');
    await look('check');
    await press(/30\. Sep/);
    await press('4 Termine importieren');
    await shows('4 Termine hinzugefügt');
    await look('imported');
    await press('Termine anzeigen');

    // Tuesday: a training, in one line.
    await press('Neuer Termin');
    await page.getByRole('heading', { name: 'Neuer Termin' }).waitFor();
    await page.keyboard.type('Training Di 19:30 Halle');
    await shows(/^Dienstag,? \d+\. /);
    await look('typed');
    await page.keyboard.press('Enter');
    await shows(/^Training: ?/);
    await look('added');

    // Wednesday: a cancellation by mistake, and its undo.
    await open(/Stadtlauf/);
    await page.getByRole('heading', { name: 'Stadtlauf' }).waitFor();
    await look('event');
    await press('Termin absagen');
    await press('Termin absagen');
    await shows('Absage aufheben');
    await look('cancelled');
    await page.keyboard.press('Control+z');
    await press('Bearbeiten');

    // Thursday: the run moves, and the members get a message.
    await type('Datum', '11. Juli 2027');
    await page.keyboard.press('Enter');
    await shows('Sonntag, 11. Juli 2027, 09:30 Uhr');
    await look('moved');
    await press('Nachricht');
    await shows(/Nachricht kopiert/);

    // Friday: paper, the name of the club, a copy, a file.
    await page.keyboard.press('Control+p');
    await page.getByRole('heading', { name: 'Drucken' }).waitFor();
    await look('print');
    await press('Zurück zu den Terminen');
    await desktop.clickMenu('settings');
    await page.locator('.settings-tabs label').first().click();
    await type('Name', 'Hafen-Rover');
    await page.keyboard.press('Enter');
    await shows(/Harbour Rovers/);
    await look('renamed');
    await press('Verlauf und Sicherungen');
    await press('Jetzt sichern');
    await shows('Sicherung angelegt und geprüft');
    await look('backup');
    await press('Weitergeben');
    await press(/^Datei speichern/);
    const folder = makeTestFolder();
    await desktop.answer('showSaveDialog', { filePath: join(folder, 'Termine.html') });
    await press(/Webseite|Seite für Mitglieder/);
    await expect.poll(() => readdirSync(folder)).toEqual(['Termine.html']);
    await look('exported');
    expect(await desktop.quit()).toBe(0);
  },
);
