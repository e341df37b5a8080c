import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { listUsers } from '../../../../server/actions/users.ts';
import type { Home } from '../../../../server/home.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';

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
    expect(await row('Rowing').getByText('Current', { exact: true }).count()).toBe(0);
  });

  it('opens one club at a time', async () => {
    const { page, row } = await showClubs();
    await page.getByRole('button', { name: 'Show Rowing' }).click();
    await row('Rowing').getByText('Current', { exact: true }).waitFor();
    expect(await page.title()).toBe('Clubs – Rowing – Club Events');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Clubs');
  });

  it('adds clubs with unused names', async () => {
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
    expect(await field.inputValue()).toBe('');
    expect(await clubs()).toEqual(['Chess', 'Curling', 'Rowing']);
  });

  it('removes a club after a question that names the consequences', async () => {
    const { home, page, row, clubs } = await showClubs();
    const before = await clubs();
    await addMember(home, 'Skating', [makeEvent(4)]);
    await page.reload();
    await page.getByRole('button', { name: 'Remove Skating…' }).click();
    const question = page.getByRole('dialog', { name: 'Remove “Skating”?' });
    await question.getByText('1 event, 1 key and the import history').waitFor();
    await question.getByText('This can’t be undone.').waitFor();
    // Enter presses the default button, which cancels.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect(await clubs()).toContain('Skating');
    await page.getByRole('button', { name: 'Remove Skating…' }).click();
    await question.getByRole('button', { name: 'Remove club' }).click();
    await row('Skating').waitFor({ state: 'detached' });
    expect(await clubs()).toEqual(before);
    await page.waitForFunction(() => document.activeElement?.textContent === 'Clubs');
  });

  it('offers an export before a club is removed', async () => {
    const { page, clubs } = await showClubs();
    await page.getByRole('button', { name: 'Remove Rowing…' }).click();
    await page.getByRole('button', { name: 'Save its events as a file first…' }).click();
    await page.getByRole('heading', { name: 'Export' }).waitFor();
    expect(await page.title()).toBe('Export – Rowing – Club Events');
    expect(await clubs()).toContain('Rowing');
  });

  it('leads to the welcome screen when the last club is removed', async () => {
    const home = makeTestHome();
    await addClubs(home);
    const { page } = await openDesktopPage(browser.current, home, { fragment });
    for (const name of ['Chess', 'Rowing']) {
      await clubRow(page, name).getByText('Current', { exact: true }).waitFor();
      await page.getByRole('button', { name: `Remove ${name}…` }).click();
      await page.getByRole('button', { name: 'Remove club' }).click();
    }
    await page.getByRole('heading', { name: 'Where are your club’s events now?' }).waitFor();
  });
});
