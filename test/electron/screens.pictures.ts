import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import type { DesktopSettings } from '../../server/actions/bridge.ts';
import { defaultPort } from '../../server/base/settings.ts';
import { makeTestFolder, makeTestHome } from '../support/home.ts';
import { type Desktop, launchDesktop } from './driver/desktop.ts';

/** The folders of all pictures and of those in the documents, and the names of the latter. */
const looked = join(import.meta.dirname, '../../dist/pictures');
const shown = join(import.meta.dirname, '../../server/ui/screenshots');
const inDocuments = ['import-light', 'backups-light'];

const spreadsheet = `Titel;Datum;Uhrzeit;Ort;Art;Notiz;Kasse
Sommerfest;20.6.2026;15:00;Vereinsheim;Verein;Kuchenspenden bitte melden;12,50
Stadtlauf;4.7.2026;09:30;Marktplatz;regional;Anmeldung bis 1. Juli;
Hafenstaffel;11.7.2026;18:00;Alter Hafen;national;;
Trainingslager;24.7.2026;10:00;Scharbeutz;Verein;Bus ab Vereinsheim;240,00
Nachtlauf;15.8.2026;21:00;Stadtpark;regional;Stirnlampe nicht vergessen;
Herbstlauf;31.9.2026;10:00;Stadtwald;regional;;
`;

async function waitForQuiet({ page }: Desktop): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500);
}

async function takePictures(theme: DesktopSettings['theme']): Promise<void> {
  const home = makeTestHome();
  const desktop = await launchDesktop({ home, settings: { theme, port: defaultPort } });
  const { page } = desktop;
  await page.setViewportSize({ width: 1200, height: 750 });
  const take = async (name: string) => {
    await waitForQuiet(desktop);
    const file = `${name}-${theme}.png`;
    await page.screenshot({ path: join(looked, file) });
    if (inDocuments.includes(`${name}-${theme}`))
      copyFileSync(join(looked, file), join(shown, file));
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const goTo = async (name: string) => {
    await page.getByRole('navigation').getByRole('button', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };

  await button('Choose a file…').waitFor();
  await take('welcome');
  await button('Look around a sample club').click();
  await page.getByText('60 events').waitFor();
  await take('demo');

  await desktop.clickMenu('import');
  await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
  await take('import-empty');
  const file = join(makeTestFolder(), 'Termine 2026.csv');
  writeFileSync(file, spreadsheet);
  await desktop.answer('showOpenDialog', { filePaths: [file] });
  await button('Choose a file…').click();
  await page.getByText('Sommerfest').first().waitFor();
  await take('import');
  await button(/^Check/).click();
  await button(/^New/).waitFor();
  await take('import-checked');
  await button(/^Import \d/).click();
  await page.getByText('events added').waitFor();
  await take('import-done');

  await goTo('Share');
  await take('export');
  await goTo('History and backups');
  await button(/^Undo/).first().click();
  await page.getByRole('dialog').waitFor();
  await take('history-question');
  await page.keyboard.press('Escape');
  await take('history');
  await button('Back up now').click();
  await page.getByText('Backup made and checked').waitFor();
  await button('Restore…').click();
  await page.getByRole('heading', { name: 'Restore a backup' }).waitFor();
  await take('backups');
  await goTo('Scripts and assistants');
  await take('keys');
  await page.getByLabel('Label', { exact: true }).fill('Website');
  await button('Create key').click();
  await page.getByRole('heading', { name: /^Your new key/ }).waitFor();
  await button('Try it').click();
  await page.getByText('200').first().waitFor();
  await take('key');
  await button('I’ve saved it').click();
  await goTo('Settings');
  await take('settings');
}

it.each(['light', 'dark'] as const)('shows every screen, %s', async (theme) => {
  mkdirSync(looked, { recursive: true });
  await takePictures(theme);
});
