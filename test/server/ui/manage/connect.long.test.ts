import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeTestHome } from '../../../support/home.ts';
import { answerWith, serveUpstream } from '../../../support/upstream.ts';
import { addressOf, keyOf, performIn, races } from './mirrored-club.ts';

const browser = testBrowser();
const events = races(7);

describe('a new user', () => {
  it('keeps no club if the first sync fails or is cancelled', async () => {
    const upstream = await serveUpstream({ events });
    const home = makeTestHome();
    const { page } = await openDesktopPage(browser.current, home);
    await page.getByRole('button', { name: 'Connect…' }).press('Enter');
    await addressOf(page).fill(upstream.baseUrl);
    await keyOf(page).fill(upstream.key);
    await page.keyboard.press('Enter');
    await page.getByLabel('Name of your club').fill('Chess');
    upstream.fault = () => answerWith(500);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('has a failure of its own').waitFor();
    expect((await performIn(home, 'user list', {})).users).toEqual([]);
    upstream.fault = () => 'silence';
    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    await connect.click();
    await page.getByText('Getting the events…').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => connect.getAttribute('data-loading')).toBe(null);
    expect((await performIn(home, 'user list', {})).users).toEqual([]);
    await page.getByRole('button', { name: 'Change the address or key' }).click();
    // A key is never shown again.
    expect(await keyOf(page).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('heading', { name: 'Where are your club’s events now?' }).waitFor();
  });

  it('reads where the key goes if the system has no key store', async () => {
    const { page } = await openDesktopPage(browser.current, makeTestHome(), {
      desk: { state: { keyStore: 'run' } },
    });
    await page.getByRole('button', { name: 'Connect…' }).click();
    await page.getByText('the key is kept for this run only').waitFor();
  });
});

describe('a club', () => {
  it('without events is connected itself', async () => {
    const upstream = await serveUpstream({ events });
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const { page } = await openDesktopPage(browser.current, home);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Source and sync' }).click();
    await addressOf(page).fill(upstream.baseUrl);
    await keyOf(page).fill(upstream.key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('All 7 events of the service are here.').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Source and sync');
    expect((await performIn(home, 'mirror status', {})).mirrors).toMatchObject([{ user: 'Chess' }]);
  });
});
