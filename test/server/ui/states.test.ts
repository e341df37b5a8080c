import { describe, expect, it } from 'vitest';
import { installClock, openPage, passPause, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { makeEvent, revokeKeysOf } from '../../support/home.ts';
import { startTestService } from '../../support/service.ts';
import { shareClub } from '../../support/shared-club.ts';

const browser = testBrowser();
const party = makeEvent(1, { name: 'Summer party', date: daysFromNow(3) });

describe('the page says', () => {
  const shared = shareClub(browser, [party]);

  it('that it is reading, until the first answer, and that a service is as of another day', async () => {
    const { service, key } = await serveClub([party]);
    const held = Promise.withResolvers<void>();
    const page = await openPage(browser.current, service, {
      key,
      beforeLoad: (opened) =>
        opened.route('**/v1/**', async (route) => {
          await held.promise;
          const answer = await route.fetch();
          const headers = { ...answer.headers(), 'Data-As-Of': daysFromNow(-2) };
          await route.fulfill({ response: answer, headers });
        }),
    });
    await page.getByRole('status', { name: 'Reading the events' }).waitFor();
    held.resolve();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    expect(await page.getByRole('status', { name: 'Reading the events' }).count()).toBe(0);
    await page.getByText('The online service last confirmed these events on').waitFor();
  });

  it('that there are no events yet, and how they get there', async () => {
    const { service, key } = await serveClub([]);
    const page = await openPage(browser.current, service, { key });
    await page.getByRole('heading', { name: 'There are no events yet.' }).waitFor();
    await page.getByText('Import a spreadsheet').waitFor();
  });

  it('that nothing matches, and gives a way back', async () => {
    const page = await shared.show('#status=draft');
    await page.getByRole('heading', { name: 'No event matches.' }).waitFor();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'No event matches.' }).waitFor();
  });

  it('that the service is gone, goes on when it is back, and forgets all when the key is revoked', async () => {
    const { home, name, service, key } = await serveClub([party]);
    const page = await openPage(browser.current, service, { key, beforeLoad: installClock });
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    await service.close();
    await passPause(page);
    const notice = page.getByText('The service does not answer. What you see is as of');
    await notice.waitFor();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();

    const again = await startTestService(home, { port: service.port });
    try {
      await page.getByRole('button', { name: 'Try now' }).click();
      await notice.waitFor({ state: 'detached' });
      await revokeKeysOf(home, name);
      await passPause(page);
      await page.getByText('it has expired or was revoked').waitFor();
      expect(await page.getByText('Summer party').count()).toBe(0);
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    } finally {
      await again.close();
    }
  });

  it('that the service never answered or could not, and fills when it does', async () => {
    const { service, key } = await serveClub([party]);
    const page = await openPage(browser.current, service, {
      key,
      beforeLoad: async (opened) => {
        await installClock(opened);
        await opened.route('**/v1/**', (route) => route.abort());
      },
    });
    await page.getByRole('heading', { name: /Start Club Events/ }).waitFor();
    await page.unroute('**/v1/**');
    await page.route('**/v1/**', (route) => route.fulfill({ status: 500 }));
    await passPause(page);
    await page.getByRole('heading', { name: 'The service could not answer.' }).waitFor();
    await page.unroute('**/v1/**');
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
  });

  it('that the service could not answer when its answer is not JSON', async () => {
    const { service, key } = await serveClub([party]);
    const page = await openPage(browser.current, service, {
      key,
      beforeLoad: (opened) =>
        opened.route('**/v1/**', (route) => route.fulfill({ body: '<p>Log in first.</p>' })),
    });
    await page.getByRole('heading', { name: 'The service could not answer.' }).waitFor();
  });

  it('that a search has too many words, and does not go on searching', async () => {
    const page = await shared.show(`#q=${'a b c d e f g h i j k'.replaceAll(' ', '+')}`);
    await page.getByRole('heading', { name: 'This search has too many words.' }).waitFor();
    expect(await page.getByRole('searchbox').getAttribute('aria-busy')).toBe('false');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
  });

  it('that a part of it could not be loaded, and loads again', async () => {
    const { service, key } = await serveClub([party]);
    const page = await openPage(browser.current, service, {
      key,
      mayFail: /dynamically imported module/,
      beforeLoad: (opened) => opened.route('**/assets/calendar-*.js', (route) => route.abort()),
    });
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    await page.getByText('Calendar', { exact: true }).click();
    await page.getByRole('heading', { name: 'This part of the page could not be' }).waitFor();
    await page.getByText('Agenda', { exact: true }).click();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    await page.getByText('Calendar', { exact: true }).click();
    await page.unroute('**/assets/calendar-*.js');
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await page.getByRole('button', { name: 'Month' }).or(page.getByText('Month')).first().waitFor();
  });

  it('all its views at once, also when the service is gone', async () => {
    const { service, key } = await serveClub([party]);
    const page = await openPage(browser.current, service, { key });
    const loaded = page.waitForResponse(/assets\/sheet-.*\.js/);
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    await loaded;
    await page.waitForLoadState('networkidle');
    await service.close();
    for (const [view, sign] of [
      ['Table', page.getByRole('columnheader', { name: /Name/ })],
      ['Season', page.getByText('Season begins in')],
    ] as const) {
      await page.getByText(view, { exact: true }).click();
      expect(await page.getByText('Reading the events').count()).toBe(0);
      await sign.waitFor();
    }
  });
});
