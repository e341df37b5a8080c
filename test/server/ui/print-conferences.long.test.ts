import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../db/model.ts';
import { testBrowser } from '../../support/browser.ts';
import { shareClub } from '../../support/shared-club.ts';
import {
  expectAllNames,
  expectNumbered,
  expectPreviewOf,
  fitOf,
  print,
  ready,
  showSheet,
} from './sheets.ts';

const browser = testBrowser();

const data = join(import.meta.dirname, '../../../../shared/data/conferences.json');
const available = existsSync(data);
if (!available) {
  process.stderr.write('Skipped: printed conferences, which are not beside this checkout.\n');
}

function conferences(from: string, to: string): EventDraft[] {
  const { events } = JSON.parse(readFileSync(data, 'utf8')) as { events: EventDraft[] };
  return events.filter(({ date }) => date >= from && date < to);
}

async function chooseDays(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('textbox', { name: 'From' }).fill(from);
  await page.getByRole('textbox', { name: 'From' }).press('Enter');
  await page.getByRole('textbox', { name: 'To' }).fill(to);
  await page.getByRole('textbox', { name: 'To' }).press('Enter');
  await ready(page);
}

describe.skipIf(!available)('several hundred real conferences', () => {
  const events = available ? conferences('2019-01-01', '2019-07-01') : [];
  const shared = shareClub(browser, events);

  it('are printed as a complete list, page by page as in the preview', async () => {
    const page = await showSheet(shared, '#print=list');
    await page.getByText('No events in this period.').waitFor();
    await chooseDays(page, '1 January 2019', '15 February 2019');
    await page.getByRole('button', { name: 'International' }).click();
    await ready(page);
    const shown = events.filter(
      ({ eventType, date }) => eventType === 'international' && date < '2019-02-15T23',
    );
    expect(shown.length).toBeGreaterThan(40);
    const printed = await print(page);
    await expect
      .poll(() => fitOf(page))
      .toMatch(new RegExp(`^Text 1\\d pt, ${printed.pages.length} pages$`));
    expectNumbered(printed);
    expectAllNames(printed, shown);
    for (const text of printed.pages) {
      expect(text).toMatch(/(January|February) 2019/);
      expect(text).not.toMatch(/Back to events|Types/);
    }
    await expectPreviewOf(page, printed);
  });

  it('of a month are printed as a calendar page and a list of those that do not fit', async () => {
    const page = await showSheet(shared, '#print=month&day=2019-05-20');
    const printed = await print(page);
    expectNumbered(printed);
    expectAllNames(printed, conferences('2019-05-01', '2019-06-01'));
    expect(new Set(printed.sizes.map(String))).toEqual(new Set(['297,210']));
    const [first = '', ...others] = printed.pages;
    expect(first).toMatch(/May 2019[\s\S]*Monday[\s\S]*Sunday[\s\S]*\b31\b/);
    expect(first).toMatch(/\+ \d+ more/);
    expect(first).toContain('More events are listed on the next page.');
    for (const text of others) expect(text).toContain('May 2019 (continued)');
    await page.getByText('Some details are left out to fit.').waitFor();
    await expectPreviewOf(page, printed);
  });
});
