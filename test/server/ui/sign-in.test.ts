import { describe, expect, it } from 'vitest';
import { openPage, testBrowser } from '../../support/browser.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { serveForTest } from '../../support/service.ts';

const browser = testBrowser();

async function serveClub() {
  const home = makeTestHome();
  const service = await serveForTest(home);
  const member = await addMember(home, 'club', [
    makeEvent(1, { name: 'Summer party', date: '2099-05-01T18:00:00.000Z' }),
  ]);
  return { home, service, ...member };
}

describe('signing in', () => {
  it('asks for a key, and shows the events to who has one', async () => {
    const { service, key } = await serveClub();
    const page = await openPage(browser.current, service);
    await page.getByLabel('Key', { exact: true }).fill('ce_wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('This key does not open anything here').waitFor();
    await page.getByLabel('Key', { exact: true }).fill(`  ${key} `);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
  });

  it('takes the key of a link, and takes it out of the address at once', async () => {
    const { service, key } = await serveClub();
    const page = await openPage(browser.current, service, { fragment: `#key=${key}` });
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    expect(page.url()).toBe(`${service.baseUrl}/`);
    await page.reload();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(key);
  });
});
