import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { DesktopState, ManagingScreen } from '../../../../server/actions/bridge.ts';
import type { Home } from '../../../../server/base/home.ts';
import type { Language } from '../../../../server/messages/messages.ts';
import { type DesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestFolder } from '../../../support/home.ts';
import { performHere } from '../../../support/perform.ts';
import { serveUpstream } from '../../../support/upstream.ts';
import { writeTestFile } from '../../import/files.ts';
import { wantPort } from './keys-screen.ts';
import { onlineEvent } from './mirrored-club.ts';

/** Judges the page as it is now. */
export type Look = (page: Page, what: string) => Promise<void>;

type Scenario = (desktop: DesktopPage, look: Look) => Promise<void>;

const longWord = 'Unterweissenburg-Niederlahnstein';

/** Adds a club with a long name, two imports and an event that was changed by hand. */
async function addClub(home: Home, number: number): Promise<string> {
  // Before the number of events in a list, "3" would become "34".
  const { name: user } = await addMember(home, `${longWord} (${number})`, [makeEvent(1)]);
  const tools = { home, onProgress: () => undefined };
  const timeZone = 'Europe/Berlin';
  const importText = (name: string, content: string) => {
    const files: [string] = [writeTestFile(name, content)];
    return performHere('import', { user, files, timeZone }, tools);
  };
  await importText('2026.csv', 'name,date,location\nRun,2026-05-01,Hall\nSwim,2026-05-02,Pool');
  const corrected = 'a-file-with-a-name-that-goes-on-and-on-2026.csv';
  await importText(corrected, 'name,date,location\nRun,2026-05-01,Park\nRide,2026-05-03,');
  const changes = { location: 'Pool, lane 3', description: 'later' };
  await performHere('event edit', { user, id: 3, changes }, tools);
  return user;
}

/** Opens one desktop window for the screens, with everything on view that they can have at once. */
export function shareScreens(browser: { readonly current: Browser }) {
  const state: Partial<DesktopState> = { update: { kind: 'ready', version: '0.2.0' } };
  const desktop = shareDesktop(browser, (home) => addMember(home, 'Chess', [makeEvent(1)]));
  let clubs = 0;
  return {
    desktop,
    state,
    /** Shows a screen of a new club in a language. */
    async showScreen(screen: string, language: Language = 'en') {
      const desk = { state, settings: { language } };
      const club = await addClub(desktop.home, clubs);
      clubs += 1;
      const { page } = await desktop.show('#manage=clubs', { desk });
      await page.locator('.club').filter({ hasText: club }).locator('button').first().click();
      await page.locator('.managing-club').filter({ hasText: club }).waitFor();
      return desktop.show(`#manage=${screen}`, { desk });
    },
  };
}

/** A table in Windows-1252, with a missing year, an unknown column and dates with slashes. */
const untidy = Buffer.from('Was;Beginn;Geb\xfchr\nFr\xfchlingsfest;1/2;5\nLauf;22.11.;x', 'latin1');

const wrongDates = [
  'Titel;Datum;Uhrzeit;Ort;Notiz',
  'Fest mit einem ziemlich langen Namen;1.5.2027;;Halle;',
  'Putzen;31.11.2026;;Vereinsheim;',
  'Lauf;bald;;;',
  ';2.5.2027;;;',
  'Ball;3.5.2027;abends;;',
  'Alt;3.5.0026;;;',
  'Swim;2026-05-02;;Sea;new',
  'Run;2026-05-01;;Hall;',
  'Zelt;1.6.2027;;;;;;;zu viel',
].join('\n');

/** Chooses files that cannot be read, then one with questions. */
async function runFiles({ page, desk }: DesktopPage, look: Look): Promise<void> {
  const strong = page.locator('.work-foot button').last();
  const alert = page.getByRole('main').getByRole('alert').first();
  const choose = async (path: string, button = strong) => {
    desk.chosen = [path];
    await button.click();
  };
  await look(page, 'no file');
  const first = page.locator('.import-drop button');
  for (const [name, content] of [
    ['a.xlsx', 'PK\x03\x04'],
    ['season.xls', '<html><table></table></html>'],
    ['a.pdf', '%PDF-1.7'],
    ['a.csv', ''],
  ] as const) {
    await choose(writeTestFile(name, content), first);
    await page.locator('.file-refusal').getByText(name).waitFor();
    await look(page, name);
    await page.locator('.file-refusal button').click();
  }
  await choose(writeTestFile('b.json', '{"events":'), first);
  await alert.waitFor();
  for (const [name, content] of [
    ['a.json', '{"events":['],
    ['a.ics', 'x'],
  ] as const) {
    const file = page.getByText(name, { exact: true });
    await choose(writeTestFile(name, content));
    await file.waitFor();
    await alert.waitFor();
    await look(page, name);
  }
  await choose(writeTestFile('untidy.csv', untidy));
  await page.locator('.import-map').waitFor();
  await page.locator('.import-map select').nth(1).selectOption('Beginn');
  await page.locator('.import-map select').first().selectOption('');
  await page.locator('.import-map [aria-invalid="true"]').first().waitFor();
  await look(page, 'columns with questions');
}

/** Corrects, decides and leaves out the rows of a table, imports the others and undoes that. */
async function runRows({ page, desk }: DesktopPage, look: Look): Promise<void> {
  desk.chosen = [writeTestFile('saison.csv', wrongDates)];
  await page.locator('.import-drop button').click();
  await page.locator('.import-agenda .field-error').first().waitFor();
  await page.locator('.import-preview .link-button').click();
  await look(page, 'columns of a table with wrong dates');
  await page.locator('.work-foot button').last().click();
  await page.locator('.import-check').waitFor();
  await look(page, 'rows to correct and to decide');
  await page.locator('.import-suggestions button').first().click();
  await page.locator('[data-state="right"]').waitFor();
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('checkbox').first().uncheck();
  await look(page, 'a corrected row and others left out');
  await page.locator('.work-foot [data-strong]').click();
  await page.locator('.import-outcome').waitFor();
  await look(page, 'the outcome');
  await page.locator('.import-choices button').nth(1).click();
  await page.locator('.import-choices button').nth(2).waitFor({ state: 'detached' });
  await look(page, 'the undone import');
}

async function runExport({ page, desk }: DesktopPage, look: Look): Promise<void> {
  const folder = makeTestFolder();
  desk.output = join(folder, `${longWord}-2026-05-01.csv`);
  await page.locator('.export-way button').first().click();
  await page.locator('.export-outcome svg').waitFor();
  await look(page, 'a saved file');
  desk.output = join(folder, 'gone', `${longWord}-2026-05-01.csv`);
  await page.locator('.export-way button').nth(1).click();
  await page.getByRole('alert').waitFor();
  await look(page, 'a file that could not be saved');
}

async function runHistory({ page }: DesktopPage, look: Look): Promise<void> {
  const item = page.locator('.history-item');
  const undo = async (index: number) => {
    await item.nth(index).getByRole('button').click();
    await page.getByRole('dialog').waitFor();
  };
  const answer = page.getByRole('dialog').locator('button');
  await item.nth(2).waitFor();
  await undo(2);
  await answer.last().click();
  await page.getByRole('alert').waitFor();
  await look(page, 'a refusal');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await undo(1);
  await look(page, 'the question');
  await answer.last().click();
  await item.nth(3).waitFor();
  await undo(1);
  await answer.last().click();
  await item.nth(4).waitFor();
  await look(page, 'the outcome');
}

/** Connects a new club, whose service then has fewer events; stops to follow it at the end. */
async function runSync({ page }: DesktopPage, look: Look): Promise<void> {
  const events = Array.from({ length: 40 }, (_, index) => onlineEvent(index + 1));
  const upstream = await serveUpstream({ events });
  const [address, key] = [page.locator('.connect input').first(), page.locator('#connect-key')];
  const strong = page.locator('form.connect').first().locator('.connect-buttons button').last();
  await strong.click();
  await page.locator('.connect [aria-invalid="true"]').first().waitFor();
  await look(page, 'no address and no key');
  await address.fill(upstream.baseUrl);
  await key.fill('wrong');
  await strong.click();
  await page.getByRole('alert').waitFor();
  await look(page, 'a refused key');
  await key.fill(upstream.key);
  await strong.click();
  await page.locator('.event-list').waitFor();
  await look(page, 'events that would come');
  await page.locator('.connect .mantine-TextInput-input').fill(`${longWord} ${upstream.port}`);
  await strong.click();
  await page.locator('.sync-receipt').first().waitFor();
  await look(page, 'a connected club');
  for (let id = 1; id <= 15; id += 1) upstream.events.delete(id);
  await page.locator('.sync-now').click();
  await page.locator('.sync-names').waitFor();
  await look(page, 'removals to confirm');
  await page.locator('.sync-names ~ .sync-buttons button').last().click();
  await page.locator('.sync-waiting').waitFor();
  upstream.fault = () => 'reset';
  await page.locator('.sync-now').click();
  await page.getByRole('alert').waitFor();
  await look(page, 'a failed sync');
  await page.locator('.sync-facts ~ .sync-buttons button').nth(1).click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'another key');
  await page.keyboard.press('Escape');
  await page.locator('.sync-facts ~ .sync-buttons button').nth(2).click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'the end of following');
  await page.getByRole('dialog').locator('button').last().click();
  await page.locator('.connect-places').waitFor();
}

async function runKeys(desktop: DesktopPage, look: Look): Promise<void> {
  const { page, send } = desktop;
  const create = page.locator('.access-form button');
  const lastDay = page.locator('.access-form input').nth(1);
  await page.locator('.access-item').waitFor();
  await lastDay.fill('2020-01-01');
  await create.click();
  await look(page, 'a last day that is over');
  await lastDay.fill('');
  await page.locator('.access-form input').first().fill(longWord);
  await create.click();
  await page.locator('.access-trial button').click();
  await page.locator('.access-trial .access-code').waitFor();
  await look(page, 'a new key');
  await page.getByRole('tab').last().click();
  await look(page, 'the key in Excel');
  await send({ kind: 'show', screen: 'export' });
  await page.getByRole('dialog').waitFor();
  await look(page, 'leaving');
  await page.keyboard.press('Escape');
  await page.locator('.access-stored').click();
  await page.locator('.access-item button').first().click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'revoking');
  await page.getByRole('dialog').locator('button').last().click();
  await page.locator('.access-old summary').click();
  await wantPort(desktop, 28_470);
  await page.locator('.access-other-port').waitFor();
  await look(page, 'old keys, and another port');
}

/** Makes a backup, restores it and undoes that; the data is as before. */
async function runBackups({ page }: DesktopPage, look: Look): Promise<void> {
  const [now, , restore] = [0, 1, 2].map((index) =>
    page.locator('.backups-buttons button').nth(index),
  );
  await now?.click();
  await page.locator('.backups-outcome svg').waitFor();
  await look(page, 'a backup');
  await restore?.click();
  await page.locator('.backup').first().waitFor();
  await look(page, 'the backups');
  await page.locator('.backup button').first().click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'restoring');
  await page.getByRole('dialog').locator('button').last().click();
  await page.locator('.backups-undo').waitFor();
  await look(page, 'a restored backup');
  await page.locator('.backups-undo').click();
  await page.locator('.backups-undo[data-loading]').waitFor({ state: 'detached' });
}

async function runClubs({ page }: DesktopPage, look: Look): Promise<void> {
  await page.locator('.club').first().waitFor();
  await page.locator('.clubs-add input').fill(`${longWord} (0)`);
  await page.keyboard.press('Enter');
  await page.locator('.clubs-add [aria-invalid="true"]').waitFor();
  await look(page, 'a name that is taken');
  await page.locator('.club button').last().click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'removing a club');
  await page.keyboard.press('Escape');
}

async function runClubSettings({ page }: DesktopPage, look: Look): Promise<void> {
  const name = page.locator('#club-name');
  await name.fill('');
  await page.keyboard.press('Enter');
  await page.locator('.club-settings [aria-invalid="true"]').waitFor();
  await look(page, 'a club without a name');
  await name.fill(`${longWord} (renamed)`);
  await page.keyboard.press('Enter');
  const undo = page.locator('.saved-note button');
  await undo.waitFor();
  await look(page, 'a renamed club');
  await undo.click();
  await page.locator('.managing-club-name', { hasNotText: 'renamed' }).waitFor();
}

async function runSettings({ page, desk }: DesktopPage, look: Look): Promise<void> {
  await page.locator('.setting-port input').fill('1');
  await page.keyboard.press('Enter');
  await page.locator('.setting-port [aria-invalid="true"]').waitFor();
  desk.refuse = 'login_refused';
  await page.getByRole('switch').nth(2).press('Space');
  await page.getByRole('alert').waitFor();
  await look(page, 'a wrong port and a refusal');
}

async function runHelp({ page }: DesktopPage, look: Look): Promise<void> {
  await page.locator('.help').waitFor();
  await look(page, 'help');
}

async function runAbout({ page }: DesktopPage, look: Look): Promise<void> {
  await page.locator('.settings').waitFor();
  await look(page, 'about');
  await page.locator('.settings-group:has(#section-about)').getByRole('button').last().click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'licences');
  await page.keyboard.press('Escape');
  await page.locator('.settings-group').last().getByRole('button').last().click();
  await page.locator('.checked [data-level="warning"]').first().waitFor();
  await look(page, 'the checked installation');
}

/** Ways through all situations of the screens, in any language. */
export const scenarios: readonly (readonly [
  name: string,
  way: { readonly screen: ManagingScreen; readonly run: Scenario },
])[] = [
  ['files to import', { screen: 'import', run: runFiles }],
  ['rows to import', { screen: 'import', run: runRows }],
  ['export', { screen: 'export', run: runExport }],
  ['history', { screen: 'history', run: runHistory }],
  ['the settings of the club', { screen: 'club-settings', run: runClubSettings }],
  ['the source', { screen: 'sync', run: runSync }],
  ['backups', { screen: 'backups', run: runBackups }],
  ['keys', { screen: 'keys', run: runKeys }],
  ['clubs', { screen: 'clubs', run: runClubs }],
  ['settings', { screen: 'settings', run: runSettings }],
  ['help', { screen: 'help', run: runHelp }],
  ['about', { screen: 'about', run: runAbout }],
];

/** Goes through the first screen of a new user, in any language. */
export async function runWelcome({ page, desk }: DesktopPage, look: Look): Promise<void> {
  await page.locator('.welcome-ways').waitFor();
  await look(page, 'welcome');
  desk.chosen = [writeTestFile('2026.csv', 'name,date\nA,2026-05-01')];
  await page.locator('.welcome-file button').click();
  await page.locator('.welcome-buttons button').last().click();
  await page.locator('.welcome-name [aria-invalid="true"]').waitFor();
  await look(page, 'the name of the club');
  await page.locator('.welcome-buttons button').first().click();
  for (const [way, name] of ['connecting', 'a file of another computer'].entries()) {
    await page.locator('.welcome-way-button').nth(way).click();
    await page.locator('.connect').waitFor();
    await look(page, name);
    await page.locator('.welcome-connect > button').click();
  }
  await page.locator('.welcome-way-button').last().click();
  await page.locator('.welcome-name input').fill(longWord);
  await page.keyboard.press('Enter');
  await page.locator('.first-run textarea').fill('x');
  await page.keyboard.press('Enter');
  await page.locator('.first-run [aria-invalid="true"]').waitFor();
}
