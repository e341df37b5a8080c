import { expect, it, onTestFinished } from 'vitest';
import { sharedBrowser } from '../../support/browser.ts';
import { serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { patience } from '../../support/patience.ts';

const browser = sharedBrowser();

it('explores the interface with a typed key, within its policy and without another server', async () => {
  const { service, key } = await serveClub([makeEvent(7, { name: 'Blitz' })]);
  const context = await browser.current.newContext();
  onTestFinished(() => context.close());
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const faults: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).host);
  });
  await page.goto(`${service.baseUrl}/docs`);

  await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
  await page.locator('.modal-ux input').fill(key);
  await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).click();
  await page.locator('.modal-ux .btn-done').click();
  const operation = page.locator('#operations-default-listEvents');
  const tryIt = async () => {
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('.execute').click();
    return () => operation.locator('.live-responses-table').innerText();
  };
  await expect.poll(await tryIt()).toContain('Blitz');
  expect(faults).toEqual([]);

  await page.reload();
  await expect.poll(await tryIt()).toContain('Blitz');
  expect([...hosts]).toEqual([new URL(service.baseUrl).host]);
  expect(faults).toEqual([]);
  const stored = await page.evaluate(() => [
    Object.values({ ...sessionStorage }),
    Object.values({ ...localStorage }),
  ]);
  expect(stored).toEqual([[key], []]);
});
