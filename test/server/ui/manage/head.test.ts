import { describe, expect, it } from 'vitest';
import { fragmentOf, installClock, passPause, testBrowser } from '../../../support/browser.ts';
import { openDesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { performHere } from '../../../support/perform.ts';
import { expectForEverybody } from '../axe.ts';

const browser = testBrowser();

const date = '2099-05-01T18:00:00.000Z';
const desktop = shareDesktop(browser, async (home) => {
  await addMember(home, 'Chess', [makeEvent(1, { name: 'Chess night', date })]);
  await addMember(home, 'Rowing', [makeEvent(1, { name: 'Regatta', date })]);
  await addMember(home, 'Curling');
});

describe('the header in the desktop window', () => {
  it('names the open club and switches to another without data of the first', async () => {
    const { page, desk } = await desktop.show('#q=Chess&event=1');
    await page.getByRole('heading', { level: 1, name: 'Chess' }).waitFor();
    await page.getByRole('button', { name: 'Club: Chess' }).click();
    await page.getByRole('menuitemradio', { name: 'Rowing' }).click();
    await page.getByRole('button', { name: /Regatta/ }).waitFor();
    expect(await fragmentOf(page)).toBe('');
    expect(await page.getByText('Chess night').count()).toBe(0);
    expect(await page.title()).toBe('Agenda – Rowing – Club Events');
    expect(desk.settings.club).toBe(2);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('events');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Rowing' }).waitFor();
  });

  it('links to the management screens and has no sign-out', async () => {
    const { page } = await desktop.show('', { club: 'Chess' });
    await page.getByRole('button', { name: 'Club: Chess' }).click();
    await page.getByRole('menuitem', { name: 'Clubs…' }).click();
    await page.getByRole('heading', { name: 'Clubs' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import' }).click();
    await page.getByRole('heading', { name: 'Import' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Sign out' }).count()).toBe(0);
  });

  it('lists the keys of the calendar and of the table among the shortcuts', async () => {
    const { page } = await desktop.show('#view=table', { club: 'Chess' });
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const keysOf = async (name: string, action: string) => {
      const group = help.locator('section').filter({ has: page.getByRole('heading', { name }) });
      const row = group
        .locator('dl > div')
        .filter({ has: page.getByText(action, { exact: true }) });
      return row.locator('kbd').allTextContents();
    };
    await help.waitFor();
    expect(await keysOf('Always', 'First or last event')).toEqual(['Home', 'End']);
    expect(await keysOf('Calendar', 'Move between days')).toEqual(['←', '→', '↑', '↓']);
    expect(await keysOf('Calendar', 'Move the event to another day')).toEqual(['Ctrl+←→↑↓']);
    expect(await keysOf('Calendar', 'New event on the focused day')).toEqual(['n']);
    expect(await keysOf('Table', 'Select the row, or deselect it')).toEqual(['Space']);
    expect(await keysOf('Table', 'Select all rows up to this one')).toEqual(['⇧+Space']);
    expect(await keysOf('Table', 'Select all rows')).toEqual(['Ctrl+A']);
    await help.getByLabel('Single-key shortcuts').press('Space');
    expect(await keysOf('Calendar', 'New event on the focused day')).toEqual([]);
    await help.getByLabel('Single-key shortcuts').press('Space');
    await expectForEverybody(page, 'list of keys in the desktop window');
  });

  it('offers an import if there are no events', async () => {
    const { page } = await desktop.show('', { club: 'Curling' });
    await page.getByRole('button', { name: 'Import a file…' }).click();
    await page.getByRole('heading', { name: 'Import' }).waitFor();
  });

  it('opens another club when the open one is removed elsewhere', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1)]);
    await addMember(home, 'Rowing', [makeEvent(2, { name: 'Regatta' })]);
    const { page, desk } = await openDesktopPage(browser.current, home, {
      beforeLoad: installClock,
    });
    await page.getByRole('heading', { level: 1, name: 'Chess' }).waitFor();
    // The pause begins when all events are read.
    await page.waitForLoadState('networkidle');
    await performHere('user remove', { name: 'Chess' }, { home, onProgress: () => undefined });
    await passPause(page);
    await page.getByRole('heading', { level: 1, name: 'Rowing' }).waitFor();
    expect(desk.settings.club).not.toBe(null);
  });
});
