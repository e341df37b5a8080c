import { describe, expect, it } from 'vitest';
import { installClock, passPause, testBrowser } from '../../../support/browser.ts';
import { openDesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { performHere } from '../../../support/perform.ts';
import { expectForEverybody } from '../axe.ts';

const browser = testBrowser();

const desktop = shareDesktop(browser, (home) => addMember(home, 'Chess', [makeEvent(1)]));

describe('the header in the desktop window', () => {
  it('lists the keys of the calendar and of the table among the shortcuts', async () => {
    const { page } = await desktop.show('#view=table');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
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
    await expectForEverybody(page, 'list of keys in the desktop window');
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
