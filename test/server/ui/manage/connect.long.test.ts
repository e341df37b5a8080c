import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage, openScreen } from '../../../support/desktop-page.ts';
import { addMember, makeTestHome } from '../../../support/home.ts';
import { serveUpstream } from '../../../support/upstream.ts';
import { addressOf, keyOf, performIn, races } from './mirrored-club.ts';

const browser = testBrowser();
const events = races(7);

describe('a new user', () => {
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
    await openScreen(page, 'Sources');
    await page.getByRole('button', { name: 'Connect…' }).click();
    await addressOf(page).fill(upstream.baseUrl);
    await keyOf(page).fill(upstream.key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('All 7 events of the service are here.').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Sources');
    expect((await performIn(home, 'mirror status', {})).mirrors).toMatchObject([{ user: 'Chess' }]);
  });
});
