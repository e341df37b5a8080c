import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';

const browser = testBrowser();

describe('the page in the desktop window', () => {
  it('shows the events of a club without asking for a key', async () => {
    const home = makeTestHome();
    const date = '2099-05-01T18:00:00.000Z';
    await addMember(home, 'Chess', [makeEvent(1, { name: 'Summer party', date })]);
    const { page } = await openDesktopPage(browser.current, home);
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toBe('{}');
  });

  it('leads to the screens that manage it', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const { page } = await openDesktopPage(browser.current, home, { fragment: '#manage=keys' });
    await page.getByRole('heading', { name: 'Keys for scripts' }).waitFor();
  });
});
