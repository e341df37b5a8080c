import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { testBrowser } from '../../support/browser.ts';
import { choose } from '../../support/long.ts';
import { shareClub } from '../../support/shared-club.ts';
import { tallyOf } from '../../support/tally.ts';
import { expectAccessibleInAnyLight } from './axe.ts';

const file = join(import.meta.dirname, '../../../../shared/data/conferences.json');
const available = existsSync(file);
if (!available) {
  process.stderr.write(
    'Skipped: the page with real conferences, which are not beside this checkout.\n',
  );
}

const browser = testBrowser();
const today = '2026-05-15';
const conferences: readonly StoredEvent[] = available
  ? JSON.parse(readFileSync(file, 'utf8')).events
  : [];

const tally = (page: Page, count: number) =>
  tallyOf(page, new RegExp(`^${count.toLocaleString('en')} events?$`)).waitFor();

const views = ['agenda', 'table', 'calendar'] as const;

describe.skipIf(!available)('6,831 real conferences', () => {
  const shared = shareClub(browser, conferences, {
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
    beforeLoad: (opened) => opened.clock.setFixedTime(`${today}T12:00:00Z`),
  });

  it('are complete and consistent in every view', async () => {
    const page = await shared.show();
    const { service } = shared.served;
    await tally(page, 6_831);
    const german = conferences.filter(({ location }) => /\bgermany\b/i.test(location));
    for (const view of views) {
      await page.goto(`${service.baseUrl}/#view=${view}&q=germany`);
      await tally(page, german.length);
    }
  });

  it('have the same search results as the service', async () => {
    const page = await shared.show();
    const { service, key } = shared.served;
    for (const words of ['berlin', 'zurich', 'sao paulo', 'conf react', 'wroclaw', 'Kraków']) {
      const answer = await fetch(`${service.baseUrl}/v1/events?q=${encodeURIComponent(words)}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      const count = Number(answer.headers.get('Total-Count'));
      expect(count, words).toBeGreaterThan(0);
      await page.getByRole('searchbox').fill(words);
      await tally(page, count);
    }
  });

  it('are split at today into coming and past events', async () => {
    const coming = conferences.filter(({ date }) => date >= today).length;
    await tally(await shared.show('#time=coming'), coming);
    await tally(await shared.show('#time=past'), conferences.length - coming);
  });

  it('can be opened, stepped through and copied', async () => {
    const soonest = conferences
      .filter(({ date }) => date >= today)
      .toSorted((one, other) =>
        one.date < other.date ? -1 : one.date > other.date ? 1 : one.id - other.id,
      );
    const page = await shared.show();
    await page.locator(`[data-event="${soonest[0]?.id}"]`).click();
    await page.getByText('Details').click();
    for (const event of soonest.slice(0, 5)) {
      await page.locator('#panel-name').getByText(event.name, { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Copy as JSON' }).click();
      await page.getByText('Copied').first().waitFor();
      const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
      expect(copied.event ?? copied).toEqual(event);
      await page.getByRole('button', { name: 'Next event' }).click();
    }
  });

  it('are counted by month in the year of the calendar', async () => {
    const page = await shared.show('#view=calendar&span=year');
    const season = conferences.filter(({ date }) => date >= '2025-07-01' && date < '2026-07-01');
    await page.getByRole('heading', { name: /2025\/26/ }).waitFor();
    const totals = page.locator('.calendar-month-head > span');
    const sum = async () =>
      (await totals.allInnerTexts()).reduce(
        (total, text) => total + Number.parseInt(text.replace(',', ''), 10),
        0,
      );
    await expect.poll(sum).toBe(season.length);
  });

  it('pass axe', async () => {
    const expectFine = expectAccessibleInAnyLight;
    const page = await shared.show();
    for (const view of choose<readonly string[]>(views, views.slice(0, 1))) {
      await page.goto(`${shared.served.service.baseUrl}/#view=${view}`);
      await page.waitForTimeout(400);
      await expectFine(page, view);
    }
  });
});
