import { describe, expect, it } from 'vitest';
import { catalogues } from '../../../../server/messages/messages.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeTestHome } from '../../../support/home.ts';

const browser = testBrowser();

const fragment = '#manage=settings';
const desktop = shareDesktop(browser, (home) => addMember(home, 'Chess'));

describe('the settings', () => {
  it('are saved at once', async () => {
    const { page, desk } = await desktop.show(fragment, {
      desk: { state: { update: { kind: 'unknown' } } },
    });
    const before = { ...desk.settings };
    for (const [name, setting] of [
      ['Keep running when the window is closed', 'closeToTray'],
      ['Start when you log in', 'startAtLogin'],
      ['Check for updates once a week', 'checkForUpdates'],
    ] as const) {
      await page.getByRole('switch', { name }).press('Space');
      await expect.poll(() => desk.settings[setting]).toBe(!before[setting]);
    }
  });

  it('explain why updates cannot be configured', async () => {
    const { page } = await desktop.show(fragment);
    const updates = page.getByRole('switch', { name: 'Check for updates once a week' });
    await expect.poll(() => updates.isDisabled()).toBe(true);
    await page.getByText('build doesn’t check for updates').waitFor();
  });

  it('offer the times between syncs with online services', { tags: 'long' }, async () => {
    const { page, desk } = await desktop.show(fragment);
    const choice = page.getByRole('combobox', { name: 'Sync', exact: true });
    await expect
      .poll(() => choice.locator('option').allTextContents())
      .toEqual([
        'Every 5 minutes',
        'Every 15 minutes',
        'Every 30 minutes',
        'Every hour',
        'Only when I ask',
      ]);
    await expect.poll(() => choice.inputValue()).toBe('15');
    await choice.selectOption('Every hour');
    await expect.poll(() => desk.settings.syncMinutes).toBe(60);
    await choice.selectOption('Only when I ask');
    await expect.poll(() => desk.settings.syncMinutes).toBeNull();
    await page.getByText('only when you sync them yourself').waitFor();
  });

  it('accept only valid ports', { tags: 'long' }, async () => {
    const { page, desk, service } = await desktop.show(fragment);
    await page.getByText(`Scripts find your events at ${service.baseUrl}.`).waitFor();
    const field = page.getByRole('textbox', { name: 'Port' });
    for (const wrong of ['', '80', '65536', 'abc', '1e4', '2847.5']) {
      await field.fill(wrong);
      await field.press('Enter');
      await page.getByText('Enter a number from 1024 to 65535.').waitFor();
      expect(desk.settings.port).toBe(service.port);
    }
    await field.fill(' 28999 ');
    await page.getByRole('button', { name: 'Use this port' }).click();
    await expect.poll(() => desk.settings.port).toBe(28_999);
    await page.getByText('Enter a number').waitFor({ state: 'detached' });
    await expect.poll(() => field.inputValue()).toBe('28999');
  });

  it('explain why another port is in use', { tags: 'long' }, async () => {
    const { page, service } = await desktop.show(fragment, {
      desk: { settings: { port: 28_470 } },
    });
    const sentence = `Another program uses port 28470, so the service uses port ${service.port} for now. Scripts find`;
    await page.getByText(sentence).waitFor();
  });

  it('show why they could not be changed', async () => {
    const { page, desk } = await desktop.show(fragment);
    desk.refuse = 'login_refused';
    await page.getByRole('switch', { name: 'Start when you log in' }).press('Space');
    const sentence = catalogues.en.problem.login_refused;
    await page.getByRole('alert').getByText(sentence).waitFor();
    expect(desk.settings.startAtLogin).toBe(false);
  });

  it('show the data folder and open it', async () => {
    const { page, desk, home } = await desktop.show(fragment);
    await page.getByText(home.directory).waitFor();
    await page.getByRole('button', { name: 'Open folder', exact: true }).click();
    await expect.poll(() => desk.asked).toContain('folder data');
  });

  it('explain why a fixed data folder cannot be changed', async () => {
    const { page } = await desktop.show(fragment, {
      desk: { state: { home: { directory: '/club', fixed: true } } },
    });
    await page.getByText('so it can’t be changed here').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Choose another folder…' }).count())
      .toBe(0);
  });

  it('show the clubs of another folder once it is chosen', { tags: 'long' }, async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const { page, desk } = await openDesktopPage(browser.current, home, { fragment });
    desk.chooseHome = async () => {
      await addMember(home, 'A club of the other folder');
      desk.settings = { ...desk.settings, club: 2 };
      return true;
    };
    await page.getByRole('button', { name: 'Choose another folder…' }).click();
    await page.locator('.managing-club').getByText('A club of the other folder').waitFor();
  });
});
