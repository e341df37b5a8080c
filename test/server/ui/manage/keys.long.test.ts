import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { makeEvent, revokeKeysOf } from '../../../support/home.ts';
import { createKey, openKeys, shareKeys, wantPort } from './keys-screen.ts';

const browser = testBrowser();
const shared = shareKeys(browser);

describe('a new key', () => {
  it('is not created with a past or invalid last day', async () => {
    const { page } = await shared.show();
    const lastDay = page.getByLabel('Expires on');
    await lastDay.fill('2020-12-31');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('This day has passed.').waitFor();
    await expect.poll(() => lastDay.getAttribute('aria-invalid')).toBe('true');
    await lastDay.fill('soon');
    await lastDay.press('Enter');
    await page.getByText('Try “14 March”').waitFor();
    await expect.poll(() => lastDay.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.locator('.access-item').count()).toBe(1);
  });

  it('can be created and stored with the keyboard', async () => {
    const { page } = await shared.show();
    await page.getByLabel('Label', { exact: true }).focus();
    await page.keyboard.type('Website');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your new key “Website”' }).waitFor();
    await page.getByRole('tab', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Invoke-RestMethod').waitFor();
    await page.getByRole('button', { name: 'I’ve saved it' }).focus();
    await page.keyboard.press('Enter');
    const label = page.getByLabel('Label', { exact: true });
    await label.waitFor();
    await expect
      .poll(() => label.evaluate((element) => element === document.activeElement))
      .toBe(true);
  });
});

describe('trying a new key', () => {
  it('shows the answer to a script', async () => {
    const events = Array.from({ length: 201 }, (_, id) => makeEvent(id, { name: `Fête ${id}` }));
    const { page } = await shared.show(events);
    await createKey(page);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText(/^It works \(200\): the first 200 of 201 events in \d+ ms\.$/).waitFor();
    const excerpt = () => page.getByRole('group', { name: 'Start of the response' }).innerText();
    await expect
      .poll(excerpt)
      .toMatch(/^\{\n {2}"events": \[\n {4}\{\n {6}"id": 200,\n {6}"name": "Fête 200",/);
    await expect.poll(excerpt).toMatch(/\n {4}\}\n {4}…\n {2}\]\n\}$/);
  });

  it('reports a revoked key and a stopped service', async () => {
    const { page, service, home } = await openKeys(browser.current);
    await createKey(page);
    await revokeKeysOf(home, 'Chess');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText(/^The service refused the request \(401\)\.$/).waitFor();
    await service.close();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('The service isn’t responding.').first().waitFor();
  });
});

describe('the list of keys', () => {
  it('closes a new key that is revoked before it is stored', async () => {
    const { page } = await shared.show();
    await createKey(page, 'Website');
    await page.getByRole('button', { name: 'Revoke Website' }).click();
    await page.getByRole('button', { name: 'Revoke key', exact: true }).click();
    await page.locator('.access-new').waitFor({ state: 'detached' });
  });
});

describe('the address of the service', () => {
  it('is the real one even if another program has its port', async () => {
    const opened = await shared.show();
    const { page, service, desk } = opened;
    await page.getByText(`http://127.0.0.1:${service.port}`, { exact: true }).waitFor();
    await page.getByText('It stays the same.').waitFor();
    await wantPort(opened, 28_470);
    await page.getByText('Scripts that use port 28470').waitFor();
    await page.getByRole('button', { name: `Keep port ${service.port}` }).click();
    await page.getByText('It stays the same.').waitFor();
    expect(desk.settings.port).toBe(service.port);
  });
});
