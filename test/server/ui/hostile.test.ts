import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { shareClub } from '../../support/shared-club.ts';
import { expectNoSidewaysScrolling, waitForFrames } from './axe.ts';

const browser = testBrowser();
const views = ['agenda', 'table', 'calendar'] as const;

const script = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
const hostile = [
  makeEvent(1, { name: `Long ${'very '.repeat(2_000)}name`, date: daysFromNow(1) }),
  makeEvent(2, { name: 'x'.repeat(10_000), location: 'y'.repeat(10_000), date: daysFromNow(1) }),
  makeEvent(3, { name: script, location: script, description: script, date: daysFromNow(1) }),
  makeEvent(4, { name: 'مهرجان الصيف', location: 'القاهرة', date: daysFromNow(2) }),
  makeEvent(5, { name: '🎉👨‍👩‍👧‍👦 Party \u202e reversed', location: '🏟️', date: daysFromNow(2) }),
  makeEvent(6, { name: '{{t}} $t(shell:menu) %s <%= x %>', date: daysFromNow(2) }),
  makeEvent(7, { name: 'Founding', date: '0001-01-01T00:00:00.000Z' }),
  makeEvent(8, { name: 'The end', date: '9999-12-31T23:59:59.999Z' }),
  ...Array.from({ length: 200 }, (_, at) =>
    makeEvent(1_000 + at, { name: `Heat ${at}`, date: daysFromNow(5), location: 'Track' }),
  ),
];

const shared = shareClub(browser, hostile);

async function goToView(page: Page, view: string, rest = ''): Promise<void> {
  await page.evaluate((next) => location.assign(next), `#view=${view}${rest}`);
  await page.locator(`.${view}`).first().waitFor();
}

const titleOf = (page: Page) => page.title();
/** A title of the page; a script among the texts would set another. */
const ownTitle = / – Club Events$/;

describe('events with hostile texts', () => {
  it('are shown as text inside their boxes by every view', async () => {
    const page = await shared.show();
    for (const view of views) {
      await goToView(page, view);
      await waitForFrames(page);
      expect(await titleOf(page)).toMatch(ownTitle);
      await expect
        .poll(() => page.locator('img[src="x"], script:not([type="module"])').count())
        .toBe(0);
      await expectNoSidewaysScrolling(page, view);
      await page.setViewportSize({ width: 360, height: 640 });
      await waitForFrames(page);
      await expectNoSidewaysScrolling(page, `${view}, narrow`);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  it('open in the panel without loss', { tags: 'long' }, async () => {
    const page = await shared.show('#event=1');
    const panel = page.locator('.panel');
    for (const { id, name } of hostile.slice(0, 8)) {
      await page.evaluate((next) => location.assign(`#event=${next}`), id);
      await expect.poll(() => panel.innerText()).toContain(name.slice(0, 200).trim());
      expect(await titleOf(page)).toMatch(ownTitle);
      await expectNoSidewaysScrolling(page, String(id));
    }
  });

  it('in the first and the last year can be navigated to', { tags: 'long' }, async () => {
    for (const day of ['0001-01-01', '9999-12-31']) {
      const page = await shared.show(`#view=agenda&day=${day}`);
      for (const view of views) await goToView(page, view, `&day=${day}`);
    }
  });

  it('have names in their own writing direction', async () => {
    const page = await shared.show();
    const name = page.locator('[data-event="4"] [dir="auto"]').first();
    expect(await name.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    await page.getByText('{{t}} $t(shell:menu) %s <%= x %>').first().waitFor();
  });
});

describe('hostile addresses', () => {
  const fragments = [
    '#<script>alert(1)</script>',
    '#view=<img src=x onerror=alert(1)>&q=<b>x</b>&event=1e9',
    '#event=9007199254740991',
    '#view=calendar&span=decade&day=99999-99-99',
    '#sort=__proto__&hide=name,date,location,status,type,created,id&view=table',
    '#print=everything',
    '#%E0%A4%A',
  ];
  const loaded = choose(fragments, ['#%E0%A4%A']);

  it('do not break the page, on load and on navigation', { tags: 'long' }, async () => {
    const { service, key } = await serveClub([makeEvent(1, { date: daysFromNow(1) })]);
    const page = await openPage(browser.current, service, { key });
    for (const fragment of fragments) {
      await page.goto(`${service.baseUrl}/${fragment}`);
      await page.locator('#events').waitFor();
      if (loaded.includes(fragment)) await page.reload();
      await page.locator('#events').waitFor();
      expect(await titleOf(page)).toMatch(ownTitle);
    }
  });
});
