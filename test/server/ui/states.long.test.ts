import { copyFileSync, renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../server/base/errors.ts';
import { installClock, openPage, passPause, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { damageEvents } from '../../support/damage.ts';
import { makeEvent } from '../../support/home.ts';
import { serveForTest } from '../../support/service.ts';
import { expectForEverybody } from './axe.ts';

const browser = testBrowser();
const party = makeEvent(1, { name: 'Summer party', date: daysFromNow(3) });

describe('the page', () => {
  it('shows grey rows if the first answer takes a while, and then the date of an online service', async () => {
    const { service, key } = await serveClub([party]);
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const page = await openPage(browser.current, service, {
      key,
      beforeLoad: async (opened) => {
        await opened.clock.install();
        await opened.clock.pauseAt(Date.now() + 60_000);
        await opened.route('**/v1/**', async (route) => {
          asked.resolve();
          await held.promise;
          const answer = await route.fetch();
          const headers = { ...answer.headers(), 'Data-As-Of': daysFromNow(-2) };
          await route.fulfill({ response: answer, headers });
        });
      },
    });
    await asked.promise;
    await page.clock.runFor(290);
    await expect.poll(() => page.getByRole('status', { name: 'Loading events' }).count()).toBe(0);
    await page.clock.runFor(20);
    await page.getByRole('status', { name: 'Loading events' }).waitFor();
    await page.clock.resume();
    held.resolve();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    await expect.poll(() => page.getByRole('status', { name: 'Loading events' }).count()).toBe(0);
    await page
      .locator('.data-state')
      .getByText(/^As of \w+day, out of date$/)
      .waitFor();
    await page.locator('.page-club-state').getByText('1 event').waitFor();
  });

  it('reports a service that does not answer or fails, and shows the events once it works', async () => {
    const { service, key } = await serveClub([party]);
    const page = await openPage(browser.current, service, {
      key,
      beforeLoad: async (opened) => {
        await installClock(opened);
        await opened.route('**/v1/**', (route) => route.abort());
      },
    });
    await page.getByRole('heading', { name: /Club Events isn’t responding. Start it/ }).waitFor();
    await page.unroute('**/v1/**');
    await page.route('**/v1/**', (route) => route.fulfill({ status: 500 }));
    await passPause(page);
    await page.getByRole('heading', { name: 'Something went wrong in Club Events.' }).waitFor();
    await page.unroute('**/v1/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
  });

  it('reports a database that is damaged or gone, and shows the events once it is back', async () => {
    const { home, service: first, key } = await serveClub([party]);
    await first.close();
    const warnings: string[] = [];
    const warn = ({ code }: Problem) => void warnings.push(code);
    const service = await serveForTest(home, {}, undefined, { warn });
    const good = `${home.database}.good`;
    copyFileSync(home.database, good);
    const page = await openPage(browser.current, service, { key, beforeLoad: installClock });
    await page.getByRole('button', { name: /Summer party/ }).waitFor();

    renameSync(home.database, `${home.database}.removed`);
    const gone = page.getByText('its disk may have been removed. You’re seeing the events as of');
    await expect
      .poll(async () => {
        await passPause(page);
        return gone.count();
      })
      .toBe(1);
    copyFileSync(good, `${home.database}.damaged`);
    damageEvents(`${home.database}.damaged`);
    renameSync(`${home.database}.damaged`, home.database);
    await expect
      .poll(async () => {
        await passPause(page);
        return page.getByText('The file with your events is damaged. You’re seeing').count();
      })
      .toBe(1);
    await page.reload();
    await page.getByRole('heading', { name: 'The file with your events is damaged.' }).waitFor();
    await expectForEverybody(page, 'damaged database');

    renameSync(good, home.database);
    await expect
      .poll(async () => {
        await passPause(page);
        return page.getByRole('button', { name: /Summer party/ }).count();
      })
      .toBe(1);
    expect(warnings).toEqual(['file_missing', 'database_damaged']);
  });

  it('reports a failure if the answer is not JSON', async () => {
    const { service, key } = await serveClub([party]);
    const page = await openPage(browser.current, service, {
      key,
      beforeLoad: (opened) =>
        opened.route('**/v1/**', (route) => route.fulfill({ body: '<p>Log in first.</p>' })),
    });
    await page.getByRole('heading', { name: /^Something went wrong in Club Events\./ }).waitFor();
  });

  it('reports a part that could not be loaded and offers to reload', async () => {
    const { service, key } = await serveClub([party]);
    const page = await openPage(browser.current, service, {
      key,
      mayFail: /dynamically imported module|code of a part is missing/,
      beforeLoad: (opened) => opened.route('**/assets/sheet-*.js', (route) => route.abort()),
    });
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'This part of the page couldn’t be' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    await page.keyboard.press('p');
    await page.unroute('**/assets/sheet-*.js');
    await page.getByRole('button', { name: 'Reload page' }).click();
    await page.getByRole('heading', { name: 'Print' }).waitFor();
  });

  it('has loaded all views, which work without the service, and nothing for the desktop', async () => {
    const { service, key } = await serveClub([party]);
    const scripts: string[] = [];
    const page = await openPage(browser.current, service, {
      key,
      beforeLoad: async (opened) => {
        opened.on('response', (response) => {
          const [, name] = /assets\/([a-z-]+?)-[\w-]{8}\.js$/.exec(response.url()) ?? [];
          if (name !== undefined) scripts.push(name);
        });
      },
    });
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(scripts.toSorted()).toEqual(['app', 'base', 'index', 'messages', 'rolldown-runtime']);
    await service.close();
    for (const [view, sign] of [
      ['Table', page.getByRole('columnheader', { name: /Name/ })],
      ['Calendar', page.getByText('Month', { exact: true })],
    ] as const) {
      await page.getByText(view, { exact: true }).click();
      await expect.poll(() => page.getByText('Loading events').count()).toBe(0);
      await sign.waitFor();
    }
  });
});

describe('a clock that is set during use', () => {
  it('updates today', async () => {
    const { service, key } = await serveClub([
      makeEvent(1, { name: 'Concert', date: '2026-05-02T18:00:00.000Z' }),
      makeEvent(2, { name: 'Bazaar', date: '2026-05-20T10:00:00.000Z' }),
    ]);
    const page = await openPage(browser.current, service, {
      key,
      beforeLoad: (opened) => opened.clock.install({ time: '2026-05-01T12:00:00' }),
    });
    await page.getByRole('heading', { name: /^Today, Friday,? 1 May 2026/ }).waitFor();
    await page.clock.setSystemTime('2026-05-03T12:00:00');
    await passPause(page);
    await page.getByRole('heading', { name: /^Today, Sunday,? 3 May 2026/ }).waitFor();
    await page.clock.setSystemTime('2025-01-01T00:00:01');
    await passPause(page);
    await page.getByRole('heading', { name: /^Today, Wednesday,? 1 January 2025/ }).waitFor();
    await page.locator('[data-event="1"]').waitFor();
  });
});
