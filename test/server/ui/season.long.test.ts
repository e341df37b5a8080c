import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../db/model.ts';
import { seasonOf } from '../../../server/ui/base/days.ts';
import { countSeason, isSeasonRead } from '../../../server/ui/views/season/counts.ts';
import { daysWithin } from '../../../server/ui/views/season/season.tsx';
import { stepFrom } from '../../../server/ui/views/season/season-chart.tsx';
import { fragmentOf, openPage, testBrowser } from '../../support/browser.ts';
import { makeEvent } from '../../support/home.ts';
import { shareClub } from '../../support/shared-club.ts';
import { tallyOf } from '../../support/tally.ts';
import { expectForEverybody, expectFourTextSizes } from './axe.ts';

const browser = testBrowser();

let nextId = 1;
const on = (day: string, more: Partial<EventDraft> = {}) => {
  const id = nextId++;
  return makeEvent(id, { date: `${day}T18:00:00.000Z`, name: `Event ${id}`, ...more });
};

const club = [
  on('2022-03-05'),
  on('2025-07-01', { name: 'Season opening', eventType: 'national' }),
  on('2025-09-10', { status: 'completed' }),
  on('2025-09-11', { status: 'cancelled', name: 'Called off run' }),
  // In Berlin this is in May already.
  {
    ...on('2026-04-30', { name: 'Dance into May', status: 'draft' }),
    date: '2026-04-30T22:30:00.000Z',
  },
  on('2026-05-02', { eventType: null }),
  on('2026-05-03', { status: 'cancelled' }),
  on('2026-05-31', { status: 'cancelled', eventType: 'regional' }),
  on('2026-05-20', { name: 'Hill run', status: 'completed' }),
  on('2026-07-01', { name: 'Next season' }),
];

const today = '2026-05-10';
const setClock = (page: Page) => page.clock.setFixedTime(`${today}T12:00:00Z`);

const shared = shareClub(browser, club, { beforeLoad: setClock });

async function showSeason(fragment: string) {
  const page = await shared.show(`#view=season${fragment}`);
  await page.getByRole('heading', { name: /^Season / }).waitFor();
  return page;
}

const bar = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const spokenFocus = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

describe('the season view', () => {
  it('counts the events of each month by status, with those that are over as past', async () => {
    const page = await showSeason('&day=2026-01-15');
    await page.getByRole('heading', { name: 'Season 2025/26 8 events' }).waitFor();
    const bars = await page
      .locator('.season-part')
      .evaluateAll((parts) => parts.map((part) => part.getAttribute('aria-label')));
    expect(bars).toEqual([
      'July 2025, Past: 1 event',
      'September 2025, Past: 1 event',
      'September 2025, Cancelled: 1 event',
      'May 2026, Upcoming: 1 event',
      'May 2026, Past: 1 event',
      'May 2026, Draft: 1 event',
      'May 2026, Cancelled: 2 events',
    ]);
    const rows = await page
      .locator('.season-table tr')
      .evaluateAll((all) =>
        all.map((row) => Array.from(row.children, (cell) => cell.textContent?.trim()).join(' ')),
      );
    expect(rows[0]).toBe('Month Upcoming Past Draft Cancelled Total');
    expect(rows[1]).toBe('July 2025 0 1 0 0 1');
    expect(rows[11]).toBe('May 2026 1 1 1 2 5');
    expect(rows[13]).toBe('Total 1 3 1 3 8');
    expect(
      await page
        .locator('.season-part')
        .first()
        .evaluate((part) => part.clientWidth),
    ).toBeGreaterThan(24);
  });

  it('filters the events by a click on a bar and returns with Back', async () => {
    const page = await showSeason('&day=2026-01-15');
    await bar(page, 'May 2026, Cancelled: 2 events').click();
    await tallyOf(page, '2 events').waitFor();
    expect(await page.locator('[data-event]').count()).toBe(2);
    expect(await fragmentOf(page)).toBe(
      '#status=cancelled&from=2026-05-01&to=2026-05-31&day=2026-05-01',
    );
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('events');
    await page.goBack();
    await page.getByRole('heading', { name: 'Season 2025/26 8 events' }).waitFor();
    await page.getByRole('button', { name: 'Cancelled 3' }).click();
    await tallyOf(page, '3 events').waitFor();
    await page.goBack();
    await bar(page, 'May 2026').click();
    await tallyOf(page, '5 events').waitFor();
    await page.goBack();
    await bar(page, 'May 2026, Past: 1 event').click();
    await tallyOf(page, '1 event').waitFor();
    expect(await fragmentOf(page)).toBe(
      '#status=active,completed&from=2026-05-01&to=2026-05-09&day=2026-05-01',
    );
    await page.goBack();
    await page.getByRole('button', { name: 'Upcoming 1' }).click();
    await page.getByText('Hill run').waitFor();
    expect(await fragmentOf(page)).toContain('from=2026-05-10&to=2026-06-30');
  });

  it('counts only filtered events and combines a bar with the filters', async () => {
    const page = await showSeason('&day=2026-01-15&type=club&to=2026-05-10');
    await page.getByRole('heading', { name: 'Season 2025/26 4 events' }).waitFor();
    await bar(page, 'May 2026, Cancelled: 1 event').click();
    await tallyOf(page, '1 event').waitFor();
    expect(await fragmentOf(page)).toContain('from=2026-05-01&to=2026-05-10');
  });

  it('steps to other seasons and names the nearest events for an empty one', async () => {
    const page = await showSeason('&day=2025-07-01');
    await page.getByRole('button', { name: 'Next season' }).click();
    await page.getByRole('heading', { name: 'Season 2026/27 1 event' }).waitFor();
    await page.getByRole('button', { name: 'Previous season' }).click();
    await page.getByRole('button', { name: 'Previous season' }).click();
    await page.getByText('No events in season 2024/25.').waitFor();
    await page.getByRole('button', { name: 'Go to season 2021/22' }).click();
    await page.getByRole('heading', { name: 'Season 2021/22 1 event' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Go to season 2025/26' }).click();
    await page.getByRole('heading', { name: 'Season 2025/26 8 events' }).waitFor();
  });

  it('counts by type from the chosen first month and stores both choices', async () => {
    const { service, key } = shared.served;
    const fragment = '#view=season&day=2026-01-15';
    const page = await openPage(browser.current, service, {
      key,
      fragment,
      beforeLoad: setClock,
    });
    await page.getByText('By type').click();
    await bar(page, 'May 2026, Club: 3 events').waitFor();
    await bar(page, 'May 2026, No type: 1 event').waitFor();
    await page.getByLabel('Season begins in').selectOption('January');
    await page.getByRole('heading', { name: 'Season 2026 6 events' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Season 2026 6 events' }).waitFor();
    await bar(page, 'May 2026, Regional: 1 event').waitFor();
  });

  it('has one tab stop and arrow keys between bars', async () => {
    const page = await showSeason('&day=2026-01-15');
    expect(await page.locator('.season-part[tabindex="0"]').count()).toBe(1);
    await bar(page, 'July 2025, Past: 1 event').focus();
    await page.keyboard.press('ArrowRight');
    expect(await spokenFocus(page)).toBe('September 2025, Past: 1 event');
    await page.keyboard.press('ArrowUp');
    expect(await spokenFocus(page)).toBe('September 2025, Cancelled: 1 event');
    await page.keyboard.press('ArrowRight');
    expect(await spokenFocus(page)).toBe('May 2026, Past: 1 event');
    await page.keyboard.press('ArrowUp');
    expect(await spokenFocus(page)).toBe('May 2026, Draft: 1 event');
    await page.keyboard.press('ArrowRight');
    expect(await spokenFocus(page)).toBe('May 2026, Draft: 1 event');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('status=draft'));
  });

  it('passes axe in both themes, wide and narrow', async () => {
    const page = await showSeason('&day=2026-01-15');
    await expectForEverybody(page, 'season');
    await expectFourTextSizes(page, 'season');
    await page.setViewportSize({ width: 360, height: 640 });
    await bar(page, 'May 2026, Past: 1 event').focus();
    await page.keyboard.press('ArrowUp');
    expect(await spokenFocus(page)).toBe('September 2025, Cancelled: 1 event');
  });
});

describe('season counts', () => {
  const events = Array.from(
    { length: 100_000 },
    (_, id) =>
      ({
        ...makeEvent(id, { status: id % 9 === 0 ? 'cancelled' : 'active' }),
        id,
        date: new Date(Date.UTC(1950, 0, 1) + id * 7 * 3_600_000).toISOString(),
        status: id % 9 === 0 ? 'cancelled' : 'active',
        eventType: null,
        description: null,
        location: '',
        createdAt: '',
      }) as const,
  );

  it('read only the events of the season', () => {
    const season = seasonOf('2010-01-01', 7);
    let reads = 0;
    const watched = new Proxy(events, {
      get: (target, name) => {
        reads += 1;
        return Reflect.get(target, name);
      },
    });
    const count = countSeason(watched, season, { by: 'status', today });
    const within = events.filter(
      ({ date }) => date >= '2009-06-30T22' && date < '2010-06-30T22',
    ).length;
    expect(Math.abs(count.total - within)).toBeLessThan(4);
    expect(reads).toBeLessThan(within + 1_000);
  });

  it('support the years 1 and 9999', () => {
    const ends = ['0001-03-01T12:00:00.000Z', '9999-11-01T12:00:00.000Z'].map(
      (date, id) => ({ ...makeEvent(id), id, date }) as never,
    );
    for (const day of ['0001-01-01', '9999-12-31']) {
      expect(countSeason(ends, seasonOf(day, 7), { by: 'type', today }).total).toBe(1);
    }
  });

  it('say if a season has been read completely', () => {
    const season = seasonOf('2010-01-01', 7);
    const set = (from: number, to: number, pastRead: boolean, comingRead: boolean) => ({
      events: events.filter(({ date }) => date >= `${from}` && date < `${to}`),
      byId: new Map(),
      total: events.length,
      asOf: null,
      pastRead,
      comingRead,
    });
    expect(isSeasonRead(set(2009, 2011, false, false), season)).toBe(true);
    expect(isSeasonRead(set(2010, 2011, false, true), season)).toBe(false);
    expect(isSeasonRead(set(2010, 2011, true, false), season)).toBe(true);
    expect(isSeasonRead(set(2009, 2010, true, false), season)).toBe(false);
  });

  it('limit the days of a bar to the chosen period', () => {
    const may = { first: '2026-05-01', end: '2026-06-01' };
    const of = (period: Parameters<typeof daysWithin>[1]['period']) =>
      daysWithin(may, { period, today: '2026-05-20', seasonStart: 7 });
    expect(of(null)).toEqual({ from: '2026-05-01', to: '2026-05-31' });
    expect(of('coming')).toEqual({ from: '2026-05-20', to: '2026-05-31' });
    expect(of('past')).toEqual({ from: '2026-05-01', to: '2026-05-19' });
    expect(of({ from: null, to: '2026-05-03' })).toEqual({ from: '2026-05-01', to: '2026-05-03' });
  });

  it('skip months without bars and stop at both ends', () => {
    const lengths = [2, 0, 1];
    const right = { months: 1, parts: 0 };
    expect(stepFrom({ month: 0, part: 1 }, right, lengths)).toEqual({ month: 2, part: 0 });
    expect(stepFrom({ month: 2, part: 0 }, right, lengths)).toEqual({ month: 2, part: 0 });
    expect(stepFrom({ month: 0, part: 1 }, { months: 0, parts: 1 }, lengths)).toEqual({
      month: 0,
      part: 1,
    });
  });
});
