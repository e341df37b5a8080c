import { describe, expect, it } from 'vitest';
import {
  fragmentOf,
  installClock,
  openPage,
  passPause,
  testBrowser,
} from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { makeEvent, revokeKeysOf } from '../../support/home.ts';
import { startTestService } from '../../support/service.ts';
import { shareClub } from '../../support/shared-club.ts';
import { expectForEverybody } from './axe.ts';

const browser = testBrowser();
const party = makeEvent(1, { name: 'Summer party', date: daysFromNow(3) });

describe('the page', () => {
  const shared = shareClub(browser, [party]);

  it('explains how events get there if there are none', { tags: 'long' }, async () => {
    const { service, key } = await serveClub([]);
    const page = await openPage(browser.current, service, { key });
    await page.getByRole('heading', { name: 'No events yet' }).waitFor();
    await page.getByText('They appear here once someone adds or imports them').waitFor();
    await expectForEverybody(page, 'empty club');
  });

  it('names the next event if the chosen period is empty', { tags: 'long' }, async () => {
    const page = await shared.show('#time=today');
    await page.getByRole('heading', { name: 'Nothing today' }).waitFor();
    await page.getByRole('button', { name: /^\w+day,? \d+ \w+, Summer party$/ }).waitFor();
    await expectForEverybody(page, 'empty period');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    expect(await fragmentOf(page)).toBe('');
  });

  it('offers to clear the filters if nothing matches', { tags: 'long' }, async () => {
    const page = await shared.show('#status=draft');
    await page.getByRole('heading', { name: 'No matching events' }).waitFor();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'No matching events' }).waitFor();
  });

  it('reports a stopped service, continues when it is back, and signs out when the key is revoked', {
    tags: 'long',
  }, async () => {
    const { home, name, service, key } = await serveClub([party]);
    const page = await openPage(browser.current, service, { key, beforeLoad: installClock });
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    await service.close();
    await passPause(page);
    const notice = page.getByText('Club Events isn’t responding. You’re seeing the events as of');
    await notice.waitFor();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();

    const again = await startTestService(home, { port: service.port });
    try {
      await page.getByRole('button', { name: 'Try again' }).click();
      await notice.waitFor({ state: 'detached' });
      await revokeKeysOf(home, name);
      await passPause(page);
      await page.getByText('it has expired or was revoked').waitFor();
      await expect.poll(() => page.getByText('Summer party').count()).toBe(0);
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    } finally {
      await again.close();
    }
  });

  it('reports a search with too many words and does not repeat it', { tags: 'long' }, async () => {
    const page = await shared.show(`#q=${'a b c d e f g h i j k'.replaceAll(' ', '+')}`);
    await page.getByRole('heading', { name: 'Too many search words' }).waitFor();
    await expect.poll(() => page.getByRole('searchbox').getAttribute('aria-busy')).toBe('false');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
  });
});
