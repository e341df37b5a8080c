import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Home } from '../../../../server/base/home.ts';
import { testBrowser } from '../../../support/browser.ts';
import { callCommand } from '../../../support/command.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../../support/home.ts';
import { serveWebSpace } from '../../../support/web-space.ts';
import { expectNoSidewaysScrolling, expectPartForEverybody, windowSizes } from '../axe.ts';
import { readCode } from '../sheets.ts';

const browser = testBrowser();
const fragment = '#manage=share';

const events = ['U15 Training', 'U15 Cup', 'Seniors'].map((name, index) =>
  makeEvent(index + 1, { name, date: `2036-05-0${index + 1}T16:00:00.000Z` }),
);

async function openExport(options: { readonly locale?: string } = {}) {
  const home = makeTestHome();
  await addMember(home, 'Rovers', events);
  const opened = await openDesktopPage(browser.current, home, { fragment, ...options });
  return { home, ...opened, folder: makeTestFolder() };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Chooses an entry of the menu of a file. */
async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: /^(More for|Mehr zu) / }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

const call = (home: Home, ...args: readonly string[]) =>
  callCommand(['--home', home.directory, ...args]);

describe('the files that stay up to date', () => {
  it('are added by four questions, shown with their state, and stopped', async () => {
    const { home, page, desk, folder } = await openExport();
    await page.getByText('Members, phones and other computers see nothing yet').waitFor();
    await button(page, 'Add a file…').click();
    await page.getByText('3 of 3 events').waitFor();
    await page.getByRole('button', { name: /^Calendar to subscribe to/ }).click();
    await page.getByRole('textbox', { name: 'Only events with these words' }).fill('u15');
    await page.getByText('2 of 3 events').waitFor();
    const periods = page.getByRole('radiogroup', { name: 'From when on' });
    await expect.poll(() => periods.innerText()).toMatch(/From today on\s+2 events, \d kB/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Only “u15”' }).waitFor();
    desk.output = join(folder, 'u15.ics');
    await button(page, 'Choose a file…').click();
    await page.getByText('u15.ics').waitFor();
    expect(existsSync(desk.output)).toBe(false);
    await expectPartForEverybody(page, 'the questions');
    await page
      .getByRole('textbox', { name: 'Address for members' })
      .fill('https://rovers.example/u15');
    await page.getByRole('checkbox', { name: 'Also on printed sheets' }).uncheck();
    await button(page, 'Keep it up to date').click();
    await page.getByText('Written with 2 events. It stays up to date.').waitFor();
    const item = page.getByRole('listitem').filter({ hasText: 'Calendar to subscribe to' });
    await item.getByText('Up to date').waitFor();
    await page.getByText(/^Calendar (?:now|\d+ minutes? ago)$/).waitFor();
    await item.getByText('only “u15”, 2 events').waitFor();
    await item.getByText('rovers.example/u15').waitFor();
    expect(readFileSync(desk.output, 'utf8')).toContain('SUMMARY:U15 Cup');
    await call(home, 'event', 'edit', '2', '--user', 'Rovers', '--name', 'U15 Final');
    await item.getByText('Writing…').waitFor();
    await page.getByText('Calendar: on its way').waitFor();
    await choose(page, 'Write now');
    await item.getByText('Up to date').waitFor();
    expect(readFileSync(desk.output, 'utf8')).toContain('SUMMARY:U15 Final');
    await choose(page, 'Show code');
    expect(await readCode(page, '.published-code')).toBe('https://rovers.example/u15');
    await choose(page, 'Open folder');
    await expect.poll(() => desk.asked).toContain('folder 1');

    await choose(page, 'Change…');
    await page.getByRole('heading', { name: 'Calendar to subscribe to' }).waitFor();
    await page.getByRole('button', { name: 'Change: Which events?' }).click();
    await page.getByRole('textbox', { name: 'Only events with these words' }).fill('');
    await button(page, 'Regional').click();
    await page.getByText('0 of 3 events').waitFor();
    await button(page, 'Regional').click();
    await button(page, 'Continue').click();
    const onSheets = page.getByRole('checkbox', { name: 'Also on printed sheets' });
    await expect.poll(() => onSheets.isChecked()).toBe(false);
    expect(await readCode(page, '.published-sheet .published-code')).toBe(
      'https://rovers.example/u15',
    );
    await page.getByRole('textbox', { name: 'Address for members' }).fill('');
    await expect.poll(() => onSheets.count()).toBe(0);
    await expectPartForEverybody(page, 'the answers to change');
    await button(page, 'Save').click();
    await page.getByText('Written with 3 events. It stays up to date.').waitFor();
    await item.getByText('Up to date').waitFor();
    await expect.poll(() => item.getByText('rovers.example').count()).toBe(0);
    expect(readFileSync(desk.output, 'utf8')).toContain('SUMMARY:Seniors');
    await choose(page, 'Stop');
    await page.getByText('No longer kept up to date.').waitFor();
    await expect.poll(() => item.count()).toBe(0);
    expect(existsSync(desk.output)).toBe(true);
  });

  it('say how large each period is, and lead from one that is too large to a smaller one', {
    tags: 'long',
  }, async () => {
    const home = makeTestHome();
    const old = Array.from({ length: 1_100 }, (_, index) =>
      makeEvent(index + 10, { name: `Training ${index}`, date: '2019-05-01T16:00:00.000Z' }),
    );
    await addMember(home, 'Rovers', [...events, ...old]);
    const { page } = await openDesktopPage(browser.current, home, { fragment, locale: 'de-DE' });
    await button(page, 'Datei hinzufügen …').click();
    await page.getByRole('button', { name: /^Kalender zum Abonnieren/ }).click();
    await page.getByRole('radio', { name: 'Alle' }).check();
    await page.getByText(/^Die Datei hätte .* und 1\.103 Termine\./).waitFor();
    await expectPartForEverybody(page, 'a period that is too large');
    await page.setViewportSize(windowSizes.zoomed);
    await expectNoSidewaysScrolling(page, 'a period that is too large');
    await expect.poll(() => button(page, 'Weiter').isEnabled()).toBe(true);
    await page.getByRole('button', { name: /^Ab der letzten Saison: \d/ }).click();
    await page.getByText(/^Die Datei hätte/).waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('radio', { name: 'Ab der letzten Saison' }).isChecked())
      .toBe(true);
    await page.getByRole('radio', { name: 'Ab einem Tag' }).check();
    await page.getByRole('textbox', { name: 'Erster Tag' }).waitFor();
  });

  it('say that others changed a file, and replace it only by a button', {
    tags: 'long',
  }, async () => {
    const { home, page, folder } = await openExport();
    const path = join(folder, 'dates.ics');
    await call(home, 'publish', 'add', '--user', 'Rovers', '--to', path);
    writeFileSync(path, 'my notes');
    await call(home, 'publish', 'now');
    await page.getByText('Somebody else changed this file').waitFor();
    await page.getByRole('img', { name: 'Not up to date' }).waitFor();
    await expectPartForEverybody(page, 'a file that is not up to date');
    await page.evaluate(() => location.assign('#view=agenda'));
    const waiting = page.getByRole('region', { name: '1 thing waits' });
    await waiting.getByText('1 file is not up to date').waitFor();
    await waiting.getByText('dates.ics').click();
    await page.getByText('Somebody else changed this file').waitFor();
    await page.setViewportSize(windowSizes.zoomed);
    await expectNoSidewaysScrolling(page, 'a file that is not up to date');
    expect(readFileSync(path, 'utf8')).toBe('my notes');
    await button(page, 'Replace it').click();
    await page.getByText('Up to date', { exact: true }).waitFor();
    expect(readFileSync(path, 'utf8')).toContain('SUMMARY:Seniors');
  });

  it('in a web space take a new password, which no field shows again', {
    tags: 'long',
  }, async () => {
    const space = await serveWebSpace();
    const { home, page } = await openExport({ locale: 'de-DE' });
    await button(page, 'Datei hinzufügen …').click();
    await page.getByRole('button', { name: /^Kalender zum Abonnieren/ }).click();
    await button(page, 'Weiter').click();
    await page.getByRole('radio', { name: /^Eine Webadresse/ }).check();
    await page.getByRole('textbox', { name: 'Adresse der Datei' }).fill(space.url);
    await page.getByRole('textbox', { name: 'Benutzer' }).fill(space.account);
    await page.getByLabel('Passwort', { exact: true }).fill('falsch');
    await button(page, 'Aktuell halten').click();
    await page.getByText(/nimmt das Passwort nicht an/).waitFor();
    expect(space.files.size).toBe(0);
    await page.getByLabel('Passwort', { exact: true }).fill(space.password);
    await button(page, 'Testen').click();
    await page.getByText('Eine Testdatei wurde geschrieben, zurückgelesen und gelöscht.').waitFor();
    expect(space.requests.map(({ method }) => method).slice(-3)).toEqual(['PUT', 'GET', 'DELETE']);
    expect(space.files.size).toBe(0);
    await button(page, 'Aktuell halten').click();
    await page.getByText('Mit 3 Terminen geschrieben. Die Datei bleibt aktuell.').waitFor();
    expect(String(space.files.get('/club/dates.ics'))).toContain('SUMMARY:Seniors');
    space.fault = () => 401;
    await call(home, 'event', 'cancel', '2', '--user', 'Rovers');
    await call(home, 'publish', 'now');
    const field = page.getByLabel('Passwort', { exact: true });
    await field.waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
    space.fault = () => undefined;
    await field.fill(space.password);
    await button(page, 'Speichern und versuchen').click();
    await page.getByText('Aktuell', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(space.password);
  });
});
