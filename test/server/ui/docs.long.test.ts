import { expect, it, onTestFinished } from 'vitest';
import { sharedBrowser } from '../../support/browser.ts';
import { serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { patience } from '../../support/patience.ts';
import { performHere } from '../../support/perform.ts';
import { fetchWithKey } from '../../support/service.ts';

const browser = sharedBrowser();

/** Opens the explorer in a context of its own, and types a key. */
async function explore(baseUrl: string, key: string) {
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
  await page.goto(`${baseUrl}/docs`);

  await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
  await page.locator('.modal-ux input').fill(key);
  await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).click();
  await page.locator('.modal-ux .btn-done').click();
  return { page, faults, hosts };
}

it('explores the interface with a typed key, within its policy and without another server', async () => {
  const { service, key } = await serveClub([makeEvent(7, { name: 'Blitz' })]);
  const { page, faults, hosts } = await explore(service.baseUrl, key);
  const operation = page.locator('#operations-events-listEvents');
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

/** A value of each parameter and header, but for those that only the service knows. */
const values: Readonly<Record<string, string>> = {
  q: 'Event',
  status: 'active',
  eventType: 'club',
  from: '2026-01-01',
  to: '2027-01-01',
  sort: 'date',
  order: 'asc',
  limit: '1',
  team: 'All',
  'If-Match': '*',
  'If-None-Match': '"other"',
  Prefer: 'wait=1',
};

it('sends each parameter alone, filled in as a person does', async () => {
  const club = await serveClub([makeEvent(1), makeEvent(2)]);
  const tools = { home: club.home, onProgress: () => undefined };
  await performHere('team add', { user: club.name, name: 'All', words: 'Event' }, tools);
  const list = await fetchWithKey(club.service, '/v1/events?limit=1', club.key);
  const { searchParams } = new URL(/<([^>]+)>/.exec(list.headers.get('Link') ?? '')?.[1] ?? '');
  const given: Readonly<Record<string, string>> = {
    ...values,
    cursor: searchParams.get('cursor') ?? '',
    since: list.headers.get('Events-Revision') ?? '',
  };
  const { page } = await explore(club.service.baseUrl, club.key);
  const document = await (await fetch(`${club.service.baseUrl}/openapi.json`)).json();
  const { parameters } = document.paths['/v1/events'].get;
  const names = parameters.map((parameter: { readonly name: string }) => parameter.name);
  expect(Object.keys(given).toSorted()).toEqual(names.toSorted());
  const operation = page.locator('#operations-events-listEvents');
  for (const [name, value] of Object.entries(given)) {
    await page.reload();
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    const field = operation
      .locator(`tr[data-param-name="${name}"]`)
      .locator('input, select, textarea')
      .first();
    await field.waitFor();
    const isChoice = await field.evaluate(({ tagName }) => tagName === 'SELECT');
    await (isChoice ? field.selectOption(value) : field.fill(value));
    const sent = page.waitForResponse((response) => response.url().includes('/v1/events'));
    await operation.locator('.execute').click();
    const response = await sent;
    expect(response.status(), name).toBe(200);
    const headers = await response.request().allHeaders();
    const { searchParams: sentParameters } = new URL(response.url());
    expect(sentParameters.get(name) ?? headers[name.toLowerCase()], name).toBe(value);
  }
});
