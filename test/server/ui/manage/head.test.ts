import { describe, expect, it } from 'vitest';
import { fragmentOf, testBrowser } from '../../../support/browser.ts';
import { shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent } from '../../../support/home.ts';

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
    await expect.poll(() => page.getByText('Chess night').count()).toBe(0);
    expect(await page.title()).toBe('Agenda – Rowing – Club Events');
    expect(desk.settings.club).toBe(2);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('events');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Rowing' }).waitFor();
  });

  it('links to the management screens and has no sign-out', { tags: 'long' }, async () => {
    const { page } = await desktop.show('', { club: 'Chess' });
    await page.getByRole('button', { name: 'Club: Chess' }).click();
    await page.getByRole('menuitem', { name: 'Clubs…' }).click();
    await page.getByRole('heading', { name: 'Clubs' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import…' }).click();
    await page.getByRole('heading', { name: 'Sources' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'More' }).click();
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual([
        'Import…\ni',
        'Next season…',
        'History and backups\nh',
        'Settings…\nm',
        'Keyboard shortcuts\n?',
        'Help',
      ]);
  });

  it('offers an import if there are no events', { tags: 'long' }, async () => {
    const { page } = await desktop.show('', { club: 'Curling' });
    await page.getByRole('button', { name: 'Import a file…' }).click();
    await page.getByRole('heading', { name: 'Sources' }).waitFor();
  });
});
