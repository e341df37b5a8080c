import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Home } from '../../../../server/base/home.ts';
import { listDaysOff } from '../../../../server/club/days-off-actions.ts';
import { listUsers } from '../../../../server/club/user-actions.ts';
import { pageToday, testBrowser } from '../../../support/browser.ts';
import { openDesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../../support/home.ts';
import { performHere } from '../../../support/perform.ts';
import { fetchWithKey } from '../../../support/service.ts';
import { writeTestFile } from '../../import/files.ts';

const browser = testBrowser();

async function addClubs(home: Home) {
  await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]);
  await addMember(home, 'Rowing', [makeEvent(3)]);
}

const fragment = '#manage=clubs';
const desktop = shareDesktop(browser, addClubs);

const clubRow = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

async function showClubs() {
  const shown = await desktop.show(fragment, { club: 'Chess' });
  const { home, page } = shown;
  const clubs = async () => (await listUsers({}, { home })).users.map(({ name }) => name);
  const row = (name: string) => clubRow(page, name);
  await row('Rowing').waitFor();
  return { ...shown, clubs, row };
}

describe('the list of clubs', () => {
  it('shows the contents of each club and which one is open', async () => {
    const { row } = await showClubs();
    await row('Chess').getByText('2 events, 1 key').waitFor();
    await row('Chess').getByText('Current', { exact: true }).waitFor();
    await row('Rowing').getByText('1 event, 1 key').waitFor();
    await expect.poll(() => row('Rowing').getByText('Current', { exact: true }).count()).toBe(0);
  });

  it('opens one club at a time', { tags: 'long' }, async () => {
    const { page, row } = await showClubs();
    await page.getByRole('button', { name: 'Show Rowing' }).click();
    await row('Rowing').getByText('Current', { exact: true }).waitFor();
    expect(await page.title()).toBe('Clubs – Rowing – Club Events');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Clubs');
  });

  it('adds clubs with unused names', { tags: 'long' }, async () => {
    const { page, row, clubs } = await showClubs();
    const field = page.getByLabel('New club');
    await field.press('Enter');
    await page.getByText('Enter a name for the club first.').waitFor();
    await field.fill('Chess');
    await field.press('Enter');
    await page.getByText('A club with this name already exists.').waitFor();
    await field.fill('Curling');
    await field.press('Enter');
    await row('Curling').getByText('0 events, 0 keys').waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
    expect(await clubs()).toEqual(['Chess', 'Curling', 'Rowing']);
  });

  it('removes a club after a question that names the consequences', async () => {
    const { home, page, row, clubs } = await showClubs();
    const before = await clubs();
    await addMember(home, 'Skating', [makeEvent(4)]);
    await page.reload();
    await page.getByRole('button', { name: 'Delete Skating…' }).click();
    const question = page.getByRole('dialog', { name: 'Delete “Skating”?' });
    await question.getByText('1 event, 1 key and the history').waitFor();
    await question.getByText('This can’t be undone.').waitFor();
    // Enter presses the default button, which cancels.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect(await clubs()).toContain('Skating');
    await page.getByRole('button', { name: 'Delete Skating…' }).click();
    await question.getByRole('button', { name: 'Delete club' }).click();
    await row('Skating').waitFor({ state: 'detached' });
    expect(await clubs()).toEqual(before);
    await page.waitForFunction(() => document.activeElement?.textContent === 'Settings');
  });

  it('offers an export before a club is removed', { tags: 'long' }, async () => {
    const { page, clubs } = await showClubs();
    await page.getByRole('button', { name: 'Delete Rowing…' }).click();
    await page.getByRole('button', { name: 'Save its events as a file first…' }).click();
    await page.getByRole('heading', { name: 'Save a file' }).waitFor();
    expect(await page.title()).toBe('Save a file – Rowing – Club Events');
    expect(await clubs()).toContain('Rowing');
  });

  it('leads to the welcome screen when the last club is removed', { tags: 'long' }, async () => {
    const home = makeTestHome();
    await addClubs(home);
    const { page } = await openDesktopPage(browser.current, home, { fragment });
    for (const name of ['Chess', 'Rowing']) {
      await clubRow(page, name).getByText('Current', { exact: true }).waitFor();
      await page.getByRole('button', { name: `Delete ${name}…` }).click();
      await page.getByRole('button', { name: 'Delete club' }).click();
    }
    await page.getByRole('heading', { name: 'Where are your club’s events now?' }).waitFor();
  });
});

describe('the settings of the club', () => {
  async function showSettings() {
    const home = makeTestHome();
    const { key } = await addMember(home, 'Fixtures', [makeEvent(1)]);
    await addMember(home, 'Rowing');
    const shown = await openDesktopPage(browser.current, home, {
      fragment: '#manage=club-settings',
    });
    const field = shown.page.getByLabel('Name', { exact: true });
    await field.waitFor();
    const clubs = async () => (await listUsers({}, { home })).users.map(({ name }) => name);
    return { ...shown, home, key, field, clubs };
  }

  it('rename it when the field is left, with an undo, and its key still works', {
    tags: 'long',
  }, async () => {
    const { page, service, key, field, clubs } = await showSettings();
    await field.fill('  Harbour Rovers ');
    await page.getByRole('heading', { name: 'Settings' }).click();
    const saved = page.getByRole('status').filter({ hasText: 'Was “Fixtures”.' });
    await saved.getByText('Saved', { exact: true }).waitFor();
    await page.locator('.managing-club', { hasText: 'Harbour Rovers' }).waitFor();
    await expect.poll(() => field.inputValue()).toBe('Harbour Rovers');
    expect(await clubs()).toEqual(['Harbour Rovers', 'Rowing']);
    expect(await page.title()).toBe('Settings – Harbour Rovers – Club Events');
    const { status } = await fetchWithKey(service, '/v1/events', key);
    expect(status).toBe(200);
    await saved.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Was “Harbour Rovers”.').waitFor();
    await page.locator('.managing-club', { hasText: 'Fixtures' }).waitFor();
    await expect.poll(() => field.inputValue()).toBe('Fixtures');
    expect(await clubs()).toEqual(['Fixtures', 'Rowing']);
  });

  it('give the club to somebody, as a backup with it alone', async () => {
    const { page, desk } = await showSettings();
    const output = join(makeTestFolder(), 'fixtures.sqlite');
    const give = page.getByRole('button', { name: 'Give this club to somebody…' });
    await give.click();
    await expect.poll(() => desk.asked).toEqual([`save Fixtures-${pageToday()}.sqlite`]);
    await expect.poll(() => give.getAttribute('data-loading')).toBe(null);
    await expect.poll(() => page.getByText('On the new computer').count()).toBe(0);
    desk.output = output;
    await give.click();
    const sentence =
      'fixtures.sqlite is saved and checked: 1 event. On the new computer: “From a backup”.';
    await page.getByRole('status').getByText(sentence).waitFor();
    const other = makeTestHome();
    await performHere('restore', { file: output }, { home: other, onProgress: () => undefined });
    const { users } = await listUsers({}, { home: other });
    expect(users).toMatchObject([{ name: 'Fixtures', events: 1, keys: 1 }]);
    expect(await page.content()).not.toContain(dirname(output));
  });

  it('refuse an empty name and one of another club in the field', { tags: 'long' }, async () => {
    const { page, field, clubs } = await showSettings();
    await field.fill(' ');
    await field.press('Enter');
    await page.getByText('Enter a name for the club first.').waitFor();
    await field.fill('Rowing');
    await field.press('Tab');
    await page.getByText('A club with this name already exists.').waitFor();
    expect(await clubs()).toEqual(['Fixtures', 'Rowing']);
    await field.press('Escape');
    await expect.poll(() => field.inputValue()).toBe('Fixtures');
    await expect
      .poll(() => page.getByText('A club with this name already exists.').count())
      .toBe(0);
  });

  it('are the heading of sheets at once, and an unfinished import goes to the same club', {
    tags: 'long',
  }, async () => {
    const { page, desk, field } = await showSettings();
    await page.evaluate(() => location.assign('#print=month'));
    await page.locator('.sheet-page').getByText('Fixtures').first().waitFor();
    await page.evaluate(() => location.assign('#manage=import'));
    desk.chosen = [writeTestFile('season.csv', 'name,date\nConcert,2026-05-01\n')];
    await page.locator('.import-drop button').click();
    await page.getByRole('heading', { name: 'Match the columns' }).waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await field.fill('Harbour Rovers');
    await field.press('Enter');
    await page.getByText('Was “Fixtures”.').waitFor();
    await page.getByRole('button', { name: 'Sources' }).click();
    await page.getByText('The import of season.csv is not finished.').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.work-foot button').last().click();
    await page.getByRole('button', { name: 'Import 1 event' }).click();
    await page.getByText('1 event added').waitFor();
    await page.evaluate(() => location.assign('#print=month'));
    await page.locator('.sheet-page').getByText('Harbour Rovers').first().waitFor();
  });

  it('add public holidays and a file of school holidays, which the calendar shows', {
    tags: 'long',
  }, async () => {
    const { page, desk, home } = await showSettings();
    await page.getByText('No days off yet. A repetition then takes every date.').waitFor();
    const region = page.getByRole('combobox', { name: 'Country and region' });
    await region.fill('germany, bay');
    await page.getByRole('option', { name: 'Germany, Bayern' }).click();
    const saved = page.getByRole('status').filter({ hasText: 'Was: None.' });
    await saved.waitFor();
    desk.chosen = [
      writeTestFile(
        'School holidays.ics',
        [
          ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', 'BEGIN:VEVENT', 'UID:1'],
          ...['DTSTART;VALUE=DATE:20301223', 'DTEND;VALUE=DATE:20310107'],
          ...['SUMMARY:Winter break', 'END:VEVENT', 'END:VCALENDAR', ''],
        ].join('\r\n'),
      ),
    ];
    await page.getByRole('button', { name: 'Add from a file…' }).click();
    await page.getByText('School holidays added.').waitFor();
    await page.evaluate(() => location.assign('#view=calendar&day=2030-12-24'));
    const day = (date: string) => page.locator(`[data-date="${date}"]`);
    await day('2030-12-24').and(page.locator('[data-off]')).waitFor();
    await expect.poll(() => day('2030-12-22').getAttribute('data-off')).toBeNull();
    await day('2030-12-23').getByText('Winter break').waitFor();
    await day('2030-12-25').getByText('Christmas Day').waitFor();
    await page.getByText('Day off', { exact: true }).waitFor();
    await page.evaluate(() => location.assign('#manage=club-settings'));
    await page.getByRole('button', { name: 'Remove School holidays' }).click();
    await page.getByText('School holidays removed.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Remove School holidays' }).waitFor();
    const { calendars } = await listDaysOff({ user: 'Fixtures' }, { home });
    expect(calendars.map(({ kind, source }) => [kind, source])).toEqual([
      ['public', 'DE-BY'],
      ['file', 'School holidays.ics'],
    ]);
  });

  it('changes the time zone, shows its times at once and undoes it', { tags: 'long' }, async () => {
    const { page, home } = await showSettings();
    const zoneOf = async () =>
      (await listUsers({}, { home })).users.find(({ name }) => name === 'Fixtures')?.zone;
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await expect.poll(() => zone.inputValue()).toBe('Europe/Berlin');
    await zone.fill('new york');
    await page.getByRole('option', { name: 'America/New York' }).click();
    const question = page.getByRole('group', { name: 'What happens to the times of your events?' });
    await question.getByRole('button', { name: /is then/ }).click();
    await page.getByText('Was Europe/Berlin. The events stay at the same moments.').waitFor();
    expect(await zoneOf()).toBe('America/New_York');
    await page.evaluate(() => location.assign('#'));
    await page.getByText('Times in America/New York').waitFor();
    await page.evaluate(() => location.assign('#manage=club-settings'));
    await zone.fill('berlin');
    await page.getByRole('option', { name: 'Europe/Berlin' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => zone.inputValue()).toBe('America/New York');
    await zone.fill('berlin');
    await page.getByRole('option', { name: 'Europe/Berlin' }).click();
    await question.getByRole('button', { name: /stays/ }).click();
    await page.getByText('Was America/New York. The times stay as they are written.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(zoneOf).toBe('America/New_York');
    await expect.poll(() => zone.inputValue()).toBe('America/New York');
  });

  it('change the usual length and the season, with an undo here and in the history', {
    tags: 'long',
  }, async () => {
    const { page, home } = await showSettings();
    const settings = async () => {
      const { users } = await listUsers({}, { home });
      const club = users.find(({ name }) => name === 'Fixtures');
      return [club?.usualLength, club?.seasonStart];
    };
    await page.getByRole('combobox', { name: 'Usual length' }).click();
    await page.getByRole('option', { name: '1½ hours' }).click();
    await page.getByText('Was 2 hours.').waitFor();
    await page.getByRole('combobox', { name: 'Season begins in' }).click();
    await page.getByRole('option', { name: 'August' }).click();
    await page.getByText('Was July.').waitFor();
    expect(await settings()).toEqual([90, 8]);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(settings).toEqual([90, 7]);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('heading', { name: 'Usual length: 2 hours → 1½ hours' }).waitFor();
    await page.getByRole('button', { name: /^Undo Usual length/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(settings).toEqual([120, 7]);
  });
});
