import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { catalogues } from '../../../server/messages/messages.ts';
import { accountOf } from '../../../server/ui/shell/session.ts';
import { launchBrowser, openPage, testBrowser } from '../../support/browser.ts';
import { serveClub } from '../../support/club.ts';
import { openDesktopPage } from '../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { serveForTest } from '../../support/service.ts';
import { tallyOf } from '../../support/tally.ts';
import { expectAccessible } from './axe.ts';

const browser = testBrowser();

const events = [makeEvent(1, { name: 'Summer party', date: '2099-05-01T18:00:00.000Z' })];

const party = (page: Page) => page.getByRole('button', { name: /Summer party/ });

/** Serves a club under a name that browsers do not trust, with a browser that knows the name. */
async function serveUnderName() {
  const home = makeTestHome();
  const { key } = await addMember(home, 'club', events);
  const service = await serveForTest(home, { publicUrl: new URL('http://club.test') });
  const rules = `MAP club.test:80 127.0.0.1:${service.port}`;
  const remote = await launchBrowser('--no-proxy-server', `--host-resolver-rules=${rules}`);
  onTestFinished(() => remote.close());
  return { key, service, remote };
}

describe('the page on an origin that is not secure', () => {
  // Browsers log that they ignore this header there.
  const mayFail = /Cross-Origin-Opener-Policy/;

  it('accepts a typed key, keeps it through a reload and stores the last visit', async () => {
    const { key, service, remote } = await serveUnderName();
    const page = await openPage(remote, service, { mayFail });
    expect(await page.evaluate(() => [isSecureContext, 'subtle' in crypto])).toEqual([
      false,
      false,
    ]);
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Open' }).click();
    await party(page).waitFor();
    await page.reload();
    await party(page).waitFor();
    const accounts = () =>
      page.evaluate(async () => {
        const opening = indexedDB.open('club-events-last-look');
        await new Promise((resolve) => opening.addEventListener('success', resolve));
        const reading = opening.result.transaction('looks').objectStore('looks').getAllKeys();
        await new Promise((resolve) => reading.addEventListener('success', resolve));
        opening.result.close();
        return reading.result;
      });
    await expect.poll(accounts).toEqual([accountOf(key)]);
  });

  it('accepts a link with a key and selects texts that it cannot copy', async () => {
    const { key, service, remote } = await serveUnderName();
    const page = await openPage(remote, service, { mayFail, fragment: `#key=${key}` });
    await party(page).click();
    await page.locator('.panel').getByRole('button', { name: 'Message' }).click();
    await page.getByLabel('The browser didn’t allow copying').waitFor();
    expect(await page.evaluate(() => getSelection()?.toString())).toContain('Summer party');
  });
});

describe('a browser that blocks site data', () => {
  /** Throws at each access, as Firefox and Chrome do between them. */
  const blockSiteData = (page: Page) =>
    page.addInitScript(() => {
      const names = ['localStorage', 'sessionStorage', 'indexedDB', 'BroadcastChannel'];
      for (const name of names) {
        Object.defineProperty(globalThis, name, {
          get() {
            throw new DOMException('Access is denied for this document.', 'SecurityError');
          },
        });
      }
    });

  it('shows the events, names what it cannot store and keeps preferences until a reload', async () => {
    const { service, key } = await serveClub(events);
    const page = await openPage(browser.current, service, { beforeLoad: blockSiteData });
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Open' }).click();
    await party(page).waitFor();
    await page.getByText('This browser doesn’t let the page remember').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Settings…' }).click();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
    await page.keyboard.press('Escape');
    await tallyOf(page, '1 Termin').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Open' }).waitFor();
  });
});

describe('a browser without a system language', () => {
  it('shows the events', async () => {
    const { service, key } = await serveClub(events);
    const page = await openPage(browser.current, service, {
      key,
      beforeLoad: (opened) =>
        opened.addInitScript(() => {
          Object.defineProperty(navigator, 'languages', { value: ['en-US@posix'] });
        }),
    });
    await party(page).waitFor();
  });
});

describe('a page that cannot start', () => {
  it.each(['en', 'de', 'fr', 'nl'] as const)(
    'says so in %s, and can be reloaded',
    async (locale) => {
      const { service, key } = await serveClub(events);
      const start = '**/assets/app-*.js';
      const page = await openPage(browser.current, service, {
        key,
        locale,
        mayFail: /dynamically imported module/,
        beforeLoad: (opened) => opened.route(start, (route) => route.abort()),
      });
      const errors: Error[] = [];
      page.on('pageerror', (error) => errors.push(error));
      const { fatal, fatalNext, reload } = catalogues[locale].shell;
      await expect
        .poll(() => page.getByRole('alert').innerText())
        .toMatch(`${fatal}\n\n${fatalNext}`);
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(locale);
      await expectAccessible(page, locale);
      await page.unroute(start);
      await page.getByRole('button', { name: reload }).click();
      await party(page).waitFor();
    },
  );

  it('shows a message if one of its files throws, and logs the error', async () => {
    const { service } = await serveClub([]);
    const logged: string[] = [];
    const page = await openPage(browser.current, service, {
      mayFail: /error: broken/,
      beforeLoad: (opened) => {
        opened.on('pageerror', ({ message }) => logged.push(message));
        return opened.route('**/assets/app-*.js', (route) =>
          route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' }),
        );
      },
    });
    await page.getByRole('alert').getByText(catalogues.en.shell.fatal).waitFor();
    expect(logged).toEqual(['broken']);
  });

  it.each(['an answer without a value', 'a rejection'])(
    'says so when the desktop does not say its state: %s',
    async (kind) => {
      const home = makeTestHome();
      const { page } = await openDesktopPage(browser.current, home, {
        mayFail: /error: (No state|internal)/,
        beforeLoad: (opened) =>
          opened.addInitScript((isRejected) => {
            const { clubEvents } = globalThis as unknown as { clubEvents: Record<string, unknown> };
            clubEvents['readState'] = async () => {
              if (isRejected) throw new Error('No state');
              return { ok: false, code: 'internal' };
            };
          }, kind === 'a rejection'),
      });
      await page.getByRole('alert').getByText(catalogues.en.shell.fatal).waitFor();
      await page.getByRole('button', { name: catalogues.en.shell.reload }).waitFor();
    },
  );
});
