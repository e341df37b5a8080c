import { describe, expect, it } from 'vitest';
import { openPage, openTab, testBrowser } from '../../support/browser.ts';
import { type ServedClub, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';

const browser = testBrowser();

function serveParty(): Promise<ServedClub> {
  return serveClub([makeEvent(1, { name: 'Summer party', date: '2099-05-01T18:00:00.000Z' })]);
}

describe('signing in', () => {
  it('rejects an empty or wrong key and shows the events for a valid one', async () => {
    const { service, key } = await serveParty();
    const page = await openPage(browser.current, service);
    const field = page.getByLabel('Key', { exact: true });
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Paste a key first.').waitFor();
    await field.fill('ключ 🗝');
    await page.keyboard.press('Enter');
    await page.getByText('That key isn’t valid here').waitFor();
    await page.route('**/v1/**', (route) => route.abort());
    await field.fill('ce_any');
    await page.keyboard.press('Enter');
    await page.getByText('Club Events isn’t responding.').waitFor();
    await page.unroute('**/v1/**');
    await field.fill('ce_wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('That key isn’t valid here').waitFor();
    await field.fill(`  ${key} `);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
  });

  it('reads the key from a link, removes it from the address and keeps it for one tab only', {
    tags: 'long',
  }, async (test) => {
    const { service, key } = await serveParty();
    const page = await openPage(browser.current, service, { fragment: `#key=${key}` });
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    expect(await page.evaluate(() => location.href)).toBe(`${service.baseUrl}/`);
    await page.reload();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(key);
    const other = await openTab(page, test);
    await other.goto(`${service.baseUrl}/`);
    await other.getByRole('button', { name: 'Open' }).waitFor();
  });

  it('signs in with a link opened in the tab of the page, until sign-out', {
    tags: 'long',
  }, async () => {
    const { service, key } = await serveParty();
    const page = await openPage(browser.current, service);
    await page.getByRole('button', { name: 'Open' }).waitFor();
    await page.evaluate((text) => location.assign(`/#key=${text}`), key);
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    expect(await page.evaluate(() => location.href)).toBe(`${service.baseUrl}/`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You’ve signed out.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Open' }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(key);
  });
});

describe('a link whose key is damaged', () => {
  it('leads to the sign-in with the reason, on load and on navigation', {
    tags: 'long',
  }, async () => {
    const { service, key } = await serveParty();
    const [first, ...others] = ['#key=%zz', '#key=%', '#key=ce_%E2%82%AC'];
    const page = await openPage(browser.current, service, { fragment: first ?? '' });
    const isRefused = () => page.getByRole('alert').getByText('This link is damaged').waitFor();
    await isRefused();
    expect(await page.evaluate(() => location.href)).toBe(`${service.baseUrl}/`);
    for (const fragment of others) {
      await page.getByLabel('Key', { exact: true }).fill(key);
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByRole('button', { name: /Summer party/ }).waitFor();
      await page.evaluate((hash) => location.assign(`/${hash}`), fragment);
      await isRefused();
      expect(await page.evaluate(() => location.href)).toBe(`${service.baseUrl}/`);
    }
  });
});
