import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventStatuses } from '../../../db/model.ts';
import { fragmentOf, installClock, openPage, testBrowser } from '../../support/browser.ts';
import { changeEvents, daysFromNow, type ServedClub, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { shareClub } from '../../support/shared-club.ts';
import { tallyOf } from '../../support/tally.ts';
import { restingTop } from './frames.ts';

const browser = testBrowser();

const club = [
  makeEvent(1, { name: 'Old tournament', date: daysFromNow(-900), eventType: 'national' }),
  makeEvent(2, { name: 'Spring concert', date: daysFromNow(-60), status: 'completed' }),
  makeEvent(3, { name: 'Fête d’été', date: daysFromNow(1), location: 'Zürich', eventType: null }),
  makeEvent(4, { name: 'Match', date: daysFromNow(50), status: 'cancelled' }),
  makeEvent(5, { name: 'Draft match', date: daysFromNow(60), status: 'draft' }),
];

async function openClub(fragment = '', events = club): Promise<{ page: Page; served: ServedClub }> {
  const served = await serveClub(events);
  const { service, key } = served;
  const page = await openPage(browser.current, service, {
    key,
    fragment,
    beforeLoad: installClock,
  });
  await page.locator('#events').waitFor();
  return { page, served };
}

const shared = shareClub(browser, club);

const tally = (page: Page, text: string) => tallyOf(page, text).waitFor();

/** The longest pause between two readings: on a busy machine the first one takes a while. */
const passLongPause = (page: Page) => page.clock.fastForward(60_000);

const openFilters = (page: Page) =>
  page.getByRole('button', { name: 'Filter', exact: true }).click();

describe('a filter', () => {
  it('stays open and closes with Escape when its button leaves a narrower window', {
    tags: 'long',
  }, async () => {
    const page = await shared.show();
    await tally(page, '5 events');
    await openFilters(page);
    const dialog = page.getByRole('dialog', { name: 'Filter' });
    await dialog.getByRole('radio', { name: 'Any time' }).focus();
    await page.setViewportSize({ width: 320, height: 640 });
    await restingTop(dialog);
    expect(await dialog.evaluate((it) => it.contains(document.activeElement))).toBe(true);
    const { right } = await dialog.evaluate((it) => it.getBoundingClientRect().toJSON());
    expect(right).toBeLessThanOrEqual(320);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('by status shows only those events and a chip to remove it', { tags: 'long' }, async () => {
    const page = await shared.show();
    await tally(page, '5 events');
    await openFilters(page);
    // The date of an event says that it is over.
    await expect.poll(() => page.getByRole('checkbox', { name: 'Completed' }).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Cancelled' }).check();
    await tally(page, '1 event');
    await page.getByRole('checkbox', { name: 'Draft' }).check();
    await tally(page, '2 events');
    await page.keyboard.press('Escape');
    expect(await fragmentOf(page)).toBe('#status=draft,cancelled');
    await page.getByRole('button', { name: 'Remove filter Draft' }).click();
    await tally(page, '1 event');
    await page.goBack();
    await tally(page, '2 events');
    await page.goBack();
    await page.goBack();
    await tally(page, '5 events');
  });

  it('by type can select events without a type', { tags: 'long' }, async () => {
    const page = await shared.show();
    await openFilters(page);
    await page.getByRole('checkbox', { name: 'No type' }).check();
    await tally(page, '1 event');
    await page.getByRole('checkbox', { name: 'National', exact: true }).check();
    await tally(page, '2 events');
  });

  it.each([
    ['Upcoming', '3 events'],
    ['Past', '2 events'],
  ])('chosen by time shows what is %s', { tags: 'long' }, async (name, shown) => {
    const page = await shared.show();
    await openFilters(page);
    await page.getByRole('radio', { name }).check();
    await tally(page, shown);
  });

  it('accepts an inclusive range of days', { tags: 'long' }, async () => {
    const page = await shared.show();
    await openFilters(page);
    const from = page.getByLabel('From', { exact: true });
    await from.fill('no day');
    await from.press('Enter');
    await page.getByText(/^Try “14 March”/).waitFor();
    await tally(page, '5 events');
    const day = new Date(daysFromNow(1));
    await from.fill(
      day.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'Europe/Berlin' }),
    );
    await from.press('Enter');
    await tally(page, '3 events');
    await page.getByLabel('To', { exact: true }).fill(daysFromNow(50).slice(0, 10));
    await page.keyboard.press('Tab');
    await tally(page, '2 events');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Remove filter .* – / }).click();
    await tally(page, '5 events');
  });

  it('is part of the URL', async () => {
    const page = await shared.show(`#status=${eventStatuses.join(',')}&type=club&time=past`);
    await tally(page, '1 event');
    await page.getByText('Spring concert').waitFor();
  });
});

describe('the search', () => {
  it('finds prefixes of words in all years, ignoring accents and case', async () => {
    const page = await shared.show();
    const field = page.getByRole('searchbox', { name: 'Search events' });
    await field.fill('fete zur');
    await tally(page, '1 event');
    const row = page.locator('[data-event="3"]');
    await row.waitFor();
    await expect.poll(() => row.locator('mark').allInnerTexts()).toEqual(['Fête', 'Zür']);
    await field.fill('tourn');
    await tally(page, '1 event');
    await page.locator('[data-event="1"]').waitFor();
    await field.fill('no such thing');
    await page.getByRole('heading', { name: 'No matching events' }).waitFor();
    await page.getByRole('button', { name: 'Clear search', exact: true }).click();
    await tally(page, '5 events');
  });

  it('combines with the filters', async () => {
    const page = await shared.show('#q=match&status=draft');
    await tally(page, '1 event');
    await page.locator('[data-event="5"]').waitFor();
  });

  it('finds events that are added meanwhile', { tags: 'long' }, async () => {
    const { page, served } = await openClub('#q=match');
    await tally(page, '2 events');
    await changeEvents(served, [makeEvent(6, { name: 'Return match', date: daysFromNow(70) })]);
    await passLongPause(page);
    await tally(page, '3 events');
  });
});

describe('the agenda', () => {
  it('starts at today, with past events above', { tags: 'long' }, async () => {
    const many = Array.from({ length: 400 }, (_, at) =>
      makeEvent(at + 1, { name: `Evening ${at}`, date: daysFromNow(at - 200) }),
    );
    const { page } = await openClub('', many);
    await tally(page, '400 events');
    // The head, the filters and the heading of the month.
    const bars = 60 + 54 + 38;
    const topOf = async (name: string) =>
      (await page.locator('.agenda').getByText(name, { exact: true }).boundingBox())?.y ?? 0;
    await page.getByRole('heading', { name: /^Today/ }).waitFor();
    // The last past event is the first one below the bars.
    await expect.poll(() => topOf('Evening 199')).toBeGreaterThan(bars);
    expect(await topOf('Evening 198')).toBeLessThan(bars);

    await page.evaluate(() => window.scrollBy(0, -5_000));
    await page.getByText('Evening 120', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Today', exact: true }).click();
    await page.locator('[data-event="202"]').waitFor();
    expect(await topOf('Evening 199')).toBeGreaterThan(bars);
    await page.getByRole('button', { name: 'Today', exact: true }).waitFor({ state: 'detached' });
  });

  it('keeps its scroll position when an event is added above', { tags: 'long' }, async () => {
    const many = Array.from({ length: 60 }, (_, at) =>
      makeEvent(at + 1, { name: `Evening ${at}`, date: daysFromNow(at - 30) }),
    );
    const { page, served } = await openClub('', many);
    await tally(page, '60 events');
    await page.evaluate(() => window.scrollBy(0, 333));
    const row = page.locator('[data-event="40"]');
    const before = await restingTop(row);
    await changeEvents(served, [makeEvent(99, { name: 'Added', date: daysFromNow(-20) })]);
    await passLongPause(page);
    await tally(page, '61 events');
    expect(await restingTop(row)).toBe(before);
  });
});
