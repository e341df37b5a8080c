import { describe, expect, it } from 'vitest';
import type { UpdateState } from '../../../../server/actions/bridge.ts';
import { testBrowser } from '../../../support/browser.ts';
import { shareDesktop } from '../../../support/desktop-page.ts';
import { addMember } from '../../../support/home.ts';
import { readOnce } from '../../../support/patience.ts';

const browser = testBrowser();

const desktop = shareDesktop(browser, (home) => addMember(home, 'Chess'), {
  permissions: ['clipboard-write', 'clipboard-read'],
});

describe('the screen about the program', () => {
  it('shows the versions and licences', async () => {
    const { page } = await desktop.show('#manage=about');
    await page.getByText('Club Events 0.1.0').waitFor();
    await page.getByText('Electron 45 · Chromium 150 · Node.js 24 · SQLite 3.50').waitFor();
    await page.getByRole('button', { name: 'Show licences…' }).click();
    await page.getByRole('dialog', { name: 'Licences' }).getByText('MIT License').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('shows and copies the address for scripts', async () => {
    const { page, service } = await desktop.show('#manage=about');
    await page.getByRole('button', { name: 'Copy address' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(service.baseUrl);
  });

  it('opens the folder of the log', async () => {
    const { page, desk } = await desktop.show('#manage=about');
    await page.getByRole('button', { name: 'Open log folder', exact: true }).click();
    await expect.poll(() => desk.asked).toContain('folder logs');
  });

  it.each<readonly [UpdateState, string]>([
    [{ kind: 'unknown' }, 'Not checked yet.'],
    [{ kind: 'current', checkedAt: '2026-05-01T10:00:00.000Z' }, 'as of 1 May 2026, 12:00'],
    [{ kind: 'ready', version: '0.2.0' }, 'Version 0.2.0 is ready'],
    [{ kind: 'failed', reason: 'There is no network.' }, 'There is no network.'],
  ])('says in words that an update is %o', async (update, words) => {
    const { page } = await desktop.show('#manage=about', { desk: { state: { update } } });
    await page.getByRole('region', { name: 'About' }).getByText(words).first().waitFor();
  });

  it('says once that a build has no updates, and has no two buttons of one name', async () => {
    const { page } = await desktop.show('#manage=about', {
      desk: { state: { update: { kind: 'unavailable' } } },
    });
    await page.getByText('Club Events 0.1.0').waitFor();
    const sentence = page.getByText('This build doesn’t check for updates.');
    await expect.poll(() => sentence.count()).toBe(1);
    const names = await readOnce(page.getByRole('main').getByRole('button').allInnerTexts());
    expect(names.length).toBeGreaterThan(4);
    expect(new Set(names).size).toBe(names.length);
  });

  it('checks for an update and installs it', async () => {
    const { page, desk, send } = await desktop.show('#manage=about', {
      desk: { state: { update: { kind: 'unknown' } } },
    });
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect.poll(() => desk.asked).toContain('check');
    desk.state = { update: { kind: 'ready', version: '0.2.0' } };
    await send({ kind: 'state', state: desk.read() });
    await page.getByRole('button', { name: 'Install and restart' }).click();
    await expect.poll(() => desk.asked).toContain('install');
  });
});
