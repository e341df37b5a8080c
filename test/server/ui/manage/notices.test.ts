import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { openScreen, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent } from '../../../support/home.ts';

const browser = testBrowser();

const desktop = shareDesktop(browser, (home) => addMember(home, 'Chess', [makeEvent(1)]));

describe('the notices above every screen', () => {
  it('report a stopped service until it runs again', async () => {
    const reason = 'Ports 28470 to 28478 are all taken.';
    const { page, desk, send } = await desktop.show();
    await page.getByRole('button', { name: 'Club: Chess' }).waitFor();
    const running = desk.read();
    await send({ kind: 'state', state: { ...running, service: { kind: 'stopped', reason } } });
    const notice = page.getByText(`Scripts can’t read your events at the moment. ${reason}`);
    await notice.waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Close this notice' }).count())
      .toBe(0);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await notice.waitFor();
    await send({ kind: 'state', state: running });
    await notice.waitFor({ state: 'detached' });
  });

  it('do not mention another port, which concerns only the holders of keys', async () => {
    const { page } = await desktop.show('', { desk: { settings: { port: 28_470 } } });
    await page.getByRole('button', { name: 'Club: Chess' }).waitFor();
    await expect.poll(() => page.getByText(/28470/).count()).toBe(0);
    await openScreen(page, 'Scripts and assistants');
    await page.getByText(/28470/).waitFor();
    await page.getByRole('button', { name: 'Revoke Key 1 (no label)' }).click();
    await page.getByRole('button', { name: 'Revoke key', exact: true }).click();
    await page.getByText(/28470/).waitFor({ state: 'detached' });
  });

  it('report each problem of the start until dismissed', async () => {
    const notices = ['Your settings could not be read.', 'The last backup is old.'];
    const { page } = await desktop.show('#manage=about', { desk: { state: { notices } } });
    for (const sentence of notices) await page.getByText(sentence).waitFor();
    await page.getByRole('button', { name: 'Close this notice' }).first().click();
    await page.getByText('Your settings could not be read.').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Settings');
    await page.getByRole('button', { name: 'Back to events' }).click();
    await page.getByText('The last backup is old.').waitFor();
    await expect.poll(() => page.getByText('Your settings could not be read.').count()).toBe(0);
  });
});
