import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, testBrowser } from '../../support/browser.ts';
import { daysFromNow } from '../../support/club.ts';
import { shareDesktop } from '../../support/desktop-page.ts';
import { addMember, makeEvent } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { shareClub } from '../../support/shared-club.ts';
import { tallyOf } from '../../support/tally.ts';
import {
  expectAccessible,
  expectFourTextSizes,
  expectNoSidewaysScrolling,
  waitForFrames,
} from './axe.ts';

const browser = testBrowser();

const types = ['club', 'regional', 'national', 'international', null] as const;
const statuses = ['active', 'active', 'cancelled', 'draft'] as const;

/** An event every second day, 30 of them in the past. */
const club = Array.from({ length: 80 }, (_, at) =>
  makeEvent(at + 1, {
    name: at % 7 === 0 ? `Training with the exchange group from Ghent ${at}` : `Social run ${at}`,
    date: daysFromNow(at * 2 - 59),
    location: at % 5 === 0 ? '' : 'Sports hall, Mill Lane',
    eventType: types[at % types.length] ?? null,
    status: statuses[at % statuses.length] ?? 'active',
  }),
);

const shared = shareClub(browser, club);

const longName =
  'Athletics, Football and Gymnastics Association of Harbour Mills and Northfield 1889';
const desktop = shareDesktop(browser, async (home) => {
  await addMember(home, longName, club);
});

const heightOf = async (page: Page, selector: string) =>
  (await page.locator(selector).boundingBox())?.height;

describe('the head', () => {
  it.each(choose(['en', 'de', 'fr', 'nl'] as const, ['de'] as const))(
    'is one row at 1200 pixels in %s, with room for the search beside a long name',
    { tags: 'long' },
    async (language) => {
      const { page } = await desktop.show('', { club: longName, desk: { settings: { language } } });
      await page.setViewportSize({ width: 1200, height: 800 });
      await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
      expect(await heightOf(page, '.page-head')).toBe(60);
      const search = await page.locator('.page-search').boundingBox();
      expect(search?.width).toBeGreaterThanOrEqual(235);
      const name = page.locator('.page-club-name span');
      expect(await name.evaluate((span) => span.scrollWidth > span.clientWidth)).toBe(true);
      await expectNoSidewaysScrolling(page, language);
    },
  );

  it('opens the search with its button or key in a narrow window, and closes it empty', {
    tags: 'long',
  }, async () => {
    const page = await shared.show();
    await page.setViewportSize({ width: 390, height: 844 });
    const field = page.getByRole('searchbox');
    await expect.poll(() => field.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Search events' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('search');
    await page.keyboard.press('Tab');
    await field.waitFor({ state: 'hidden' });
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.type('/social');
    await field.waitFor();
    await expect.poll(() => field.inputValue()).toBe('social');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await field.waitFor({ state: 'hidden' });
  });

  it('offers a new event in the desktop window, on a phone at the lower edge', {
    tags: 'long',
  }, async () => {
    const { page } = await desktop.show('', { club: longName });
    const add = page.getByRole('button', { name: 'New event' });
    const fillOf = () => add.evaluate((button) => getComputedStyle(button).backgroundColor);
    const strong = await fillOf();
    await add.click();
    await page.waitForFunction(() => location.hash === '#form=new');
    expect(await fillOf()).not.toBe(strong);
    await page.goBack();
    await page.setViewportSize({ width: 390, height: 844 });
    const box = await add.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(800);
    await expectAccessible(page, 'phone');
    // Room at the end of the list, so that nothing covers the last event.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const last = page.locator('[data-event="80"]');
    await last.waitFor();
    const row = await last.boundingBox();
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
  });
});

/** Windows in which nothing but the heading of a month stays in place. */
const lowWindows = [
  { name: '1280 × 1024 pixels at a zoom of 400 %', width: 320, height: 256 },
  { name: 'a phone on its side', width: 740, height: 360 },
];

/** The views that scroll with the document, and their events. */
const views = [
  { view: 'agenda', row: '.agenda-row', isAtTop: true },
  { view: 'calendar', row: '.calendar-days', isAtTop: true },
  // It opens at today, as its rows can be in any order.
  { view: 'table', row: '.table-row', isAtTop: false },
  { view: 'calendar&span=year', row: '.calendar-year', isAtTop: true },
] as const;

describe.each(choose(lowWindows, lowWindows.slice(0, 1)))(
  'in a window of $name',
  ({ width, height }) => {
    it.each(choose<readonly (typeof views)[number][]>(views, views.slice(0, 1)))(
      'the list takes most of the height: $view',
      { tags: 'long' },
      async ({ view, row, isAtTop }) => {
        const { service, key } = shared.served;
        const page = await openPage(browser.current, service, {
          key,
          fragment: `#view=${view}`,
          viewport: { width, height },
        });
        await page.locator(row).first().waitFor();
        // The head is in reach, and scrolls away.
        if (isAtTop) expect(await page.evaluate(() => window.scrollY)).toBe(0);
        await expectNoSidewaysScrolling(page, view);
        await page.evaluate(async () => {
          window.scrollTo(0, 600);
          await new Promise((resolve) =>
            requestAnimationFrame(() => requestAnimationFrame(resolve)),
          );
        });
        expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(400);
        await expectNoSidewaysScrolling(page, `${view}, scrolled`);
        const share = await page.evaluate((selector) => {
          const isRow = (y: number) =>
            document.elementFromPoint(window.innerWidth / 2, y)?.closest(selector) !== null;
          const lines = Array.from({ length: window.innerHeight }, (_, y) => isRow(y));
          return lines.filter((is) => is).length / lines.length;
        }, row);
        expect(share).toBeGreaterThan(0.6);
      },
    );
  },
);

describe.each(choose(['en', 'de', 'fr', 'nl'] as const, ['de'] as const))(
  'the way back to today in %s',
  (language) => {
    it.each(
      choose(
        [
          [640, 400],
          [390, 844],
          [320, 256],
        ] as const,
        [[640, 400]] as const,
      ),
    )(
      'covers no other control at %i × %i pixels, wherever the list is scrolled',
      async (width, height) => {
        const { page } = await desktop.show('', {
          club: longName,
          desk: { settings: { language } },
        });
        await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
        await page.setViewportSize({ width, height });
        await page.locator('.agenda-earlier').waitFor();
        for (const top of [0, 150, 1_200]) {
          await page.evaluate((to) => window.scrollTo(0, to), top);
          const chip = page.locator('.today-chip');
          if (top === 1_200) await chip.waitFor({ state: 'attached' });
          await waitForFrames(page);
          const covered = await page.evaluate(() => {
            const box = document.querySelector('.today-chip')?.getBoundingClientRect();
            const others = document.querySelectorAll(
              '.agenda-earlier, .chip:not(.today-chip), .page-share',
            );
            return Array.from(others)
              .filter((other) => {
                const { left, right, top: upper, bottom } = other.getBoundingClientRect();
                return (
                  box &&
                  left < box.right &&
                  right > box.left &&
                  upper < box.bottom &&
                  bottom > box.top
                );
              })
              .map(({ textContent }) => textContent);
          });
          expect(covered, `scrolled to ${top}`).toEqual([]);
        }
      },
    );
  },
);

describe('every screen of the frame has at most four sizes of text', () => {
  const fragments = ['#time=today&status=draft', '', '#q=no+such+thing'];

  it.each(choose(fragments, fragments.slice(0, 1)))('at %j', { tags: 'long' }, async (fragment) => {
    const page = await shared.show(fragment);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menu').waitFor();
    await expectFourTextSizes(page, 'the menu');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await expectFourTextSizes(page, 'the filters');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectFourTextSizes(page, 'the keyboard shortcuts');
  });

  it('at the sign-in', { tags: 'long' }, async () => {
    const { service } = shared.served;
    const page = await openPage(browser.current, service);
    await page.getByRole('button', { name: 'Open' }).waitFor();
    await expectFourTextSizes(page, 'the sign-in');
  });
});

describe('the table', () => {
  it('has its columns below each other with AM and PM', async () => {
    const { service, key } = shared.served;
    const fragment = '#view=table';
    const page = await openPage(browser.current, service, { key, fragment, locale: 'en-US' });
    await page.setViewportSize({ width: 1280, height: 800 });
    const names = page.getByRole('row').getByText(/Social run/);
    await names.first().waitFor();
    const edges = await names.evaluateAll((all) =>
      all.map((name) => Math.round(name.getBoundingClientRect().left)),
    );
    expect(edges.length).toBeGreaterThan(5);
    expect(new Set(edges).size).toBe(1);
  });
});

describe('the agenda', () => {
  it.each([1280, 900])('has room for times with AM and PM at %i pixels', async (width) => {
    const { service, key } = shared.served;
    const page = await openPage(browser.current, service, { key, fragment: '', locale: 'en-US' });
    await page.setViewportSize({ width, height: 800 });
    const time = page.locator('.agenda-time', { hasText: /[AP]M/ }).first();
    await time.waitFor();
    const overflow = await time.evaluate((cell) => cell.scrollWidth - cell.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });

  it('names everything in a row, and marks the past, the unusual and the chosen', async () => {
    const page = await shared.show();
    const past = page.locator('[data-event="30"]');
    const cancelled = page.locator('[data-event="31"]');
    await past.waitFor();
    const name = /^Social run 29 – \w+day,? \d+ \w+ \d{4}, \d\d:\d\d, past Sports hall, Mill Lane/;
    await expect
      .poll(() => page.getByRole('button', { name }).getAttribute('data-event'))
      .toBe('30');
    const weightOf = (id: number) =>
      page
        .locator(`[data-event="${id}"] strong`)
        .evaluate((text) => Number(getComputedStyle(text).fontWeight));
    expect(await weightOf(30)).toBeLessThan(await weightOf(32));
    await cancelled.getByText('Cancelled').waitFor();
    await expect.poll(() => page.getByText('Planned').count()).toBe(0);
    const lineOf = () =>
      cancelled.locator('strong').evaluate((text) => getComputedStyle(text).textDecorationLine);
    expect(await lineOf()).toBe('line-through');

    await page.emulateMedia({ forcedColors: 'active' });
    const outlineOf = () => cancelled.evaluate((row) => getComputedStyle(row).outlineStyle);
    expect(await outlineOf()).toBe('none');
    await cancelled.click();
    await page.mouse.move(0, 0);
    await expect.poll(outlineOf).toBe('solid');
  });

  it('keeps the heading of the month in place, with its number of events', {
    tags: 'long',
  }, async () => {
    const page = await shared.show();
    await page.locator('[data-event="31"]').waitFor();
    await page.evaluate(() => window.scrollBy(0, 900));
    const headings = () =>
      page
        .locator('.agenda-month')
        .evaluateAll((all) =>
          all
            .filter((heading) => heading.getBoundingClientRect().top === 114)
            .map((heading) => heading.querySelector('span')?.textContent),
        );
    await expect.poll(headings).toEqual([expect.stringMatching(/^\d+ (events|to come)$/)]);
  });

  it('begins at the last past event where the head scrolls away, and shows earlier ones', {
    tags: 'long',
  }, async () => {
    const { service, key } = shared.served;
    const viewport = { width: 390, height: 844 };
    const page = await openPage(browser.current, service, { key, viewport });
    await tallyOf(page, '80 events').waitFor();
    await page.locator('[data-event="30"]').waitFor();
    await expect.poll(() => page.locator('[data-event="29"]').count()).toBe(0);
    const topOf = async (id: number) =>
      (await page.locator(`[data-event="${id}"]`).boundingBox())?.y ?? 0;
    const before = await topOf(33);
    await page.getByRole('button', { name: '29 earlier events' }).click();
    await page.locator('[data-event="29"]').waitFor();
    expect(await topOf(33)).toBe(before);
    expect(await topOf(29)).toBeLessThan(await topOf(30));
  });
});
