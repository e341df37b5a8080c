import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { listTeams } from '../../../../server/club/team-actions.ts';
import { fragmentOf, openPage, testBrowser } from '../../../support/browser.ts';
import { daysFromNow } from '../../../support/club.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { performHere } from '../../../support/perform.ts';
import { expectPartForEverybody } from '../axe.ts';

const browser = testBrowser();

const names = [
  ...Array.from({ length: 6 }, () => 'U15 training'),
  ...Array.from({ length: 5 }, () => 'Ladies 2 training'),
  'Board',
];
const events = names.map((name, at) => makeEvent(at + 1, { name, date: daysFromNow(at + 1) }));

async function openClub(own = events, fragment = '') {
  const home = makeTestHome();
  const { key } = await addMember(home, 'Rovers', own);
  const opened = await openDesktopPage(browser.current, home, { fragment });
  const perform = (name: 'team add', args: object) =>
    performHere(name, { user: 'Rovers', ...args }, { home, onProgress: () => undefined });
  const teams = async () => (await listTeams({ user: 'Rovers' }, { home })).teams;
  return { ...opened, home, key, perform, teams };
}

const chip = (page: Page) => page.locator('.team-chip');
const state = (page: Page) => page.locator('.page-club-state');

describe('teams in the window', () => {
  it('are suggested from names that repeat, chosen from the chip, and hold in each view', {
    tags: 'long',
  }, async () => {
    const { page, teams } = await openClub();
    await page.getByRole('button', { name: 'Teams', exact: true }).click();
    const box = page.getByRole('dialog', { name: 'Teams, from your events’ names' });
    await box.getByText('with “Ladies 2”').waitFor();
    await expectPartForEverybody(page, 'the suggested teams', '.mantine-Popover-dropdown');
    await box.getByRole('checkbox', { name: 'Ladies 2' }).uncheck();
    await box.getByRole('button', { name: 'Use 1 team' }).click();
    await page.getByRole('button', { name: 'All teams' }).click();
    expect(await teams()).toMatchObject([{ name: 'U15', words: 'U15', events: 6 }]);
    const menu = page.getByRole('menu');
    await expectPartForEverybody(page, 'the menu of teams', '.team-menu');
    await menu.getByRole('menuitem', { name: /U15/ }).click();
    await state(page).getByText('U15, 6 of 12 events').waitFor();
    await page.getByText('Next up, U15').waitFor();
    expect(await fragmentOf(page)).toBe('#team=U15');
    for (const view of ['2', '3', '1']) {
      await page.keyboard.press(view);
      await chip(page).getByText('U15', { exact: true }).last().waitFor();
      await state(page).getByText('U15, 6 of 12 events').waitFor();
      await expect.poll(() => page.locator('#events').getByText('Ladies').count()).toBe(0);
    }
    await page.keyboard.press('v');
    await menu.getByRole('menuitem', { name: /No team/ }).click();
    await state(page).getByText('No team, 6 of 12 events').waitFor();
    await menu.waitFor({ state: 'detached' });
    await page.keyboard.press('v');
    await expect.poll(() => menu.evaluate((it) => it.contains(document.activeElement))).toBe(true);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.keyboard.press('u');
    await expect.poll(focused).toMatch(/U15/);
    await page.keyboard.press('Escape');
    await expect.poll(() => chip(page).evaluate((it) => it === document.activeElement)).toBe(true);
    await menu.waitFor({ state: 'detached' });
    // Before the menu has the focus.
    await page.evaluate(async () => {
      for (const key of ['v', 'Escape']) {
        const init = { key, bubbles: true, cancelable: true };
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init));
        await Promise.resolve();
      }
    });
    await expect.poll(() => menu.count()).toBe(0);
    await expect.poll(() => chip(page).evaluate((it) => it === document.activeElement)).toBe(true);
    await page.keyboard.press('c');
    await state(page).getByText('12 events').waitFor();
    await page.keyboard.press('v');
    await menu.getByRole('menuitem', { name: /U15/ }).click();
    await menu.waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await page.locator('#event-line').fill('Cake sale tomorrow 15:00');
    await page.keyboard.press('Enter');
    const notice = page.locator('.undo-notice');
    await notice.getByText('Not in U15: the name has no “U15”.').waitFor();
    await notice.getByRole('button', { name: 'Show' }).click();
    await state(page).getByText('13 events').waitFor();
    await page.locator('.panel').getByRole('heading', { name: 'Cake sale' }).waitFor();
  });

  it('are no word for a club whose names repeat no two, or that wants none', {
    tags: 'long',
  }, async () => {
    const few = await openClub(events.slice(0, 8));
    await state(few.page).getByText('8 events').waitFor();
    await expect.poll(() => chip(few.page).count()).toBe(0);
    const { page } = await openClub();
    await chip(page).click();
    await page.getByRole('button', { name: 'No teams' }).click();
    await chip(page).waitFor({ state: 'detached' });
    await page.reload();
    await state(page).getByText('12 events').waitFor();
    await expect.poll(() => chip(page).count()).toBe(0);
  });

  it('are found in their menu by letters with and without accents', { tags: 'long' }, async () => {
    const home = makeTestHome();
    await addMember(home, 'Rovers', events);
    for (const name of ['Équipe 1', 'Espoirs']) {
      const team = { user: 'Rovers', name, words: name };
      await performHere('team add', team, { home, onProgress: () => undefined });
    }
    const { page } = await openDesktopPage(browser.current, home);
    await page.getByRole('button', { name: 'All teams' }).click();
    await page.locator('[role=menu]:focus-within').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    // The keyboard of the browser has no such key.
    await page.evaluate(() => {
      const init = { key: 'é', bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init));
    });
    await expect.poll(focused).toContain('Équipe 1');
    await page.keyboard.press('e');
    await expect.poll(focused).toContain('Espoirs');
    // Another word begins after a pause.
    await page.waitForTimeout(600);
    await page.keyboard.type('equ');
    await expect.poll(focused).toContain('Équipe 1');
  });

  it('come along into print, a live file and the settings of a file', {
    tags: 'long',
  }, async () => {
    const { page, perform } = await openClub(events, '#team=u15&print=list');
    await page.getByText('Rovers').first().waitFor();
    await perform('team add', { name: 'U15', words: 'U15' });
    await page.reload();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Rovers, U15');
    await page.getByText('U15 training').first().waitFor();
    await expect.poll(() => page.getByText('Ladies 2 training').count()).toBe(0);
  });

  it('are added, changed and removed in the settings, each with an undo', {
    tags: 'long',
  }, async () => {
    const { page, teams } = await openClub(events, '#manage=club-settings');
    await page.getByRole('button', { name: 'Add a team…' }).click();
    const form = page.getByRole('form', { name: 'Add a team…' });
    await form.getByLabel('Name', { exact: true }).fill('Youth');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Words to leave out are not enough').waitFor();
    await form.getByLabel('Words in the name').fill('U15, U 15');
    await expectPartForEverybody(page, 'the form of a team', '.team-form');
    await form.getByLabel('Words in the name').press('Enter');
    await page.getByText('with “U15” or “U 15” · 6 events').waitFor();
    await page.getByRole('button', { name: 'Change Youth' }).click();
    const change = page.getByRole('form', { name: 'Change Youth' });
    await change.getByLabel('Name', { exact: true }).fill('Young');
    await change.getByLabel('Without these words').fill('camp');
    const pink = change.getByRole('radio', { name: 'Pink' });
    await expect.poll(() => pink.isChecked()).toBe(true);
    await change.getByRole('radio', { name: 'Purple' }).check();
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Young changed.').waitFor();
    const young = { name: 'Young', without: 'camp', letters: 'Yo', colour: 5 };
    expect(await teams()).toMatchObject([young]);
    await page.getByRole('button', { name: 'Change Young' }).click();
    const mark = page.getByRole('form', { name: 'Change Young' });
    await mark.getByLabel('Letters of its mark').fill('Y!');
    await mark.getByRole('button', { name: 'Save' }).click();
    await page.locator('.team-lines .team-mark[data-colour="5"]').getByText('Y!').waitFor();
    expect(await teams()).toMatchObject([{ ...young, letters: 'Y!' }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.team-lines .team-mark').getByText('Yo').waitFor();
    await page.getByRole('button', { name: 'Remove Young' }).waitFor();
    await page.getByRole('button', { name: 'Remove Young' }).click();
    await page.getByText('Young removed.').waitFor();
    expect(await teams()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Change Young' }).waitFor();
  });

  it('do not come to a browser', { tags: 'long' }, async () => {
    const { service, key, perform } = await openClub();
    await perform('team add', { name: 'U15', words: 'U15' });
    const page = await openPage(browser.current, service, { key, fragment: '#team=U15' });
    await state(page).getByText('12 events').waitFor();
    await expect.poll(() => chip(page).count()).toBe(0);
  });
});
