import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { clubNameOfHost } from '../../../../server/ui/manage/parts/connect.tsx';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { openTwoLaptops } from '../../../support/second-laptop.ts';
import { answerWith, serveUpstream } from '../../../support/upstream.ts';
import { expectForEverybody } from '../axe.ts';
import { addressOf, keyOf, performIn, races } from './mirrored-club.ts';

const browser = testBrowser();
const events = races(7);

/** Returns everything that the page keeps outside its memory. */
const keptBy = (page: Page) =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return JSON.stringify([
      location.href,
      history.state,
      { ...localStorage },
      { ...sessionStorage },
      databases,
      document.cookie,
      document.documentElement.outerHTML,
    ]);
  });

describe('a new user', () => {
  it('connects an online service from the welcome screen, after a trial that stores nothing', {
    tags: 'long',
  }, async () => {
    const upstream = await serveUpstream({ events, keys: ['the-key-of-the-club'] });
    const home = makeTestHome();
    const { page } = await openDesktopPage(browser.current, home);
    await page.getByRole('button', { name: 'Connect…' }).click();
    await page.getByRole('heading', { name: 'Connect to an online service' }).waitFor();
    await expectForEverybody(page, 'connect');
    const check = page.getByRole('button', { name: 'Check' });
    await check.click();
    await page.getByText('Enter the address of the service first.').waitFor();
    await page.getByText('Enter the key first.').waitFor();
    await expect.poll(() => keyOf(page).getAttribute('aria-invalid')).toBe('true');
    const colourOf = (pseudo: string) =>
      addressOf(page).evaluate((field, of) => getComputedStyle(field, of).color, pseudo);
    // An example must not look like a wrong entry.
    expect(await colourOf('::placeholder')).toBe('rgb(79, 91, 101)');
    await page.getByRole('button', { name: 'Show key' }).click();
    await page.getByRole('button', { name: 'Hide key' }).click();
    expect(await addressOf(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await addressOf(page).fill('http://events.example.org');
    await keyOf(page).fill('another-key');
    await check.click();
    await page.getByRole('alert').getByText('cannot be used with http').waitFor();
    await addressOf(page).fill(upstream.baseUrl);
    await check.click();
    await page.getByRole('alert').getByText('does not accept the key').waitFor();
    await keyOf(page).fill('the-key-of-the-club');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Found at 127\.0\.0\.1:/ }).waitFor();
    await page.getByText('7 events, 7 of them upcoming.').waitFor();
    await expect
      .poll(() => page.locator('.event-list strong').allTextContents())
      .toEqual(['Race 1', 'Race 2', 'Race 3', 'Race 4', 'Race 5']);
    await expectForEverybody(page, 'trial');
    expect((await performIn(home, 'user list', {})).users).toEqual([]);
    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    await connect.click();
    await page.getByText('Enter a name for the club first.').waitFor();
    await page.getByLabel('Name of your club').fill('Harbour Runners');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Race 7/ }).waitFor();
    await page
      .locator('.page-club-state')
      .getByText(/^As of today, \d\d:\d\d$/)
      .waitFor();
    // The person knows these events.
    await expect.poll(() => page.locator('.mark-change').count()).toBe(0);
    expect(await keptBy(page)).not.toContain('the-key-of-the-club');
    const { mirrors } = await performIn(home, 'mirror status', {});
    expect(mirrors).toMatchObject([{ user: 'Harbour Runners', events: 7 }]);
  });

  it('reads a file of another computer, and follows it without a key', {
    tags: 'long',
  }, async () => {
    const { first, file } = await openTwoLaptops(events);
    const home = makeTestHome();
    const { page, desk } = await openDesktopPage(browser.current, home);
    desk.chosen = [file];
    await page.getByRole('button', { name: 'Choose that file…' }).click();
    await page.getByRole('button', { name: 'Read the file' }).click();
    await page.getByText('Enter the address of the file first.').waitFor();
    await page.getByRole('button', { name: 'Choose a file…' }).click();
    await page.getByRole('heading', { name: 'Found in rovers.json' }).waitFor();
    await page.getByText(/^Rovers, as of /).waitFor();
    await expectForEverybody(page, 'file');
    await expect.poll(() => page.getByLabel('Name of your club').inputValue()).toBe('Rovers');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: /^Race 7/ }).waitFor();
    const { mirrors } = await performIn(home, 'mirror status', {});
    expect(mirrors).toMatchObject([{ kind: 'file', events: events.length, isKeyMissing: false }]);
    expect(mirrors[0]?.asOf).toBe(first.tools.now().toISOString());
    await page.goto(`${page.url().split('#')[0]}#manage=sync`);
    await page.getByText('The 7 events here are as of').waitFor();
    await page.getByRole('button', { name: 'Stop following…' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Change key…' }).count()).toBe(0);
    await expectForEverybody(page, 'file source');
  });

  it('keeps no club if the first sync fails or is cancelled', { tags: 'long' }, async () => {
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
    await expect.poll(() => keyOf(page).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('heading', { name: 'Where are your club’s events now?' }).waitFor();
  });
});

describe('a club', () => {
  it('with events of its own keeps them, and a new club follows the service', {
    tags: 'long',
  }, async () => {
    const upstream = await serveUpstream({ events });
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(99)]);
    const { page } = await openDesktopPage(browser.current, home, { fragment: '#manage=sync' });
    await addressOf(page).fill(upstream.baseUrl);
    await keyOf(page).fill(upstream.key);
    await page.getByRole('button', { name: 'Check' }).click();
    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    const here = page.getByRole('radio', { name: /^Into “Chess”/ });
    await expect.poll(() => here.isChecked()).toBe(false);
    await expect.poll(() => page.getByText('which has the same events').count()).toBe(0);
    await here.check();
    await connect.click();
    await page.getByRole('alert').getByText('connect a new club instead').waitFor();
    await expectForEverybody(page, 'refused club');
    await page.getByRole('radio', { name: 'Into a new club' }).check();
    await page.getByLabel('Name of your club').fill('Runners');
    await connect.click();
    await page.getByText('All 7 events of the service are here.').waitFor();
    const { users } = await performIn(home, 'user list', {});
    expect(users.map(({ name, events: count }) => [name, count])).toEqual([
      ['Chess', 1],
      ['Runners', 7],
    ]);
  });
});

it('proposes the club that has most events of the service', { tags: 'long' }, async () => {
  const upstream = await serveUpstream({ events });
  const home = makeTestHome();
  await addMember(home, 'Chess', events.slice(0, 6));
  const { page } = await openDesktopPage(browser.current, home, { fragment: '#manage=sync' });
  await addressOf(page).fill(upstream.baseUrl);
  await keyOf(page).fill(upstream.key);
  await page.getByRole('button', { name: 'Check' }).click();
  const here = page.getByRole('radio', { name: 'Into “Chess”, which has the same events' });
  await here.waitFor();
  await expect.poll(() => here.isChecked()).toBe(true);
});

describe('the proposed name of a club', () => {
  it.each([
    ['events.harbour-runners.example', 'Harbour Runners'],
    ['tsv-kappeln.de', 'Tsv Kappeln'],
    ['127.0.0.1', ''],
    ['localhost', ''],
  ])('from %j is %j', (host, name) => {
    expect(clubNameOfHost(host)).toBe(name);
  });
});
