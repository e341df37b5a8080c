import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPage, testBrowser } from '../../../support/browser.ts';
import { daysFromNow } from '../../../support/club.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { serveForTest } from '../../../support/service.ts';
import { answerWith, changeText } from '../../../support/upstream.ts';
import { expectForEverybody } from '../axe.ts';
import { card, mirrorClub, openMirrored, performIn, races, syncNow } from './mirrored-club.ts';

const browser = testBrowser();

describe('the screen of the source', () => {
  it('keeps a running sync while another screen is shown', async () => {
    const { page, upstream, openScreen } = await openMirrored(browser.current, {
      events: races(2),
    });
    await openScreen();
    upstream.fault = () => 'silence';
    await syncNow(page).click();
    await page.getByText('Syncing…').waitFor();
    await page.getByRole('button', { name: 'History and backups' }).click();
    await page.getByRole('button', { name: 'Sources' }).click();
    await page.getByText('Syncing…').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Syncing…').waitFor({ state: 'detached' });
  });

  it('shows the cost of a search for older events before it starts', async () => {
    const { page, upstream, openScreen } = await openMirrored(browser.current, {
      // The list has the last 200 of them.
      events: races(205).map((event) => {
        const created = Date.parse('2026-01-01T00:00:00.000Z') + event.id * 60_000;
        return { ...event, date: daysFromNow(-1), createdAt: new Date(created).toISOString() };
      }),
    });
    await openScreen();
    await page.getByText(/^All events added since /).waitFor();
    await expectForEverybody(page, 'partly known');
    const requests = upstream.count('byId');
    await page.getByRole('button', { name: 'Look for older events…' }).press('Enter');
    await page.getByText(/^About \d+ requests, 1 minute\.$/).waitFor();
    await expectForEverybody(page, 'consent');
    expect(upstream.count('byId')).toBe(requests);
    const start = page.getByRole('button', { name: 'Start the search' });
    expect(await start.evaluate((element) => element === document.activeElement)).toBe(true);
    upstream.latency = 400;
    await page.keyboard.press('Enter');
    await page.getByText('Looking for older events…').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText(/^The search has stopped\. \d+ IDs are left\.$/).waitFor();
    upstream.latency = 0;
    await page.getByRole('button', { name: 'Go on searching' }).click();
    await page.getByText(/^The search is complete\./).waitFor();
    await page.getByText('All 205 events of the service are here.').waitFor();
  });

  it('is ready for the field only after every check, and prints a card', async () => {
    const { page, upstream, openScreen } = await openMirrored(browser.current, {
      events: races(3),
    });
    await openScreen();
    const getReady = page.getByRole('button', { name: 'Get ready' });
    upstream.fault = ({ operation }) => (operation === 'byId' ? answerWith(500) : undefined);
    await getReady.click();
    const failed = card(page, 'Not ready for the field');
    await failed.waitFor();
    await expect.poll(() => failed.getAttribute('data-tone')).toBe('attention');
    await expect
      .poll(() => failed.locator('.sync-checks li').first().getAttribute('data-fine'))
      .toBe('false');
    await failed.getByText('has a failure of its own').waitFor();
    await expectForEverybody(page, 'not ready');
    await expect.poll(() => page.getByRole('button', { name: 'Print card' }).count()).toBe(0);
    upstream.fault = () => undefined;
    await getReady.click();
    const ready = card(page, 'Ready for the field');
    await ready
      .getByText(
        /^3 events until .*, confirmed today, \d\d:\d\d\. All upcoming events are known\.$/,
      )
      .waitFor();
    await expect.poll(() => ready.getAttribute('data-tone')).toBe('good');
    await expect.poll(() => ready.locator('[data-fine="true"]').count()).toBe(7);
    await expectForEverybody(page, 'ready');
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '');
    });
    await page.getByRole('button', { name: 'Print card' }).click();
    await page.locator('[data-printed]').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.locator('#sync-print').getByText('All upcoming events are known.').waitFor();
    await expect.poll(() => page.locator('#page').isVisible()).toBe(false);
  });

  it('names an event that cannot be read, and updates the others', async () => {
    const { upstream, home } = await mirrorClub({ events: races(3) });
    upstream.fault = () =>
      changeText((text) => text.replace(/"id":2,"name":"Race 2"/, '"id":2,"name":7'));
    await performIn(home, 'mirror sync', { user: 'Chess' });
    const { page } = await openDesktopPage(browser.current, home, { fragment: '#manage=sync' });
    await page.getByText('so they are not updated here: Race 2').waitFor();
    await expectForEverybody(page, 'unreadable');
  });

  it('pauses after a restore until a person syncs', async () => {
    const { page, home, openScreen } = await openMirrored(browser.current, { events: races(3) });
    const { name } = await performIn(home, 'backup', {});
    if (name === null) throw new Error('The backup has no name.');
    await performIn(home, 'restore', { name });
    await openScreen();
    const paused = card(page, 'Syncing is paused');
    await paused.waitFor();
    await page.locator('.managing-club').getByText('As of today, ').getByText(', paused').waitFor();
    await expectForEverybody(page, 'paused');
    await paused.getByRole('button', { name: 'Sync now' }).click();
    await paused.waitFor({ state: 'detached' });
  });

  it('asks for a key that is missing, and changes it', async () => {
    const { page, home, upstream, host, openScreen } = await openMirrored(browser.current, {
      events: races(2),
      keys: ['first-key', 'second-key'],
    });
    await openScreen();
    rmSync(join(home.directory, 'upstream-keys.json'));
    await syncNow(page).click();
    await page.getByRole('alert').getByText('is not on this computer any more').waitFor();
    const missing = card(page, 'The key is missing');
    await missing.getByRole('button', { name: 'Enter the key…' }).click();
    const dialog = page.getByRole('dialog', { name: `A key for ${host}` });
    await dialog.getByRole('button', { name: 'Save key' }).click();
    await dialog.getByText('Enter the key first.').waitFor();
    await expectForEverybody(page, 'key');
    await dialog.getByLabel('Key', { exact: true }).fill('wrong-key');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('does not accept the key').waitFor();
    await dialog.getByLabel('Key', { exact: true }).fill('second-key');
    await page.keyboard.press('Enter');
    await missing.waitFor({ state: 'detached' });
    await page.locator('.sync-now-state').getByText('Nothing new').waitFor();
    expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer second-key');
  });

  it('stops following, and the events become editable', async () => {
    const { page, openScreen } = await openMirrored(browser.current, { events: races(2) });
    await openScreen();
    await page.getByRole('button', { name: 'Stop following…' }).click();
    await page.getByText('The events stay here, and you can edit them.').waitFor();
    await expectForEverybody(page, 'stop');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop following' }).click();
    await page.getByRole('button', { name: 'Connect…' }).waitFor();
    await page.getByRole('button', { name: 'Back to events' }).click();
    await page.getByRole('button', { name: /^Race 1/ }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await expect.poll(() => page.getByText(/^As of /).count()).toBe(0);
  });

  it('names members that Club Events does not have', async () => {
    const { page, upstream, openScreen } = await openMirrored(browser.current, {
      events: races(2),
    });
    await openScreen();
    upstream.fault = () => changeText((text) => text.replaceAll('{"id"', '{"fee":5,"id"'));
    await syncNow(page).click();
    await page.getByText('fields that Club Events does not have: fee').waitFor();
  });
});

describe('a mirrored club', () => {
  it('without events waits for those of its service', async () => {
    const { page, host } = await openMirrored(browser.current, {});
    await page.getByText(`They appear here as soon as ${host} has some.`).waitFor();
    await expectForEverybody(page, 'empty mirror');
    await page.getByRole('main').getByRole('button', { name: 'Sources' }).click();
    await page.getByText('The service has no events yet.').waitFor();
  });

  it('shows the age of its events in a browser, too', async () => {
    const { home, upstream } = await mirrorClub({ events: races(2) });
    const service = await serveForTest(home);
    let asOf: string | undefined;
    const page = await openPage(browser.current, service, {
      key: upstream.key,
      beforeLoad: async (opened) => {
        await opened.clock.install();
        await opened.route('**/v1/**', async (route) => {
          const answer = await route.fetch();
          const headers = { ...answer.headers(), ...(asOf && { 'data-as-of': asOf }) };
          await route.fulfill({ response: answer, headers });
        });
      },
    });
    const state = page.locator('.data-state');
    await state.getByText(/^As of today, \d\d:\d\d$/).waitFor();
    asOf = daysFromNow(-3);
    // The longest pause between two polls.
    await page.clock.fastForward(60_000);
    await state.getByText(/^As of \w+day, out of date$/).waitFor();
    await expectForEverybody(page, 'old events');
  });
});
